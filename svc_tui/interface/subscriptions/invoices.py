"""Invoices of partners that buy directly: direct resellers and distributors (2.12, 4.6)."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Plain
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Money, Record


class InvoiceItem(Record):
    """A line of an invoice."""

    id: str | None = field(None)
    subscription_name: str | None = field(None)
    subscription_id: str | None = field(None)
    service_start_date: date | None = field(None)
    service_end_date: date | None = field(None)
    charge_amount: Money | None = field(None)
    charge_description: str | None = field(None)
    charge_name: str | None = field(None)
    charge_id: str | None = field(None)
    product_name: str | None = field(None)
    quantity: Money | None = field(None)
    tax_amount: Money | None = field(None)
    unit_of_measure: str | None = field(None)
    charge_date: datetime | None = field(None)
    charge_type: str | None = field(None)
    processing_type: str | None = field(None)


class InvoiceFileReference(Record):
    """A file of an invoice, with a version number or a content type."""

    id: str = field("")
    version_number: int | None = field(None)
    file_content_type: str | None = field(None)


class BillTo(Record):
    """The party that an invoice is for, as it was on the day of the invoice."""

    name: str | None = field(None, personal=True)
    street: str | None = field(None, personal=True)
    postal_code: str | None = field(None, personal=True)
    city: str | None = field(None, personal=True)
    country: str | None = field(None, help="ISO 3166-1 alpha-3")


class Invoice(Record):
    """An invoice of a partner, or with an amount below zero a credit note.

    Its amounts are in its `currency`. Later changes of the partner change neither that nor `billTo`.
    """

    SMALL: ClassVar = ("id", "invoiceNumber", "invoiceDate", "dueDate", "amount", "balance", "status")
    MEDIUM: ClassVar = (
        *SMALL,
        "accountId",
        "accountNumber",
        "accountName",
        "currency",
        "invoiceTargetDate",
        "creditBalanceAdjustmentAmount",
        "createdBy",
        "invoiceFiles",
    )
    ALWAYS: ClassVar = SMALL
    WHERE_APPLICABLE: ClassVar = ("currency", "billTo")

    id: str | None = field(None, help="Identifier")
    account_id: str | None = field(None)
    account_number: str | None = field(None)
    account_name: str | None = field(None)
    bill_to: BillTo | None = field(None, help="Name and address on the day of the invoice")
    invoice_date: date | None = field(None)
    invoice_number: str | None = field(None)
    due_date: date | None = field(None)
    invoice_target_date: date | None = field(None, label="Charged up to", help="Last day of the charged services")
    amount: Money | None = field(None, help="With tax")
    currency: str | None = field(None, help="ISO 4217")
    balance: Money | None = field(None, help="Amount still to be paid")
    credit_balance_adjustment_amount: Money | None = field(None, label="Credit")
    created_by: str | None = field(None, personal=True)
    status: str | None = field(None)
    body: str | None = field(None, help="The file itself, if the billing system provides it", personal=True)
    invoice_items: list[InvoiceItem] | None = field(None)
    invoice_files: list[InvoiceFileReference] | None = field(None)


class InvoiceQuery(Record):
    """The read format of the list of invoices."""

    format: ReadFormat = field("small", help="Number of fields in each record")


class InvoiceList(Plain[Invoice]):
    """All invoices, most recently updated first."""

    total: int = 0


#: bp_finance of the partner itself; an organization_admin only with the role bp_finance.
READ_INVOICES = access(any=(Role.SUPERADMIN,), own_company=(Role.BP_FINANCE,))

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ALL = "/api/svc/subscription/v1.0/companies/{companyId}/invoices"

list_company_invoices = Operation(
    "list_company_invoices",
    "4.6",
    "GET",
    _ALL,
    "List the invoices of a direct reseller or distributor, newest first",
    InvoiceList,
    READ_INVOICES,
    query=InvoiceQuery,
    refuses=_REFUSALS,
)

get_company_invoice_file = Operation(
    "get_company_invoice_file",
    "4.6",
    "GET",
    _ALL + "/files/{fileId}",
    "Download an invoice as PDF",
    bytes,
    READ_INVOICES,
    gives=("application/pdf",),
    refuses=_REFUSALS,
)

__all__ = [
    "BillTo",
    "Invoice",
    "InvoiceFileReference",
    "InvoiceItem",
    "InvoiceList",
    "InvoiceQuery",
    "get_company_invoice_file",
    "list_company_invoices",
]
