"""Descriptions of offers, of the state of subscriptions and of the licences of a user, in words (2.9, 2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import continues_monthly, renewal_months
from svc_tui.interface.errors import Finding
from svc_tui.interface.money import price
from svc_tui.interface.subscriptions.rules import OVER
from svc_tui.language import _, day_text

_PRICING = {
    "nb_users": _("priced per user, one licence each"),
    "usage": _("priced by usage"),
    "flat_fee": _("flat fee for any number of users"),
    "nb_services": _("priced per service"),
    "none": "free",
}


#: A subscription runs out of licences when this many of ten are assigned.
_NEARLY_ALL = 9


def runs_out(subscription: Mapping[str, Any]) -> bool:
    """Whether all or nearly all licences of a subscription that counts them are assigned."""
    bought, used = subscription.get("maxNumberUsers"), subscription.get("numberAssignedUsers") or 0
    if subscription.get("businessModel") != "nb_users" or not (isinstance(bought, int) and isinstance(used, int)):
        return False
    return bought > 0 and used * 10 >= bought * _NEARLY_ALL


def terms(offer: Mapping[str, Any]) -> str:
    """Payment of an offer in a word or two: `prepaid 12 months`, `monthly`; empty for free offers."""
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        return _("prepaid {months} months").format(months=months) if months else _("prepaid")
    return _("monthly") if offer.get("isMonthly") else ""


def status_lines(subscription: Mapping[str, Any]) -> list[str]:
    """The state of a subscription as short lines: synchronisation, licences, a reseller's licences, renewal."""
    lines = []
    if subscription.get("syncOngoing"):
        lines.append(_("synchronisation with the billing systems in progress: changes are blocked"))
    elif subscription.get("status") == "failed":
        lines.append(_("rejected by the billing systems"))
    if "nbLicencesUsed" in subscription:
        own, customers = subscription.get("nbAssignedBPUsers"), subscription.get("nbLicencesAssignedToECs")
        used, bought = subscription.get("nbLicencesUsed"), subscription.get("nbBPLicences")
        lines.append(
            _("{own} assigned to own users + {customers} to customers = {used} used").format(
                own=own, customers=customers, used=used
            )
        )
        lines.append(
            _("{bought} bought - {used} used = {free} free").format(
                bought=bought, used=used, free=subscription.get("nbFreeLicences")
            )
        )
    elif subscription.get("maxNumberUsers") and subscription.get("businessModel") == "nb_users":
        bought, used = subscription["maxNumberUsers"], subscription.get("numberAssignedUsers") or 0
        lines.append(
            _("{used} of {bought} licences assigned, {free} free").format(used=used, bought=bought, free=bought - used)
        )
    return [*lines, *_after_last_day(subscription)]


def _after_last_day(subscription: Mapping[str, Any]) -> list[str]:
    """Renewal, continuation or end after the last day."""
    last = day_text(str(subscription.get("expirationDate") or "")[:10])
    if not last or subscription.get("status") in OVER:
        return []
    if continues_monthly(subscription):
        return [_("continues month by month after {last}").format(last=last)]
    if months := renewal_months(subscription):
        once = "" if subscription.get("autoRenew") else _(", once")
        return [_("renewed for {months} months after {last}{once}").format(months=months, last=last, once=once)]
    return [_("ends after {last}: its licences are then unassigned").format(last=last)]


def price_changes(offer: Mapping[str, Any], today: date) -> list[str]:
    """Future changes of the list price, nearest first."""
    changes = [each for each in offer.get("priceChanges") or () if isinstance(each, Mapping)]
    coming = [each for each in changes if str(each.get("effectiveDate") or "")[:10] > today.isoformat()]
    coming.sort(key=lambda each: str(each.get("effectiveDate")))
    return [
        _("list price {price} from {date}").format(
            price=price(each.get("wpl")), date=day_text(str(each["effectiveDate"])[:10])
        )
        for each in coming
    ]


def description_lines(offer: Mapping[str, Any]) -> list[str]:
    """The properties of an offer that matter to a buyer, as short lines without a full stop, most important first."""
    lines = []
    if offer.get("canBeSold") is False:
        lines.append(_("cannot be sold"))
    if offer.get("isDefault"):
        lines.append(_("included for every company"))
    lines.append(_PRICING.get(str(offer.get("businessModel")), _("unknown pricing")))
    if offer.get("isPrepaid"):
        months = offer.get("prepaidDuration")
        lines.append(
            _("prepaid for {months} months: licences can only be added").format(months=months)
            if months
            else _("prepaid")
        )
    elif offer.get("isMonthly"):
        lines.append(_("monthly: licences can be added and, if not assigned, removed"))
    flags = (
        ("isCompanyLevel", _("one licence for the whole company")),
        ("isExclusive", _("exclusive: a user can hold only one exclusive licence")),
        ("isDemo", _("demo offer, managed by business_admin")),
        ("isCpaas", _("requires the CPaaS application that it pays for")),
        ("isVoicePhone", _("desk phone only, without login")),
        ("hasVoice", _("includes telephony")),
        ("hasConference", _("includes conferences")),
        ("hasWebinar", _("includes webinars")),
        ("isBundle", _("bundle of several offers")),
        ("isFreemium", _("also for freemium companies")),
        ("isArchived", _("archived: no longer offered")),
        ("isHidden", _("hidden in shops")),
    )
    lines += [words for wire, words in flags if offer.get(wire)]
    if countries := offer.get("allowedCountries"):
        lines.append(_("only in {countries}").format(countries=", ".join(countries)))
    if numbers := offer.get("bpApplicantNumbers"):
        lines.append(_("only for partners {numbers}").format(numbers=", ".join(numbers)))
    return lines


#: Statuses of a licence whose subscription is suspended or has ended.
SUSPENDED = {"hold": _("on hold"), "terminated": _("terminated")}


def licence_findings(licences: Iterable[RecordData]) -> Iterator[Finding]:
    """One finding for each licence that is on hold or terminated."""
    for licence in licences:
        if status := SUSPENDED.get(str(licence.get("status"))):
            name = licence.get("offerName") or "one"
            yield Finding(
                _("Licences"),
                _("Suspended: {name} is {status}.").format(name=name, status=status),
                "limits",
                "licences",
                "status",
                "2.10",
            )
