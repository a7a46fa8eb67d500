"""Creation, update and deletion of subscriptions (4.6, rules 2 to 4)."""

from __future__ import annotations

from datetime import date
from typing import Any

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.subscriptions import operations as declared
from svc_tui.interface.subscriptions.facts import OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.ordering import PREPAID_ONLY, Order
from svc_tui.interface.subscriptions.records import CreatedBy, SubscriptionCreation, SubscriptionUpdate
from svc_tui.interface.subscriptions.rules import (
    OVER,
    creation_violation,
    same_month,
    term_violation,
    termination_violation,
    update_violation,
)
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.billing.interface import Terms
from svc_tui.server.refusal import invalid
from svc_tui.server.request_values import non_null_values, update_of
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import In, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import AddOn, StoredOffer, StoredSubscription
from svc_tui.server.subscriptions.access import (
    CompanyContext,
    catalog_of,
    check,
    company_context,
    load_offer,
    offer_or_remembered,
    subscription_of,
)
from svc_tui.server.subscriptions.licence_counts import with_licence_counts
from svc_tui.server.subscriptions.listing import represented
from svc_tui.server.subscriptions.records import (
    is_billed,
    is_known_to_billing,
    new_subscription,
    notify,
    start_synchronisation,
    terminate,
    update_paid_application,
)
from svc_tui.server.subscriptions.synchroniser import synchroniser_of
from svc_tui.server.subscriptions.terms import (
    changes_end,
    check_terms,
    current_terms,
    end_of,
    last_day,
    price_of,
    promotion_of,
    requested_terms,
    seats_of,
    term_start,
)

#: Fields that are stored as they were sent.
_STORED = (
    "monthlyDuration",
    *(wire for wire in PREPAID_ONLY if wire in field_by_wire(SubscriptionUpdate)),
    "purchaseOrderNumber",
    "additionalPurchaseOrderNumber",
    "businessAdminComment",
    "applicationId",
)
#: Fields that the price of a licence depends on.
_PRICED = ("prepaidDuration", "paymentPeriod")
#: Fields that the billing systems do not need to know.
_NOTES = ("purchaseOrderNumber", "additionalPurchaseOrderNumber", "businessAdminComment")


@rule(declared.create_company_subscription)
async def create(call: Call[Nothing, SubscriptionCreation]) -> RuleResult:
    # Of two simultaneous purchases, the second finds the first.
    await call.store.lock(f"company:{call.path['companyId']}")
    context = await company_context(call)
    order = typed(Order, _ordered(call.body))
    offer = await load_offer(call.store, order.offer_id)
    await check_purchase(call, context, offer, order)
    await _check_references(call, order)
    subscription = _new(call, context, offer, order)
    if is_billed(offer):
        subscription.status = "creating"
        subscription = await start_synchronisation(subscription, "create", {}, call.service.billing, call.now)
        call.store.after_commit(call.service.part(synchroniser_of).wake)
    await call.store.subscriptions.add(document_of(subscription))
    await update_paid_application(call.store, subscription)
    await notify(call.store, "create", subscription, context.company, call.now)
    return {"data": await represented(call, context.company, subscription, "full")}


def _ordered(body: SubscriptionCreation) -> Document:
    """The values of an order. A `monthlyDuration` of null or 0 clears `expirationDate`."""
    unlimited = "monthly_duration" in body.model_fields_set and not body.monthly_duration
    cleared = ("monthlyDuration", "expirationDate") if unlimited else ()
    return {wire: value for wire, value in non_null_values(body).items() if wire not in cleared}


async def check_purchase(call: Call[Nothing, Any], context: CompanyContext, offer: StoredOffer, order: Order) -> None:
    """Refuse an order of a new subscription that breaks a rule (rule 2). A terminated company cannot buy."""
    if context.company.status == "terminated":
        raise invalid(Problem("companyId", "the company is terminated", context.company.id))
    offered = OfferFacts.of(document_of(offer))
    check(
        creation_violation(
            call.caller,
            offered,
            *context.facts,
            document_of(order),
            in_catalog=offer.id in await catalog_of(call.store, context.company),
            subscribed=await _is_subscribed(call, context, offer, order),
            no_sale=context.no_sale,
        )
    )
    check(term_violation(order.prepaid_duration, None, offered), order.prepaid_duration)
    check_terms(offer, order)


