"""Reports on checks and imports: of a company, of the caller, of a command."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.directory import import_operations as declared
from svc_tui.interface.directory.import_operations import LdapQuery
from svc_tui.interface.directory.reports import CommandReportBody, CommandStatus, ImportedEntry, ImportStatus
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.directory.access import reached_company
from svc_tui.server.directory.import_reports import remove_traces, report_lock
from svc_tui.server.directory.importing import Imports
from svc_tui.server.directory.stored import RUNNING, StoredReport, StoredRow
from svc_tui.server.hooks import UserBelongings, of_users
from svc_tui.server.reach import belonging_within
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, In, Is, Not
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_STATUS = tuple(field_by_wire(ImportStatus))
_ROW = frozenset(field_by_wire(ImportedEntry))
#: The status of a command, by the state of its import.
_COMMAND: dict[str, CommandStatus] = {ImportState.COMPLETED: "success", ImportState.FAILED: "failure"}


def company_id(company: str, ldap_config: str | None = None) -> str:
    """The id of the report on the last import of a company, or of one of its configurations."""
    return f"company:{company}:{ldap_config or ''}"


def personal_id(user: str) -> str:
    """The id of the report on the last import of a user's own directory."""
    return f"user:{user}"


def import_of(command: str) -> str:
    """The import of a command, as its report names it."""
    return f"import:{command}"


def check_of(command: str) -> str:
    """The check of a command's file, as its report names it."""
    return f"check:{command}"


def command_id(company: str, command: str) -> str:
    """The id of the report on the import or check of a command of this company: each company chooses its own IDs."""
    return f"command:{company}:{command}"


def represented_status(report: StoredReport) -> Document:
    """The progress of an import in a response (2.19): all fields, null where they are unset."""
    document = document_of(report)
    return {wire: document.get(wire) for wire in _STATUS}


async def represented_report(call: AnyCall, report: StoredReport, *, all_rows: bool = False) -> Document:
    """The result of an import in a response: the rows that failed, or all rows that the report lists."""
    where: Sequence[Condition] = (Is("report", report.id),)
    if not all_rows:
        where = (*where, Is("status", "failed"))
    found = all_typed(StoredRow, (await call.store.imported_rows.find(*where, sort=Sort("report"))).documents)
    rows = {f"entry{row.number}": {w: v for w, v in document_of(row).items() if w in _ROW} for row in found}
    return {**represented_status(call.service.part(Imports).progress(report)), "report": rows}


async def _of_company(call: Call[LdapQuery]) -> StoredReport:
    company = await reached_company(call, call.path["companyId"])
    return await _existing(call, company_id(company.id, call.query.ldap_config_id))


async def _own(call: AnyCall) -> StoredReport:
    assert call.caller is not None
    return await _existing(call, personal_id(call.caller.user_id))


async def _existing(call: AnyCall, id: str) -> StoredReport:
    report = typed(StoredReport, await call.store.import_reports.get(id))
    if report is not None and report.same_as:
        report = _if_same(typed(StoredReport, await call.store.import_reports.get(report.same_as)), report)
    if report is None:
        raise not_found("Import report", id.rstrip(":"))
    return report


def _if_same(report: StoredReport | None, name: StoredReport) -> StoredReport | None:
    """The report that a name stands for; None when it was deleted, or is of another import now."""
    if report is None or report.written is not None:
        return None
    is_same = (report.company_id, report.start_time) == (name.company_id, name.start_time)
    return report if is_same else None


async def store_names(store: Store, names: Sequence[str], report: StoredReport) -> None:
    """Store further names of the report of an import that begins. A report of an import that runs stays."""
    for id in names:
        await store.lock(report_lock(id))
        before = typed(StoredReport, await store.import_reports.get(id))
        if before is not None and before.state in RUNNING:
            continue
        await store.imported_rows.remove_all(Is("report", id))
        name = typed(StoredReport, {"id": id, "companyId": report.company_id, "sameAs": report.id})
        name.state, name.start_time = ImportState.COMPLETED, report.start_time
        await store.import_reports.put(document_of(name))


async def _deleted(call: AnyCall, report: StoredReport) -> RuleResult:
    """Delete a report. This stops an import that still runs; its directory stays unchanged."""
    answer = await represented_report(call, report)
    if report.state in RUNNING:
        # Cancel before waiting for the write lock: the import takes it batch by batch and could finish first.
        await call.service.part(Imports).cancel(report.id)
        await call.store.lock(report_lock(report.id))
        last = typed(StoredReport, await call.store.import_reports.get(report.id))
        if last is not None:
            await remove_traces(call.store, last)
        await call.store.import_reports.remove(report.id)
        await call.store.commit()
        await call.store.imported_rows.remove_all(Is("report", report.id))
    elif await call.store.import_reports.remove_all(Is("id", report.id), Not(In("state", RUNNING))):
        # Otherwise another import has begun since the report was read.
        await call.store.imported_rows.remove_all(Is("report", report.id))
    return {"status": "Import report successfully deleted", "data": {**answer, "state": ImportState.DELETED.value}}


