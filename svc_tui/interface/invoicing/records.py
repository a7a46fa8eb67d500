"""Invoicing file records, the filters of the list, and the columns of the lines (2.13)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import StringConstraints

from svc_tui.interface.companies.kinds import BP_TYPES, BpType
from svc_tui.interface.fields import field
from svc_tui.interface.records import Money, Record
from svc_tui.language import _

__all__ = [
    "BillingPeriod",
    "FILE_TYPES",
    "FileType",
    "InvoiceFile",
    "InvoiceFileQuery",
    "InvoiceLine",
    "InvoiceType",
]

BillingPeriod = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]
InvoiceType = Literal["services", "conference", "voice"]
FileType = Literal["INV", "CDR"]
FILE_TYPES = {"INV": _("invoice lines"), "CDR": _("call detail records")}


class InvoiceFile(Record):
    """A file of line items for one company, month and kind of service."""

    SMALL: ClassVar = ()
    ALWAYS: ClassVar = ("companyId", "billingPeriod", "invoiceType", "filename", "filepath", "invoiceCreationDate")

    company_id: str | None = field(None, label="Partner", refers="companies", help="Billed partner")
    billing_period: str | None = field(None, help="Month, YYYY-MM")
    invoice_type: InvoiceType | None = field(None, help="Kind of service")
    filename: str | None = field(None)
    filepath: str | None = field(None, help="Path for the download")
    invoice_creation_date: date | None = field(None)


class InvoiceFileQuery(Record):
    """Filters of the list of invoicing files (4.9)."""

    company_id: str | None = field(None, refers="companies", help="Files of this company")
    billing_period: BillingPeriod | None = field(None, help="Month, YYYY-MM")
    invoice_type: InvoiceType | None = field(None, help="Kind of service")
    file_type: FileType | None = field(None, choices=FILE_TYPES, help="Invoice lines or call detail records")
    invoice_creation_date: date | None = field(None, help="Created on this day")
    from_invoice_creation_date: date | None = field(
        None, filters=("invoiceCreationDate",), label="Created from", help="Created on this day or later"
    )
    to_invoice_creation_date: date | None = field(
        None, filters=("invoiceCreationDate",), label="Created until", help="Created on this day or earlier"
    )
    bp_type: BpType | None = field(None, label="Partner type", choices=BP_TYPES)


class InvoiceLine(Record):
    """A line of an invoicing file. Amounts are decimal, in `currency`, and text in the file."""

    ale_service_reference: str | None = field(None, label="Service reference")
    bp1_t_applicant_name: str | None = field(None, wire="bp1TApplicantName", group="First partner")
    bp1_t_applicant_number: str | None = field(None, wire="bp1TApplicantNumber", group="First partner")
    bp1_t_crd_id: str | None = field(None, wire="bp1TCRDId", group="First partner")
    bp1_t_discount_value: Money | None = field(None, wire="bp1TDiscountValue", group="First partner")
    bp1_t_net_total_value: Money | None = field(None, wire="bp1TNetTotalValue", group="First partner")
    bp1_t_net_unit_value: Money | None = field(None, wire="bp1TNetUnitValue", group="First partner")
    bp2_t_applicant_name: str | None = field(None, wire="bp2TApplicantName", group="Second partner")
    bp2_t_applicant_number1: str | None = field(
        None, wire="bp2TApplicantNumber1", label="Second partner applicant number", group="Second partner"
    )
    bp2_t_applicant_number2: str | None = field(
        None, wire="bp2TApplicantNumber2", label="Second partner other number", group="Second partner"
    )
    bp2_t_crd_id: str | None = field(None, wire="bp2TCRDId", group="Second partner")
    bp2_t_discount_value: Money | None = field(None, wire="bp2TDiscountValue", group="Second partner")
    bp2_t_net_total_value: Money | None = field(None, wire="bp2TNetTotalValue", group="Second partner")
    bp2_t_net_unit_value: Money | None = field(None, wire="bp2TNetUnitValue", group="Second partner")
    category_code: str | None = field(None)
    currency: str | None = field(None)
    empty1: str | None = field(None, label="Unused column 1")
    empty2: str | None = field(None, label="Unused column 2")
    empty3: str | None = field(None, label="Unused column 3")
    empty4: str | None = field(None, label="Unused column 4")
    end_customer_company_id: str | None = field(None, group="Customer")
    end_customer_company_id1_by_bp: str | None = field(
        None, wire="endCustomerCompanyId1ByBp", label="Partner's customer number", group="Customer"
    )
    end_customer_company_name: str | None = field(None, group="Customer")
    end_customer_discount_value: Money | None = field(None, group="Customer")
    end_customer_net_total_value: Money | None = field(None, group="Customer")
    end_customer_net_unit_value: Money | None = field(None, group="Customer")
    export_reference: str | None = field(None)
    invoice_creation_date: str | None = field(None)
    invoice_line: str | None = field(None)
    invoice_period: str | None = field(None)
    invoice_reference: str | None = field(None)
    svc_service_description: str | None = field(None, label="Service description", group="Service")
    svc_service_id: str | None = field(None, label="Service ID", group="Service")
    subscription_reference: str | None = field(None)
    unit: str | None = field(None, group="Service")
    volume: Money | None = field(None, group="Service")
    wpl_price_per_unit: Money | None = field(None, label="List price per unit", group="Service")
    wpl_price_total: Money | None = field(None, label="List price total", group="Service")
