"""Invoices of partners, and invoicing files: columns and actions (2.12, 2.13, 4.6, 4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.invoices import actions, invoice_file_view, invoice_view
from svc_tui.console.areas.invoices.invoice_view import is_overdue
from svc_tui.console.core.actions import RECORDS, REPORT, Action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Display, Placement, Resource, managed
from svc_tui.console.views.report_list import report_resource
from svc_tui.console.widgets.formatting import choice, whole_day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import money
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.companies.access import INVOICED
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.invoices.reconciliation import RECONCILIATION
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

INVOICES, FILES = "invoices", "invoicefiles"
RECORDS_AND_REPORT = RECORDS | REPORT


def _money(value: Any, record: RecordData) -> str:
    return money.written(value, str(record.get("currency") or ""))


def _state(record: RecordData) -> Any:
    """Whether an invoice that was sent is paid; the status of another one, and where the balance is not known."""
    balance = money.amount(record.get("balance"))
    if balance is None or record.get("status") not in (None, "", "Posted"):
        return record.get("status")
    if balance <= 0:
        return "credit" if balance else "paid"
    return "overdue" if is_overdue(record) else "open"


def _style_of_amount(value: Any, record: RecordData) -> str:
    return "dim" if money.amount(value) == 0 else ""


def _style_of_balance(value: Any, record: RecordData) -> str:
    return "bad" if is_overdue(record) else _style_of_amount(value, record)


def _style_of_due(value: Any, record: RecordData) -> str:
    return "bad" if is_overdue(record) else ""


def _subject(record: RecordData, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or caller.company_id), caller)


def _invoice_view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    return invoice_view.InvoiceView(place, INVOICES_RESOURCE, workspace, known)


def _file_view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    return invoice_file_view.InvoiceFileView(place, FILES_RESOURCE, workspace, known)


def _lines(context: Context) -> invoice_file_view.InvoiceFileView | None:
    return context.view if isinstance(context.view, invoice_file_view.InvoiceFileView) else None


def _no_file(context: Context) -> str:
    record = context.record
    return "" if record is None or record.get("invoiceFiles") else _("the invoice has no file")


def no_invoices(company: RecordData) -> str:
    """Why a company has no invoices: only partners that buy directly have; empty when it has."""

    if company.get("isBP", True) and company.get("bpType", INVOICED[0]) in INVOICED:
        return ""
    return _("only a BP of type {invoiced} has invoices").format(invoiced=_(" or ").join(INVOICED))


def _not_two(context: Context) -> str:
    return _("mark two invoices, or none") if context.marked and len(context.marked) != 2 else ""


def _is_report(context: Context) -> bool:
    return isinstance(context.view, invoice_view.ComparisonView)


def _explains(context: Context) -> bool:
    view = context.view
    if isinstance(view, invoice_view.ComparisonView):
        return view.subscription_id is not None or bool(view.invoice_id)
    return isinstance(view, invoice_view.InvoiceView) and view.subscription_id is not None


def _no_subscription(context: Context) -> str:
    view = context.view
    if isinstance(view, invoice_view.InvoiceView | invoice_view.ComparisonView) and view.subscription_id == "":
        return _("the line names no subscription")
    return ""


async def _copy_report(context: Context) -> None:
    await context.stage.copy(context.require_view(invoice_view.ComparisonView).text, _("the report"))


async def _show_line(context: Context) -> None:
    if view := _lines(context):
        await context.stage.show(view.line_view())


def _no_totals(context: Context) -> str:
    view = _lines(context)
    return "" if view is not None and view.totals is not None else _("only for the pages of totals")


def _no_line(context: Context) -> str:
    view = _lines(context)
    return "" if view is not None and view.line is not None else _("only for the page of lines")


INVOICES_RESOURCE = Resource(
    kind=KINDS[INVOICES],
    title="Invoices",
    singular="invoice",
    aliases=("invoice", "bills"),
    section=8,
    known_as=("bill", "PDF"),
    label_field="invoiceNumber",
    display=Display(
        columns=(
            Column(field="invoiceNumber", title="NUMBER", width=20, flex=2),
            Column(field="invoiceDate", title="DATE", width=10, format=whole_day, priority=3),
            Column(field="dueDate", title="DUE", width=10, format=whole_day, style=_style_of_due, priority=2),
            Column(field="amount", title="AMOUNT", width=16, align="right", format=_money, style=_style_of_amount),
            Column(
                field="balance",
                title="BALANCE",
                width=16,
                align="right",
                format=_money,
                style=_style_of_balance,
                priority=1,
            ),
            Column(
                field="status",
                title="STATUS",
                width=7,
                of=_state,
                state={
                    "overdue": (_("overdue"), "bad"),
                    "open": (_("open"), "accent"),
                    "paid": (_("paid"), "ok"),
                    "credit": (_("credit"), "accent"),
                },
            ),
        ),
        facts=("amount", "balance", "dueDate"),
        record_view=_invoice_view,
    ),
    query={"format": "medium"},
    placement=Placement(
        path={"companyId": "companies"},
    ),
    subject=_subject,
)

FILES_RESOURCE = Resource(
    kind=KINDS[FILES],
    title="Invoicing files",
    singular="invoicing file",
    aliases=("files", "invoicing"),
    known_as=("invoice file", "invoice CSV"),
    label_field="filename",
    display=Display(
        columns=(
            Column(field="billingPeriod", title="MONTH", width=7),
            Column(field="invoiceType", title="SERVICE", width=10, format=choice),
            Column(field="filename", title="FILE", width=36, flex=3),
            Column(field="invoiceCreationDate", title="CREATED", width=10, format=whole_day, priority=2),
            Column(field="companyId", title="PARTNER", width=16, flex=1, priority=1, across=True),
        ),
        record_view=_file_view,
    ),
    placement=Placement(
        parents={"companies": "companyId"},
    ),
    subject=_subject,
)


def _subscriptions(row: RecordData) -> Place:
    return Place(("companies", str(row.get("companyId")), "subscriptions"))


#: The report of what is billed and sold, whose rows lead to the subscriptions of the company.
RECONCILED = report_resource(RECONCILIATION, _subscriptions, "billed licence", "billed licences")

RESOURCES = (INVOICES_RESOURCE, FILES_RESOURCE)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="invoices.pdf",
        keys=("p",),
        label="Save PDF",
        help="Save the PDF of the invoice on this machine",
        run=actions.save_pdf,
        group="Records",
        views=RECORDS,
        resource=INVOICES,
        operation="get_company_invoice_file",
        needs="single",
        possible=_no_file,
        footer=20,
    ),
    Action(
        name="invoices.compare",
        keys=("c",),
        label="Compare",
        help="Show the differences between two marked invoices, or from the previous one",
        run=actions.why_changed,
        group="Records",
        views=RECORDS,
        resource=INVOICES,
        operation="list_company_invoices",
        needs="records",
        possible=_not_two,
        footer=30,
    ),
    Action(
        name="invoices.open_line",
        keys=("enter",),
        label="Open",
        help="Open the subscription of the selected line, or the selected invoice of a comparison",
        run=actions.open_comparison_source,
        group="Records",
        views=frozenset({"detail", "report"}),
        resource=INVOICES,
        belongs=_explains,
        possible=_no_subscription,
        footer=10,
    ),
    Action(
        name="invoices.copy_report",
        keys=("y",),
        label="Copy",
        help="Copy the report as text",
        run=_copy_report,
        group="Records",
        views=REPORT,
        resource=INVOICES,
        belongs=_is_report,
        footer=10,
    ),
    Action(
        name="invoicefiles.save",
        keys=("D",),
        label="Download",
        help="Save the file on this machine as CSV",
        run=actions.save_lines,
        group="Records",
        views=RECORDS_AND_REPORT,
        resource=FILES,
        operation="download_invoice_file",
        needs="single",
        footer=20,
    ),
    Action(
        name="invoicefiles.export",
        keys=("W",),
        label="Export",
        help="Export the current totals as CSV or JSON",
        run=actions.export_totals,
        group="Records",
        views=REPORT,
        resource=FILES,
        possible=_no_totals,
        footer=30,
    ),
    Action(
        name="invoicefiles.line",
        keys=("enter",),
        label="All columns",
        help="Show all columns of the line",
        run=_show_line,
        group="Records",
        views=REPORT,
        resource=FILES,
        possible=_no_line,
        footer=10,
    ),
)
