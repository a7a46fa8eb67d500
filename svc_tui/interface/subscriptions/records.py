"""A company's subscription, and what is sent to make or change one (2.10, 4.6)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator

from svc_tui.interface.records import ReadFormat, Record, field

#: Longest terms and the shortest ones, in months (8).
SHORTEST_MONTHLY, LONGEST_MONTHLY = 3, 60
SHORTEST_TERM, LONGEST_TERM = 12, 60
LONGEST_COMMENT = 256
#: Licences that one subscription can have: more than anybody buys, and amounts of so many can still be reckoned.
MOST_LICENCES = 1_000_000_000
#: How the number of users that a subscription is for is called.
LICENCES = "Licences"

BusinessModel = Literal["nb_users", "usage", "flat_fee", "nb_services", "none"]
Status = Literal["creating", "active", "alerting", "hold", "terminating", "terminated", "failed", "unknown"]
PaymentPeriod = Literal["annual", "upfront"]
RenewalTermOption = Literal["1_year", "initial"]

PAYMENT_PERIODS = {"annual": "a bill every year", "upfront": "one bill for the whole term"}
RENEWAL_TERMS = {"1_year": "renewed for one year", "initial": "renewed for as long as the first term"}
BUSINESS_MODELS = {
    "nb_users": "per user",
    "usage": "by usage",
    "flat_fee": "flat fee",
    "nb_services": "per service",
    "none": "free",
}


def _months(value: int) -> int:
    if 0 < value < SHORTEST_MONTHLY:
        raise ValueError(f"is 0 (no end), or {SHORTEST_MONTHLY}..{LONGEST_MONTHLY} months")
    return value


#: Months until it ends; 0 takes the end away.
MonthlyDuration = Annotated[int, AfterValidator(_months)]

_SEATS, _TERM, _RENEWAL, _ORDER = "Licences", "Term and payment", "Renewal", "Order"


class PromoCode(Record):
    """A promotional code as it works on a subscription."""

    name: str | None = field(None)
    bs_subscription_id: str | None = field(None)
    billing_product_rate_plan_id: str | None = field(None)
    billing_product_rate_plan_charge_id: str | None = field(None)
    discount_end_date: datetime | None = field(None)
    discount_type: str | None = field(None)


class CreatedBy(Record):
    """Who ordered a subscription."""

    bp_applicant_number: str | None = field(None)
    login_email: str | None = field(None)
    user_id: str | None = field(None, refers="users")


class Subscription(Record):
    """What a company subscribed (2.10).

    The five numbers of a reseller stand only in the full format, for a BP of type IR with an offer per user.
    """

    NEVER: ClassVar = ("addOns", "unitPrice", "currency", "syncDue", "syncAction", "syncBefore")

    SMALL: ClassVar = (
        "id",
        "offerId",
        "offerName",
        "profileId",
        "isDefault",
        "businessModel",
        "status",
        "syncOngoing",
        "maxNumberUsers",
        "numberAssignedUsers",
    )
    MEDIUM: ClassVar = (
        *SMALL,
        "companyId",
        "offerReference",
        "profileName",
        "isExclusive",
        "creationDate",
        "expirationDate",
        "autoRenew",
        "prepaidDuration",
        "monthlyDuration",
        "paymentPeriod",
        "groupName",
    )

    id: str | None = field(None, help="Identifier")
    company_id: str | None = field(None, refers="companies", help="The company that subscribed")
    offer_id: str | None = field(None, refers="offers", help="What was subscribed", group="Offer")
    offer_name: str | None = field(None, group="Offer")
    offer_description: str | None = field(None, group="Offer")
    offer_technical_description: str | None = field(None, group="Offer")
    offer_reference: str | None = field(None, group="Offer")
    sap_reference: str | None = field(None, group="Offer")
    group_name: str | None = field(None, group="Offer")
    business_model: BusinessModel | None = field(None, choices=BUSINESS_MODELS, help="What is paid for", group="Offer")
    bp_business_type: str | None = field(None, help="What the partner sells with it", group="Offer")
    profile_id: str | None = field(None, help="Profile that a licence gives", group="Offer")
    profile_name: str | None = field(None, group="Offer")
    is_default: bool | None = field(None, help="The one that every company has", group="Offer")
    is_exclusive: bool | None = field(None, help="Its licence stands beside no other exclusive one", group="Offer")
    status: Status | None = field(None)
    sync_ongoing: bool | None = field(None, help="The billing systems are being told; it cannot be changed meanwhile")
    creation_date: datetime | None = field(None)
    created_by: CreatedBy | None = field(None)
    max_number_users: int | None = field(None, label=LICENCES, help="How many licences were bought", group=_SEATS)
    number_assigned_users: int | None = field(
        None, label="Assigned licences", help="How many of them are assigned", group=_SEATS
    )
    nb_bp_licences: int | None = field(None, wire="nbBPLicences", help="Licences of the reseller", group=_SEATS)
    nb_assigned_bp_users: int | None = field(
        None, wire="nbAssignedBPUsers", help="Held by the reseller's own users", group=_SEATS
    )
    nb_licences_assigned_to_ecs: int | None = field(
        None, wire="nbLicencesAssignedToECs", help="Given to end customers", group=_SEATS
    )
    nb_licences_used: int | None = field(None, help="Own users and end customers together", group=_SEATS)
    nb_free_licences: int | None = field(None, help="Left to give", group=_SEATS)
    expiration_date: datetime | None = field(None, ends=True, group=_TERM)
    monthly_duration: int | None = field(None, unit="months", group=_TERM)
    prepaid_duration: int | None = field(None, unit="months", group=_TERM)
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS, group=_TERM)
    auto_renew: bool | None = field(None, help="Goes on after its term", group=_RENEWAL)
    auto_renew_one_time: bool | None = field(None, help="Goes on once", group=_RENEWAL)
    auto_renew_to_monthly: bool | None = field(None, help="Goes on month by month", group=_RENEWAL)
    renewal_term: int | None = field(None, unit="months", group=_RENEWAL)
    renewal_term_option: RenewalTermOption | None = field(None, choices=RENEWAL_TERMS, group=_RENEWAL)
    promo_code: PromoCode | None = field(None, help="Promotional code and what it gives", group=_ORDER)
    purchase_order_number: str | None = field(None, group=_ORDER)
    additional_purchase_order_number: str | None = field(None, group=_ORDER)
    business_admin_comment: str | None = field(None, multiline=True, group=_ORDER)
    application_id: str | None = field(None, refers="applications", help="CPaaS application it pays for", group=_ORDER)
    billing_offer_id: str | None = field(None, group="Billing systems")
    billing_product_rate_plan_id: str | None = field(None, group="Billing systems")
    billing_product_rate_plan_charge_id: str | None = field(None, group="Billing systems")
    bs_subscription_id: str | None = field(None, group="Billing systems")
    billing_subscription_id: str | None = field(None, group="Billing systems")


class SubscriptionUpdate(Record):
    """What may be sent to change a subscription: the body of a creation without the offer.

    In practice it is the number of licences (offers per user) and both renewals (prepaid offers).
    """

    max_number_users: int | None = field(
        None,
        label=LICENCES,
        ge=0,
        le=MOST_LICENCES,
        help="How many licences; an offer for the whole company has one",
        group=_SEATS,
        suggested=1,
    )
    expiration_date: date | None = field(
        None, help="Last day; demanded by Dial In offers that superadmin or business_admin subscribe", group=_TERM
    )
    monthly_duration: MonthlyDuration | None = field(
        None,
        le=LONGEST_MONTHLY,
        ge=0,
        unit="months",
        help=f"Ends after {SHORTEST_MONTHLY}..{LONGEST_MONTHLY} months; 0 or nothing takes the last day away",
        group=_TERM,
    )
    prepaid_duration: int | None = field(
        None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", help="Term of a prepaid offer", group=_TERM
    )
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS, group=_TERM)
    auto_renew: bool | None = field(None, help="Goes on after its term; false ends it with the term", group=_RENEWAL)
    auto_renew_one_time: bool | None = field(None, help="Goes on once", group=_RENEWAL)
    auto_renew_to_monthly: bool | None = field(
        None, help="Goes on month by month after the term of a prepaid offer", group=_RENEWAL
    )
    renewal_term: int | None = field(
        None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", help="Term after the renewal", group=_RENEWAL
    )
    renewal_term_option: RenewalTermOption | None = field(None, choices=RENEWAL_TERMS, group=_RENEWAL)
    promo_code: str | None = field(None, max_length=64, help="Promotional code", group=_ORDER)
    purchase_order_number: str | None = field(
        None, max_length=255, help="Number of the order; a reseller (IR) cannot set it", group=_ORDER
    )
    additional_purchase_order_number: str | None = field(None, max_length=255, group=_ORDER)
    business_admin_comment: str | None = field(None, max_length=LONGEST_COMMENT, multiline=True, group=_ORDER)
    application_id: str | None = field(None, refers="applications", help="CPaaS application it pays for", group=_ORDER)


class SubscriptionCreation(SubscriptionUpdate):
    """What may be sent to subscribe an offer."""

    offer_id: str = field(..., refers="offers", help="Offer of the company's catalog that can be sold", group="Offer")


class SubscriptionQuery(Record):
    """What the list of a company's subscriptions understands."""

    format: ReadFormat = field("small", help="How many fields each record carries")
    show_terminated: bool | None = field(None, help="Also those that are terminated")
    show_active_guardian: bool | None = field(None, help="Also active ones of guardian offers")
