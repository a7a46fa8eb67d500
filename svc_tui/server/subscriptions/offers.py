"""The offers of a company's catalog (4.6)."""

from __future__ import annotations

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions import offers as declared
from svc_tui.interface.subscriptions.offers import CompanyOfferQuery
from svc_tui.interface.typed_access import all_typed, document_of
from svc_tui.server.companies.offers import offer_filters
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import In
from svc_tui.server.stored import StoredOffer
from svc_tui.server.subscriptions.access import CompanyContext, catalog_of, company_context, load_offer


@rule(declared.list_company_offers)
async def list_company_offers(call: Call[CompanyOfferQuery]) -> RuleResult:
    query = call.query
    where = [In("id", sorted(await _catalog(call, await company_context(call)))), *offer_filters(query)]
    if query.sort_field == "_id":
        query = query.model_copy(update={"sort_field": "id"})
    return await page_of(call, call.store.offers, Offer, query, *where)


@rule(declared.get_company_offer)
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
