"""Invoices of partners who buy themselves, and their files (2.12, 4.6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from svc_tui.interface.problems import Problem
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.subscriptions import invoices as declared
from svc_tui.interface.subscriptions.invoices import INVOICED, Invoice, InvoiceQuery
from svc_tui.server.companies.seen import existing, require
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import Call, FileResult, RuleResult, rule
from svc_tui.server.store.conditions import Has, Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document


@rule(declared.list_company_invoices)
async def list_company_invoices(call: Call[InvoiceQuery]) -> RuleResult:
    company = await _partner(call)
    newest_first = Sort("updatedDate", descending=True)
    found = await call.store.invoices.find(Is("companyId", company["id"]), sort=newest_first)
    return {"data": [_shown(each, call.query.format) for each in found.documents], "total": found.total}


@rule(declared.get_company_invoice_file)
async def get_company_invoice_file(call: Call) -> RuleResult:
    company = await _partner(call)
    file_id = call.path["fileId"]
    invoice = await call.store.invoices.one(Is("companyId", company["id"]), Has("invoiceFiles", (file_id,)))
    if invoice is None:
        raise not_found("Invoice file", file_id)
    # Its library is slow to import, and drawing takes a while: neither is for the start, nor for the event loop.
    from svc_tui.server.documents.invoice import pdf_of

    content = await asyncio.to_thread(pdf_of, invoice, company, call.service.settings.issuer)
    return FileResult(_at_once(content), "application/pdf", f"{invoice['invoiceNumber']}.pdf", len(content))


async def _at_once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _partner(call: Call[InvoiceQuery] | Call) -> Document:
    """The company, which the caller reaches and which has invoices at all."""
    company = await existing(call.store, call.path["companyId"])
    await require(call, company)
    if not company.get("isBP") or company.get("bpType") not in INVOICED:
        said = f"has no invoices: only partners (BP) of the types {' and '.join(INVOICED)} have"
        raise invalid(Problem("companyId", said, company["id"]))
    return company


def _shown(invoice: Document, format: str) -> Document:
    """What readers know of an invoice; whose it is and when it changed is the store's."""
    declared_fields = field_by_wire(Invoice)
    return Invoice.shown({wire: value for wire, value in invoice.items() if wire in declared_fields}, format)
