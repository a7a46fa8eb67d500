"""Kinds of records: invoices and invoicing files. No operation reads one alone: it is looked up in the list."""

from svc_tui.workspace.kinds.kind import Kind, PeriodFilter, ServerFilter
from svc_tui.workspace.kinds.search_rule import SearchRule

KINDS = (
    Kind("invoices", "list_company_invoices", "list_company_invoices", identifiers=("invoiceNumber", "accountNumber")),
    Kind(
        "invoicefiles",
        "list_invoice_files",
        "list_invoice_files",
        id="filepath",
        text_column="filename",
        server_filters={
            "companyId": ServerFilter("companyId", "whole"),
            "invoiceType": ServerFilter("invoiceType", "whole"),
        },
        period_filters={
            "invoiceCreationDate": PeriodFilter("fromInvoiceCreationDate", "toInvoiceCreationDate", days=True)
        },
    ),
)
SEARCH_RULES = (
    SearchRule(
        "invoices",
        order=41,
        holds={"reference": ("invoiceNumber",)},
        within="companies",
        # Only partners have invoices.
        within_query={"isBP": True},
        shows=("invoiceDate", "status"),
    ),
    SearchRule(
        "invoicefiles",
        order=46,
        read=True,
        holds={"name": ("filename",)},
        shows=("invoiceType", "billingPeriod"),
    ),
)
