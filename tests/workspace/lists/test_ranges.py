"""Ranges of dates and numbers, as they are typed behind a column."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.workspace.lists.matching import text_of
from svc_tui.workspace.lists.ranges import ValueRange, range_of

MAY = "2026-05-20T10:30:00.000Z"


@pytest.mark.parametrize(
    ("text", "value", "shown", "holds"),
    [
        (">2026-01", MAY, "2026-05-20", True),
        (">2026-05", MAY, "2026-05-20", False),
        (">=2026-05", MAY, "2026-05-20", True),
        ("<2026-05", MAY, "2026-05-20", False),
        ("<=2026-05", MAY, "2026-05-20", True),
        ("<2027", MAY, "2026-05-20", True),
        (">2026-05-20", MAY, "2026-05-20", False),
        ("2026-05..2026-05", MAY, "2026-05-20", True),
        ("2026-01..2026-04", MAY, "2026-05-20", False),
        ("2026-06..", MAY, "2026-05-20", False),
        ("..2026-05-20", MAY, "2026-05-20", True),
        (">2026-05-20 10", MAY, "2026-05-20", False),
        (">2026-05-20 09:59", MAY, "2026-05-20", True),
        ("<2026-05-21", MAY, "2026-05-21 01:30", False),
        (">2026-05-20", MAY, "2026-05-21 01:30", True),
        (">5", 6, "", True),
        (">=6", 6, "", True),
        ("<6", 6, "", False),
        ("1..6.5", 6.25, "", True),
        (">-3", -2, "", True),
        (">1000", {"amount": 1234}, "1,234.50 EUR", True),
        (">1300", {"amount": 1234}, "1,234.50 EUR", False),
        (">5", "17", "17", True),
        (">5", [3, 8], "3, 8", True),
        (">2026-01", 5, "5", False),
        (">5", MAY, "2026-05-20", False),
        (">5", None, "—", False),
        ("<5", None, "never", False),
        (">0", True, "yes", False),
    ],
)
def test_a_value_is_in_a_range(text: str, value: Any, shown: str, holds: bool) -> None:
    found = range_of(text)
    assert found is not None
    assert found.holds(value, (shown, text_of(value))) is holds


@pytest.mark.parametrize("text", ["crm", "a..b", "..", "2026", "etc..", "-"])
def test_other_texts_are_no_ranges(text: str) -> None:
    assert range_of(text) is None


@pytest.mark.parametrize(
    ("text", "wrong"),
    [(">abc", "abc"), ("<=2026-13", "2026-13"), ("2026-01..soon", "soon"), (">2026-01-32", "2026-01-32"), (">", "")],
)
def test_an_end_that_is_no_date_and_no_number_is_named(text: str, wrong: str) -> None:
    with pytest.raises(ValueError) as error:
        range_of(text)
    assert str(error.value) == wrong


def test_only_strict_signs_exclude_the_ends() -> None:
    assert range_of(">5") == ValueRange("5", "", True)
    assert range_of("<=5") == ValueRange("", "5")
    assert range_of("5..7") == ValueRange("5", "7")
