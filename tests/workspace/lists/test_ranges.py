"""Ranges of dates and numbers, as they are typed behind a column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_tui import language
from svc_tui.workspace.lists.matching import searched_text
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
    assert found.holds(value, (shown, searched_text(value))) is holds


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


@pytest.fixture
def german() -> Iterator[None]:
    language.use("de")
    yield
    language.use("en")


def test_numbers_of_a_range_are_those_of_the_language(german: None) -> None:
    """`>1.000` means more than a thousand to a German; `>1.5` is no German number, and never more than one."""
    assert _holds(">1.000", 1001) and not _holds(">1.000", 2)
    assert _holds("1,5..2.000", 1.6) and not _holds("1,5..2.000", 1.4)
    with pytest.raises(ValueError, match=r"1\.5"):
        range_of(">1.5")
    # What is shown is read in the language, and what is stored as it is.
    found = range_of(">1.000")
    assert found is not None
    assert found.holds(None, ("12.345 Zeilen",)) and not found.holds(None, ("12,345",))
    assert found.holds("1500.00 EUR") and not found.holds("12.345")


def test_english_numbers_of_a_range_may_have_commas() -> None:
    assert _holds(">1,000", 1001) and not _holds(">1,000", 2)
    assert _holds(">1.5", 2) and not _holds(">1.5", 1)


def _holds(text: str, value: object) -> bool:
    found = range_of(text)
    assert found is not None
    return found.holds(value)
