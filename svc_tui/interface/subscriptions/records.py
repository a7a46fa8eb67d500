"""Subscription records: read formats, the bodies of creation and update (2.10, 4.6), and messages to administrators
about changes (section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator

from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.value_words import BUSINESS_MODELS
from svc_tui.language import _

__all__ = [
    "CreatedBy",
    "PromoCode",
    "Subscription",
    "SubscriptionCreation",
    "SubscriptionQuery",
    "SubscriptionUpdate",
]


#: Shortest and longest terms in months (8).
SHORTEST_MONTHLY, LONGEST_MONTHLY = 3, 60
SHORTEST_TERM, LONGEST_TERM = 12, 60
LONGEST_COMMENT = 256
#: Largest number of licences of one subscription: a sanity limit that keeps all amounts computable.
MOST_LICENCES = 1_000_000_000
#: Label of `maxNumberUsers`.
LICENCES = "Licences"

BusinessModel = Literal["nb_users", "usage", "flat_fee", "nb_services", "none"]
SubscriptionStatus = Literal["creating", "active", "alerting", "hold", "terminating", "terminated", "failed", "unknown"]
PaymentPeriod = Literal["annual", "upfront"]
RenewalTermOption = Literal["1_year", "initial"]

PAYMENT_PERIODS = {"annual": _("yearly"), "upfront": _("up front")}
PAYMENT_HELP = _("Billed once a year, or for the whole term up front")
RENEWAL_TERMS = {"1_year": _("renewed for one year"), "initial": _("renewed for the length of the first term")}


def _months(value: int) -> int:
    if 0 < value < SHORTEST_MONTHLY:
        raise ValueError(
            _("must be 0 (no end) or {shortest_monthly} to {longest_monthly} months").format(
                shortest_monthly=SHORTEST_MONTHLY, longest_monthly=LONGEST_MONTHLY
            )
        )
    return value


#: Months until the subscription ends; 0 clears the end date.
MonthlyDuration = Annotated[int, AfterValidator(_months)]

_SEATS, _TERM, _RENEWAL, _ORDER = "Licences", _("Term and payment"), "Renewal", "Order"


class PromoCode(Record):
    """A promotional code that applies to a subscription."""

    name: str | None = field(None)
    bs_subscription_id: str | None = field(None)
    billing_product_rate_plan_id: str | None = field(None)
    billing_product_rate_plan_charge_id: str | None = field(None)
    discount_end_date: datetime | None = field(None, label="Discount ends", day=True)
    discount_type: str | None = field(None)


class CreatedBy(Record):
    """The user who ordered a subscription."""

    bp_applicant_number: str | None = field(None)
    login_email: str | None = field(None, personal=True)
    user_id: str | None = field(None, refers="users")


class Subscription(Record):
    """A company's subscription to an offer (2.10).

    The five licence counts of a reseller are only in the full format, for a BP of type IR with an offer per user.
    """

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
    ALWAYS: ClassVar = ("id", "offerId", "status", "syncOngoing", "isDefault")
    WHERE_APPLICABLE: ClassVar = (
        "nbBPLicences",
        "nbAssignedBPUsers",
        "nbLicencesAssignedToECs",
        "nbLicencesUsed",
        "nbFreeLicences",
    )

    id: str | None = field(None, help="Identifier")
    company_id: str | None = field(None, refers="companies", help="Company that subscribed")
    offer_id: str | None = field(None, refers="offers", named_by=("offerName",), group="Offer")
    offer_name: str | None = field(None, group="Offer")
    offer_description: str | None = field(None, group="Offer")
    offer_technical_description: str | None = field(None, group="Offer")
    offer_reference: str | None = field(None, group="Offer")
    sap_reference: str | None = field(None, group="Offer")
    group_name: str | None = field(None, label="Offer group", group="Offer")
    business_model: BusinessModel | None = field(None, choices=BUSINESS_MODELS, help="How it is priced", group="Offer")
    bp_business_type: str | None = field(None, label="Partner business type", group="Offer")
    profile_id: str | None = field(None, help="Profile that a licence gives", group="Offer")
    profile_name: str | None = field(None, group="Offer")
    is_default: bool | None = field(None, label="Default offer", help="Every company has one", group="Offer")
    is_exclusive: bool | None = field(None, help="A user can hold only one exclusive licence", group="Offer")
    status: SubscriptionStatus | None = field(None)
    sync_ongoing: bool | None = field(None, help="While the billing systems are updated, changes are blocked")
    creation_date: datetime | None = field(None)
    created_by: CreatedBy | None = field(None)
    max_number_users: int | None = field(None, label=LICENCES, help="Number of licences bought", group=_SEATS)
    number_assigned_users: int | None = field(
        None, label="Assigned licences", help="Number of licences assigned to users", group=_SEATS
    )
    nb_bp_licences: int | None = field(None, wire="nbBPLicences", label="Licences of the reseller", group=_SEATS)
    nb_assigned_bp_users: int | None = field(
        None, wire="nbAssignedBPUsers", label="Licences of the reseller's users", group=_SEATS
    )
    nb_licences_assigned_to_ecs: int | None = field(
        None, wire="nbLicencesAssignedToECs", label="Licences of end customers", group=_SEATS
    )
    nb_licences_used: int | None = field(
        None, label="Used licences", help="Own users and end customers together", group=_SEATS
    )
    nb_free_licences: int | None = field(None, help="Available for assignment", group=_SEATS)
    expiration_date: datetime | None = field(None, ends=True, group=_TERM, day=True)
    monthly_duration: int | None = field(None, label="Ends after", unit="months", group=_TERM)
    prepaid_duration: int | None = field(None, unit="months", group=_TERM)
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS, group=_TERM, help=PAYMENT_HELP)
    auto_renew: bool | None = field(None, label="Renew automatically", group=_RENEWAL)
    auto_renew_one_time: bool | None = field(None, label="Renew once", group=_RENEWAL)
    auto_renew_to_monthly: bool | None = field(
        None, label="Continue monthly", help="Continues month by month after the prepaid term", group=_RENEWAL
    )
    renewal_term: int | None = field(None, unit="months", group=_RENEWAL)
    renewal_term_option: RenewalTermOption | None = field(None, choices=RENEWAL_TERMS, group=_RENEWAL)
    promo_code: PromoCode | None = field(None, label="Promotional code", help="Code and discount", group=_ORDER)
    purchase_order_number: str | None = field(None, group=_ORDER)
    additional_purchase_order_number: str | None = field(None, group=_ORDER)
    business_admin_comment: str | None = field(None, multiline=True, group=_ORDER, personal=True)
    application_id: str | None = field(None, refers="applications", help="CPaaS application it pays for", group=_ORDER)
    billing_offer_id: str | None = field(None, group="Billing systems")
    billing_product_rate_plan_id: str | None = field(None, group="Billing systems")
    billing_product_rate_plan_charge_id: str | None = field(None, group="Billing systems")
    bs_subscription_id: str | None = field(None, group="Billing systems")
    billing_subscription_id: str | None = field(None, group="Billing systems")


class SubscriptionUpdate(Record):
    """Body of the update: the body of a creation without the offer.

    In practice it changes the number of licences (offers per user) and the two renewals (prepaid offers).
    """

    max_number_users: int | None = field(
        None,
        label=LICENCES,
        ge=0,
        le=MOST_LICENCES,
        help="Number of licences; always 1 for an offer for the whole company",
        group=_SEATS,
        suggested=1,
    )
    expiration_date: date | None = field(
        None,
        help="Last day; required when superadmin or business_admin subscribes to a Dial In offer",
        group=_TERM,
    )
    monthly_duration: MonthlyDuration | None = field(
        None,
        label="Ends after",
        le=LONGEST_MONTHLY,
        ge=0,
        unit="months",
        help=_("{shortest_monthly} to {longest_monthly} months; 0 or empty clears the end date").format(
            shortest_monthly=SHORTEST_MONTHLY, longest_monthly=LONGEST_MONTHLY
        ),
        group=_TERM,
    )
    prepaid_duration: int | None = field(None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", group=_TERM)
    payment_period: PaymentPeriod | None = field(None, choices=PAYMENT_PERIODS, group=_TERM, help=PAYMENT_HELP)
    auto_renew: bool | None = field(
        None, label="Renew automatically", help="If disabled, it ends with the term", group=_RENEWAL
    )
    auto_renew_one_time: bool | None = field(None, label="Renew once", group=_RENEWAL)
    auto_renew_to_monthly: bool | None = field(
        None, label="Continue monthly", help="Continues month by month after the prepaid term", group=_RENEWAL
    )
    renewal_term: int | None = field(
        None, ge=SHORTEST_TERM, le=LONGEST_TERM, unit="months", help="Term after the renewal", group=_RENEWAL
    )
    renewal_term_option: RenewalTermOption | None = field(None, choices=RENEWAL_TERMS, group=_RENEWAL)
    promo_code: str | None = field(None, label="Promotional code", max_length=64, group=_ORDER)
    purchase_order_number: str | None = field(None, max_length=255, help="Resellers (IR) cannot set it", group=_ORDER)
    additional_purchase_order_number: str | None = field(None, max_length=255, group=_ORDER)
    business_admin_comment: str | None = field(None, max_length=LONGEST_COMMENT, multiline=True, group=_ORDER)
    application_id: str | None = field(None, refers="applications", help="CPaaS application it pays for", group=_ORDER)


class SubscriptionCreation(SubscriptionUpdate):
    """Body of the creation."""

    offer_id: str = field(
        ..., refers="offers", help="An offer of the company's catalog that can be sold", group="Offer"
    )


class SubscriptionQuery(Record):
    """Filters of the list of a company's subscriptions."""

    format: ReadFormat = field("small", help="Number of fields in each record")
    show_terminated: bool | None = field(None, filters=("status",), help="Include terminated subscriptions")
    show_active_guardian: bool | None = field(None, help="Include active subscriptions of guardian offers")


