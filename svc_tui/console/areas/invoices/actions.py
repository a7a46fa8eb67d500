"""Actions for invoices and invoicing files: save, compare, export."""

from __future__ import annotations

from typing import Any

from svc_tui.console.areas.invoices.invoice_file_view import InvoiceFileView
from svc_tui.console.areas.invoices.invoice_view import ComparisonView, InvoiceView, currency_of, file_name, files_of
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import save
from svc_tui.console.editing.exporting import export_rows
from svc_tui.console.terminal.text import safe_text
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.invoices.comparison import compare
from svc_tui.workspace.invoices.lines import AMOUNTS


def _path(context: Context) -> dict[str, str]:
    return context.require_resource().path_at(context.view.place, context.workspace.caller)


async def save_pdf(context: Context) -> None:
    """Save the PDF of an invoice; with several files, choose one first."""
    record = context.require_record()
    files = files_of(record)
    chosen = str(files[0]["id"])
    if len(files) > 1:
        choices = [Choice(str(file["id"]), file_name(file), str(file.get("fileContentType") or "")) for file in files]
        picked = await context.stage.ask(Picker(_("Which file?"), choices))
        if picked is None:
            return
        chosen = picked
    number = record.get("invoiceNumber") or record.get("id")
    path = {**_path(context), "fileId": chosen}
    await save(
        context,
        _("Save invoice {number}").format(number=number),
        "get_company_invoice_file",
        path,
        number,
        ending=".pdf",
    )


async def save_lines(context: Context) -> None:
    """Save an invoicing file unchanged, as CSV."""
    record = context.require_record()
    path = {"invoicePath": str(record.get("filepath") or "")}
    name = record.get("filename") or path["invoicePath"]
    await save(context, _("Save {name}").format(name=name), "download_invoice_file", path, name)


async def export_totals(context: Context) -> None:
    """Export the current totals to a file."""
    view = context.view
    assert isinstance(view, InvoiceFileView) and view.totals is not None
    title = f"{view.crumb} {view.page_name}"
    columns = ("name", "currency", "lines", "volume", "unit", *AMOUNTS, "unreadable")
    await export_rows(context, title, view.totals, columns)


async def why_changed(context: Context) -> None:
    """Compare the two marked invoices, or the one under the cursor with the previous one."""
    resource = context.require_resource()
    body = await context.workspace.read(resource.list, _path(context), {"format": "full"})
    rows = body.get("data") if isinstance(body, dict) else None
    invoices = [row for row in rows or () if isinstance(row, dict)]
    before, after = _two(context, invoices)
    currency = common_currency(before, after, await _partner(context))
    view = ComparisonView(context.view.place, resource, before, after, compare(before, after), currency)
    await context.stage.show(view)


def common_currency(before: RecordData, after: RecordData, partner: RecordData) -> str:
    """The currency of two invoices of a partner. ReadError if they are in different ones."""
    currencies = [currency_of(invoice, partner) for invoice in (before, after)]
    if currencies[0] != currencies[1]:
        other, currency = (safe_text(each).text for each in currencies)
        raise ReadError(
            _("One invoice is in {other}, the other in {currency}: their amounts cannot be compared.").format(
                other=other, currency=currency
            )
        )
    return currencies[1]


async def open_comparison_source(context: Context) -> None:
    """Open the subscription of the selected line, or the selected invoice of a comparison."""
    view = context.view
    if isinstance(view, ComparisonView) and view.invoice_id:
        invoices = view.place.above if view.place.record_id else view.place
        await context.stage.open(invoices.record(view.invoice_id))
    elif isinstance(view, InvoiceView | ComparisonView) and view.subscription_id:
        company_id = await _company_of(context, view.subscription_id)
        await context.stage.open(Place(("companies", company_id, "subscriptions", view.subscription_id)))


async def _company_of(context: Context, subscription_id: str) -> str:
    """The company that has a subscription: that of the invoice or one of its customers. ReadError if there is none."""
    own = _path(context)["companyId"]
    try:
        await context.workspace.read(
            "get_company_subscription", {"companyId": own, "subscriptionId": subscription_id}, {}
        )
    except ReadError as error:
        if not error.missing:
            raise
    else:
        return own
    companies = context.workspace.listing("list_companies", query={"format": "full"})
    try:
        async for company in companies.rows():
            if any(held.get("id") == subscription_id for held in company.get("subscriptions") or ()):
                return str(company.get("id"))
    finally:
        companies.close()
    raise ReadError(_("None of your companies has this subscription. It may have been deleted."))


def _two(context: Context, invoices: list[dict[str, Any]]) -> tuple[RecordData, RecordData]:
    """The older and the newer invoice. ReadError when one of them is missing."""
    by_date = sorted(invoices, key=lambda invoice: str(invoice.get("invoiceDate") or ""))
    ids = [str(invoice.get("id")) for invoice in by_date]
    chosen = context.marked or (str((context.record or {}).get("id")),)
    at = sorted(ids.index(each) for each in chosen if each in ids)
    if len(at) < len(chosen):
        raise ReadError(_("One of these invoices is no longer in the list. Refresh it."))
    if len(at) == 1:
        if at[0] == 0:
            raise ReadError(_("This is the first invoice. There is no earlier one to compare with."))
        at = [at[0] - 1, at[0]]
    return by_date[at[0]], by_date[at[1]]


async def _partner(context: Context) -> RecordData:
    """The partner; empty where it cannot be read."""
    try:
        body = await context.workspace.read("get_company", _path(context), {"format": "full"})
    except ReadError:
        return {}
    company = body.get("data") if isinstance(body, dict) else None
    return company if isinstance(company, dict) else {}