@rule(declared.get_company_import_status)
async def company_status(call: Call[LdapQuery]) -> RuleResult:
    return {"data": represented_status(call.service.part(Imports).progress(await _of_company(call)))}


@rule(declared.get_company_import_report)
async def company_report(call: Call[LdapQuery]) -> RuleResult:
    return {"data": await represented_report(call, await _of_company(call))}


@rule(declared.get_company_import_details)
async def company_details(call: Call[LdapQuery]) -> RuleResult:
    return {"data": await represented_report(call, await _of_company(call), all_rows=True)}


@rule(declared.delete_company_import_report)
async def delete_company_report(call: Call[LdapQuery]) -> RuleResult:
    return await _deleted(call, await _of_company(call))


@rule(declared.get_personal_import_status)
async def personal_status(call: Call) -> RuleResult:
    return {"data": represented_status(call.service.part(Imports).progress(await _own(call)))}


@rule(declared.get_personal_import_report)
async def personal_report(call: Call) -> RuleResult:
    return {"data": await represented_report(call, await _own(call))}


@rule(declared.get_personal_import_details)
async def personal_details(call: Call) -> RuleResult:
    return {"data": await represented_report(call, await _own(call), all_rows=True)}


@rule(declared.delete_personal_import_report)
async def delete_personal_report(call: Call) -> RuleResult:
    return await _deleted(call, await _own(call))


async def _of_command(call: AnyCall, command: str) -> StoredReport:
    """The report on the import or check of a command: of the caller's own company, or the latest of those that the
    caller reaches. Refusal 404000, also for one of another company: it could have any ID."""
    caller = call.known_caller
    found = await call.store.import_reports.get(command_id(caller.company_id, command))
    if found is None:
        where, latest = (Is("command", command), belonging_within(call.reached, caller)), Sort("startTime", True)
        found = next(iter((await call.store.import_reports.find(*where, sort=latest, limit=1)).documents), None)
    if found is None:
        raise not_found("Import report", call.path["commandId"])
    return typed(StoredReport, found)


@rule(declared.get_command_check_report)
async def check_report(call: Call) -> RuleResult:
    report = await _of_command(call, check_of(call.path["commandId"]))
    return {"status": report.status, "report": report.report}


@rule(declared.get_command_import_report)
async def import_report(call: Call) -> RuleResult:
    report = await _of_command(call, import_of(call.path["commandId"]))
    if report.written is not None:
        return {"status": report.status, "report": report.written}
    rows = await represented_report(call, report, all_rows=True)
    return {"status": _COMMAND.get(report.state, "pending"), "report": rows}


@rule(declared.create_command_report)
async def write_report(call: Call[Nothing, CommandReportBody]) -> RuleResult:
    company = await reached_company(call, None)
    command = import_of(call.path["commandId"])
    id = command_id(company.id, command)
    await call.store.lock(report_lock(id))
    before = typed(StoredReport, await call.store.import_reports.get(id))
    if before is not None:
        await remove_traces(call.store, before)
    report = typed(StoredReport, {"id": id, "companyId": company.id, "command": command})
    report.status, report.written = call.body.status, {"details": call.body.details}
    report.state, report.start_time = ImportState.COMPLETED, call.now
    await call.store.import_reports.put(document_of(report))
    return {"status": report.status, "report": report.written}


class PersonalDirectory(UserBelongings):
    """The personal directory of a user, with the report on its last import: a running import ends without it."""

    async def locks(self, store: Store, user: Document) -> list[str]:
        return [f"directory:{user['id']}", f"import:{user['id']}"]

    async def release(self, store: Store, user: Document) -> None:
        id = personal_id(user["id"])
        await store.lock(report_lock(id))
        report = typed(StoredReport, await store.import_reports.get(id))
        if report is not None:
            await remove_traces(store, report)
            await store.imported_rows.remove_all(Is("report", id))
            await store.import_reports.remove(id)
        for directory in (await store.directories.find(Is("userId", user["id"]))).documents:
            await store.directory_entries.remove_all(Is("directory", directory["id"]))
            await store.directories.remove(directory["id"])


of_users(PersonalDirectory())
