"""Invoices of partners that buy directly, and their files (2.12, 4.6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from svc_tui.interface.companies.access import INVOICED
from svc_tui.interface.problems import Problem
from svc_tui.interface.subscriptions import invoices as declared
from svc_tui.interface.subscriptions.invoices import Invoice, InvoiceQuery
from svc_tui.interface.texts import file_name
from svc_tui.interface.typed_access import typed
from svc_tui.server.companies.access import load_company, require_access
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import AnyCall, Call, FileResult, RuleResult, rule
from svc_tui.server.store.conditions import ContainsAny, Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


@rule(declared.list_company_invoices)
async def list_company_invoices(call: Call[InvoiceQuery]) -> RuleResult:
    company = await _partner(call)
    newest_first = Sort("updatedDate", descending=True)
    found = await call.store.invoices.find(Is("companyId", company.id), sort=newest_first)
    return {"data": [_represented(each, call.query.format) for each in found.documents], "total": found.total}


@rule(declared.get_company_invoice_file)
async def get_company_invoice_file(call: Call) -> RuleResult:
    company = await _partner(call)
    file_id = call.path["fileId"]
    document = await call.store.invoices.one(Is("companyId", company.id), ContainsAny("invoiceFiles", (file_id,)))
    if document is None:
        raise not_found("Invoice file", file_id)
    # The PDF library is slow to import and to draw: not at the start, and not in the event loop.
    from svc_tui.server.documents.invoice import pdf_of

    invoice = typed(Invoice, document)
    content = await asyncio.to_thread(pdf_of, invoice, company, call.service.settings.issuer)
    return FileResult(_at_once(content), "application/pdf", file_name(invoice.invoice_number, ".pdf"), len(content))


async def _at_once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _partner(call: AnyCall) -> StoredCompany:
    """The company of the path, which the caller reaches and which has invoices."""
    company = await load_company(call.store, call.path["companyId"])
    await require_access(call, company)
    if not company.is_bp or company.bp_type not in INVOICED:
        sentence = f"has no invoices: only partners (BP) of the types {' and '.join(INVOICED)} have invoices"
        raise invalid(Problem("companyId", sentence, company.id))
    return company


def _represented(invoice: Document, format: str) -> Document:
    return Invoice.answered(invoice, format)
