"""Quotations: what an offer, or a change of a subscription, would cost (2.11, 4.6)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Single
from svc_tui.interface.errors import Code
from svc_tui.interface.money import Money
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Needs, Record, field
from svc_tui.interface.subscriptions.records import (
    LICENCES,
    LONGEST_TERM,
    MOST_LICENCES,
    PAYMENT_PERIODS,
    SHORTEST_TERM,
    PaymentPeriod,
)

RenewalOption = Literal["billed", "allocated", "volume"]
RENEWAL_OPTIONS = {
    "billed": "as many licences as are billed now",
    "allocated": "as many as are assigned then",
    "volume": "a number of its own (renewalVolume)",
}


class QuotationRequest(Record):
    """What a quotation is asked for: a new offer, or a subscription that there is."""

    offer_id: str | None = field(None, refers="offers", help="For a new subscription")
    subscription_id: str | None = field(None, refers="subscriptions", help="For one that there is")
    max_number_users: int | None = field(None, label=LICENCES, ge=0, le=MOST_LICENCES, help="How many licences")
    prepaid_duration: int | None = field(
        None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", help="Term; it can only become longer"
    )
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS)
    auto_renew: bool | None = field(None, help="Goes on after its term")
    auto_renew_to_monthly: bool | None = field(None, help="Goes on month by month after its term")
    renewal_term: int | None = field(None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months")
    prepaid_renewal_option: RenewalOption | None = field(
        None, choices=RENEWAL_OPTIONS, help="How many licences are renewed"
    )
    renewal_volume: int | None = field(
        None,
        ge=0,
        le=MOST_LICENCES,
        help="How many licences are renewed",
        needs=Needs("prepaidRenewalOption", "volume"),
    )
    promo_code: str | None = field(None, max_length=64, help="Promotional code")


class QuotationItem(Record):
    """A line of the invoice that would follow."""

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
    """What one charge comes to: a month (mrr), the whole term (tcv), and how both change (dmrr, dtcv)."""

    product_rate_plan_id: str | None = field(None)
    product_rate_plan_charge_id: str | None = field(None)
    origin_rate_plan_id: str | None = field(None)
    original_id: str | None = field(None)
    number: str | None = field(None)
    mrr: Money | None = field(None)
    dmrr: Money | None = field(None)
    tcv: Money | None = field(None)
    dtcv: Money | None = field(None)


class Quotation(Record):
    """What it would cost (2.11). Amounts are in `currency`; `amount` is the next invoice, with tax."""

    currency: str | None = field(None, help="ISO 4217")
    contracted_mrr: Money | None = field(None, help="A month, after the change")
    total_contracted_value: Money | None = field(None, help="The whole term, after the change")
    total_delta_mrr: Money | None = field(None, help="How a month changes")
    total_delta_tcv: Money | None = field(None, help="How the whole term changes")
    amount: Money | None = field(None, help="Next invoice, with tax")
    amount_without_tax: Money | None = field(None, help="Next invoice, without tax")
    tax_amount: Money | None = field(None, help="Tax of the next invoice")
    invoice_target_date: date | None = field(None, help="Day of the next invoice")
    invoice_items: list[QuotationItem] | None = field(None, help="Lines of the next invoice")
    charge_metrics: list[ChargeMetric] | None = field(None, help="Each charge by month and term")
    expiration_date: datetime | None = field(None, help="Until when it holds", ends=True)


#: bp_finance for his own company and those he manages; an organization_admin only when he is bp_finance too.
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
    "What an offer or a change of a subscription would cost",
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
