"""Who sees which companies (4.4), and what of them: conditions for lists, relations of one company, fields left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.interface.access import Access, Caller, Reach, Role
from svc_tui.interface.companies.access import MANAGED, may, relations
from svc_tui.interface.companies.records import Company, omitted_fields
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions.offers import READ
from svc_tui.interface.subscriptions.records import Subscription
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, In, Is, Not, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.counting import with_numbers


def companies_within(reached: Iterable[Reach], caller: Caller) -> Condition:
    """The companies that these reaches cover; of no reach, none."""
    parts: list[Condition] = []
    for reach in reached:
        match reach:
            case Reach.ANY:
                return AllOf(())
            case Reach.OWN_COMPANY if caller.company_id:
                parts.append(Is("id", caller.company_id))
            case Reach.END_CUSTOMERS if caller.company_id:
                parts.append(Is("bpId", caller.company_id))
            case Reach.RESELLERS if caller.company_id:
                parts.append(Related("bpId", "companies", Is("bpId", caller.company_id)))
            case Reach.ORGANISATION if caller.organisation_id:
                parts.append(Is("organisationId", caller.organisation_id))
            case _:
                continue
    return AnyOf(tuple(parts))


async def existing(store: Store, id: str, code: Code = Code.NOT_FOUND) -> Document:
    """The company with this id. Refusal 404 with this code."""
    company = await store.companies.get(id)
    if company is None:
        raise not_found("Company", id, code)
    return company


async def bp_of(store: Store, company: Document) -> Document | None:
    """The BP that a company is linked to."""
    return await store.companies.get(str(company["bpId"])) if company.get("bpId") else None


async def caller_of(call: Call[Any, Any]) -> Caller:
    """The caller, with the BP of his company."""
    assert call.caller is not None
    own = await call.store.companies.get(call.caller.company_id) or {}
    return replace(call.caller, bp_id=str(own.get("bpId") or ""))


async def require(call: Call[Any, Any], company: Document, rule: Access | None = None) -> None:
    """Refuse (403301) a company that the caller's roles do not reach with this operation."""
    bp = await bp_of(call.store, company)
    decision = may(rule or call.operation.who, await caller_of(call), company, bp)
    if not decision:
        raise Refusal(Code.NOT_MANAGED, decision.reason)


async def manages(call: Call[Any, Any], company: Document) -> bool:
    """Whether it is the caller's own company or one that he manages; superadmin manages all."""
    assert call.caller is not None
    found = relations(call.caller, company, await bp_of(call.store, company))
    return Role.SUPERADMIN in call.caller.roles or bool(found & set(MANAGED))


async def shown_all(
    call: Call[Any, Any], companies: Sequence[Document], format: str, *, theme_object: bool
) -> list[Document]:
    """Companies for this caller in a read format; in full with their subscriptions."""
    assert call.caller is not None
    hidden = omitted_fields(call.caller)
    partners = await _partners(call.store, companies) if format == "full" else {}
    held = await _subscriptions(call, companies) if format == "full" and "subscriptions" not in hidden else {}
    found = []
    for company in companies:
        document = {wire: value for wire, value in company.items() if wire not in hidden}
        if company["id"] in held:
            document["subscriptions"] = held[company["id"]]
        if format == "full" and is_closed(company, partners.get(str(company.get("bpId")))):
            document["disableCCareAdminAccess"] = True
        if "selectedTheme" in document:
            document["selectedTheme"] = _theme(document["selectedTheme"], as_object=theme_object)
        found.append(Company.shown(document, format))
    return found


async def shown(call: Call[Any, Any], company: Document, format: str, *, theme_object: bool) -> Document:
    """One company for this caller; in full with the number of users too, where he manages it."""
    document = dict(company)
    if format == "full" and await manages(call, company):
        of_it = Is("companyId", company["id"])
        document["numberUsers"] = await call.store.users.count(of_it, Not(Is("isTerminated", True)))
    return (await shown_all(call, [document], format, theme_object=theme_object))[0]


async def _subscriptions(call: Call[Any, Any], companies: Sequence[Document]) -> dict[str, list[Document]]:
    """What each company subscribed, in full; for those who see demo offers only, what is subscribed of them."""
    assert call.caller is not None
    by_id = {company["id"]: company for company in companies}
    documents = (await call.store.subscriptions.find(In("companyId", tuple(by_id)))).documents
    if call.caller.roles & set(READ.reaches) == {Role.BUSINESS_ADMIN}:
        offers = await call.store.offers.find(In("id", {str(each.get("offerId")) for each in documents}))
        demo = {offer["id"] for offer in offers.documents if offer.get("isDemo")}
        documents = [each for each in documents if each.get("offerId") in demo]
    found: dict[str, list[Document]] = {id: [] for id in by_id}
    for each in await with_numbers(call.store, by_id, documents, full=True):
        found[each["companyId"]].append(Subscription.shown(each, "full"))
    return found


def is_closed(company: Document, bp: Document | None) -> bool:
    """Whether its BP keeps customer care out of it, whatever its own setting says (2.7)."""
    if bp is None:
        return False
    of_resellers = company.get("isBP") and bp.get("bpType") == "VAD" and bp.get("disableCCareAdminAccessResellers")
    return bool(bp.get("disableCCareAdminAccessCustomers") or of_resellers)


async def _partners(store: Store, companies: Sequence[Document]) -> dict[str, Document]:
    ids = {str(company["bpId"]) for company in companies if company.get("bpId")}
    return {each["id"]: each for each in (await store.companies.find(In("id", tuple(ids)))).documents}


def _theme(value: Any, *, as_object: bool) -> Any:
    """As an object a plain theme stands for both grounds; as a text the one for light ground stands for both."""
    if as_object:
        return value if isinstance(value, dict) else {"light": value, "dark": value}
    return value.get("light") or value.get("dark") if isinstance(value, dict) else value
