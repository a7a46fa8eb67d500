"""The rules of subscriptions that are more than a field's constraint: one for both sides (4.6).

The server refuses with what they answer; the console says it before anything is sent. What a side does not know is
passed as None, and is then not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.errors import Code

Fields = Mapping[str, Any]

#: Business models that can be quoted (4.6, rule 1).
QUOTED = ("nb_users", "flat_fee", "nb_services")
#: What `businessSpecific` of a Dial In offer holds.
DIAL_IN = "DIALIN"
#: Subscriptions that give no licences any more, or never did: their offer can be subscribed again.
OVER = ("terminated", "failed")
#: The one way of selling that subscriptions are made for.
RESELL = "resell"
#: Ends that come from nothing but a role: these roles deal with what is not sold too.
_OPERATORS = frozenset({Role.SUPERADMIN, Role.BUSINESS_ADMIN})


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that does not hold: its code, the field it is about (may be empty), and the sentence."""

    code: Code
    param: str
    sentence: str


def is_prepaid(subscription: Fields, offer: Fields | None) -> bool:
    """Whether its term was paid beforehand. One of a prepaid offer that goes on month by month has no term."""
    return bool(subscription.get("prepaidDuration")) and (offer is None or bool(offer.get("isPrepaid")))


def is_dial_in(offer: Fields) -> bool:
    """Whether it is a Dial In offer of one customer's own."""
    return DIAL_IN in _listed(offer.get("businessSpecific"))


def same_month(moment: Any, today: date) -> bool:
    """Whether a date of the wire (ISO 8601) lies in this calendar month."""
    return str(moment or "")[:7] == today.isoformat()[:7]


def _whole(value: Any) -> int | None:
    """A number of the wire. What was typed and is none is None: its declaration says so, no rule judges it."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _listed(value: Any) -> list[str]:
    """The words of a list of the wire; none of what is no list."""
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def why_not_quoted(
    offer: Fields,
    company: Fields | None,
    bp: Fields | None,
    *,
    in_catalog: bool | None = None,
    applicant_known: bool | None = None,
) -> Broken | None:
    """Why there is no quotation (rule 1). `bp` is the partner that the company is linked to, `in_catalog` whether
    the offer is in the partner's catalog, `applicant_known` whether the store knows its applicant number."""
    model = offer.get("businessModel")
    if model not in QUOTED:
        said = f"an offer of the model {model} has no quotation; only {', '.join(QUOTED[:-1])} and {QUOTED[-1]} have"
        return Broken(Code.VALIDATION, "offerId", said)
    if company is not None and not company.get("isBP") and not company.get("bpId"):
        return Broken(Code.VALIDATION, "companyId", "the company is no partner (BP) and is linked to none")
    partner = company if company is not None and company.get("isBP") else bp
    if partner is not None and partner.get("bpBusinessModel") == RESELL and applicant_known is False:
        number = partner.get("bpApplicantNumber")
        said = f"the store does not know the applicant number {number}" if number else "it has no applicant number"
        return Broken(Code.VALIDATION, "bpApplicantNumber", f"the partner cannot buy: {said}")
    if in_catalog is False:
        return Broken(Code.NOT_IN_CATALOG, "offerId", "the offer is not in the catalog of the partner (BP)")
    return None


def why_not_term(term: Any, subscription: Fields | None, offer: Fields | None) -> Broken | None:
    """Why a prepaid term of so many months is neither quoted nor sold: it can only increase (4.6), from that of the
    subscription or, of a new one, from that of the offer."""
    months, least = _whole(term), _whole((subscription or offer or {}).get("prepaidDuration"))
    if months is None or not least or months >= least:
        return None
    return Broken(Code.VALIDATION, "prepaidDuration", f"a term only becomes longer: at least {least} months")


def why_no_sale(partner: Fields | None) -> str:
    """Why a partner (BP) cannot sell at all (2.7); empty where it can, or there is none."""
    if partner is None:
        return ""
    if not partner.get("bpCRDid"):
        return "the partner (BP) cannot sell: it has no number in the order system (bpCRDid)"
    if partner.get("bpHasRightToSell") is False:
        return "the partner (BP) has no right to sell (bpHasRightToSell)"
    return ""


