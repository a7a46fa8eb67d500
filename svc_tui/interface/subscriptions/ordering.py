"""From a quotation to an order: what can be chosen, what is asked for it, and what is then sent (4.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from svc_tui.interface.months import months_after
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.subscriptions.quotations import QuotationRequest
from svc_tui.interface.subscriptions.records import SubscriptionCreation, SubscriptionUpdate
from svc_tui.interface.subscriptions.rules import Fields, is_dial_in

Values = Mapping[str, Any]

#: Which of the two a quotation is for; the id is not chosen.
_TARGETS = ("offerId", "subscriptionId")
#: What only a prepaid offer has: a term, how it is paid, and what follows it.
PREPAID_ONLY = (
    "prepaidDuration",
    "paymentPeriod",
    "autoRenew",
    "autoRenewOneTime",
    "autoRenewToMonthly",
    "renewalTerm",
    "renewalTermOption",
    "prepaidRenewalOption",
    "renewalVolume",
)


class Order(SubscriptionCreation, QuotationRequest):
    """All that can be chosen in front of a quotation: what is quoted, and what only an order takes along."""


#: Fields of a quotation that can be chosen, and those of them that an order has too: they mean the same in both.
QUOTED_FIELDS = tuple(wire for wire in field_by_wire(QuotationRequest) if wire not in _TARGETS)
ORDERED_FIELDS = tuple(wire for wire in QUOTED_FIELDS if wire in field_by_wire(SubscriptionUpdate))


def asks_beyond(offer: Fields, subscription: Fields | None) -> tuple[str, ...]:
    """Fields that an order takes beyond what is quoted; a new subscription of some offers demands one."""
    if subscription is not None:
        return ("purchaseOrderNumber",)
    demanded = (("expirationDate", is_dial_in(offer)), ("applicationId", bool(offer.get("isCpaas"))))
    return (*(wire for wire, wanted in demanded if wanted), "purchaseOrderNumber")


def present(subscription: Fields) -> dict[str, Any]:
    """What a subscription has of all that can be chosen. Its promotional code works already: another one is chosen."""
    known = (*QUOTED_FIELDS, "purchaseOrderNumber")
    found = {wire: subscription[wire] for wire in known if subscription.get(wire) is not None}
    return {wire: value for wire, value in found.items() if wire != "promoCode"}


def proposed(offer: Fields) -> dict[str, Any]:
    """What a new subscription of an offer begins with."""
    term = {"prepaidDuration": offer["prepaidDuration"]} if offer.get("prepaidDuration") else {}
    counted = offer.get("isCompanyLevel") or not why_not_chosen("maxNumberUsers", offer)
    seats = {"maxNumberUsers": 1} if counted else {}
    return {**seats, **term}


def end_of_term(months: Any, subscription: Fields) -> date | None:
    """The last day of a paid term of a subscription when it lasts so many months instead of those that it has; None
    where neither of them is known."""
    ends, held = subscription.get("expirationDate"), subscription.get("prepaidDuration")
    if not ends or not isinstance(held, int) or not isinstance(months, int):
        return None
    try:
        # Terms are whole months: the day behind the last one is counted on.
        behind = date.fromisoformat(str(ends)[:10]) + timedelta(days=1)
        return months_after(behind, months - held) - timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def why_not_chosen(wire: str, offer: Fields) -> str:
    """Why a field has nothing to choose for this offer; empty when it has."""
    if wire in PREPAID_ONLY and not offer.get("isPrepaid"):
        return "belongs to prepaid offers only"
    if wire == "maxNumberUsers":
        if offer.get("isCompanyLevel"):
            return "the offer is for the whole company: it stays 1"
        if offer.get("businessModel") not in (None, "nb_users", "nb_services"):
            return f"only users and services are counted; this offer is {offer.get('businessModel')}"
    return ""


def quotation_body(values: Values, *, offer: Fields, subscription: Fields | None) -> dict[str, Any]:
    """The body of a QuotationRequest: of a subscription what differs, of a new one all that was chosen."""
    if subscription is not None:
        return {"subscriptionId": subscription["id"], **_differing(QUOTED_FIELDS, values, present(subscription))}
    return {"offerId": offer["id"], **_differing(QUOTED_FIELDS, values, {})}


def creation_body(values: Values, offer: Fields) -> dict[str, Any]:
    """The body of a SubscriptionCreation for what was quoted. How many licences are renewed stands in no order."""
    return {"offerId": offer["id"], **_differing((*ORDERED_FIELDS, *asks_beyond(offer, None)), values, {})}


def update_body(values: Values, subscription: Fields) -> dict[str, Any]:
    """The body of a SubscriptionUpdate for what was quoted: what differs from the subscription."""
    return _differing((*ORDERED_FIELDS, *asks_beyond({}, subscription)), values, present(subscription))


def _differing(wires: Iterable[str], values: Values, before: Values) -> dict[str, Any]:
    return {wire: values[wire] for wire in wires if values.get(wire) is not None and values[wire] != before.get(wire)}
