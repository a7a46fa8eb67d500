"""The directories of the demo, and its failed import."""

from __future__ import annotations

import io
from datetime import date

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.reading import format_of, rows
from svc_tui.server.demo.repeatable import Calendar
from svc_tui.server.directory import demo as directory
from svc_tui.server.directory.entries import completed

CALENDAR = Calendar(date(2026, 11, 20))


def test_every_directory_entry_of_the_demo_is_valid() -> None:
    ids = set()
    for entry in directory.entries(CALENDAR, large=False):
        sendable = {wire: value for wire, value in entry.items() if not wire.endswith("Date")}
        assert completed(sendable, "") == sendable, entry
        ids.add(entry["id"])
    assert len(ids) > 500
    assert {entry["directory"] for entry in directory.entries(CALENDAR, large=False)} == {
        each["id"] for each in directory.directories(CALENDAR)
    }


def test_the_large_scale_has_a_hundred_thousand_entries_in_one_directory() -> None:
    sizes: dict[str, int] = {}
    for entry in directory.entries(CALENDAR, large=True):
        sizes[entry["directory"]] = sizes.get(entry["directory"], 0) + 1
    assert max(sizes.values()) == 100_000


def test_yesterdays_import_failed_in_twenty_rows_of_its_file() -> None:
    report, reported = directory.report(CALENDAR, *directory.IMPORTED[0])
    assert (report["failed"], report["created"], report["state"]) == (20, 20, "Completed with failure")
    file = io.BytesIO(directory.faulty_file().encode())
    columns, headers, found = rows(file, format_of(file))
    checker = Checker(columns, country="PRT")
    wrong = [row.number for row in found if checker.check(row.cells)]
    assert headers == report["csvHeaders"]
    assert wrong == [row["number"] for row in reported if row["status"] == "failed"] and len(wrong) == 20
