"""The platform's offers and catalogs, as lists to choose from (2.7, 2.9)."""

from __future__ import annotations

from svc_tui.interface.companies import offers as declared
from svc_tui.interface.companies.offers import Catalog, CatalogQuery, Offer, OfferQuery
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Contains, Has, Is, Not


@rule(declared.list_catalogs)
async def list_catalogs(call: Call[CatalogQuery]) -> RuleResult:
    query = call.query
    where = [*named(query.name), *flag("isDefault", query.is_default)]
    if query.offer_id:
        where.append(Has("offersList", (query.offer_id,)))
    return await page_of(call.store.catalogs, Catalog, query, *where)


@rule(declared.list_all_offers)
async def list_all_offers(call: Call[OfferQuery]) -> RuleResult:
    query = call.query
    where = [
        *named(query.name),
        *flag("canBeSold", query.can_be_sold),
        *flag("autoSubscribe", query.auto_subscribe),
        *flag("isExclusive", query.is_exclusive),
        *flag("isPrepaid", query.is_prepaid),
    ]
    plain = (
        ("profileId", query.profile_id),
        ("offerReference", query.offer_reference),
        ("sapReference", query.sap_reference),
    )
    where += [Is(wire, value) for wire, value in plain if value]
    if query.business_specific:
        where.append(Has("businessSpecific", (query.business_specific,)))
    return await page_of(call.store.offers, Offer, query, *where)


def named(part: str | None) -> list[Condition]:
    """The condition of a filter by name; none where nothing is asked for."""
    return [Contains("name", part)] if part else []


def flag(wire: str, value: bool | None) -> list[Condition]:
    """A flag that is not there counts as false."""
    if value is None:
        return []
    return [Is(wire, True) if value else Not(Is(wire, True))]
