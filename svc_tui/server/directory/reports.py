"""Reports on checks and imports: of a company, of the caller himself, of a command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from svc_tui.interface.directory import report_operations as declared
from svc_tui.interface.directory.report_operations import LdapQuery
from svc_tui.interface.directory.reports import CommandReportBody, ImportState, ImportStatus
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.records import fields_of
from svc_tui.server.directory.importing import RUNNING
from svc_tui.server.directory.seen import owner_subject, reached_company
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document

_STATUS = tuple(spec.wire for spec in fields_of(ImportStatus))
_ROW = ("status", "data", "errorDetailsCode", "errorDetails", "csvSource")
#: How a command ended, by the state of its import.
_COMMAND = {ImportState.COMPLETED.value: "success", ImportState.FAILED.value: "failure"}


def company_id(company: str, ldap_config: str | None = None) -> str:
    """The report on the last import of a company, or of one of its configurations."""
    return f"company:{company}:{ldap_config or ''}"


def person_id(user: str) -> str:
    """The report on somebody's own last import."""
    return f"user:{user}"


def command_id(command: str) -> str:
    """The report on the import of a command."""
    return f"command:{command}"


def check_id(command: str) -> str:
    """The report on the check of a command's file."""
    return f"check:{command}"


def shown_status(report: Document) -> Document:
    """How far an import is (2.19)."""
    return {wire: report[wire] for wire in _STATUS if report.get(wire) is not None}


async def shown_report(call: Call[Any, Any], report: Document, *, everything: bool = False) -> Document:
    """What came of an import: the rows that failed, or every row that is told of."""
    where: Sequence[Condition] = (Is("report", report["id"]),)
    if not everything:
        where = (*where, Is("status", "failed"))
    found = (await call.store.imported_rows.find(*where, sort=Sort("report"))).documents
    rows = {f"entry{row['number']}": {wire: row[wire] for wire in _ROW if wire in row} for row in found}
    return {**shown_status(call.service.imports.progress(report)), "report": rows}


async def _of_company(call: Call[LdapQuery], code: Code = Code.NOT_FOUND) -> Document:
    company = await reached_company(call, call.path["companyId"])
    return await _existing(call, company_id(company["id"], call.query.ldap_config_id), code)


async def _own(call: Call[Any, Any], code: Code = Code.NOT_FOUND) -> Document:
    assert call.caller is not None
    return await _existing(call, person_id(call.caller.user_id), code)


async def _existing(call: Call[Any, Any], id: str, code: Code) -> Document:
    report = await call.store.import_reports.get(id)
    if report is None:
        raise not_found("Import report", id.rstrip(":"), code)
    return await call.service.imports.cleared(call.store, report)


async def _deleted(call: Call[Any, Any], report: Document) -> RuleResult:
    """Delete a report; an import that still runs is stopped by it, and the directory stays as it was."""
    answer = await shown_report(call, report)
    if report["state"] in RUNNING:
        # Before the turn to write comes, which an import takes batch by batch and could go on to its end meanwhile.
        await call.service.imports.cancel(report["id"])
        await call.store.import_reports.remove(report["id"])
        await call.store.commit()
    await call.store.imported_rows.remove_all(Is("report", report["id"]))
    await call.store.import_reports.remove(report["id"])
    return {"status": "Import report successfully deleted", "data": {**answer, "state": ImportState.DELETED.value}}


@rule(declared.get_company_import_status)
async def company_status(call: Call[LdapQuery]) -> RuleResult:
    return {"data": shown_status(call.service.imports.progress(await _of_company(call)))}


@rule(declared.get_company_import_report)
async def company_report(call: Call[LdapQuery]) -> RuleResult:
    return {"data": await shown_report(call, await _of_company(call))}


@rule(declared.get_company_import_details)
async def company_details(call: Call[LdapQuery]) -> RuleResult:
    return {"data": await shown_report(call, await _of_company(call), everything=True)}


@rule(declared.delete_company_import_report)
async def delete_company_report(call: Call[LdapQuery]) -> RuleResult:
    return await _deleted(call, await _of_company(call, Code.NOT_FOUND_DELETE))


@rule(declared.get_personal_import_status)
async def personal_status(call: Call) -> RuleResult:
    return {"data": shown_status(call.service.imports.progress(await _own(call)))}


@rule(declared.get_personal_import_report)
async def personal_report(call: Call) -> RuleResult:
    return {"data": await shown_report(call, await _own(call))}


@rule(declared.get_personal_import_details)
async def personal_details(call: Call) -> RuleResult:
    return {"data": await shown_report(call, await _own(call), everything=True)}


@rule(declared.delete_personal_import_report)
async def delete_personal_report(call: Call) -> RuleResult:
    return await _deleted(call, await _own(call, Code.NOT_FOUND_DELETE))


async def _of_command(call: Call[Any, Any], id: str) -> Document:
    report = await _existing(call, id, Code.NOT_FOUND)
    call.require(await owner_subject(call.store, {"companyId": report["companyId"]}))
    return report


@rule(declared.get_command_check_report)
async def check_report(call: Call) -> RuleResult:
    report = await _of_command(call, check_id(call.path["commandId"]))
    return {"status": report["status"], "report": report["report"]}


@rule(declared.get_command_import_report)
async def import_report(call: Call) -> RuleResult:
    report = await _of_command(call, command_id(call.path["commandId"]))
    if "written" in report:
        return {"status": report["status"], "report": report["written"]}
    told = await shown_report(call, report, everything=True)
    return {"status": _COMMAND.get(report["state"], "pending"), "report": told}


@rule(declared.create_command_report)
async def write_report(call: Call[Nothing, CommandReportBody]) -> RuleResult:
    owner = (await reached_company(call, None))["id"]
    id = command_id(call.path["commandId"])
    await call.store.lock(f"import report:{id}")
    before = await call.store.import_reports.get(id)
    if before is not None:
        owner = before["companyId"]
        call.require(await owner_subject(call.store, {"companyId": owner}))
    written = {"details": call.body.details}
    document = {"id": id, "companyId": owner, "status": call.body.status, "written": written}
    await call.store.import_reports.put({**document, "state": ImportState.COMPLETED.value})
    return {"status": call.body.status, "report": written}
