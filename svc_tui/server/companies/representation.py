"""Companies in responses (2.7): fields for the caller, subscriptions, themes, blocked customer care."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from svc_tui.interface.access import Role
from svc_tui.interface.companies.records import Company
from svc_tui.interface.companies.service import Theme
from svc_tui.interface.subscriptions.offers import READ
from svc_tui.interface.subscriptions.records import Subscription
from svc_tui.interface.typed_access import all_typed, copied, document_of
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredOffer, StoredSubscription
from svc_tui.server.subscriptions.licence_counts import with_licence_counts


async def represented(call: AnyCall, company: StoredCompany, format: str, *, theme_object: bool = False) -> Document:
    """One company for the caller; in full with its number of users too."""
    counted = copied(company)
    if format == "full":
        of_company = Is("companyId", company.id)
        counted.number_users = await call.store.users.count(of_company, Not(Is("isTerminated", True)))
    return (await all_represented(call, [counted], format, theme_object=theme_object))[0]


async def all_represented(
    call: AnyCall, companies: Sequence[StoredCompany], format: str, *, theme_object: bool
) -> list[Document]:
    """Companies for the caller in a read format; in full with their subscriptions."""
    full = format == "full"
    partners = await _partners(call.store, companies) if full else {}
    subscriptions = (
        await _subscriptions(call, companies) if full and call.readers.may_read(Company, "subscriptions") else {}
    )
    documents = []
    for company in companies:
        document = dict(document_of(company))
        if company.id in subscriptions:
            document["subscriptions"] = subscriptions[company.id]
        if full and blocks_customer_care(company, partners.get(company.bp_id or "")):
            document["disableCCareAdminAccess"] = True
        if "selectedTheme" in document:
            document["selectedTheme"] = _theme(company.selected_theme, as_object=theme_object)
        documents.append(Company.answered(document, format))
    return documents


async def _subscriptions(call: AnyCall, companies: Sequence[StoredCompany]) -> dict[str, list[Document]]:
    """The subscriptions of each company, in full; only those to demo offers for callers restricted to them."""
    by_id = {company.id: company for company in companies}
    stored = await call.store.subscriptions.find(In("companyId", tuple(by_id)))
    subscriptions = all_typed(StoredSubscription, stored.documents)
    if call.known_caller.roles & set(READ.reaches) == {Role.BUSINESS_ADMIN}:
        offers = await call.store.offers.find(In("id", {str(each.offer_id) for each in subscriptions}))
        demo = {offer.id for offer in all_typed(StoredOffer, offers.documents) if offer.is_demo}
        subscriptions = [each for each in subscriptions if each.offer_id in demo]
    by_company: dict[str, list[Document]] = {id: [] for id in by_id}
    for each in await with_licence_counts(call.store, by_id, subscriptions, full=True):
        by_company[each.company_id].append(Subscription.answered(document_of(each), "full"))
    return by_company


def blocks_customer_care(company: StoredCompany, bp: StoredCompany | None) -> bool:
    """Whether the company's partner (BP) blocks customer care for it, regardless of its own setting (2.7)."""
    if bp is None:
        return False
    of_resellers = company.is_bp and bp.bp_type == "VAD" and bp.disable_c_care_admin_access_resellers
    return bool(bp.disable_c_care_admin_access_customers or of_resellers)


async def _partners(store: Store, companies: Sequence[StoredCompany]) -> dict[str, StoredCompany]:
    ids = {company.bp_id for company in companies if company.bp_id}
    found = await store.companies.find(In("id", tuple(ids)))
    return {partner.id: partner for partner in all_typed(StoredCompany, found.documents)}


def _theme(theme: str | Theme | None, *, as_object: bool) -> Any:
    """A theme as an object, with a plain theme for both backgrounds, or as text, preferring the light theme."""
    if theme is None or isinstance(theme, str):
        return {"light": theme, "dark": theme} if as_object else theme
    return document_of(theme) if as_object else theme.light or theme.dark
