"""Reading of a company's subscriptions and of the offers of its catalog (2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.envelopes import FormatQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions import offers as declared_offers
from svc_tui.interface.subscriptions import operations as declared
from svc_tui.interface.subscriptions.offers import CompanyOfferQuery
from svc_tui.interface.subscriptions.records import Subscription, SubscriptionQuery
from svc_tui.interface.typed_access import all_typed, document_of
from svc_tui.server.companies.offers import offer_filters
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import In, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredOffer, StoredSubscription
from svc_tui.server.subscriptions.access import (
    CompanyContext,
    catalog_of,
    company_context,
    load_offer,
    offer_of,
    offers_of,
    subscription_of,
)
from svc_tui.server.subscriptions.licence_counts import with_licence_counts


@rule(declared.list_company_subscriptions)
async def list_company_subscriptions(call: Call[SubscriptionQuery]) -> RuleResult:
    query, context = call.query, await company_context(call)
    found = await call.store.subscriptions.find(Is("companyId", context.company.id), *_not_terminated(query))
    subscriptions = all_typed(StoredSubscription, found.documents)
    offers = await offers_of(call.store, subscriptions)
    if context.demo_only:
        subscriptions = [each for each in subscriptions if _is_demo(offers.get(each.offer_id or ""))]
    if not query.show_active_guardian:
        subscriptions = [each for each in subscriptions if not _guards(each, offers.get(each.offer_id or ""))]
    return {"data": await all_represented(call, context.company, subscriptions, query.format)}


@rule(declared.get_company_subscription)
async def get_company_subscription(call: Call[FormatQuery]) -> RuleResult:
    context = await company_context(call)
    subscription = await subscription_of(call, context.company, call.path["subscriptionId"])
    if context.demo_only and not _is_demo(await offer_of(call.store, subscription)):
        raise not_found("Subscription", subscription.id)
    return {"data": await represented(call, context.company, subscription, call.query.format)}


async def represented(call: AnyCall, company: StoredCompany, subscription: StoredSubscription, format: str) -> Document:
    """One subscription of a company in a read format, with its licence counts."""
    return (await all_represented(call, company, [subscription], format))[0]


async def all_represented(
    call: AnyCall, company: StoredCompany, subscriptions: Sequence[StoredSubscription], format: str
) -> list[Document]:
    """Subscriptions of one company in a read format, with their licence counts."""
    counted = await with_licence_counts(call.store, {company.id: company}, subscriptions, full=format == "full")
    return [Subscription.answered(document_of(each), format) for each in counted]


def _not_terminated(query: SubscriptionQuery) -> list[Not]:
    return [] if query.show_terminated else [Not(Is("status", "terminated"))]


def _is_demo(offer: StoredOffer | None) -> bool:
    return offer is not None and bool(offer.is_demo)


def _guards(subscription: StoredSubscription, offer: StoredOffer | None) -> bool:
    """Whether it is an active subscription to a guardian offer."""
    return offer is not None and bool(offer.guardian_type) and subscription.status == "active"


@rule(declared_offers.list_company_offers)
async def list_company_offers(call: Call[CompanyOfferQuery]) -> RuleResult:
    query = call.query
    where = [In("id", sorted(await _catalog(call, await company_context(call)))), *offer_filters(query)]
    if query.sort_field == "_id":
        query = query.model_copy(update={"sort_field": "id"})
    return await page_of(call, call.store.offers, Offer, query, *where)


@rule(declared_offers.get_company_offer)
async def get_company_offer(call: Call) -> RuleResult:
    context = await company_context(call)
    offer = await load_offer(call.store, call.path["offerId"])
    if offer.id not in await _catalog(call, context):
        raise Refusal(Code.NOT_IN_CATALOG)
    return {"data": Offer.answered(document_of(offer), "full")}


async def _catalog(call: AnyCall, context: CompanyContext) -> frozenset[str]:
    """The ids of the offers in the company's catalog that the caller sees."""
    ids = await catalog_of(call.store, context.company)
    if not context.demo_only:
        return ids
    found = await call.store.offers.find(In("id", sorted(ids)))
    return frozenset(offer.id for offer in all_typed(StoredOffer, found.documents) if offer.is_demo)
