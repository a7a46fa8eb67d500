"""The numbers of subscriptions (2.10): who holds a licence, and what a reseller has bought, given away and left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from svc_tui.interface.subscriptions.rules import OVER, reseller_licences
from svc_tui.server.store.conditions import AllOf, In, Is, Not, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


async def assigned(store: Store, companies: Iterable[str]) -> Counter[str]:
    """How many users of these companies hold a licence of each subscription."""
    counts: Counter[str] = Counter()
    where = (In("companyId", sorted(set(companies))), Not(Is("isTerminated", True)), Not(Is("profiles", None)))
    for held, users in (await store.users.count_by("profiles", *where)).items():
        for subscription in str(held).strip(",").split(","):
            counts[subscription] += users
    return counts


async def with_numbers(
    store: Store, companies: Mapping[str, Document], subscriptions: Sequence[Document], *, full: bool
) -> list[Document]:
    """Stored subscriptions of these companies (by id) with their numbers; in full also those of resellers (BP IR)."""
    counts = await assigned(store, companies)
    found = []
    for subscription in subscriptions:
        number = counts[subscription["id"]]
        told: Document = {**subscription, "numberAssignedUsers": number}
        company = companies.get(str(subscription.get("companyId")), {})
        if full and _resells(company) and subscription.get("businessModel") == "nb_users":
            given = await _given(store, company["id"], str(subscription.get("offerId")))
            told.update(reseller_licences(int(subscription.get("maxNumberUsers") or 0), number, given))
        found.append(told)
    return found


def _resells(company: Document) -> bool:
    return bool(company.get("isBP")) and company.get("bpType") == "IR"


async def _given(store: Store, reseller: str, offer: str) -> int:
    """Licences that end customers of a reseller have of an offer."""
    customers = Related("companyId", "companies", AllOf((Is("bpId", reseller), Not(Is("status", "terminated")))))
    found = await store.subscriptions.find(customers, Is("offerId", offer), Not(In("status", OVER)))
    return sum(int(each.get("maxNumberUsers") or 0) for each in found.documents)
