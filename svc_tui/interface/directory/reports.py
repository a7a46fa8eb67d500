"""What comes of a check or an import (2.19)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from svc_tui.interface.records import Record, field


class ImportState(StrEnum):
    """Where an import is."""

    INITIALIZING = "Initializing"
    CREATING = "Creating"
    COMPLETED = "Completed successfully"
    FAILED = "Completed with failure"
    DELETED = "Deleted"


#: States in which nothing moves any more.
ENDED = frozenset({ImportState.COMPLETED, ImportState.FAILED, ImportState.DELETED})

CommandStatus = Literal["success", "failure", "pending"]


class EntryError(Record):
    """What is wrong with one cell; `param` names its column."""

    param: str | None = field(None)
    msg: str | None = field(None)
    value: Any = field(None)


class CheckedEntry(Record):
    """A row that did not pass: the row as it stands in the file, and what is wrong with it."""

    csv_source: str | None = field(None)
    errors: list[EntryError] | None = field(None)


class CheckResult(Record):
    """What came of a check: `errorReport` holds `entryN` for each row that did not pass, N counted from 1."""

    ok_count: int = field(0, help="Rows that passed")
    error_count: int = field(0, help="Rows that did not")
    error_report: dict[str, CheckedEntry] = field({}, help="Each row that did not pass, by entryN")


class ImportedEntry(Record):
    """What became of one row: its data, or why it was refused."""

    status: str | None = field(None, help="created, updated, deleted or failed")
    data: dict[str, Any] | None = field(None)
    error_details_code: int | None = field(None)
    error_details: EntryError | list[EntryError] | str | None = field(None)
    csv_source: str | None = field(None)


class ImportStatus(Record):
    """How far an import is."""

    company_id: str | None = field(None, refers="companies")
    user_id: str | None = field(None, refers="users", help="Who imports")
    display_name: str | None = field(None, help="Who imports")
    label: str | None = field(None)
    csv_headers: str | None = field(None, help="First line of the file")
    start_time: datetime | None = field(None)
    state: ImportState | None = field(None)
    created: int | None = field(None)
    updated: int | None = field(None)
    deleted: int | None = field(None)
    failed: int | None = field(None)


class ImportReport(ImportStatus):
    """What came of an import: `report` holds `entryN` for each row that is told of, N counted from 1."""

    report: dict[str, ImportedEntry] | None = field(None)


class CommandReport(Record):
    """What became of a command."""

    status: CommandStatus = field("pending")
    report: dict[str, Any] | None = field(None)


class CommandReportBody(Record):
    """A report that is written for a command by hand."""

    details: str = field(..., multiline=True, help="What happened")
    status: Literal["success", "failure"] = field(..., help="How it ended")
