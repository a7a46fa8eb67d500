"""A company's subscriptions as they are listed and read (2.10, 4.6)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.envelopes import FormatQuery
from svc_tui.interface.subscriptions import operations as declared
from svc_tui.interface.subscriptions.records import Subscription, SubscriptionQuery
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.counting import with_numbers
from svc_tui.server.subscriptions.reaching import about, offers_of, subscription_of


@rule(declared.list_company_subscriptions)
async def list_company_subscriptions(call: Call[SubscriptionQuery]) -> RuleResult:
    query, found = call.query, await about(call)
    where = [Is("companyId", found.company["id"])]
    documents = (await call.store.subscriptions.find(*where, *_living(query))).documents
    offers = await offers_of(call.store, (str(each.get("offerId")) for each in documents))
    if found.demo_only:
        documents = [each for each in documents if _offer(offers, each).get("isDemo")]
    if not query.show_active_guardian:
        documents = [each for each in documents if not _guards(each, _offer(offers, each))]
    return {"data": await seen(call, found.company, documents, query.format)}


@rule(declared.get_company_subscription)
async def get_company_subscription(call: Call[FormatQuery]) -> RuleResult:
    found = await about(call)
    subscription = await subscription_of(call, found.company, call.path["subscriptionId"])
    if found.demo_only:
        offer = await call.store.offers.get(str(subscription.get("offerId")))
        if not (offer or {}).get("isDemo"):
            raise not_found("Subscription", subscription["id"])
    (data,) = await seen(call, found.company, [subscription], call.query.format)
    return {"data": data}


async def seen(call: Call[Any, Any], company: Document, documents: list[Document], format: str) -> list[Document]:
    """Subscriptions of one company in a read format, with their numbers."""
    companies = {company["id"]: company}
    told = await with_numbers(call.store, companies, documents, full=format == "full")
    return [Subscription.shown(each, format) for each in told]


def _living(query: SubscriptionQuery) -> list[Not]:
    return [] if query.show_terminated else [Not(Is("status", "terminated"))]


def _offer(offers: dict[str, Document], subscription: Document) -> Document:
    return offers.get(str(subscription.get("offerId")), {})


def _guards(subscription: Document, offer: Document) -> bool:
    """Whether it is an active one of a guardian offer."""
    return bool(offer.get("guardianType")) and subscription.get("status") == "active"
