"""Invoicing files: list and download of their lines, block by block (2.13, 4.9)."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from datetime import date

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.fields import field
from svc_tui.interface.invoicing import operations as declared
from svc_tui.interface.invoicing.records import InvoiceFile, InvoiceFileQuery
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import typed
from svc_tui.server.companies.access import caller_with_bp, companies_within, load_company, require_access
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, FileResult, RuleResult, rule
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Is, Related
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort


class StoredInvoiceFile(InvoiceFile):
    id: str = field(...)
    company_id: str = field(...)
    filename: str = field(...)
    size: int | None = field(None)


@rule(declared.list_invoice_files)
async def list_invoice_files(call: Call[InvoiceFileQuery]) -> RuleResult:
    query = call.query
    where = [await _reached(call), *_filters(query)]
    if query.company_id:
        where.append(await _of_company(call, query.company_id))
    found = await call.store.invoice_files.find(*where, sort=Sort("invoiceCreationDate", descending=True))
    fields = field_by_wire(InvoiceFile)
    return [{wire: value for wire, value in each.items() if wire in fields} for each in found.documents]


@rule(declared.download_invoice_file)
async def download_invoice_file(call: Call) -> RuleResult:
    # The path is a key in the store, not a path in a file system.
    path = call.path["invoicePath"]
    file = typed(StoredInvoiceFile, await call.store.invoice_files.one(Is("filepath", path)))
    if file is None:
        raise not_found("Invoicing file", path)
    await require_access(call, await load_company(call.store, file.company_id))
    pieces = _blocks(call.service.database, file.id)
    return FileResult(pieces, "text/csv; charset=utf-8", file.filename, file.size)


async def _blocks(database: Database, file_id: str) -> AsyncIterator[bytes]:
    """The blocks of a file: only one is in memory, and no connection is held between them."""
    number = 0
    while True:
        async with database.unit() as store:
            block = await store.invoice_lines.block(file_id, number)
        if block is None:
            return
        yield zlib.decompress(block)
        number += 1


async def _reached(call: Call[InvoiceFileQuery]) -> Condition:
    return Related("companyId", "companies", companies_within(call.reached, await caller_with_bp(call)))


async def _of_company(call: Call[InvoiceFileQuery], id: str) -> Condition:
    await require_access(call, await load_company(call.store, checked_id("companyId", id)))
    return Is("companyId", id)


def _filters(query: InvoiceFileQuery) -> list[Condition]:
    plain = (
        ("billingPeriod", query.billing_period),
        ("invoiceType", query.invoice_type),
        ("fileType", query.file_type),
        ("bpType", query.bp_type),
        ("invoiceCreationDate", _day(query.invoice_creation_date)),
    )
    where: list[Condition] = [Is(wire, value) for wire, value in plain if value]
    first, last = _day(query.from_invoice_creation_date), _day(query.to_invoice_creation_date)
    if first and last and first > last:
        raise invalid(Problem("toInvoiceCreationDate", "is before fromInvoiceCreationDate", last))
    if first:
        where.append(AtLeast("invoiceCreationDate", first))
    if last:
        where.append(AtMost("invoiceCreationDate", last))
    return where


def _day(value: date | None) -> str | None:
    return value.isoformat() if value else None
