"""The offers in a company's catalog (4.6)."""

from __future__ import annotations

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions import offers as declared
from svc_tui.interface.subscriptions.offers import CompanyOfferQuery
from svc_tui.server.companies.offers import flag, named
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, In, Is
from svc_tui.server.subscriptions.reaching import About, about, catalog_of, offers_of


@rule(declared.list_company_offers)
async def list_company_offers(call: Call[CompanyOfferQuery]) -> RuleResult:
    query = call.query
    where = [
        In("id", sorted(await _catalog(call, await about(call)))),
        *named(query.name),
        *flag("canBeSold", query.can_be_sold),
        *flag("autoSubscribe", query.auto_subscribe),
        *flag("isExclusive", query.is_exclusive),
        *flag("isPrepaid", query.is_prepaid),
        *_plain(query),
    ]
    if query.sort_field == "_id":
        query = query.model_copy(update={"sort_field": "id"})
    return await page_of(call.store.offers, Offer, query, *where)


@rule(declared.get_company_offer)
async def get_company_offer(call: Call) -> RuleResult:
    found = await about(call)
    offer = await call.store.offers.get(call.path["offerId"])
    if offer is None:
        raise not_found("Offer", call.path["offerId"], Code.NO_OFFER)
    if offer["id"] not in await _catalog(call, found):
        raise Refusal(Code.NOT_IN_CATALOG)
    return {"data": Offer.shown(offer, "full")}


async def _catalog(call: Call[CompanyOfferQuery] | Call, found: About) -> frozenset[str]:
    """The offers of the company's catalog that the caller sees."""
    ids = await catalog_of(call.store, found.company)
    if not found.demo_only:
        return ids
    return frozenset(id for id, offer in (await offers_of(call.store, ids)).items() if offer.get("isDemo"))


def _plain(query: CompanyOfferQuery) -> list[Condition]:
    given = (
        ("profileId", query.profile_id),
        ("offerReference", query.offer_reference),
        ("sapReference", query.sap_reference),
    )
    return [Is(wire, value) for wire, value in given if value]