async def _is_subscribed(call: Call[Nothing, Any], context: CompanyContext, offer: StoredOffer, order: Order) -> bool:
    """Whether the company already has a subscription. For a CPaaS offer it can have one for each application."""
    of_offer = (Is("companyId", context.company.id), Is("offerId", offer.id), Not(In("status", OVER)))
    present = all_typed(StoredSubscription, (await call.store.subscriptions.find(*of_offer)).documents)
    if offer.is_cpaas:
        return any(each.application_id == order.application_id for each in present)
    return bool(present)


async def _check_references(call: Call[Nothing, Any], order: Order) -> None:
    application = order.application_id
    if application and await call.store.applications.get(application) is None:
        raise invalid(Problem("applicationId", "is not an application", application))
    end = order.expiration_date
    if end and end < call.now.date():
        raise invalid(Problem("expirationDate", "is in the past", end.isoformat()))


def _new(
    call: Call[Nothing, SubscriptionCreation], context: CompanyContext, offer: StoredOffer, order: Order
) -> StoredSubscription:
    today, billing = call.now.date(), call.service.billing
    new, values = new_subscription(call.service.ids.record(), offer, context.company, call.now), document_of(order)
    stored = {wire: values[wire] for wire in _STORED if wire in values}
    subscription = typed(StoredSubscription, {**document_of(new), **stored})
    subscription.created_by = _created_by(call, context)
    if offer.business_model not in ("usage", "none"):
        subscription.max_number_users = seats_of(offer, order.max_number_users)
    if offer.is_prepaid and offer.prepaid_duration and "prepaidDuration" not in stored:
        subscription.prepaid_duration = offer.prepaid_duration
    end = last_day(order, offer, today, today)
    if end is not None:
        subscription.expiration_date = end_of(end)
    if subscription.prepaid_duration:
        subscription.first_start = subscription.term_start = today
    if is_billed(offer):
        terms = requested_terms(order, offer, context.payer, None, today)
        subscription.unit_price, subscription.currency = price_of(terms, billing, today), terms.currency
        if order.promo_code:
            subscription.promo_code = promotion_of(order.promo_code, terms, billing, today, None)
    return subscription


def _created_by(call: Call[Nothing, SubscriptionCreation], context: CompanyContext) -> CreatedBy:
    user = CreatedBy(login_email=call.user.login_email, user_id=call.user.id)
    if context.partner is not None and context.partner.bp_applicant_number:
        user.bp_applicant_number = context.partner.bp_applicant_number
    return user


@rule(declared.update_company_subscription)
async def update(call: Call[Nothing, SubscriptionUpdate]) -> RuleResult:
    # Of two simultaneous updates, the second finds the synchronisation of the first.
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    context = await company_context(call)
    company = context.company
    stored = await subscription_of(call, company, call.path["subscriptionId"])
    offer = await offer_or_remembered(call.store, stored)
    order = typed(Order, update_of(call.body))
    (counted,) = await with_licence_counts(call.store, {company.id: company}, [stored], full=True)
    check_update(call, context, counted, offer, order)
    await _check_references(call, order)
    changed = _changed(call, context, stored, offer, order, counted.number_assigned_users or 0)
    old, new = document_of(stored), document_of(changed)
    differing = {wire for wire in {*old, *new} if old.get(wire) != new.get(wire)}
    if differing - set(_NOTES) and is_known_to_billing(stored, offer):
        before = {wire: old.get(wire) for wire in differing}
        changed = await start_synchronisation(changed, "update", before, call.service.billing, call.now)
        call.store.after_commit(call.service.part(synchroniser_of).wake)
    if differing:
        await call.store.subscriptions.put(document_of(changed))
        await notify(call.store, "update", changed, company, call.now)
    return {"data": await represented(call, company, changed, "full")}


