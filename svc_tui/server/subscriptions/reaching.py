"""Which company a request is about and who may ask, its partner, and the catalog that its offers come from (4.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.access import Reach
from svc_tui.interface.companies.access import may
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions.rules import Violation
from svc_tui.server.companies.seen import bp_of, caller_of, existing
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


@dataclass(frozen=True, slots=True)
class About:
    """The company, the partner it is linked to, and whether the caller sees demo offers only."""

    company: Document
    bp: Document | None
    demo_only: bool = False

    @property
    def partner(self) -> Document | None:
        """The partner who sells: the company itself where it is one."""
        return self.company if self.company.get("isBP") else self.bp


async def about(call: Call[Any, Any]) -> About:
    """The company in the path. Refusal 404, or 403301 where the caller's roles do not reach it."""
    company = await existing(call.store, call.path["companyId"])
    bp = await bp_of(call.store, company)
    decision = may(call.operation.who, await caller_of(call), company, bp)
    if decision:
        return About(company, bp)
    if Reach.DEMO_OFFERS in call.reached:
        return About(company, bp, demo_only=True)
    raise Refusal(Code.NOT_MANAGED, decision.reason)


async def catalog_of(store: Store, company: Document | None) -> frozenset[str]:
    """The ids of the offers in a company's catalog; one without a catalog has the default one."""
    id = (company or {}).get("catalogId")
    catalog = await store.catalogs.get(str(id)) if id else await store.catalogs.one(Is("isDefault", True))
    return frozenset((catalog or {}).get("offersList") or ())


async def offers_of(store: Store, ids: Iterable[str]) -> dict[str, Document]:
    """Offers by their ids."""
    return {each["id"]: each for each in (await store.offers.find(In("id", sorted(set(ids))))).documents}


async def subscription_of(call: Call[Any, Any], company: Document, id: str, code: Code = Code.NOT_FOUND) -> Document:
    """A subscription of the company. Refusal 404 with this code."""
    found = await call.store.subscriptions.get(id)
    if found is None or found.get("companyId") != company["id"]:
        raise not_found("Subscription", id, code)
    return found


async def offer_behind(store: Store, subscription: Document) -> Document:
    """The offer of a subscription; of one that is gone, what the subscription remembers of it."""
    offer = await store.offers.get(str(subscription.get("offerId")))
    if offer is not None:
        return offer
    known = ("businessModel", "offerReference", "prepaidDuration", "isDefault")
    remembered = {wire: subscription[wire] for wire in known if wire in subscription}
    return {**remembered, "isPrepaid": bool(subscription.get("prepaidDuration"))}


def check(broken: Violation | None, value: Any = None) -> None:
    """Refuse what a rule says no to; a broken value of a field names the field."""
    if broken is None:
        return
    if broken.code is Code.VALIDATION:
        from svc_tui.interface.problems import Problem

        raise invalid(Problem(broken.param or "subscriptionId", broken.sentence, value))
    raise Refusal(broken.code, broken.sentence)
