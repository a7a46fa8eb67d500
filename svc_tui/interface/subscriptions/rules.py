"""Business rules of subscriptions beyond the constraints of single fields, shared by server and console (4.6).

The server refuses a request with the violation; the console shows it before anything is sent. Facts that a caller does
not know are None, and the rules that need them are skipped. Values that are asked for are those of a form, under wire
names: they can still be invalid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions.facts import CompanyFacts, LicenceFacts, OfferFacts, SubscriptionFacts
from svc_tui.interface.value_words import word
from svc_tui.language import _, day_text

#: Business models that can be quoted (4.6, rule 1).
QUOTED = ("nb_users", "flat_fee", "nb_services")
#: Value in `businessSpecific` of Dial In offers.
DIAL_IN = "DIALIN"
#: Statuses without licences: the offer can be subscribed to again.
OVER = ("terminated", "failed")
#: The only sales model that subscriptions support.
RESELL = "resell"
#: Roles that must give Dial In subscriptions an end date.
_OPERATORS = frozenset({Role.SUPERADMIN, Role.BUSINESS_ADMIN})

#: Values that an offer may require of an order, for rules about its other values. They are in no quotation.
DEMANDED: RecordData = {"expirationDate": "2999-12-31", "applicationId": "any"}


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated rule: its error code, the field concerned (may be empty), and the sentence."""

    code: Code
    param: str
    sentence: str


def is_prepaid(subscription: SubscriptionFacts, offer: OfferFacts | None) -> bool:
    """Whether it has a prepaid term. A subscription of a prepaid offer that continues monthly has none."""
    return bool(subscription.prepaid_duration) and (offer is None or bool(offer.is_prepaid))


def is_dial_in(offer: OfferFacts) -> bool:
    """Whether it is a custom Dial In offer."""
    return DIAL_IN in offer.business_specific


def same_month(moment: date | str | None, today: date) -> bool:
    """Whether an ISO 8601 date is in the calendar month of `today`."""
    return str(moment or "")[:7] == today.isoformat()[:7]


