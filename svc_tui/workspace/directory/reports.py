"""Reports on imports and checks: how each is read, its rows, and its export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.values import ENDED, ImportState
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.import_run import import_summary
from svc_tui.workspace.directory.target import ImportTarget
from svc_tui.workspace.files.export import cell, csv_line

#: The columns of the table of problems.
COLUMNS = ("row", "column", "problem", "value", "source")
_ALL_COLUMNS = ("row", "status", *COLUMNS[1:])
#: The name of the entry about the import as a whole.
WHOLE = "entry0"


@dataclass(frozen=True, slots=True)
class ReportSource:
    """The operations of a report; without `status` its progress cannot be read, without `delete` it cannot be deleted.

    `details` returns every row, `report` the failed rows. `check`: the report is about the check of a command's file.
    """

    name: str
    report: str
    details: str
    path: Mapping[str, str]
    query: Mapping[str, object]
    status: str = ""
    delete: str = ""
    check: bool = False

    @property
    def command(self) -> str:
        """The id of the command; empty without one."""
        return self.path.get("commandId", "")


def company_report(company_id: str, name: str, ldap_config_id: str = "") -> ReportSource:
    """The last import of a company, or of one of its LDAP configurations."""
    name = (
        _("{name}, configuration {configuration}").format(name=name, configuration=ldap_config_id)
        if ldap_config_id
        else name
    )
    return ReportSource(
        name,
        "get_company_import_report",
        "get_company_import_details",
        {"companyId": company_id},
        {"ldapConfigId": ldap_config_id} if ldap_config_id else {},
        "get_company_import_status",
        "delete_company_import_report",
    )


def own_report() -> ReportSource:
    """The last import into the personal directory."""
    return ReportSource(
        _("your personal directory"),
        "get_personal_import_report",
        "get_personal_import_details",
        {},
        {},
        "get_personal_import_status",
        "delete_personal_import_report",
    )


def command_report(command_id: str, *, check: bool = False) -> ReportSource:
    """The import of a command, or the check of its file."""
    operation = "get_command_check_report" if check else "get_command_import_report"
    name = _("the {check}command {command_id}").format(check=_("check of ") if check else "", command_id=command_id)
    return ReportSource(name, operation, operation, {"commandId": command_id}, {}, check=check)


def target_of(source: ReportSource, company_id: str) -> ImportTarget:
    """The directory of the rows of a report."""
    if source.command:
        return ImportTarget("synchronize", company_id, command_id=source.command)
    if not source.path:
        return ImportTarget("personal")
    return ImportTarget("replace", source.path["companyId"], ldap_config_id=str(source.query.get("ldapConfigId") or ""))


def report_in(body: Any) -> RecordData:
    """The report in a response; the report of a command is nested, beside its status."""
    if not isinstance(body, Mapping):
        return {}
    if isinstance(body.get("data"), Mapping):
        return dict(body["data"])
    nested = body.get("report")
    return {"status": body.get("status"), **(nested if isinstance(nested, Mapping) else {})}


def entries_of(report: RecordData) -> Mapping[str, Any]:
    """The rows of a report, by `entryN`."""
    found = report.get("report") or report.get("errorReport")
    return found if isinstance(found, Mapping) else {}


def in_progress(report: RecordData) -> bool:
    """Whether the import is in progress."""
    if report.get("state") is None:
        return report.get("status") == "pending"
    return report["state"] not in ENDED


def succeeded(report: RecordData) -> bool:
    """Whether all rows were imported."""
    return report.get("state") == ImportState.COMPLETED.value or report.get("status") == "success"


def failure_reason(report: RecordData) -> str:
    """Why nothing was imported; empty when rows were imported."""
    whole = entries_of(report).get(WHOLE)
    return str(whole.get("errorDetails") or "") if isinstance(whole, Mapping) else ""


# --- row by row ------------------------------------------------------------------------------------------------


def row_number(name: str) -> int:
    """The number of a row by its name in a report; 0 for other names."""
    digits = name.removeprefix("entry")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def problems_of(entry: RecordData) -> list[Mapping[str, Any]]:
    """The problems of a row, each with column, message and value."""
    details = entry.get("errors") or entry.get("errorDetails")
    found = details if isinstance(details, list) else [details] if details else []
    return [each if isinstance(each, Mapping) else {"msg": str(each)} for each in found]


def sorted_entries(entries: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """Number and entry of each row, sorted by number."""
    return sorted(
        ((row_number(name), entry) for name, entry in entries.items() if isinstance(entry, Mapping)),
        key=lambda found: found[0],
    )


def problem_rows(entries: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One table row for each problem, with COLUMNS and what a file adds to them, in the order of the rows."""
    return [_problem(number, entry, each) for number, entry in sorted_entries(entries) for each in problems_of(entry)]


def _problem(number: int, entry: RecordData, problem: RecordData) -> dict[str, Any]:
    return {
        "line": entry.get("line"),
        "row": number,
        "status": entry.get("status"),
        "column": problem.get("param"),
        "problem": problem.get("msg"),
        "value": problem.get("value"),
        "suggestion": problem.get("suggestion"),
        "source": entry.get("csvSource"),
        "marked": entry.get("marked") or entry.get("csvSource"),
    }


# --- export ---------------------------------------------------------------------------------------------------


def as_csv(report: RecordData) -> Iterator[str]:
    """Every row of the report with its problems; formulas are escaped for spreadsheets."""
    yield csv_line(_ALL_COLUMNS)
    for number, entry in sorted_entries(entries_of(report)):
        for problem in problems_of(entry) or [{}]:
            found = _problem(number, entry, problem)
            yield csv_line([cell(found[name]) for name in _ALL_COLUMNS])


def ticket_text(report: RecordData, name: str, most: int = 50) -> str:
    """The report as plain text for a ticket: the outcome, and the faulty rows (at most `most`)."""
    facts = {
        _("Import of"): name,
        _("State"): report.get("state") or report.get("status"),
        _("Label"): report.get("label"),
        _("By"): report.get("displayName"),
        _("Start"): report.get("startTime"),
        _("Outcome"): failure_reason(report) or (import_summary(report) if report.get("state") else ""),
        _("Details"): report.get("details"),
        _("Columns"): report.get("csvHeaders"),
    }
    lines = [f"{label}: {value}" for label, value in facts.items() if value]
    wrong = [found for found in problem_rows(entries_of(report)) if found["row"]]
    for found in wrong[:most]:
        column = f"{found['column']}: " if found["column"] else ""
        value = f" ({found['value']})" if found["value"] else ""
        lines += [
            _("row {row}: {column}{problem}{value}").format(
                row=found["row"], column=column, problem=found["problem"], value=value
            ),
            f"    {found['source'] or ''}".rstrip(),
        ]
    if len(wrong) > most:
        lines.append(_("and {wrong} more").format(wrong=number_text(len(wrong) - most)))
    return "\n".join(lines) + "\n"
