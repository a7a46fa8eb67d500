"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from svc_tui.interface.texts import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (12345, "12,345 rows")])
def test_only_one_takes_the_singular(number: int, words: str) -> None:
    assert counted(number, "row") == words


def test_a_plural_may_be_given() -> None:
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]