def _whole(value: Any) -> int | None:
    """The value if it is an integer. Other values fail the field's own validation and are skipped here."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def quotation_violation(
    offer: OfferFacts,
    company: CompanyFacts | None,
    bp: CompanyFacts | None,
    *,
    in_catalog: bool | None = None,
    applicant_known: bool | None = None,
) -> Violation | None:
    """The violation that prevents a quotation (rule 1).

    `bp` is the partner that the company is linked to; `in_catalog` is whether the offer is in the partner's catalog,
    `applicant_known` whether the store knows the partner's applicant number.
    """
    model = offer.business_model
    if model not in QUOTED:
        sentence = _("offers with the model {model} cannot be quoted; use {quoted} or {other}").format(
            model=model, quoted=", ".join(QUOTED[:-1]), other=QUOTED[-1]
        )
        return Violation(Code.VALIDATION, "offerId", sentence)
    if company is not None and not company.is_bp and not company.bp_id:
        return Violation(Code.VALIDATION, "companyId", _("the company is not a partner (BP) and has no partner"))
    partner = company if company is not None and company.is_bp else bp
    if partner is not None and partner.bp_business_model == RESELL and applicant_known is False:
        number = partner.bp_applicant_number
        reason = (
            _("the store does not know the applicant number {number}").format(number=number)
            if number
            else _("it has no applicant number")
        )
        return Violation(
            Code.VALIDATION, "bpApplicantNumber", _("the partner cannot buy: {reason}").format(reason=reason)
        )
    if in_catalog is False:
        return Violation(Code.NOT_IN_CATALOG, "offerId", _("the offer is not in the catalog of the partner (BP)"))
    return None


def term_violation(term: Any, subscription: SubscriptionFacts | None, offer: OfferFacts | None) -> Violation | None:
    """The violation of a prepaid term in months: it can only increase (4.6), starting from the term of the subscription
    or, for a new subscription, of the offer."""
    of = subscription or offer
    months, least = _whole(term), of.prepaid_duration if of else None
    if months is None or not least or months >= least:
        return None
    return Violation(
        Code.VALIDATION, "prepaidDuration", _("a term can only increase: at least {least} months").format(least=least)
    )


def no_sale_reason(partner: CompanyFacts | None) -> str:
    """Why a partner (BP) cannot sell at all (2.7); empty if it can, or if there is no partner."""
    if partner is None:
        return ""
    if not partner.bp_crd_id:
        return _("the partner (BP) cannot sell: it has no order system number (CRD)")
    if partner.bp_has_right_to_sell is False:
        return _("the partner (BP) has no right to sell")
    return ""


def _is_sold(offer: OfferFacts | None, subscription: SubscriptionFacts | None = None) -> bool:
    """Whether an offer costs anything: free and demo offers are not sold. Without it, its subscription decides."""
    known = offer or subscription
    return known is not None and known.business_model != "none" and not (offer and offer.is_demo)


def creation_violation(
    caller: Caller | None,
    offer: OfferFacts,
    company: CompanyFacts | None,
    bp: CompanyFacts | None,
    values: RecordData,
    *,
    in_catalog: bool | None = None,
    subscribed: bool | None = None,
    no_sale: str = "",
) -> Violation | None:
    """The violation that prevents subscribing to an offer with these values (rule 2); see `no_sale_reason`."""
    roles = caller.roles if caller else frozenset()
    of_business_admin = Role.SUPERADMIN not in roles and Role.BUSINESS_ADMIN in roles and not _sells(roles)
    if of_business_admin and not offer.is_demo and not is_dial_in(offer):
        return Violation(Code.NOT_A_DEMO_OFFER, "offerId", _("business_admin can subscribe only to demo offers"))
    if in_catalog is False:
        return Violation(Code.NOT_IN_CATALOG, "offerId", _("the offer is not in the catalog of the company"))
    if offer.can_be_sold is False:
        return Violation(Code.NOT_SOLD, "offerId", _("the offer cannot be sold"))
    partner = company if company is not None and company.is_bp else bp
    if partner is not None and partner.bp_business_model not in (None, RESELL):
        sentence = _("the partner's sales model is {model}; only {supported} is supported").format(
            model=partner.bp_business_model, supported=RESELL
        )
        return Violation(Code.VALIDATION, "offerId", sentence)
    if no_sale and _is_sold(offer):
        return Violation(Code.NOT_SOLD, "offerId", no_sale)
    if subscribed:
        return Violation(Code.ALREADY_SUBSCRIBED, "offerId", _("the company already has a subscription to this offer"))
    if company is not None and company.offer_type == "freemium" and offer.business_model != "none":
        return Violation(Code.VALIDATION, "offerId", _("a freemium company cannot take paid offers"))
    if is_dial_in(offer) and roles & _OPERATORS and not values.get("expirationDate"):
        return Violation(Code.DIAL_IN_WITHOUT_END, "expirationDate", _("a Dial In offer requires an end date"))
    if offer.is_cpaas and not values.get("applicationId"):
        return Violation(Code.VALIDATION, "applicationId", _("a CPaaS offer requires an application"))
    countries = offer.allowed_countries
    if countries and company is not None and company.country not in countries:
        sentence = _("the offer is only for {countries}; the company is in {country}").format(
            countries=", ".join(countries), country=company.country
        )
        return Violation(Code.VALIDATION, "offerId", sentence)
    return _order_number_violation(roles, bp, company, values)


def _sells(roles: Iterable[Role]) -> bool:
    return Role.BP_FINANCE in set(roles)


def _order_number_violation(
    roles: Iterable[Role], bp: CompanyFacts | None, company: CompanyFacts | None, values: RecordData
) -> Violation | None:
    """A reseller (IR) has no order number of its own: its distributor orders."""
    seller = company if company is not None and company.is_bp else bp
    of_reseller = seller is not None and seller.bp_type == "IR"
    if of_reseller and _sells(roles) and Role.SUPERADMIN not in set(roles) and values.get("purchaseOrderNumber"):
        return Violation(Code.VALIDATION, "purchaseOrderNumber", _("cannot be set by a reseller (BP IR)"))
    return None


def frozen_violation(
    caller: Caller | None,
    subscription: SubscriptionFacts,
    offer: OfferFacts | None,
    company: CompanyFacts | None,
    bp: CompanyFacts | None,
) -> Violation | None:
    """The violation that prevents any update of a subscription at present (rule 3)."""
    if subscription.status in ("terminated", "terminating", "failed"):
        return Violation(
            Code.VALIDATION, "status", _("the subscription is {status}").format(status=word(subscription.status))
        )
    if subscription.sync_ongoing:
        return Violation(
            Code.UPDATED_WHILE_SYNCING, "", _("its synchronisation with the billing systems is in progress")
        )
    roles = caller.roles if caller else frozenset()
    if roles & {Role.SUPERADMIN, Role.BP_FINANCE}:
        return None
    if Role.BUSINESS_ADMIN in roles:
        if offer is not None and not offer.is_demo:
            return Violation(
                Code.NOT_A_DEMO_OFFER, "", _("business_admin can change only subscriptions of demo offers")
            )
        return None
    return _company_admin_violation(subscription, offer, company, bp)


def _company_admin_violation(
    subscription: SubscriptionFacts, offer: OfferFacts | None, company: CompanyFacts | None, bp: CompanyFacts | None
) -> Violation | None:
    if bp is not None and bp.bp_type == "IR":
        sentence = _("the company's reseller (BP IR) manages its subscriptions")
        return Violation(Code.NOT_ALLOWED_BY_COMPANY, "", sentence)
    if company is None:
        return None
    if not company.admin_may_update:
        sentence = _("the company's administrator may not change subscriptions")
        return Violation(Code.NOT_ALLOWED_BY_COMPANY, "", sentence)
    if company.admin_updates == "monthly" and is_prepaid(subscription, offer):
        sentence = _("the company's administrator may change only monthly subscriptions")
        return Violation(Code.NOT_ALLOWED_BY_COMPANY, "", sentence)
    return None


def update_violation(
    caller: Caller | None,
    subscription: SubscriptionFacts,
    offer: OfferFacts | None,
    company: CompanyFacts | None,
    bp: CompanyFacts | None,
    changes: RecordData,
    *,
    added_this_month: int | None = None,
    no_sale: str = "",
) -> Violation | None:
    """The violation that prevents these changes of a subscription (rule 3).

    `added_this_month` counts the licences of add-ons from the current calendar month; with a prepaid term only those
    can be removed. `no_sale` (see `no_sale_reason`) prevents adding licences.
    """
    violation = frozen_violation(caller, subscription, offer, company, bp)
    if violation:
        return violation
    prepaid = is_prepaid(subscription, offer)
    for wire in ("autoRenew", "autoRenewToMonthly"):
        if changes.get(wire) is not None and not prepaid and not changes.get("prepaidDuration"):
            sentence = _("only for prepaid offers")
            if offer is not None and offer.is_prepaid:
                sentence = _("not without a prepaid term: the subscription continues monthly")
            return Violation(Code.VALIDATION, wire, sentence)
    seats = _whole(changes.get("maxNumberUsers"))
    violation = _seats_violation(subscription, offer, prepaid, seats, added_this_month) if seats is not None else None
    if not violation and no_sale and (seats or 0) > (subscription.seats or 0):
        violation = Violation(Code.NOT_SOLD, "maxNumberUsers", no_sale) if _is_sold(offer, subscription) else None
    roles = caller.roles if caller else frozenset()
    own_admin = not roles & {Role.SUPERADMIN, Role.BUSINESS_ADMIN, Role.BP_FINANCE}
    if changes and not violation and own_admin and company is not None and company.admin_updates == "increase_only":
        more = seats is not None and seats >= (subscription.seats or 0)
        if not more or set(changes) - {"maxNumberUsers"}:
            sentence = _("the company's administrator may only increase the number of licences")
            violation = Violation(Code.NOT_ALLOWED_BY_COMPANY, "maxNumberUsers", sentence)
    return violation or _order_number_violation(roles, bp, company, changes)


def _seats_violation(
    subscription: SubscriptionFacts, offer: OfferFacts | None, prepaid: bool, seats: int, added_this_month: int | None
) -> Violation | None:
    now = subscription.seats or 0
    assigned = subscription.assigned or 0
    if seats == now:
        return None
    if subscription.business_model not in (None, "nb_users"):
        sentence = _("only for offers per user; this offer is {business_model}").format(
            business_model=subscription.business_model
        )
        return Violation(Code.VALIDATION, "maxNumberUsers", sentence)
    if offer is not None and offer.is_company_level:
        return Violation(Code.VALIDATION, "maxNumberUsers", _("always 1: the offer is for the whole company"))
    if seats > now:
        return None
    if prepaid and added_this_month is not None:
        least = now - added_this_month
        if seats < least:
            sentence = _("a prepaid subscription can lose only licences added this month")
            sentence += _(": at least {least}").format(least=least) if added_this_month else _("; there are none")
            return Violation(Code.DECREASE, "maxNumberUsers", sentence)
        # Licences added this month may already be assigned.
    if seats < assigned:
        sentence = _("{assigned} licences are assigned: unassign some first").format(assigned=assigned)
        if customers := subscription.customers:
            sentence = _(
                "{assigned} licences are used, {customers} of them by customers: decrease their subscriptions, "
                "or unassign licences of own users first"
            ).format(assigned=assigned, customers=customers)
        return Violation(Code.DECREASE, "maxNumberUsers", sentence)
    return None


def uncertain_decrease(subscription: SubscriptionFacts, offer: OfferFacts | None, changes: RecordData) -> str:
    """A warning about a decrease that only the service can decide, because add-ons are not readable; else empty."""
    seats, now = _whole(changes.get("maxNumberUsers")), subscription.seats
    if seats is None or now is None or seats >= now or not is_prepaid(subscription, offer):
        return ""
    if not subscription.expiration_date:
        return _("Prepaid: only licences added this month can be removed; the service decides.")
    day = day_text(subscription.expiration_date[:10])
    return _("Prepaid until {day}: the service removes only licences added this month.").format(day=day)


def termination_violation(
    caller: Caller | None, subscription: SubscriptionFacts, offer: OfferFacts | None, today: date
) -> Violation | None:
    """The violation that prevents terminating a subscription (rule 4)."""
    if subscription.is_default:
        return Violation(Code.NOT_REMOVABLE, "", _("the default subscription cannot be terminated"))
    if subscription.status == "terminated":
        return Violation(Code.NOT_REMOVABLE, "", _("the subscription is already terminated"))
    roles = caller.roles if caller else frozenset()
    operator = Role.BUSINESS_ADMIN in roles and not roles & {Role.SUPERADMIN, Role.BP_FINANCE}
    if operator and offer is not None and not offer.is_demo:
        return Violation(Code.NOT_A_DEMO_OFFER, "", _("business_admin can terminate only subscriptions of demo offers"))
    if subscription.sync_ongoing:
        return Violation(
            Code.REMOVED_WHILE_SYNCING, "", _("its synchronisation with the billing systems is in progress")
        )
    if is_prepaid(subscription, offer) and not same_month(subscription.creation_date, today):
        sentence = _("a prepaid subscription can be terminated only in the month of its creation; disable its renewal")
        return Violation(Code.NOT_REMOVABLE, "", sentence)
    return None


def assignment_violation(
    subscription: SubscriptionFacts, company_id: str, profiles: Iterable[LicenceFacts]
) -> Violation | None:
    """The violation that prevents assigning a licence to a user of `company_id` with these profiles."""
    if subscription.company_id not in (None, company_id):
        return Violation(Code.NOT_ASSIGNABLE, "userId", _("the user belongs to another company"))
    if subscription.sync_ongoing:
        return Violation(
            Code.ASSIGNED_WHILE_SYNCING, "", _("its synchronisation with the billing systems is in progress")
        )
    if subscription.status != "active":
        return Violation(
            Code.NOT_ASSIGNABLE,
            "",
            _("the subscription is {status}, not active").format(status=word(subscription.status)),
        )
    if subscription.business_model == "flat_fee":
        return Violation(Code.NOT_ASSIGNABLE, "", _("a flat fee has no licences: it is for the whole company"))
    held = list(profiles)
    if any(each.subscription_id == subscription.id for each in held):
        return Violation(Code.ALREADY_EXISTS, "userId", _("the user already has this licence"))
    if subscription.is_exclusive:
        other = next((each for each in held if each.is_exclusive), None)
        if other is not None:
            sentence = _("the user already has the exclusive licence {offer}").format(offer=other.offer_name)
            return Violation(Code.NOT_ASSIGNABLE, "userId", sentence)
    most = subscription.seats
    if most is not None and (subscription.assigned or 0) >= most:
        sentence = _("all {most} licences are assigned: increase the subscription, or unassign one first")
        return Violation(Code.NO_LICENCE_LEFT, "", sentence.format(most=most))
    return None


def unassignment_violation(profile: LicenceFacts) -> Violation | None:
    """The violation that prevents unassigning a licence."""
    if profile.is_default:
        return Violation(Code.DEFAULT_LICENCE, "", _("the licence of the default subscription cannot be unassigned"))
    return None


def reseller_shortage(reseller: SubscriptionFacts | None, subscription: SubscriptionFacts | None, seats: Any) -> str:
    """A warning where a customer gets more licences than its reseller (IR) has free of the offer (2.10); else empty.

    `reseller` is the reseller's own subscription with its counts, None where it has none or cannot be read.
    `subscription` is the customer's, None for a new one.
    """
    free = reseller.free if reseller else None
    wanted, now = _whole(seats), (subscription.seats if subscription else None) or 0
    if reseller is None or free is None or wanted is None or wanted - now <= max(free, 0):
        return ""
    return _(
        "The reseller has {bought} licences of this offer, {free} of them free: {short} more are sold than it has. "
        "Increase its subscription first, or sell fewer."
    ).format(bought=reseller.bought, free=free, short=wanted - now - max(free, 0))


def reseller_licences(bought: int, own_users: int, customers: int) -> dict[str, int]:
    """The licence counts of a reseller's subscription (2.10) from those bought, of own users and of end customers."""
    used = own_users + customers
    return {
        "nbBPLicences": bought,
        "nbAssignedBPUsers": own_users,
        "nbLicencesAssignedToECs": customers,
        "nbLicencesUsed": used,
        "nbFreeLicences": bought - used,
        "numberAssignedUsers": used,
    }