#: Children of a `companysubscription` after a creation or update, in the order of section 6.
_CHILDREN = ("offerId", "offerName", "profileId", "profileName", "status", "syncOngoing", "maxNumberUsers")


class CompanySubscriptionMessage(Record):
    """`companysubscription`: a subscription was created, updated or deleted. A deletion has no children."""

    action: Literal["create", "update", "delete"]
    subscription_id: str
    company_id: str
    offer_id: str | None = field(None)
    offer_name: str | None = field(None)
    profile_id: str | None = field(None)
    profile_name: str | None = field(None)
    status: str | None = field(None)
    sync_ongoing: bool | None = field(None)
    max_number_users: int | None = field(None, label=LICENCES)


class UserProfileMessage(Record):
    """`userprofile`: a licence was assigned to a user or unassigned."""

    action: Literal["created", "deleted"]
    subscription_id: str
    offer_reference: str | None = field(None)


def subscription_message(action: Literal["create", "update", "delete"], subscription: Mapping[str, Any]) -> Record:
    """The message about a stored subscription."""
    children = {} if action == "delete" else {name: subscription.get(name) for name in _CHILDREN}
    return CompanySubscriptionMessage.model_validate(
        {
            "action": action,
            "subscriptionId": subscription["id"],
            "companyId": subscription["companyId"],
            **{name: value for name, value in children.items() if value is not None},
        }
    )