def _is_sold(offer: Fields) -> bool:
    """Whether an offer costs something: what is free or given away is not sold."""
    return offer.get("businessModel") != "none" and not offer.get("isDemo")


def why_not_subscribed(
    caller: Caller | None,
    offer: Fields,
    company: Fields | None,
    bp: Fields | None,
    values: Fields,
    *,
    in_catalog: bool | None = None,
    subscribed: bool | None = None,
    no_sale: str = "",
) -> Broken | None:
    """Why an offer cannot be subscribed with these values (rule 2); `no_sale` is why its partner sells nothing."""
    roles = caller.roles if caller else frozenset()
    if Role.SUPERADMIN not in roles and Role.BUSINESS_ADMIN in roles and not _sells(roles) and not offer.get("isDemo"):
        return Broken(Code.NOT_A_DEMO_OFFER, "offerId", "business_admin subscribes demo offers only")
    if in_catalog is False:
        return Broken(Code.NOT_IN_CATALOG, "offerId", "the offer is not in the catalog of the company")
    if offer.get("canBeSold") is False:
        return Broken(Code.NOT_SOLD, "offerId", "the offer cannot be sold")
    partner = company if company is not None and company.get("isBP") else bp
    if partner is not None and partner.get("bpBusinessModel") not in (None, RESELL):
        said = f"the partner sells by {partner.get('bpBusinessModel')}; only {RESELL} is managed here"
        return Broken(Code.VALIDATION, "offerId", said)
    if no_sale and _is_sold(offer):
        return Broken(Code.NOT_SOLD, "offerId", no_sale)
    if subscribed:
        return Broken(Code.ALREADY_SUBSCRIBED, "offerId", "the company has subscribed this offer already")
    if company is not None and company.get("offerType") == "freemium" and offer.get("businessModel") != "none":
        return Broken(Code.VALIDATION, "offerId", "a freemium company takes no paid offers (offerType)")
    if is_dial_in(offer) and roles & _OPERATORS and not values.get("expirationDate"):
        return Broken(Code.DIAL_IN_WITHOUT_END, "expirationDate", "a Dial In offer needs the day on which it ends")
    if offer.get("isCpaas") and not values.get("applicationId"):
        return Broken(Code.VALIDATION, "applicationId", "a CPaaS offer pays for one application: name it")
    countries = _listed(offer.get("allowedCountries"))
    if countries and company is not None and company.get("country") not in countries:
        said = f"the offer is for {', '.join(countries)} only; the company is in {company.get('country')}"
        return Broken(Code.VALIDATION, "offerId", said)
    return _order_number(roles, bp, company, values)


def _sells(roles: Iterable[Role]) -> bool:
    return Role.BP_FINANCE in set(roles)


def _order_number(roles: Iterable[Role], bp: Fields | None, company: Fields | None, values: Fields) -> Broken | None:
    """A reseller (IR) has no order number of its own: his distributor orders."""
    seller = company if company is not None and company.get("isBP") else bp
    of_reseller = seller is not None and seller.get("bpType") == "IR"
    if of_reseller and _sells(roles) and Role.SUPERADMIN not in set(roles) and values.get("purchaseOrderNumber"):
        return Broken(Code.VALIDATION, "purchaseOrderNumber", "cannot be set by a reseller (BP IR)")
    return None


def why_frozen(
    caller: Caller | None, subscription: Fields, offer: Fields | None, company: Fields | None, bp: Fields | None
) -> Broken | None:
    """Why a subscription cannot be changed at all at present, whatever is changed (rule 3)."""
    if subscription.get("status") in ("terminated", "terminating", "failed"):
        return Broken(Code.VALIDATION, "status", f"the subscription is {subscription.get('status')}")
    if subscription.get("syncOngoing"):
        return Broken(Code.UPDATED_WHILE_SYNCING, "", "its synchronisation with the billing systems is still running")
    roles = caller.roles if caller else frozenset()
    if roles & {Role.SUPERADMIN, Role.BP_FINANCE}:
        return None
    if Role.BUSINESS_ADMIN in roles:
        if offer is not None and not offer.get("isDemo"):
            return Broken(Code.NOT_A_DEMO_OFFER, "", "business_admin changes subscriptions of demo offers only")
        return None
    return _company_admin(subscription, offer, company, bp)


