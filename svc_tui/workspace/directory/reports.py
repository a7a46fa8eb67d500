"""Reports on imports and checks: where each is read, what it tells row by row, and how it is passed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.directory.reports import ENDED, ImportState
from svc_tui.workspace.directory.import_run import in_words
from svc_tui.workspace.directory.target import Target
from svc_tui.workspace.files.export import cell, csv_line

Report = Mapping[str, Any]
#: The columns of what is wrong, as a table.
COLUMNS = ("row", "column", "problem", "value", "source")
_ALL_COLUMNS = ("row", "status", *COLUMNS[1:])
#: What a report says of the import as a whole stands under this name.
WHOLE = "entry0"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a report is read; without `status` it is not told by itself how far it is, without `delete` it stays.

    `details` gives every row, `report` those that failed. `command` and `check`: it is of a command, of its check.
    """

    called: str
    report: str
    details: str
    path: Mapping[str, str]
    query: Mapping[str, object]
    status: str = ""
    delete: str = ""
    check: bool = False

    @property
    def command(self) -> str:
        """The command that it is of; empty for none."""
        return self.path.get("commandId", "")


def of_company(company_id: str, called: str, ldap_config_id: str = "") -> Source:
    """The last import of a company, or of one of its LDAP configurations."""
    whose = f"{called}, configuration {ldap_config_id}" if ldap_config_id else called
    return Source(
        whose,
        "get_company_import_report",
        "get_company_import_details",
        {"companyId": company_id},
        {"ldapConfigId": ldap_config_id} if ldap_config_id else {},
        "get_company_import_status",
        "delete_company_import_report",
    )


def of_oneself() -> Source:
    """One's own last import."""
    return Source(
        "your own directory",
        "get_personal_import_report",
        "get_personal_import_details",
        {},
        {},
        "get_personal_import_status",
        "delete_personal_import_report",
    )


def of_command(command_id: str, *, check: bool = False) -> Source:
    """The import of a command, or the check of its file."""
    operation = "get_command_check_report" if check else "get_command_import_report"
    called = f"the {'check of ' if check else ''}command {command_id}"
    return Source(called, operation, operation, {"commandId": command_id}, {}, check=check)


def target_of(source: Source, company_id: str) -> Target:
    """The directory that the rows of a report are meant for."""
    if source.command:
        return Target("synchronize", company_id, command_id=source.command)
    if not source.path:
        return Target("personal")
    return Target("replace", source.path["companyId"], ldap_config_id=str(source.query.get("ldapConfigId") or ""))


def unpacked(body: Any) -> Report:
    """What an answer tells: that of a command is packed into its report, beside how it ended."""
    if not isinstance(body, Mapping):
        return {}
    if isinstance(body.get("data"), Mapping):
        return dict(body["data"])
    told = body.get("report")
    return {"status": body.get("status"), **(told if isinstance(told, Mapping) else {})}


def entries_of(report: Report) -> Mapping[str, Any]:
    """The rows that are told of, by `entryN`."""
    found = report.get("report") or report.get("errorReport")
    return found if isinstance(found, Mapping) else {}


def runs(report: Report) -> bool:
    """Whether it is still under way."""
    if report.get("state") is None:
        return report.get("status") == "pending"
    return report["state"] not in ENDED


def ended_well(report: Report) -> bool:
    """Whether everything went in."""
    return report.get("state") == ImportState.COMPLETED.value or report.get("status") == "success"


def why_nothing(report: Report) -> str:
    """Why nothing of it was imported; empty when rows were."""
    whole = entries_of(report).get(WHOLE)
    return str(whole.get("errorDetails") or "") if isinstance(whole, Mapping) else ""


# --- row by row ------------------------------------------------------------------------------------------------


def number_of(name: str) -> int:
    """The number of a row by its name in a report; 0 for what is none."""
    digits = name.removeprefix("entry")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def problems_of(entry: Report) -> list[Mapping[str, Any]]:
    """What is wrong with a row: column, what is said, and the value."""
    details = entry.get("errors") or entry.get("errorDetails")
    found = details if isinstance(details, list) else [details] if details else []
    return [each if isinstance(each, Mapping) else {"msg": str(each)} for each in found]


def in_order(entries: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """Number and entry of each row, in their order."""
    return sorted(
        ((number_of(name), entry) for name, entry in entries.items() if isinstance(entry, Mapping)),
        key=lambda found: found[0],
    )


def problems(entries: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A line for each thing that is wrong, under COLUMNS, in the order of the rows."""
    return [_problem(number, entry, each) for number, entry in in_order(entries) for each in problems_of(entry)]


def _problem(number: int, entry: Report, said: Report) -> dict[str, Any]:
    return {
        "row": number,
        "column": said.get("param"),
        "problem": said.get("msg"),
        "value": said.get("value"),
        "source": entry.get("csvSource"),
    }


# --- passed on -------------------------------------------------------------------------------------------------


def as_csv(report: Report) -> Iterator[str]:
    """Every row that is told of, and what is wrong with it; no spreadsheet takes a cell for a formula."""
    yield csv_line(_ALL_COLUMNS)
    for number, entry in in_order(entries_of(report)):
        for said in problems_of(entry) or [{}]:
            found = {**_problem(number, entry, said), "status": entry.get("status")}
            yield csv_line([cell(found[name]) for name in _ALL_COLUMNS])


def ticket(report: Report, called: str, most: int = 50) -> str:
    """What happened, as plain text for a ticket: the outcome, and the rows that are wrong (`most` of them)."""
    facts = {
        "Import of": called,
        "State": report.get("state") or report.get("status"),
        "Label": report.get("label"),
        "By": report.get("displayName"),
        "Began": report.get("startTime"),
        "Outcome": why_nothing(report) or (in_words(report) if report.get("state") else ""),
        "Details": report.get("details"),
        "Columns": report.get("csvHeaders"),
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    wrong = [found for found in problems(entries_of(report)) if found["row"]]
    for found in wrong[:most]:
        column = f"{found['column']}: " if found["column"] else ""
        value = f" ({found['value']})" if found["value"] else ""
        lines += [f"row {found['row']}: {column}{found['problem']}{value}", f"    {found['source'] or ''}".rstrip()]
    if len(wrong) > most:
        lines.append(f"and {len(wrong) - most:,} more")
    return "\n".join(lines) + "\n"
