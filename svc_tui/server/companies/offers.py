"""The platform's offers and catalogs, for selection (2.7, 2.9)."""

from __future__ import annotations

from svc_tui.interface.companies import offers as declared
from svc_tui.interface.companies.offers import Catalog, CatalogQuery, Offer, OfferQuery
from svc_tui.interface.subscriptions.offers import CompanyOfferQuery
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Contains, ContainsAny, Is, Not


@rule(declared.list_catalogs)
async def list_catalogs(call: Call[CatalogQuery]) -> RuleResult:
    query = call.query
    where = [*_by_name(query.name), *_by_flag("isDefault", query.is_default)]
    if query.offer_id:
        where.append(ContainsAny("offersList", (checked_id("offerId", query.offer_id),)))
    return await page_of(call, call.store.catalogs, Catalog, query, *where)


@rule(declared.list_all_offers)
async def list_all_offers(call: Call[OfferQuery]) -> RuleResult:
    where = offer_filters(call.query)
    if call.query.business_specific:
        where.append(ContainsAny("businessSpecific", (call.query.business_specific,)))
    return await page_of(call, call.store.offers, Offer, call.query, *where)


def offer_filters(query: OfferQuery | CompanyOfferQuery) -> list[Condition]:
    """The filters that both lists of offers have."""
    plain = (
        ("profileId", query.profile_id),
        ("offerReference", query.offer_reference),
        ("sapReference", query.sap_reference),
    )
    return [
        *_by_name(query.name),
        *_by_flag("canBeSold", query.can_be_sold),
        *_by_flag("autoSubscribe", query.auto_subscribe),
        *_by_flag("isExclusive", query.is_exclusive),
        *_by_flag("isPrepaid", query.is_prepaid),
        *(Is(wire, value) for wire, value in plain if value),
    ]


def _by_name(part: str | None) -> list[Condition]:
    return [Contains("name", part)] if part else []


def _by_flag(wire: str, value: bool | None) -> list[Condition]:
    """A filter by a flag; records without the flag count as false."""
    if value is None:
        return []
    return [Is(wire, True) if value else Not(Is(wire, True))]
