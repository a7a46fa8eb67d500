"""Descriptions of offers and of the state of subscriptions, in words (2.9, 2.10)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from svc_tui.interface.money import written
from svc_tui.interface.subscription_renewal import continues_monthly, renewal_months
from svc_tui.interface.subscriptions.rules import OVER

_PRICING = {
    "nb_users": "priced per user, one licence each",
    "usage": "priced by usage",
    "flat_fee": "flat fee for any number of users",
    "nb_services": "priced per service",
    "none": "free",
}


def terms(offer: Mapping[str, Any]) -> str:
    """Payment of an offer in a word or two: `prepaid 12 months`, `monthly`; empty for free offers."""
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        return f"prepaid {months} months" if months else "prepaid"
    return "monthly" if offer.get("isMonthly") else ""


def status_lines(subscription: Mapping[str, Any]) -> list[str]:
    """The state of a subscription as short lines: synchronisation, licences, a reseller's licences, renewal."""
    lines = []
    if subscription.get("syncOngoing"):
        lines.append("synchronisation with the billing systems in progress: changes are blocked")
    elif subscription.get("status") == "failed":
        lines.append("rejected by the billing systems")
    if "nbLicencesUsed" in subscription:
        own, customers = subscription.get("nbAssignedBPUsers"), subscription.get("nbLicencesAssignedToECs")
        used, bought = subscription.get("nbLicencesUsed"), subscription.get("nbBPLicences")
        lines.append(f"{own} assigned to own users + {customers} to customers = {used} used")
        lines.append(f"{bought} bought - {used} used = {subscription.get('nbFreeLicences')} free")
    elif subscription.get("maxNumberUsers") and subscription.get("businessModel") == "nb_users":
        bought, used = subscription["maxNumberUsers"], subscription.get("numberAssignedUsers") or 0
        lines.append(f"{used} of {bought} licences assigned, {bought - used} free")
    return [*lines, *_after_last_day(subscription)]


def _after_last_day(subscription: Mapping[str, Any]) -> list[str]:
    """Renewal, continuation or end after the last day."""
    last = str(subscription.get("expirationDate") or "")[:10]
    if not last or subscription.get("status") in OVER:
        return []
    if continues_monthly(subscription):
        return [f"continues month by month after {last}"]
    if months := renewal_months(subscription):
        once = "" if subscription.get("autoRenew") else ", once"
        return [f"renewed for {months} months after {last}{once}"]
    return [f"ends after {last}: its licences are then unassigned"]


def price_changes(offer: Mapping[str, Any], today: date) -> list[str]:
    """Future changes of the list price, nearest first."""
    changes = [each for each in offer.get("priceChanges") or () if isinstance(each, Mapping)]
    coming = [each for each in changes if str(each.get("effectiveDate") or "")[:10] > today.isoformat()]
    coming.sort(key=lambda each: str(each.get("effectiveDate")))
    return [f"list price {written(each.get('wpl'))} from {str(each['effectiveDate'])[:10]}" for each in coming]


def description_lines(offer: Mapping[str, Any]) -> list[str]:
    """The properties of an offer that matter to a buyer, as short lines without a full stop, most important first."""
    lines = []
    if offer.get("canBeSold") is False:
        lines.append("cannot be sold")
    if offer.get("isDefault"):
        lines.append("included for every company")
    lines.append(_PRICING.get(str(offer.get("businessModel")), "unknown pricing"))
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        lines.append(f"prepaid for {months} months: licences can only be added" if months else "prepaid")
    elif offer.get("isMonthly"):
        lines.append("monthly: licences can be added and, if not assigned, removed")
    flags = (
        ("isCompanyLevel", "one licence for the whole company"),
        ("isExclusive", "exclusive: a user can hold only one exclusive licence"),
        ("isDemo", "demo offer, managed by business_admin"),
        ("isCpaas", "requires the CPaaS application that it pays for"),
        ("isVoicePhone", "desk phone only, without login"),
        ("hasVoice", "includes telephony"),
        ("hasConference", "includes conferences"),
        ("hasWebinar", "includes webinars"),
        ("isBundle", "bundle of several offers"),
        ("isFreemium", "also for freemium companies"),
        ("isArchived", "archived: no longer offered"),
        ("isHidden", "hidden in shops"),
    )
    lines += [words for wire, words in flags if offer.get(wire)]
    if countries := offer.get("allowedCountries"):
        lines.append(f"only in {', '.join(countries)}")
    if numbers := offer.get("bpApplicantNumbers"):
        lines.append(f"only for partners {', '.join(numbers)}")
    return lines