def check_update(
    call: Call[Nothing, Any],
    context: CompanyContext,
    counted: StoredSubscription,
    offer: Offer,
    order: Order,
) -> None:
    """Refuse a change of a subscription that breaks a rule (rule 3)."""
    subscription, offered = SubscriptionFacts.of(document_of(counted)), OfferFacts.of(document_of(offer))
    values = document_of(order).items()
    changes = {wire: value for wire, value in values if value is not None or wire == "monthlyDuration"}
    violation = update_violation(
        call.caller,
        subscription,
        offered,
        *context.facts,
        changes,
        added_this_month=_added_this_month(counted, call.now.date()),
        no_sale=context.no_sale,
    )
    check(violation, order.max_number_users)
    check(term_violation(order.prepaid_duration, subscription, offered), order.prepaid_duration)
    check_terms(offer, order)


def _added_this_month(subscription: StoredSubscription, today: date) -> int:
    """The licences that were added in the current month and can be removed again."""
    return sum(each.quantity for each in subscription.add_ons or () if same_month(each.added_on, today))


def _changed(
    call: Call[Nothing, SubscriptionUpdate],
    context: CompanyContext,
    stored: StoredSubscription,
    offer: Offer,
    order: Order,
    assigned: int,
) -> StoredSubscription:
    today, billing, values = call.now.date(), call.service.billing, document_of(order)
    kept = {wire: values[wire] for wire in _STORED if wire in values}
    changed = typed(StoredSubscription, {**document_of(stored), **kept})
    seats = order.max_number_users
    if seats is not None and seats != stored.max_number_users:
        changed.max_number_users = seats
        if offer.is_prepaid:
            changed.add_ons = _add_ons(stored.add_ons or [], seats - (stored.max_number_users or 0), today)
    current = current_terms(stored, offer, context.payer, today)
    _change_end(changed, order, offer, current, today)
    if is_billed(offer):
        terms = requested_terms(order, offer, context.payer, current, today, assigned)
        if order.promo_code:
            changed.promo_code = promotion_of(order.promo_code, terms, billing, today, stored.bs_subscription_id)
        new, old = document_of(changed), document_of(stored)
        if any(new.get(wire) != old.get(wire) for wire in _PRICED):
            changed.unit_price = price_of(terms, billing, today)
    without_null = {wire: value for wire, value in document_of(changed).items() if value is not None}
    return typed(StoredSubscription, without_null)


def _change_end(changed: StoredSubscription, order: Order, offer: Offer, current: Terms, today: date) -> None:
    """Set or clear the last day, if the order changes it, and note the first day of a term that begins."""
    starts = term_start(order, current, today)
    if offer.is_prepaid and starts != current.starts:
        changed.first_start = changed.term_start = starts
    if "monthlyDuration" in document_of(order) and not order.monthly_duration:
        changed.expiration_date = changed.monthly_duration = None
    elif changes_end(order):
        end = last_day(order, offer, starts, today, current.anchor if starts == current.starts else 0)
        changed.expiration_date = end_of(end) if end else None


def _add_ons(before: list[AddOn], more: int, today: date) -> list[AddOn]:
    """The add-ons after adding licences, or after removing them from the most recent add-ons."""
    if more > 0:
        return [*before, AddOn(added_on=today, quantity=more)]
    kept, removed = [copied(each) for each in before], -more
    while removed and kept:
        taken = min(removed, kept[-1].quantity)
        kept[-1].quantity -= taken
        removed -= taken
        if not kept[-1].quantity:
            kept.pop()
    return kept


@rule(declared.delete_company_subscription)
async def delete(call: Call) -> RuleResult:
    await call.store.lock(f"subscription:{call.path['subscriptionId']}")
    context = await company_context(call)
    stored = await subscription_of(call, context.company, call.path["subscriptionId"])
    offer = await offer_or_remembered(call.store, stored)
    held, offered = SubscriptionFacts.of(document_of(stored)), OfferFacts.of(document_of(offer))
    check(termination_violation(call.caller, held, offered, call.now.date()))
    subscription = stored
    if is_known_to_billing(stored, offer):
        started = await call.service.billing.start_sync("delete", stored, call.now)
        subscription = typed(StoredSubscription, {**document_of(stored), **started.ids})
    await terminate(call.store, subscription, offer, context.company, call.now)
    return {"status": f"Subscription {subscription.id} successfully deleted", "data": []}
