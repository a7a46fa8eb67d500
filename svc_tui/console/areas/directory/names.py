"""Names and resources that views and actions of the directory share; nothing here imports another part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from svc_tui.console.core.actions import Action, Run, always_possible
from svc_tui.console.core.resource import Context, Placement, Resource, managed
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.workspace.kinds.kind import Kind

#: The place of imports, the rows of the doctor, and reports.
DIRECTORY_NAME, ROWS, REPORTS_NAME = "directory", "directoryrows", "directoryreports"
READ_REPORT, WRITE_REPORT = "get_company_import_report", "create_command_report"
EMPTY, UPDATE = "delete_company_directory", "update_directory_entry"


def actions_of(prefix: str, **common: Any) -> Callable[..., Action]:
    """What makes the actions of a place in one line each: their names begin with `prefix`, and `common` is the same."""

    def made(
        name: str,
        keys: str | tuple[str, ...],
        label: str,
        help: str,
        run: Run,
        footer: int = 0,
        possible: Callable[[Context], str] = always_possible,
        **own: Any,
    ) -> Action:
        named: dict[str, Any] = {"name": f"{prefix}.{name}", "label": label, "help": help}
        named["keys"] = (keys,) if isinstance(keys, str) else keys
        return Action(**named, run=run, footer=footer, possible=possible, **common, **own)

    return made


def of_company(record: RecordData, caller: Caller) -> Subject:
    """The subject of the company's directory and of the caller's own."""
    return replace(managed(str(record.get("companyId") or caller.company_id), caller), owner_id=caller.user_id)


#: Not listed on its own: opened from a file or a report.
DOCTOR = Resource(
    kind=Kind(ROWS, READ_REPORT, READ_REPORT),
    title="Directory rows",
    singular="row",
    placement=Placement(
        path={"companyId": "companies"},
    ),
    subject=of_company,
)


#: Not listed on its own: opened from the place of imports.
REPORT = Resource(
    kind=Kind(REPORTS_NAME, READ_REPORT, READ_REPORT),
    title="Reports",
    singular="report",
    placement=Placement(
        path={"companyId": "companies"},
    ),
    subject=of_company,
)
