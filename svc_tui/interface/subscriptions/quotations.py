"""Quotations: the cost of an offer or of a change of a subscription (2.11, 4.6)."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import Needs, field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Money, Record
from svc_tui.interface.subscriptions.records import (
    LICENCES,
    LONGEST_TERM,
    MOST_LICENCES,
    PAYMENT_HELP,
    PAYMENT_PERIODS,
    SHORTEST_TERM,
    PaymentPeriod,
)
from svc_tui.language import _

RenewalOption = Literal["billed", "allocated", "volume"]
RENEWAL_OPTIONS = {
    "billed": _("as billed"),
    "allocated": _("as assigned"),
    "volume": _("own number"),
}


class QuotationRequest(Record):
    """A request for a quotation, for a new offer or an existing subscription."""

    offer_id: str | None = field(None, refers="offers", help="For a new subscription")
    subscription_id: str | None = field(None, refers="subscriptions", help="For an existing subscription")
    max_number_users: int | None = field(None, label=LICENCES, ge=0, le=MOST_LICENCES, help="Number of licences")
    prepaid_duration: int | None = field(
        None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", help="Can only increase"
    )
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS, help=PAYMENT_HELP)
    auto_renew: bool | None = field(None, label="Renew automatically", help="Renewed at the end of each term")
    auto_renew_to_monthly: bool | None = field(
        None, label="Continue monthly", help="Continues month by month after the prepaid term"
    )
    renewal_term: int | None = field(None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months")
    prepaid_renewal_option: RenewalOption | None = field(
        None,
        label="Renewed licences",
        choices=RENEWAL_OPTIONS,
        help="How many licences are renewed: as many as billed now, as assigned then, or an own number",
    )
    renewal_volume: int | None = field(
        None,
        label="Number at renewal",
        ge=0,
        le=MOST_LICENCES,
        needs=Needs("prepaidRenewalOption", "volume"),
    )
    promo_code: str | None = field(None, label="Promotional code", max_length=64)


class QuotationItem(Record):
    """A line of the next invoice."""

    service_start_date: date | None = field(None)
    service_end_date: date | None = field(None)
    charge_amount: Money | None = field(None)
    charge_description: str | None = field(None)
    charge_name: str | None = field(None)
    product_name: str | None = field(None)
    product_rate_plan_charge_id: str | None = field(None)
    quantity: Money | None = field(None)
    unit_of_measure: str | None = field(None)


class ChargeMetric(Record):
    """One charge: per month (mrr), for the whole term (tcv), and the change of both (dmrr, dtcv)."""

    product_rate_plan_id: str | None = field(None)
    product_rate_plan_charge_id: str | None = field(None)
    origin_rate_plan_id: str | None = field(None)
    original_id: str | None = field(None)
    number: str | None = field(None)
    mrr: Money | None = field(None, label="Per month")
    dmrr: Money | None = field(None, label="Change per month")
    tcv: Money | None = field(None, label="Whole term")
    dtcv: Money | None = field(None, label="Change of the whole term")


class Quotation(Record):
    """A quotation (2.11). Amounts are in `currency`; `amount` is the next invoice, with tax."""

    ALWAYS: ClassVar = ("currency", "amount", "amountWithoutTax", "taxAmount", "invoiceItems")

    currency: str | None = field(None, help="ISO 4217")
    contracted_mrr: Money | None = field(None, label="Per month", help="Price per month after the change")
    total_contracted_value: Money | None = field(
        None, label="Whole term", help="Price of the whole term after the change"
    )
    total_delta_mrr: Money | None = field(None, label="Change per month")
    total_delta_tcv: Money | None = field(None, label="Change of the whole term")
    amount: Money | None = field(None, help="Next invoice, with tax")
    amount_without_tax: Money | None = field(None, help="Next invoice, without tax")
    tax_amount: Money | None = field(None, help="Tax of the next invoice")
    invoice_target_date: date | None = field(None, label="Next invoice date")
    invoice_items: list[QuotationItem] | None = field(None, help="Lines of the next invoice")
    charge_metrics: list[ChargeMetric] | None = field(None, label="Charges", help="Each charge per month and term")
    expiration_date: datetime | None = field(None, label="Valid until", ends=True)
    order_refusal: str | None = field(
        None, label="Not ordered", help="Why an order with these values would be refused; missing where it would not"
    )


#: bp_finance for their own and managed companies; an organization_admin only with the role bp_finance.
QUOTE = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_FINANCE,),
    end_customers=(Role.BP_FINANCE,),
    resellers=(Role.BP_FINANCE,),
)

create_quotation = Operation(
    "create_quotation",
    "4.6",
    "POST",
    "/api/svc/subscription/v1.0/companies/{companyId}/quotations",
    "Quote an offer or a change of a subscription",
    Single[Quotation],
    QUOTE,
    body=QuotationRequest,
    only_reads=True,
    refuses=(
        Code.VALIDATION,
        Code.MUTUALLY_EXCLUSIVE,
        Code.ROLE_MISSING,
        Code.NOT_MANAGED,
        Code.NOT_IN_CATALOG,
        Code.NOT_FOUND,
        Code.NO_OFFER,
    ),
)

__all__ = ["ChargeMetric", "Quotation", "QuotationItem", "QuotationRequest", "create_quotation"]
