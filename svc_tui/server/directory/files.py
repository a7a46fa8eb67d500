"""Files that come in: checked, or imported for a company, for the caller himself, or by a command."""

from __future__ import annotations

import asyncio
from typing import Any

from svc_tui.interface.directory import import_operations as declared
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.import_operations import (
    CommandCheckQuery,
    CompanyCheckQuery,
    CompanyImportQuery,
    CsvQuery,
    PersonalImportQuery,
    SynchronizeQuery,
)
from svc_tui.interface.directory.reports import ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.server.directory.batches import Source, check, opened, refused
from svc_tui.server.directory.importing import RUNNING, Order
from svc_tui.server.directory.live import Owner
from svc_tui.server.directory.reports import check_id, command_id, company_id, person_id, shown_report
from svc_tui.server.directory.seen import reached_company
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.events import Event
from svc_tui.server.store.tables import Document


@rule(declared.check_directory_csv)
async def check_command(call: Call[CommandCheckQuery]) -> RuleResult:
    company = await reached_company(call, None)
    command = _command(call.query.command_id)
    result = await _checked(call, call.query, company, synchronizing=True)
    if command and call.caller:
        status = "failure" if result["errorCount"] else "success"
        await _own_report(call, check_id(command), company)
        document = {"id": check_id(command), "companyId": company["id"], "status": status, "report": result}
        await call.store.import_reports.put({**document, "state": ImportState.COMPLETED.value})
        await call.store.events.add(
            Event("command_ended", (call.caller.user_id,), {"commandId": command}), now=call.now
        )
    return {"data": result}


@rule(declared.check_company_directory_csv)
async def check_company(call: Call[CompanyCheckQuery]) -> RuleResult:
    company = await reached_company(call, call.query.company_id)
    return {"data": await _checked(call, call.query, company)}


@rule(declared.check_personal_directory_csv)
async def check_personal(call: Call[CsvQuery]) -> RuleResult:
    assert call.caller is not None
    company = await call.store.companies.get(call.caller.company_id) or {}
    return {"data": await _checked(call, call.query, company)}


@rule(declared.import_directory_csv)
async def import_company(call: Call[CompanyImportQuery]) -> RuleResult:
    company = await reached_company(call, call.query.company_id)
    report = {"id": company_id(company["id"]), "label": call.query.label}
    return await _imported(call, call.query, company, ("companyId", company["id"]), report)


@rule(declared.import_personal_directory_csv)
async def import_personal(call: Call[PersonalImportQuery]) -> RuleResult:
    assert call.caller is not None
    company = await call.store.companies.get(call.caller.company_id) or {}
    report = {"id": person_id(call.caller.user_id), "label": call.query.label}
    return await _imported(call, call.query, company, ("userId", call.caller.user_id), report)


@rule(declared.import_directory_csv_synchronize)
async def synchronize(call: Call[SynchronizeQuery]) -> RuleResult:
    company = await reached_company(call, None)
    query, command = call.query, _command(call.query.command_id)
    id = command_id(command) if command else company_id(company["id"], query.ldap_config_id)
    report = {"id": id, "label": query.label}
    return await _imported(call, query, company, ("companyId", company["id"]), report, synchronizing=True)


def _command(id: str | None) -> str | None:
    """The identifier of a command. Refusal 400000 for one by which its report could never be asked for."""
    if id and not RECORD_ID.fullmatch(id):
        raise invalid(Problem("commandId", "is no identifier", id))
    return id


async def _own_report(call: Call[Any, Nothing], id: str, company: Document) -> Document | None:
    """The report that a new one takes the place of. Refusal 403301 for that on a command of another company."""
    await call.store.lock(f"import report:{id}")
    before = await call.store.import_reports.get(id)
    if before is not None and before.get("companyId", company.get("id")) != company.get("id"):
        raise Refusal(Code.NOT_MANAGED, "this is a command of another company")
    return before


async def _opened(call: Call[Any, Any], query: CsvQuery, company: Document, *, synchronizing: bool = False) -> Source:
    """The file with its first line read. Refusal when it is no CSV of a directory."""
    assert call.upload is not None
    country = str(company.get("country") or "")
    try:
        return await asyncio.to_thread(
            opened, call.upload.file, query.delimiter, query.comment, synchronizing=synchronizing, country=country
        )
    except BadFile as bad:
        raise refused(bad) from bad


async def _checked(
    call: Call[Any, Any], query: CsvQuery, company: Document, *, synchronizing: bool = False
) -> Document:
    source = await _opened(call, query, company, synchronizing=synchronizing)
    try:
        return await asyncio.to_thread(check, source)
    except BadFile as bad:
        raise refused(bad) from bad


async def _imported(
    call: Call[Any, Nothing],
    query: CsvQuery,
    company: Document,
    owner: Owner,
    named: Document,
    *,
    synchronizing: bool = False,
) -> RuleResult:
    """Write that an import begins, begin it, and answer how far it is."""
    source = await _opened(call, query, company, synchronizing=synchronizing)
    imports = call.service.imports
    await call.store.lock(f"import:{owner[1]}")
    before = await _own_report(call, named["id"], company)
    if before is not None and (await imports.cleared(call.store, before))["state"] in RUNNING:
        raise Refusal(Code.ALREADY_EXISTS, "an import into this directory is still running")
    await call.store.imported_rows.remove_all(Is("report", named["id"]))
    report = {
        **{wire: value for wire, value in named.items() if value is not None},
        owner[0]: owner[1],
        "userId": call.user.get("id"),
        "displayName": call.user.get("displayName"),
        "csvHeaders": source.headers,
        "startTime": call.stamp,
        "state": ImportState.INITIALIZING.value,
        **dict.fromkeys(("created", "updated", "deleted", "failed"), 0),
        "process": imports.process,
    }
    await call.store.import_reports.put(report)
    await call.store.commit()
    assert call.upload is not None
    call.upload.take()
    await imports.start(Order(report["id"], owner, source, synchronizing))
    return {"data": await shown_report(call, await call.store.import_reports.get(report["id"]) or report)}