def _company_admin(
    subscription: Fields, offer: Fields | None, company: Fields | None, bp: Fields | None
) -> Broken | None:
    if bp is not None and bp.get("bpType") == "IR":
        said = "the company is linked to a reseller (BP IR), who changes its subscriptions"
        return Broken(Code.NOT_ALLOWED_BY_COMPANY, "", said)
    if company is None:
        return None
    if not company.get("adminHasRightToUpdateSubscriptions"):
        said = "the company's administrator may not change subscriptions (adminHasRightToUpdateSubscriptions)"
        return Broken(Code.NOT_ALLOWED_BY_COMPANY, "", said)
    if company.get("adminAllowedUpdateSubscriptionsOps") == "monthly" and is_prepaid(subscription, offer):
        said = "the company's administrator may change monthly subscriptions only (adminAllowedUpdateSubscriptionsOps)"
        return Broken(Code.NOT_ALLOWED_BY_COMPANY, "", said)
    return None


def why_not_changed(
    caller: Caller | None,
    subscription: Fields,
    offer: Fields | None,
    company: Fields | None,
    bp: Fields | None,
    changes: Fields,
    *,
    added_this_month: int | None = None,
    no_sale: str = "",
) -> Broken | None:
    """Why these changes of a subscription are refused (rule 3). `added_this_month` are the licences of add-ons that
    were made in the present calendar month; only they can be cancelled where the term was paid beforehand. `no_sale` is
    why its partner sells nothing: more licences are a sale."""
    broken = why_frozen(caller, subscription, offer, company, bp)
    if broken:
        return broken
    prepaid = is_prepaid(subscription, offer)
    for wire in ("autoRenew", "autoRenewToMonthly"):
        if changes.get(wire) is not None and not prepaid and not changes.get("prepaidDuration"):
            said = "belongs to prepaid offers only"
            if (offer or {}).get("isPrepaid"):
                said = "it goes on month by month: nothing is renewed without a term (prepaidDuration)"
            return Broken(Code.VALIDATION, wire, said)
    seats = _whole(changes.get("maxNumberUsers"))
    broken = _seats(subscription, offer, prepaid, seats, added_this_month) if seats is not None else None
    if not broken and no_sale and (seats or 0) > (_whole(subscription.get("maxNumberUsers")) or 0):
        broken = Broken(Code.NOT_SOLD, "maxNumberUsers", no_sale) if _is_sold(offer or subscription) else None
    roles = caller.roles if caller else frozenset()
    own_admin = not roles & {Role.SUPERADMIN, Role.BUSINESS_ADMIN, Role.BP_FINANCE}
    if (
        changes
        and not broken
        and own_admin
        and (company or {}).get("adminAllowedUpdateSubscriptionsOps") == "increase_only"
    ):
        more = seats is not None and seats >= (_whole(subscription.get("maxNumberUsers")) or 0)
        if not more or set(changes) - {"maxNumberUsers"}:
            said = "the company's administrator may only raise the number of licences"
            broken = Broken(Code.NOT_ALLOWED_BY_COMPANY, "maxNumberUsers", said)
    return broken or _order_number(roles, bp, company, changes)


def _seats(
    subscription: Fields, offer: Fields | None, prepaid: bool, seats: int, added_this_month: int | None
) -> Broken | None:
    now = _whole(subscription.get("maxNumberUsers")) or 0
    assigned = _whole(subscription.get("numberAssignedUsers")) or 0
    if seats == now:
        return None
    if subscription.get("businessModel") not in (None, "nb_users"):
        said = f"licences are counted in offers per user only; this one is {subscription.get('businessModel')}"
        return Broken(Code.VALIDATION, "maxNumberUsers", said)
    if offer is not None and offer.get("isCompanyLevel"):
        return Broken(Code.VALIDATION, "maxNumberUsers", "the offer is for the whole company: it stays 1")
    if seats > now:
        return None
    if prepaid and added_this_month is not None:
        least = now - added_this_month
        if seats < least:
            said = "a prepaid subscription loses only licences that were added this month"
            said += f": at least {least}" if added_this_month else "; none were"
            return Broken(Code.DECREASE, "maxNumberUsers", said)
        # What was added this month may be assigned by now.
    if seats < assigned:
        return Broken(Code.DECREASE, "maxNumberUsers", f"{assigned} licences are assigned: unassign some first")
    return None


