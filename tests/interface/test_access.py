"""The reasons of refusals in words."""

from __future__ import annotations

import pytest

from svc_tui.interface.access import Reach, in_words


@pytest.mark.parametrize(
    ("reached", "words"),
    [
        ({Reach.OWN}, "your own records"),
        ({Reach.OWN_COMPANY, Reach.END_CUSTOMERS}, "your own company and your end customers"),
        (
            {Reach.OWN_COMPANY, Reach.END_CUSTOMERS, Reach.RESELLERS, Reach.OWN_BP},
            "your own company, your end customers, customers of your resellers and your BP company",
        ),
    ],
)
def test_several_reaches_are_a_list_with_commas(reached: set[Reach], words: str) -> None:
    assert in_words(reached) == words
