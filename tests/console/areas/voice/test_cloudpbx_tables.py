"""The lists of a CloudPBX that are edited as tables."""

from __future__ import annotations

from svc_tui.console.core.table_rows import EditedRows, is_table
from svc_tui.interface.voice.cloudpbx import CliOptions, DialingRule, PlanRange
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumber


def test_ranges_rules_and_prohibited_numbers_are_tables() -> None:
    assert is_table(PlanRange)
    assert is_table(DialingRule)
    assert is_table(ProhibitedNumber)
    assert not is_table(CliOptions)


def test_no_number_is_prohibited_twice() -> None:
    rows = EditedRows(ProhibitedNumber, [{"pattern": "118"}, {"pattern": "90"}], "pattern")
    assert rows.problem(1) == ""
    rows.type(1, "pattern", "118")
    assert rows.problem(1) == "Row 2: Pattern is already in row 1"


def test_an_invalid_expression_has_a_problem() -> None:
    rows = EditedRows(DialingRule, [])
    rows.add(0)
    rows.type(0, "regexpMatch", "^(00")
    assert rows.problem(0, "regexpMatch") == "Row 1: Match pattern is not a regular expression"
