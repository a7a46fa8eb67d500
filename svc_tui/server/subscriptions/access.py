"""The company of a request, its partner and its catalog, and refusals by the rules of subscriptions (4.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.access import Reach
from svc_tui.interface.companies.access import may
from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.facts import CompanyFacts
from svc_tui.interface.subscriptions.rules import Violation, no_sale_reason
from svc_tui.interface.typed_access import Document, all_typed, document_of, typed
from svc_tui.server.companies.access import bp_of, caller_with_bp, load_company
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCatalog, StoredCompany, StoredOffer, StoredSubscription


@dataclass(frozen=True, slots=True)
class CompanyContext:
    """The company of a request and the partner it is linked to. `demo_only`: the caller sees only demo offers."""

    company: StoredCompany
    bp: StoredCompany | None
    demo_only: bool = False

    @property
    def partner(self) -> StoredCompany | None:
        """The selling partner: the company itself if it is a partner (BP)."""
        return self.company if self.company.is_bp else self.bp

    @property
    def payer(self) -> StoredCompany:
        """The paying company: the partner, or the company itself without one."""
        return self.partner or self.company

    @property
    def facts(self) -> tuple[CompanyFacts, CompanyFacts | None]:
        """Company and partner as the rules of subscriptions read them."""
        return CompanyFacts.of(document_of(self.company)), CompanyFacts.known(_document(self.bp))

    @property
    def no_sale(self) -> str:
        """Why the partner sells nothing; empty if it does."""
        return no_sale_reason(CompanyFacts.known(_document(self.partner)))


async def company_context(call: AnyCall) -> CompanyContext:
    """The company of the path. Refusal 404, or 403301 if the caller's roles do not reach it."""
    company = await load_company(call.store, call.path["companyId"])
    bp = await bp_of(call.store, company)
    decision = may(call.operation.who, await caller_with_bp(call), document_of(company), document_of(bp))
    if decision:
        return CompanyContext(company, bp)
    if Reach.DEMO_OFFERS in call.reached:
        return CompanyContext(company, bp, demo_only=True)
    raise Refusal(Code.NOT_MANAGED, decision.reason)


async def catalog_of(store: Store, company: StoredCompany | None) -> frozenset[str]:
    """The ids of the offers in a company's catalog; a company without a catalog has the default one."""
    if company is not None and company.catalog_id:
        catalog = typed(StoredCatalog, await store.catalogs.get(company.catalog_id))
    else:
        catalog = typed(StoredCatalog, await store.catalogs.one(Is("isDefault", True)))
    return frozenset((catalog.offers_list if catalog else None) or ())


async def load_offer(store: Store, id: str) -> StoredOffer:
    """The offer with this id. Refusal 400000 for a text that is no id, 404301 if there is none."""
    offer = typed(StoredOffer, await store.offers.get(checked_id("offerId", id)))
    if offer is None:
        raise not_found("Offer", id, Code.NO_OFFER)
    return offer


async def offers_of(store: Store, subscriptions: Iterable[StoredSubscription]) -> dict[str, StoredOffer]:
    """The offers of subscriptions, by id."""
    ids = sorted({each.offer_id for each in subscriptions if each.offer_id})
    return {offer.id: offer for offer in all_typed(StoredOffer, (await store.offers.find(In("id", ids))).documents)}


async def offer_of(store: Store, subscription: StoredSubscription) -> StoredOffer | None:
    """The offer of a subscription; None if it no longer exists."""
    return typed(StoredOffer, await store.offers.get(str(subscription.offer_id)))


async def offer_or_remembered(store: Store, subscription: StoredSubscription) -> Offer:
    """The offer of a subscription; if it no longer exists, the fields that the subscription has of it."""
    offer = await offer_of(store, subscription)
    if offer is not None:
        return offer
    document = document_of(subscription)
    fields = ("businessModel", "offerReference", "prepaidDuration", "isDefault")
    remembered = {wire: document[wire] for wire in fields if wire in document}
    return typed(Offer, {**remembered, "isPrepaid": bool(subscription.prepaid_duration)})


async def subscription_of(call: AnyCall, company: StoredCompany, id: str) -> StoredSubscription:
    """A subscription of the company. Refusal 400000 for a text that is no id, 404000 if there is none."""
    subscription = typed(StoredSubscription, await call.store.subscriptions.get(checked_id("subscriptionId", id)))
    if subscription is None or subscription.company_id != company.id:
        raise not_found("Subscription", id)
    return subscription


def _document(record: Record | None) -> Document | None:
    return None if record is None else document_of(record)


def check(violation: Violation | None, value: Any = None) -> None:
    """Refuse a violation. A validation error names the field, with its value."""
    if violation is None:
        return
    if violation.code is Code.VALIDATION:
        raise invalid(Problem(violation.param or "subscriptionId", violation.sentence, value))
    raise Refusal(violation.code, violation.sentence)
