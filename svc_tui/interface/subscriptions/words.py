"""What an offer means for somebody who buys it, and where a subscription stands, in words (2.9, 2.10)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from svc_tui.interface.money import written
from svc_tui.interface.renewal import goes_on_monthly, renewal_months
from svc_tui.interface.subscriptions.rules import OVER

_MODELS = {
    "nb_users": "paid per user: one licence for each",
    "usage": "paid by what is used",
    "flat_fee": "a flat fee, however many use it",
    "nb_services": "paid per service",
    "none": "free",
}


def terms(offer: Mapping[str, Any]) -> str:
    """How it is paid, in a word or two: `prepaid 12 months`, `monthly`; empty where nothing is paid."""
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        return f"prepaid {months} months" if months else "prepaid"
    return "monthly" if offer.get("isMonthly") else ""


def standing(subscription: Mapping[str, Any]) -> list[str]:
    """Where a subscription stands, as short sentences: its synchronisation, its licences, what a reseller gave away,
    what follows its last day."""
    said = []
    if subscription.get("syncOngoing"):
        said.append("the billing systems are being told: nothing can be changed meanwhile")
    elif subscription.get("status") == "failed":
        said.append("the billing systems did not take it")
    if "nbLicencesUsed" in subscription:
        own, given = subscription.get("nbAssignedBPUsers"), subscription.get("nbLicencesAssignedToECs")
        used, bought = subscription.get("nbLicencesUsed"), subscription.get("nbBPLicences")
        said.append(f"{own} for own users + {given} given to customers = {used} used")
        said.append(f"{bought} bought - {used} used = {subscription.get('nbFreeLicences')} free")
    elif subscription.get("maxNumberUsers") and subscription.get("businessModel") == "nb_users":
        bought, used = subscription["maxNumberUsers"], subscription.get("numberAssignedUsers") or 0
        said.append(f"{used} of {bought} licences are assigned, {bought - used} are free")
    return [*said, *_afterwards(subscription)]


def _afterwards(subscription: Mapping[str, Any]) -> list[str]:
    """What becomes of it when its last day is over."""
    last = str(subscription.get("expirationDate") or "")[:10]
    if not last or subscription.get("status") in OVER:
        return []
    if goes_on_monthly(subscription):
        return [f"goes on month by month after {last}"]
    if months := renewal_months(subscription):
        once = "" if subscription.get("autoRenew") else ", once"
        return [f"renewed for {months} months after {last}{once}"]
    return [f"ends after {last}: whoever holds a licence of it loses it then"]


def price_changes(offer: Mapping[str, Any], today: date) -> list[str]:
    """Changes of the list price that are still to come, the nearest first."""
    found = [each for each in offer.get("priceChanges") or () if isinstance(each, Mapping)]
    coming = [each for each in found if str(each.get("effectiveDate") or "")[:10] > today.isoformat()]
    coming.sort(key=lambda each: str(each.get("effectiveDate")))
    return [
        f"from {str(each['effectiveDate'])[:10]} on the list price is {written(each.get('wpl'))}" for each in coming
    ]


def meaning(offer: Mapping[str, Any]) -> list[str]:
    """Each thing a buyer should know, as a short sentence without its full stop; the first ones matter most."""
    said = []
    if offer.get("canBeSold") is False:
        said.append("cannot be sold")
    if offer.get("isDefault"):
        said.append("every company has it")
    said.append(_MODELS.get(str(offer.get("businessModel")), "how it is paid is not known here"))
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        said.append(f"prepaid for {months} months: licences can only be added" if months else "prepaid")
    elif offer.get("isMonthly"):
        said.append("monthly: licences can be added, and taken off down to those that are assigned")
    flags = (
        ("isCompanyLevel", "for the whole company: always one"),
        ("isExclusive", "its licence stands beside no other exclusive one"),
        ("isDemo", "a demo offer, which business_admin gives away"),
        ("isCpaas", "needs a CPaaS application that it pays for"),
        ("isVoicePhone", "for a desk phone only: no login"),
        ("hasVoice", "with telephony"),
        ("hasConference", "with conferences"),
        ("hasWebinar", "with webinars"),
        ("isBundle", "a bundle of several offers"),
        ("isFreemium", "for freemium companies too"),
        ("isArchived", "archived: it is not offered any more"),
        ("isHidden", "hidden from shops"),
    )
    said += [words for wire, words in flags if offer.get(wire)]
    if countries := offer.get("allowedCountries"):
        said.append(f"only in {', '.join(countries)}")
    if numbers := offer.get("bpApplicantNumbers"):
        said.append(f"only for the partners {', '.join(numbers)}")
    return said
