"""Licence counts of subscriptions (2.10): assigned licences, and those of resellers and their end customers; and the
profile of a licence, as stored in the user's record (4.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.subscriptions.rules import OVER, reseller_licences
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.store.conditions import AllOf, In, Is, Not, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredSubscription


async def assigned_licences(store: Store, companies: Iterable[str]) -> Counter[str]:
    """How many users of these companies have a licence of each subscription."""
    counts: Counter[str] = Counter()
    where = (In("companyId", sorted(set(companies))), Not(Is("isTerminated", True)), Not(Is("profiles", None)))
    for profiles, users in (await store.users.count_by("profiles", *where)).items():
        for subscription in str(profiles).strip(",").split(","):
            counts[subscription] += users
    return counts


async def with_licence_counts(
    store: Store,
    companies: Mapping[str, StoredCompany],
    subscriptions: Sequence[StoredSubscription],
    *,
    full: bool,
) -> list[StoredSubscription]:
    """Subscriptions of these companies (by id) with their licence counts; in full with those of resellers (BP IR)."""
    counts = await assigned_licences(store, companies)
    counted = []
    for subscription in subscriptions:
        number = counts[subscription.id]
        document = {**document_of(subscription), "numberAssignedUsers": number}
        company = companies.get(subscription.company_id)
        if full and company is not None and _resells(company) and subscription.business_model == "nb_users":
            customers = await _licences_of_customers(store, company.id, str(subscription.offer_id))
            document.update(reseller_licences(subscription.max_number_users or 0, number, customers))
        counted.append(typed(StoredSubscription, document))
    return counted


def _resells(company: StoredCompany) -> bool:
    return bool(company.is_bp) and company.bp_type == "IR"


async def _licences_of_customers(store: Store, reseller_id: str, offer_id: str) -> int:
    """The licences of an offer that a reseller's end customers have."""
    customers = AllOf((Is("bpId", reseller_id), Not(Is("status", "terminated"))))
    of_customers = Related("companyId", "companies", customers)
    found = await store.subscriptions.find(of_customers, Is("offerId", offer_id), Not(In("status", OVER)))
    return sum(each.max_number_users or 0 for each in all_typed(StoredSubscription, found.documents))


#: Fields that a profile takes from the subscription and from its offer.
_FROM_SUBSCRIPTION = (
    "offerId",
    "offerName",
    "offerDescription",
    "offerReference",
    "profileId",
    "profileName",
    "status",
    "isDefault",
    "isExclusive",
    "businessModel",
    "prepaidDuration",
)
_FROM_OFFER = ("canBeSold", "isPrepaid", "hasConference", "isVoicePhone")


def profile_of(subscription: StoredSubscription, offer: Offer | None, date: str) -> Document:
    """The profile of a licence assigned on `date`. Without the offer, its fields are missing."""
    sources = ((document_of(subscription), _FROM_SUBSCRIPTION), (document_of(offer), _FROM_OFFER))
    fields = {wire: document[wire] for document, wires in sources for wire in wires if document.get(wire) is not None}
    return {"subscriptionId": subscription.id, **fields, "assignationDate": date}
