"""Creation, update and end of subscriptions (4.6, rules 2 to 4)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.subscriptions import operations as declared
from svc_tui.interface.subscriptions.ordering import PREPAID_ONLY
from svc_tui.interface.subscriptions.records import SubscriptionCreation, SubscriptionUpdate
from svc_tui.interface.subscriptions.rules import (
    OVER,
    creation_violation,
    no_sale_reason,
    same_month,
    term_violation,
    termination_violation,
    update_violation,
)
from svc_tui.server.companies.fields import given
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import In, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.counting import with_numbers
from svc_tui.server.subscriptions.ending import end
from svc_tui.server.subscriptions.making import begun, is_billed, is_known, made_of
from svc_tui.server.subscriptions.paying import pay
from svc_tui.server.subscriptions.reaching import About, about, catalog_of, check, offer_behind, subscription_of
from svc_tui.server.subscriptions.subscriptions import seen
from svc_tui.server.subscriptions.telling import tell
from svc_tui.server.subscriptions.terms import (
    begins,
    check_terms,
    end_of,
    expiration,
    names_an_end,
    price_of,
    promotion_of,
    seats_of,
    standing,
    wanted,
)

#: What a subscription keeps as it was sent.
_KEPT = (
    "monthlyDuration",
    *(wire for wire in PREPAID_ONLY if wire in field_by_wire(SubscriptionUpdate)),
    "purchaseOrderNumber",
    "additionalPurchaseOrderNumber",
    "businessAdminComment",
    "applicationId",
)
#: What the price of a licence depends on.
_PRICED = ("prepaidDuration", "paymentPeriod")
#: What the billing systems need not know.
_NOTES = ("purchaseOrderNumber", "additionalPurchaseOrderNumber", "businessAdminComment")


@rule(declared.create_company_subscription)
async def create(call: Call[Nothing, SubscriptionCreation]) -> RuleResult:
    # Of two purchases at the same moment the second one finds the first; a deleted company buys nothing.
    await call.store.lock(f"company:{call.path['companyId']}")
    found = await about(call)
    if found.company.get("status") == "terminated":
        raise invalid(Problem("companyId", "the company is terminated", found.company["id"]))
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    offer = await call.store.offers.get(values["offerId"])
    if offer is None:
        raise not_found("Offer", values["offerId"], Code.NO_OFFER)
    await _check_purchase(call, found, offer, values)
    subscription = await _made(call, found, offer, values)
    if is_billed(offer):
        subscription["status"] = "creating"
        subscription = await begun(subscription, "create", {}, call.service.billing, call.service.clock)
        call.store.afterwards.append(call.service.synchroniser.wake)
    await call.store.subscriptions.add(subscription)
    await pay(call.store, subscription)
    await tell(call.store, "create", subscription, found.company, call.now)
    return {"data": await _shown(call, found, subscription)}


async def _check_purchase(
    call: Call[Nothing, SubscriptionCreation], found: About, offer: Document, values: Document
) -> None:
    check(
        creation_violation(
            call.caller,
            offer,
            found.company,
            found.bp,
            values,
            in_catalog=offer["id"] in await catalog_of(call.store, found.company),
            subscribed=await _subscribed(call, found, offer, values),
            no_sale=no_sale_reason(found.partner),
        )
    )
    check(term_violation(values.get("prepaidDuration"), None, offer), values.get("prepaidDuration"))
    check_terms(offer, values)
    await _check_references(call, values)


async def _subscribed(
    call: Call[Nothing, SubscriptionCreation], found: About, offer: Document, values: Document
) -> bool:
    """Whether the company has it already; a CPaaS offer is subscribed once for each application."""
    of_offer = (Is("companyId", found.company["id"]), Is("offerId", offer["id"]), Not(In("status", OVER)))
    living = (await call.store.subscriptions.find(*of_offer)).documents
    if offer.get("isCpaas"):
        return any(each.get("applicationId") == values.get("applicationId") for each in living)
    return bool(living)


async def _check_references(call: Call[Nothing, Any], values: Document) -> None:
    application = values.get("applicationId")
    if application and await call.store.applications.get(application) is None:
        raise invalid(Problem("applicationId", "is no application", application))
    end = values.get("expirationDate")
    if end and end < call.now.date().isoformat():
        raise invalid(Problem("expirationDate", "lies in the past", end))


async def _made(call: Call[Nothing, SubscriptionCreation], found: About, offer: Document, values: Document) -> Document:
    today, billing, payer = call.now.date(), call.service.billing, found.partner or found.company
    subscription = made_of(call.service.ids.record(), offer, found.company, call.stamp)
    subscription.update({wire: values[wire] for wire in _KEPT if wire in values})
    subscription["createdBy"] = _orderer(call, found)
    if offer.get("businessModel") not in ("usage", "none"):
        subscription["maxNumberUsers"] = seats_of(offer, values.get("maxNumberUsers"))
    if offer.get("isPrepaid") and offer.get("prepaidDuration"):
        subscription.setdefault("prepaidDuration", offer["prepaidDuration"])
    end = expiration(values, offer, today, today)
    if end is not None:
        subscription["expirationDate"] = end_of(end)
    if is_billed(offer):
        terms = wanted(values, offer, payer, None, today)
        subscription.update(unitPrice=price_of(terms, billing, today), currency=terms.currency)
        if values.get("promoCode"):
            subscription["promoCode"] = promotion_of(values["promoCode"], terms, billing, today, {})
    return subscription


def _orderer(call: Call[Nothing, SubscriptionCreation], found: About) -> Document:
    number = (found.partner or {}).get("bpApplicantNumber")
    who = {"loginEmail": call.user.login_email, "userId": call.user.id}
    return {**({"bpApplicantNumber": number} if number else {}), **who}


@rule(declared.update_company_subscription)
async def update(call: Call[Nothing, SubscriptionUpdate]) -> RuleResult:
    # Of two updates at the same moment the second one finds the synchronisation of the first.
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    found = await about(call)
    stored = await subscription_of(call, found.company, call.path["subscriptionId"], Code.NOT_FOUND_UPDATE)
    offer = await offer_behind(call.store, stored)
    values = given(call.body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    (numbered,) = await with_numbers(call.store, {found.company["id"]: found.company}, [stored], full=True)
    changes = {wire: value for wire, value in values.items() if value is not None or wire == "monthlyDuration"}
    check(
        update_violation(
            call.caller,
            numbered,
            offer,
            found.company,
            found.bp,
            changes,
            added_this_month=_added(stored, call.now),
            no_sale=no_sale_reason(found.partner),
        ),
        values.get("maxNumberUsers"),
    )
    check(term_violation(values.get("prepaidDuration"), stored, offer), values.get("prepaidDuration"))
    check_terms(offer, values)
    await _check_references(call, values)
    changed = _changed(call, found, stored, offer, values, int(numbered.get("numberAssignedUsers") or 0))
    differing = {wire for wire in {*stored, *changed} if stored.get(wire) != changed.get(wire)}
    if differing - set(_NOTES) and is_known(stored, offer):
        before = {wire: stored.get(wire) for wire in differing}
        changed = await begun(changed, "update", before, call.service.billing, call.service.clock)
        call.store.afterwards.append(call.service.synchroniser.wake)
    if differing:
        await call.store.subscriptions.put(changed)
        await tell(call.store, "update", changed, found.company, call.now)
    return {"data": await _shown(call, found, changed)}


def _added(subscription: Document, now: datetime) -> int:
    """The licences that were added in this month and can be taken off again."""
    return sum(
        int(each["quantity"]) for each in subscription.get("addOns") or () if same_month(each["date"], now.date())
    )


def _changed(
    call: Call[Nothing, SubscriptionUpdate],
    found: About,
    stored: Document,
    offer: Document,
    values: Document,
    assigned: int,
) -> Document:
    today, payer = call.now.date(), found.partner or found.company
    changed = {**stored, **{wire: values[wire] for wire in _KEPT if wire in values}}
    seats = values.get("maxNumberUsers")
    if seats is not None and seats != stored.get("maxNumberUsers"):
        changed["maxNumberUsers"] = seats
        if offer.get("isPrepaid"):
            more = seats - int(stored.get("maxNumberUsers") or 0)
            changed["addOns"] = _add_ons(stored.get("addOns") or [], more, today)
    terms = standing(stored, offer, payer, today)
    changed.update(_ends(values, offer, begins(values, terms, today), today))
    if is_billed(offer):
        terms = wanted(values, offer, payer, terms, today, assigned)
        if values.get("promoCode"):
            changed["promoCode"] = promotion_of(values["promoCode"], terms, call.service.billing, today, stored)
        if any(changed.get(wire) != stored.get(wire) for wire in _PRICED):
            changed["unitPrice"] = price_of(terms, call.service.billing, today)
    return {wire: value for wire, value in changed.items() if value is not None}


def _ends(values: Document, offer: Document, starts: date, today: date) -> Document:
    """The end that an update leads to: a new one, none (null), or no word of it."""
    if "monthlyDuration" in values and not values["monthlyDuration"]:
        return {"expirationDate": None, "monthlyDuration": None}
    if not names_an_end(values):
        return {}
    end = expiration(values, offer, starts, today)
    return {"expirationDate": end_of(end) if end else None}


def _add_ons(before: list[Document], more: int, today: date) -> list[Document]:
    """The add-ons with these licences more; what is taken off goes from the newest ones."""
    if more > 0:
        return [*before, {"date": today.isoformat(), "quantity": more}]
    kept, off = [dict(each) for each in before], -more
    while off and kept:
        taken = min(off, int(kept[-1]["quantity"]))
        kept[-1]["quantity"] -= taken
        off -= taken
        if not kept[-1]["quantity"]:
            kept.pop()
    return kept


@rule(declared.delete_company_subscription)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    found = await about(call)
    subscription = await subscription_of(call, found.company, call.path["subscriptionId"], Code.NOT_FOUND_DELETE)
    offer = await call.store.offers.get(str(subscription.get("offerId")))
    check(termination_violation(call.caller, subscription, offer, call.now.date()))
    if is_known(subscription, offer):
        told = await call.service.billing.begin("delete", subscription, call.now)
        subscription = {**subscription, **told.ids}
    await end(call.store, subscription, offer, found.company, call.now)
    return {"status": f"Subscription {subscription['id']} successfully deleted", "data": []}


async def _shown(call: Call[Any, Any], found: About, subscription: Document) -> Document:
    (data,) = await seen(call, found.company, [subscription], "full")
    return data
