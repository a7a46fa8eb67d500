"""From a quotation to an order: the fields offered in the form and the bodies sent (4.6)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import day, last_day_of, returning_day
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.subscriptions.facts import OfferFacts
from svc_tui.interface.subscriptions.quotations import QuotationRequest
from svc_tui.interface.subscriptions.records import SubscriptionCreation, SubscriptionUpdate
from svc_tui.interface.subscriptions.rules import is_dial_in
from svc_tui.language import _

#: Target of a quotation; not editable.
_TARGETS = ("offerId", "subscriptionId")
#: Fields of prepaid offers only: the term, its payment and its renewal.
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
    """All fields of the order form: those of a quotation and those of an order only."""


#: Editable fields of a quotation, and those that an order has as well, with the same meaning.
QUOTED_FIELDS = tuple(wire for wire in field_by_wire(QuotationRequest) if wire not in _TARGETS)
ORDERED_FIELDS = tuple(wire for wire in QUOTED_FIELDS if wire in field_by_wire(SubscriptionUpdate))


def order_only_fields(offer: RecordData, subscription: RecordData | None) -> tuple[str, ...]:
    """Fields of an order that a quotation does not have; some offers require one for a new subscription."""
    if subscription is not None:
        return ("purchaseOrderNumber",)
    required = (("expirationDate", is_dial_in(OfferFacts.of(offer))), ("applicationId", bool(offer.get("isCpaas"))))
    return (*(wire for wire, applies in required if applies), "purchaseOrderNumber")


def current_values(subscription: RecordData) -> dict[str, Any]:
    """The form values of an existing subscription, without its promotional code: the form takes only a new code."""
    known = (*QUOTED_FIELDS, "purchaseOrderNumber")
    values = {wire: subscription[wire] for wire in known if subscription.get(wire) is not None}
    return {wire: value for wire, value in values.items() if wire != "promoCode"}


def initial_values(offer: RecordData) -> dict[str, Any]:
    """The initial form values of a new subscription."""
    term = {"prepaidDuration": offer["prepaidDuration"]} if offer.get("prepaidDuration") else {}
    counted = offer.get("isCompanyLevel") or not inapplicable_reason("maxNumberUsers", offer)
    seats = {"maxNumberUsers": 1} if counted else {}
    return {**seats, **term}


def end_of_term(months: Any, subscription: RecordData) -> date | None:
    """The last day of a prepaid subscription if its term changed to this many months; None if it is not known."""
    ends, present = subscription.get("expirationDate"), subscription.get("prepaidDuration")
    if not ends or not isinstance(present, int) or not isinstance(months, int):
        return None
    try:
        # Terms are whole months: months are added to the day after the last day, and the day of the first term returns.
        next_day = day(str(ends)) + timedelta(days=1)
        created = subscription.get("creationDate")
        anchor = returning_day(day(str(created)), next_day) if created else 0
        return last_day_of(next_day, months - present, anchor)
    except (ValueError, OverflowError):
        return None


def inapplicable_reason(wire: str, offer: RecordData) -> str:
    """Why a field of the form does not apply to this offer; empty when it applies."""
    if wire in PREPAID_ONLY and not offer.get("isPrepaid"):
        return _("only for prepaid offers")
    if wire == "maxNumberUsers":
        if offer.get("isCompanyLevel"):
            return _("always 1: the offer is for the whole company")
        if offer.get("businessModel") not in (None, "nb_users", "nb_services"):
            return _("only for offers per user or service; this offer is {business_model}").format(
                business_model=offer.get("businessModel")
            )
    return ""


def quotation_body(values: RecordData, *, offer: RecordData, subscription: RecordData | None) -> dict[str, Any]:
    """The body of a QuotationRequest: for a subscription its changes, for a new subscription all values."""
    if subscription is not None:
        return {"subscriptionId": subscription["id"], **_changes(QUOTED_FIELDS, values, current_values(subscription))}
    return {"offerId": offer["id"], **_changes(QUOTED_FIELDS, values, {})}


def creation_body(values: RecordData, offer: RecordData) -> dict[str, Any]:
    """The body of a SubscriptionCreation for a quotation. An order has no number of renewed licences."""
    return {"offerId": offer["id"], **_changes((*ORDERED_FIELDS, *order_only_fields(offer, None)), values, {})}


def update_body(values: RecordData, subscription: RecordData) -> dict[str, Any]:
    """The body of a SubscriptionUpdate for a quotation: the changes of the subscription."""
    return _changes((*ORDERED_FIELDS, *order_only_fields({}, subscription)), values, current_values(subscription))


def _changes(wires: Iterable[str], values: RecordData, before: RecordData) -> dict[str, Any]:
    return {wire: values[wire] for wire in wires if values.get(wire) is not None and values[wire] != before.get(wire)}
