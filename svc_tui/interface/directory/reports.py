"""Results of checks, and status and reports of imports (2.19)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from svc_tui.interface.directory.records import DirectoryEntry
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.fields import field
from svc_tui.interface.records import Holds, Record

__all__ = [
    "CheckResult",
    "CheckedEntry",
    "CommandReport",
    "CommandReportBody",
    "CommandStatus",
    "EntryError",
    "ImportReport",
    "ImportStatus",
    "ImportedEntry",
]


CommandStatus = Literal["success", "failure", "pending"]


class EntryError(Record):
    """The fault of a cell. `param` is its column."""

    param: str | None = field(None)
    msg: str | None = field(None, personal=True)
    value: Any = field(None, personal=True)


class CheckedEntry(Record):
    """An invalid row: its text in the file, and its faults."""

    csv_source: str | None = field(None, personal=True)
    errors: list[EntryError] | None = field(None)


class CheckResult(Record):
    """The result of a check. `errorReport` contains `entryN` for each invalid row, with N from 1."""

    ALWAYS: ClassVar = ("okCount", "errorCount", "errorReport")

    ok_count: int = field(0, help="Number of valid rows")
    error_count: int = field(0, help="Number of invalid rows")
    error_report: dict[str, CheckedEntry] = field({}, help="Invalid rows, by entryN")


class ImportedEntry(Record):
    """The result of one row: its data, or the reason of its failure."""

    status: str | None = field(None, help="created, updated, deleted or failed")
    data: Annotated[dict[str, Any], Holds(DirectoryEntry)] | None = field(None, personal=True)
    error_details_code: int | None = field(None)
    error_details: EntryError | list[EntryError] | str | None = field(None)
    csv_source: str | None = field(None, personal=True)


class ImportStatus(Record):
    """The status of an import."""

    ALWAYS: ClassVar = ("state",)

    company_id: str | None = field(None, refers="companies")
    user_id: str | None = field(None, refers="users", help="User who started the import")
    display_name: str | None = field(None, help="User who started the import", personal=True)
    label: str | None = field(None, personal=True)
    csv_headers: str | None = field(None, help="First line of the file")
    start_time: datetime | None = field(None)
    state: ImportState | None = field(None)
    created: int | None = field(None)
    updated: int | None = field(None)
    deleted: int | None = field(None)
    failed: int | None = field(None)


class ImportReport(ImportStatus):
    """The report of an import. `report` contains `entryN` for each reported row, with N from 1."""

    report: dict[str, ImportedEntry] | None = field(None)


class CommandReport(Record):
    """The report of a command."""

    status: CommandStatus = field("pending")
    report: dict[str, Any] | None = field(None, personal=True)


class CommandReportBody(Record):
    """A new report of a command."""

    details: str = field(..., multiline=True, help="What happened")
    status: Literal["success", "failure"] = field(..., help="Result of the command")