def doubtful_decrease(subscription: Fields, offer: Fields | None, changes: Fields) -> str:
    """What stands against fewer licences where nobody but the service knows when they were added: readers are not told
    of add-ons. Empty where nothing does."""
    seats, now = _whole(changes.get("maxNumberUsers")), _whole(subscription.get("maxNumberUsers"))
    doubtful = seats is not None and now is not None and seats < now and is_prepaid(subscription, offer)
    return "Prepaid: only licences added this month can be taken off; the service decides." if doubtful else ""


def why_not_ended(caller: Caller | None, subscription: Fields, offer: Fields | None, today: date) -> Broken | None:
    """Why a subscription cannot be ended (rule 4)."""
    if subscription.get("isDefault"):
        return Broken(Code.NOT_REMOVABLE, "", "the default subscription stays with the company")
    if subscription.get("status") == "terminated":
        return Broken(Code.NOT_REMOVABLE, "", "it is terminated already")
    roles = caller.roles if caller else frozenset()
    operator = Role.BUSINESS_ADMIN in roles and not roles & {Role.SUPERADMIN, Role.BP_FINANCE}
    if operator and offer is not None and not offer.get("isDemo"):
        return Broken(Code.NOT_A_DEMO_OFFER, "", "business_admin ends subscriptions of demo offers only")
    if subscription.get("syncOngoing"):
        return Broken(Code.REMOVED_WHILE_SYNCING, "", "its synchronisation with the billing systems is still running")
    if is_prepaid(subscription, offer) and not same_month(subscription.get("creationDate"), today):
        said = "a prepaid subscription ends only within the month it was made in; switch its renewal off instead"
        return Broken(Code.NOT_REMOVABLE, "", said)
    return None


def why_not_assigned(subscription: Fields, company_id: str, profiles: Iterable[Fields]) -> Broken | None:
    """Why a user of `company_id`, who holds these profiles, gets no licence of a subscription."""
    if subscription.get("companyId") not in (None, company_id):
        return Broken(Code.NOT_ASSIGNABLE, "userId", "the user belongs to another company")
    if subscription.get("syncOngoing"):
        return Broken(Code.ASSIGNED_WHILE_SYNCING, "", "its synchronisation with the billing systems is still running")
    if subscription.get("status") != "active":
        return Broken(Code.NOT_ASSIGNABLE, "", f"the subscription is {subscription.get('status')}, not active")
    if subscription.get("businessModel") == "flat_fee":
        return Broken(Code.NOT_ASSIGNABLE, "", "a flat fee is for the whole company: it has no licences")
    held = list(profiles)
    if any(each.get("subscriptionId") == subscription.get("id") for each in held):
        return Broken(Code.ALREADY_EXISTS, "userId", "the user holds this licence already")
    if subscription.get("isExclusive"):
        other = next((each for each in held if each.get("isExclusive")), None)
        if other is not None:
            said = f"it stands beside no other exclusive licence; the user holds {other.get('offerName')}"
            return Broken(Code.NOT_ASSIGNABLE, "userId", said)
    most = subscription.get("maxNumberUsers")
    if most is not None and int(subscription.get("numberAssignedUsers") or 0) >= int(most):
        return Broken(Code.NO_LICENCE_LEFT, "", f"all {most} licences are assigned")
    return None


def why_not_unassigned(profile: Fields) -> Broken | None:
    """Why a licence stays with its user."""
    if profile.get("isDefault"):
        return Broken(Code.DEFAULT_LICENCE, "", "the licence of the default subscription stays with the user")
    return None


def reseller_licences(bought: int, own_users: int, given: int) -> dict[str, int]:
    """The numbers of a reseller's subscription (2.10): bought, held by its own users, given to end customers."""
    used = own_users + given
    return {
        "nbBPLicences": bought,
        "nbAssignedBPUsers": own_users,
        "nbLicencesAssignedToECs": given,
        "nbLicencesUsed": used,
        "nbFreeLicences": bought - used,
        "numberAssignedUsers": used,
    }
