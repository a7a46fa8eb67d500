"""Reports on imports: as a table, and as text for a ticket."""

from __future__ import annotations

import csv
import io
from typing import Any

from svc_tui.workspace.directory.reports import (
    as_csv,
    command_report,
    company_report,
    failure_reason,
    in_progress,
    own_report,
    problem_rows,
    report_in,
    succeeded,
    target_of,
    ticket_text,
)

FAULT = {"param": "country", "msg": "needs at least 3 characters", "value": "PT"}
ENTRIES: dict[str, Any] = {
    "entry10": {"status": "failed", "errorDetails": [FAULT, {**FAULT, "param": "eMail"}], "csvSource": "Ann;PT"},
    "entry2": {"status": "failed", "errorDetails": FAULT, "csvSource": "=1+1;PT"},
    "entry3": {"status": "created", "csvSource": "Bob;PRT"},
}
REPORT = {
    "state": "Completed with failure",
    "label": "Spring",
    "created": 1,
    "failed": 2,
    "csvHeaders": "lastName;country",
    "report": ENTRIES,
}


def test_rows_are_in_the_order_of_the_file_with_a_line_for_each_fault() -> None:
    assert [(each["row"], each["column"]) for each in problem_rows(ENTRIES)] == [
        (2, "country"),
        (10, "country"),
        (10, "eMail"),
    ]


def test_no_cell_of_the_csv_is_a_formula() -> None:
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(REPORT)))))
    assert [(row["row"], row["status"], row["problem"]) for row in rows] == [
        ("2", "failed", FAULT["msg"]),
        ("3", "created", ""),
        ("10", "failed", FAULT["msg"]),
        ("10", "failed", FAULT["msg"]),
    ]
    assert rows[0]["source"] == "'=1+1;PT"


def test_a_ticket_has_the_outcome_and_each_faulty_row() -> None:
    assert ticket_text(REPORT, "Northwind", most=2).split("\n") == [
        "Import of: Northwind",
        "State: Completed with failure",
        "Label: Spring",
        "Outcome: 1 created, 2 failed",
        "Columns: lastName;country",
        "row 2: country: needs at least 3 characters (PT)",
        "    =1+1;PT",
        "row 10: country: needs at least 3 characters (PT)",
        "    Ann;PT",
        "and 1 more",
        "",
    ]


def test_an_import_that_failed_as_a_whole_has_a_reason() -> None:
    whole = {"state": "Completed with failure", "report": {"entry0": {"status": "failed", "errorDetails": "line 4"}}}
    assert failure_reason(whole) == "line 4"
    assert "Outcome: line 4\n" in ticket_text(whole, "Northwind")
    assert failure_reason(REPORT) == ""


def test_the_state_or_the_status_of_the_command_shows_whether_it_has_ended() -> None:
    assert in_progress({"state": "Creating"})
    assert not in_progress({"state": "Deleted"})
    assert in_progress(report_in({"status": "pending", "report": None}))
    done = report_in({"status": "success", "report": {"okCount": 2, "errorCount": 0, "errorReport": {}}})
    assert not in_progress(done)
    assert succeeded(done)
    assert not succeeded(report_in({"status": "failure", "report": {"details": "no connection"}}))


def test_rows_of_a_report_belong_to_its_directory() -> None:
    assert target_of(company_report("c1", "Northwind"), "own").company_id == "c1"
    assert target_of(own_report(), "own").purpose == "personal"
    command = target_of(command_report("k1"), "own")
    assert (command.purpose, command.company_id, command.command_id) == ("synchronize", "own", "k1")
    assert target_of(company_report("c1", "N", "main"), "own").ldap_config_id == "main"
