"""Uploaded CSV files: checked, or imported for a company, for the caller, or by a command."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.requests import ClientDisconnect

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
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.directory.access import reached_company
from svc_tui.server.directory.csv_rows import checked, headers
from svc_tui.server.directory.import_reports import report_lock
from svc_tui.server.directory.import_storage import remove_file, store_file
from svc_tui.server.directory.importing import ImportOrder, Imports
from svc_tui.server.directory.reports import (
    check_of,
    command_id,
    company_id,
    import_of,
    personal_id,
    represented_report,
    store_names,
)
from svc_tui.server.directory.stored import RUNNING, ImportSource, Owner, StoredReport, reading_of
from svc_tui.server.http.health import Health
from svc_tui.server.refusal import Refusal
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.running.long_process import FileWork
from svc_tui.server.running.long_work import LongWork, WorkLost
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.events import Event
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


@rule(declared.check_directory_csv)
async def check_command(call: Call[CommandCheckQuery]) -> RuleResult:
    company = await reached_company(call, None)
    command = _command(call.query.command_id)
    result = await _checked(call, call.query, company, synchronizing=True)
    if command and call.caller:
        id = command_id(company.id, check_of(command))
        await _previous_report(call, id)
        report = typed(StoredReport, {"id": id, "companyId": company.id, "command": check_of(command)})
        report.status = "failure" if result["errorCount"] else "success"
        report.start_time = call.now
        report.report, report.state = result, ImportState.COMPLETED
        await call.store.import_reports.put(document_of(report))
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
    return {"data": await _checked(call, call.query, await _own_company(call))}


@rule(declared.import_directory_csv)
async def import_company(call: Call[CompanyImportQuery]) -> RuleResult:
    company = await reached_company(call, call.query.company_id)
    owner = ("companyId", company.id)
    return await _imported(call, call.query, company, owner, company_id(company.id), call.query.label)


@rule(declared.import_personal_directory_csv)
async def import_personal(call: Call[PersonalImportQuery]) -> RuleResult:
    assert call.caller is not None
    owner = ("userId", call.caller.user_id)
    report_id = personal_id(call.caller.user_id)
    return await _imported(call, call.query, await _own_company(call), owner, report_id, call.query.label)


@rule(declared.import_directory_csv_synchronize)
async def synchronize(call: Call[SynchronizeQuery]) -> RuleResult:
    company = await reached_company(call, None)
    query, command = call.query, _command(call.query.command_id)
    # It is also the last import of the configuration and of the company (4.9).
    names = {company_id(company.id, query.ldap_config_id): None, company_id(company.id): None}
    report_id = command_id(company.id, import_of(command)) if command else next(iter(names))
    names.pop(report_id, None)
    owner = ("companyId", company.id)
    return await _imported(
        call,
        query,
        company,
        owner,
        report_id,
        query.label,
        synchronizing=True,
        names=tuple(names),
        command=import_of(command) if command else None,
    )


def _command(id: str | None) -> str | None:
    """The identifier of a command. Refusal 400000 for a text that no path of a report can contain."""
    return checked_id("commandId", id) if id else id


async def _own_company(call: AnyCall) -> StoredCompany | None:
    """The company of the caller."""
    assert call.caller is not None
    return typed(StoredCompany, await call.store.companies.get(call.caller.company_id))


async def _previous_report(call: AnyCall, id: str) -> StoredReport | None:
    """The report that a new one replaces, locked."""
    await call.store.lock(report_lock(id))
    return typed(StoredReport, await call.store.import_reports.get(id))


def _source(query: CsvQuery, company: StoredCompany | None, *, synchronizing: bool) -> ImportSource:
    """How the file of a request is read."""
    source = typed(ImportSource, {"delimiter": query.delimiter, "comment": query.comment})
    source.country, source.synchronizing = (company and company.country) or "", synchronizing
    return source


async def _first_result(call: AnyCall, work: FileWork, source: ImportSource, **more: Any) -> Any:
    """The first result of work on the file of a request. Refusal when it is not the CSV of a directory."""
    assert call.upload is not None
    try:
        async with (
            call.store.released(),
            call.service.part(LongWork).on_file(work, call.upload.file, **reading_of(source), **more) as results,
        ):
            return await results.next(partial(_check_wanted, call))
    except BadFile as bad:
        place = f"line {bad.line}, column {bad.column}"
        raise Refusal(bad.code, [{"param": place, "msg": bad.sentence, "value": None}]) from bad
    except WorkLost as lost:
        raise Refusal(Code.STOPPING, "The process that read the file has ended. Send the file again.") from lost


async def _check_wanted(call: AnyCall) -> None:
    """Raise when the client is gone or the server stops: neither waits for long work."""
    if call.upload is not None and await call.upload.is_abandoned():
        raise ClientDisconnect
    if call.service.part(Health).ending:
        raise Refusal(Code.STOPPING)


async def _checked(
    call: AnyCall, query: CsvQuery, company: StoredCompany | None, *, synchronizing: bool = False
) -> Document:
    """The result of a check. Which rows of a synchronisation have no room depends on the entries that it finds."""
    source = _source(query, company, synchronizing=synchronizing)
    most = None if synchronizing else call.service.settings.largest_directory
    found: Document = await _first_result(call, checked, source, most=most)
    return found


async def _imported(
    call: Call[Any, Nothing],
    query: CsvQuery,
    company: StoredCompany | None,
    owner: Owner,
    report_id: str,
    label: str | None,
    *,
    synchronizing: bool = False,
    names: Sequence[str] = (),
    command: str | None = None,
) -> RuleResult:
    """Store the report of a new import with its further names, start it, and answer with its progress."""
    source = _source(query, company, synchronizing=synchronizing)
    first_line = await _first_result(call, headers, source)
    assert call.upload is not None
    async with call.store.released():
        source.file = await store_file(call.service, call.upload.file)
    order = ImportOrder(report_id, owner, call.upload.file, source)
    try:
        document = await _reported(call, order, first_line, label, names, command)
    except BaseException:
        await call.store.rollback()
        await remove_file(call.service, source.file, report_id)
        raise
    call.upload.take()
    await call.service.part(Imports).start(order)
    report = typed(StoredReport, await call.store.import_reports.get(report_id) or document)
    return {"data": await represented_report(call, report)}


async def _reported(
    call: AnyCall,
    order: ImportOrder,
    first_line: str,
    label: str | None,
    names: Sequence[str],
    command: str | None,
) -> Document:
    """Store the report of a new import. Refusal 409000 while another one runs."""
    owner, report_id, imports = order.owner, order.report_id, call.service.part(Imports)
    await call.store.lock(f"import:{owner[1]}")
    before = await _previous_report(call, report_id)
    if before is not None and before.state in RUNNING:
        raise Refusal(Code.ALREADY_EXISTS, "An import into this directory is still running.")
    await call.store.imported_rows.remove_all(Is("report", report_id))
    document: Document = {
        "id": report_id,
        **({"label": label} if label is not None else {}),
        **({"command": command} if command is not None else {}),
        owner[0]: owner[1],
        "userId": call.user.id,
        "displayName": call.user.display_name,
        "csvHeaders": first_line,
        "startTime": call.stamp,
        "state": ImportState.INITIALIZING.value,
        **dict.fromkeys(("created", "updated", "deleted", "failed"), 0),
        "process": imports.process,
        "source": document_of(order.source),
    }
    await call.store.import_reports.put(document)
    await store_names(call.store, names, typed(StoredReport, document))
    imports.accept(report_id)
    try:
        await call.store.commit()
    except BaseException:
        imports.forget(report_id)
        raise
    return document
