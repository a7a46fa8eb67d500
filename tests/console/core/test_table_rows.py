"""Lists edited as tables: rows, what is wrong with each, the complete list."""

from __future__ import annotations

from svc_tui.console.core.table_rows import EditedRows, is_table
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.texts import DIGITS

PLAN = [{"prefix": "2", "digits": 4, "description": "Offices"}, {"prefix": "5", "digits": 3, "newer": True}]


class Range(Record):
    """A row of a numbering plan."""

    prefix: str = field(..., pattern=DIGITS, help="First digits of its numbers")
    digits: int = field(..., ge=1, le=15, help="Digits of a whole number")
    description: str | None = field(None, help="Purpose of the range")


class Plan(Record):
    """A record that contains a list of records."""

    numbering_plan: list[Range] = field([], help="Ranges of numbers")


def test_only_records_of_what_is_typed_are_tables() -> None:
    assert is_table(Range)
    assert not is_table(Plan)
    assert not is_table(None)


def test_an_unedited_list_is_unchanged() -> None:
    rows = EditedRows(Range, PLAN)
    assert rows.value() == PLAN
    assert not rows.changed


def test_rows_are_added_changed_moved_and_taken_out() -> None:
    rows = EditedRows(Range, PLAN)
    assert rows.add(1)
    rows.type(1, "prefix", "07")
    rows.type(1, "digits", "5")
    assert rows.shift(1, -1)
    assert not rows.shift(0, -1)
    assert not rows.shift(2, 1)
    rows.drop(1)
    assert rows.value() == [{"prefix": "07", "digits": 5}, PLAN[1]]
    assert rows.changed


def test_an_empty_row_is_dropped() -> None:
    rows = EditedRows(Range, PLAN)
    rows.add(1)
    rows.add(3)
    rows.type(3, "digits", "4")
    rows.drop_empty()
    assert len(rows) == 3
    assert rows.value() == [*PLAN, {"digits": 4}]


def test_a_cleared_description_is_sent_and_one_that_was_missing_is_not() -> None:
    rows = EditedRows(Range, PLAN)
    rows.type(0, "description", "")
    rows.type(1, "digits", "4")
    assert rows.value() == [
        {"prefix": "2", "digits": 4, "description": None},
        {"prefix": "5", "digits": 4, "newer": True},
    ]


def test_what_is_wrong_names_row_and_field() -> None:
    rows = EditedRows(Range, PLAN)
    rows.add(2)
    assert rows.problem(2) == "Row 3: Prefix is required"
    rows.type(2, "prefix", "8x")
    assert rows.problem(2, "prefix").startswith("Row 3: Prefix must be")
    rows.type(2, "prefix", "8")
    rows.type(2, "digits", "16")
    assert rows.problem(2) == "Row 3: Digits must be 15 or less"
    assert rows.typed(2, "digits") == "16"
    assert rows.problem(0) == ""


def test_a_unique_field_has_no_value_twice() -> None:
    rows = EditedRows(Range, [{"prefix": "118", "digits": 3}, {"prefix": "90", "digits": 3}], "prefix")
    assert rows.problem(1) == ""
    rows.type(1, "prefix", "118")
    assert rows.problem(1) == "Row 2: Prefix is already in row 1"
    assert rows.problem(0) == ""


def test_there_are_no_more_rows_than_there_can_be() -> None:
    rows = EditedRows(Range, PLAN, most=2)
    assert not rows.add(2)
    assert len(rows) == 2
