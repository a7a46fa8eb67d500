"""Quotations, and the check of applicant numbers (2.11, 4.6, rule 1)."""

from __future__ import annotations

from svc_tui.interface.errors import SENTENCES, Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.subscriptions import operations, quotations
from svc_tui.interface.subscriptions.facts import OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.ordering import Order
from svc_tui.interface.subscriptions.quotations import QuotationRequest
from svc_tui.interface.subscriptions.rules import DEMANDED, OVER, quotation_violation, term_violation
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.billing.interface import InvalidPromotion
from svc_tui.server.companies.access import bp_of
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import non_null_values
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import In
from svc_tui.server.stored import StoredOffer, StoredSubscription
from svc_tui.server.subscriptions.access import (
    CompanyContext,
    catalog_of,
    check,
    company_context,
    load_offer,
    subscription_of,
)
from svc_tui.server.subscriptions.changes import check_purchase, check_update
from svc_tui.server.subscriptions.licence_counts import with_licence_counts
from svc_tui.server.subscriptions.terms import check_terms, current_terms, requested_terms


@rule(quotations.create_quotation)
async def create_quotation(call: Call[Nothing, QuotationRequest]) -> RuleResult:
    context, today = await company_context(call), call.now.date()
    order = typed(Order, non_null_values(call.body))
    subscription, offer = await _target(call, context)
    offered = OfferFacts.of(document_of(offer))
    check(
        quotation_violation(
            offered,
            *context.facts,
            in_catalog=offer.id in await catalog_of(call.store, context.partner),
            applicant_known=await _is_applicant_known(call, context),
        )
    )
    held = SubscriptionFacts.of(document_of(subscription)) if subscription else None
    check(term_violation(order.prepaid_duration, held, offered), order.prepaid_duration)
    check_terms(offer, order)
    if order.prepaid_renewal_option == "volume" and order.renewal_volume is None:
        raise invalid(Problem("renewalVolume", "is required with the option volume"))
    current = current_terms(subscription, offer, context.payer, today) if subscription else None
    assigned = (subscription.number_assigned_users if subscription else None) or 0
    requested = requested_terms(order, offer, context.payer, current, today, assigned)
    try:
        quotation = await call.service.billing.quote(requested, current, call.now)
    except InvalidPromotion as error:
        raise invalid(Problem("promoCode", str(error), order.promo_code)) from error
    refusal = await _order_refusal(call, context, subscription, offer, order)
    return {"data": {**quotation, "orderRefusal": refusal} if refusal else quotation}


async def _order_refusal(
    call: Call[Nothing, QuotationRequest],
    context: CompanyContext,
    subscription: StoredSubscription | None,
    offer: StoredOffer,
    order: Order,
) -> str:
    """Why an order with these values would be refused (rules 2, 3); empty when it would not.

    What only an order names, such as the end of a Dial In offer, is not missing in a quotation.
    """
    try:
        if subscription is not None:
            check_update(call, context, subscription, offer, order)
        else:
            await check_purchase(call, context, offer, typed(Order, {**DEMANDED, **document_of(order)}))
    except Refusal as refusal:
        details = refusal.details
        if isinstance(details, list):
            return "; ".join(f"{each['param']}: {each['msg']}" for each in details)
        return details or SENTENCES[refusal.code]
    return ""


async def _target(
    call: Call[Nothing, QuotationRequest], context: CompanyContext
) -> tuple[StoredSubscription | None, StoredOffer]:
    """The quoted subscription, if any, and its offer. Refusal 400, 404."""
    body, company = call.body, context.company
    if body.offer_id and body.subscription_id:
        raise Refusal(Code.MUTUALLY_EXCLUSIVE, "use offerId for a new subscription, subscriptionId for an existing one")
    subscription = None
    if body.subscription_id:
        stored = await subscription_of(call, company, body.subscription_id)
        if stored.status in OVER:
            raise invalid(Problem("subscriptionId", f"the subscription is {stored.status}", stored.id))
        (subscription,) = await with_licence_counts(call.store, {company.id: company}, [stored], full=True)
    id = subscription.offer_id if subscription else body.offer_id
    if not id:
        raise invalid(Problem("offerId", "is required (or subscriptionId, for an existing subscription)"))
    return subscription, await load_offer(call.store, id)


async def _is_applicant_known(call: Call[Nothing, QuotationRequest], context: CompanyContext) -> bool:
    """Whether the store knows the ordering partner. A reseller (IR) without a number orders through its distributor."""
    partner = context.partner
    if partner is not None and not partner.bp_applicant_number and partner.bp_type == "IR":
        partner = await bp_of(call.store, partner)
    number = partner.bp_applicant_number if partner else None
    return bool(number) and await call.service.billing.knows_applicant(str(number))


@rule(operations.check_applicant_number)
async def check_applicant_number(call: Call) -> RuleResult:
    number, billing = call.path["bpApplicantNumber"], call.service.billing
    known = await billing.knows_applicant(number)
    if known and getattr(billing, "takes_any_applicant", False):
        partners = await call.store.companies.find(In("bpType", ("DR", "VAD")))
        known = any(partner.get("bpApplicantNumber") == number for partner in partners.documents)
    return {"data": known}
