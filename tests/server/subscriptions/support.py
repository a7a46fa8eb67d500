"""Test subscriptions: a distributor, its reseller, their customers, offers of each kind, and a catalog."""

from __future__ import annotations

from typing import Any

from svc_tui.server.subscriptions.synchroniser import synchroniser_of
from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, caller, populated, put
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted

Document = dict[str, Any]

CATALOG, BARE = "ca" * 12, "cb" * 12
MONTHLY, PREPAID, FREE, TRIAL = "0f10", "0f11", "0f12", "0f13"
DIAL_IN, WHOLE, FLAT, USAGE, SERVICES = "0f14", "0f15", "0f16", "0f17", "0f18"
UNSOLD, CPAAS, FRENCH, GUARDIAN, DEFAULT_OFFER, ELSEWHERE = "0f19", "0f1a", "0f1b", "0f1c", "0f1d", "0f1e"

_KINDS: dict[str, Document] = {
    MONTHLY: {"name": "Business", "offerReference": "business", "isMonthly": True},
    PREPAID: {"name": "Business, a year", "offerReference": "business-1y", "isPrepaid": True, "prepaidDuration": 12},
    FREE: {"name": "Free", "businessModel": "none"},
    TRIAL: {"name": "Trial", "isDemo": True},
    DIAL_IN: {"name": "Dial In", "businessModel": "flat_fee", "businessSpecific": ["DIALIN"]},
    WHOLE: {"name": "Recording", "isCompanyLevel": True, "isMonthly": True},
    FLAT: {"name": "Edge", "businessModel": "flat_fee", "isMonthly": True},
    USAGE: {"name": "Conference", "businessModel": "usage"},
    SERVICES: {"name": "Alert", "businessModel": "nb_services", "isMonthly": True},
    UNSOLD: {"name": "Old", "canBeSold": False},
    CPAAS: {"name": "Business API", "businessModel": "flat_fee", "isCpaas": True},
    FRENCH: {"name": "Classroom", "allowedCountries": ["FRA"]},
    GUARDIAN: {"name": "Guardian", "guardianType": "basic"},
    DEFAULT_OFFER: {"name": "Essential", "businessModel": "none", "isDefault": True, "canBeSold": False},
    ELSEWHERE: {"name": "Elsewhere"},
}


def offer_id(key: str) -> str:
    """The id of a test offer."""
    return key * 6


def subscriptions_of(company: str = COMPANY, subscription: str = "") -> str:
    """The path of a company's subscriptions, or of one of them."""
    path = f"/api/svc/subscription/v1.0/companies/{company}/subscriptions"
    return f"{path}/{subscription}" if subscription else path


def quotations_of(company: str = COMPANY) -> str:
    """The path of a company's quotations."""
    return f"/api/svc/subscription/v1.0/companies/{company}/quotations"


def offers_of(company: str = COMPANY, offer: str = "") -> str:
    """The path of a company's offers, or of one of them."""
    path = f"/api/svc/subscription/v1.0/companies/{company}/offers"
    return f"{path}/{offer}" if offer else path


async def furnished(world: World) -> World:
    """The test companies with offers: all except one are in the catalog of all companies."""
    await populated(world)
    for key, more in _KINDS.items():
        plain = {"businessModel": "nb_users", "canBeSold": True, "isDefault": False, "profileId": f"{key}-profile"}
        await put(world, "offers", id=offer_id(key), **{**plain, "offerReference": key, **more})
    offers = [offer_id(key) for key in _KINDS if key != ELSEWHERE]
    await put(world, "catalogs", id=CATALOG, name="Standard", isDefault=True, offersList=offers)
    await put(world, "catalogs", id=BARE, name="Bare", isDefault=False, offersList=[])
    await change(
        world, "companies", PARTNER, bpBusinessModel="resell", bpApplicantNumber="AP-1", bpCRDid="C-1", country="FRA"
    )
    await change(world, "companies", RESELLER, bpBusinessModel="resell", bpCRDid="C-2", country="DEU")
    for id in (COMPANY, CUSTOMER, GRANDCHILD, OTHER_COMPANY):
        await change(world, "companies", id, country="FRA", adminHasRightToUpdateSubscriptions=True)
    return world


async def change(world: World, kind: str, id: str, **fields: Any) -> Document:
    """Update fields of a stored record; None removes a field."""
    changed = {**await world.stored(kind, id), **fields}
    return await put(world, kind, **{wire: value for wire, value in changed.items() if value is not None})


async def subscribed(world: World, key: str = MONTHLY, company: str = COMPANY, **fields: Any) -> Document:
    """An active subscription with ten licences, created some time ago."""
    offer = await world.stored("offers", offer_id(key))
    known = ("offerReference", "businessModel", "isDefault", "isExclusive", "prepaidDuration", "profileId")
    document = {
        "id": world.service.ids.record(),
        "companyId": company,
        "offerId": offer["id"],
        "offerName": offer["name"],
        **{wire: offer[wire] for wire in known if wire in offer},
        "status": "active",
        "syncOngoing": False,
        "creationDate": "2026-03-10T09:00:00.000Z",
        "maxNumberUsers": 10,
        "billingSubscriptionId": "b1",
        **fields,
    }
    return await put(world, "subscriptions", **document)


async def licensed_users(world: World, subscription: Document, count: int, company: str = "", **fields: Any) -> None:
    """This number of users of the company with a licence."""
    for _ in range(count):
        profile = {"subscriptionId": subscription["id"], "offerName": subscription["offerName"]}
        where = company or subscription["companyId"]
        await caller(world, "user", where, profiles=[profile], **fields)


async def finance(world: World, company: str = PARTNER) -> Document:
    """The bp_finance of a partner."""
    return await caller(world, "bp_finance", company)


async def synchronised(world: World, seconds: float = 10) -> None:
    """Advance the clock and settle the due synchronisations."""
    world.clock.forward(seconds=seconds)
    world.service.part(synchroniser_of).wake()
    await world.service.part(synchroniser_of).wait_until_idle()


async def events_of(world: World, user: Document) -> list[Document]:
    """The subscription events that a user received."""
    await world.service.event_delivery.settled()
    async with world.service.database.unit() as store:
        events = [document for _, document in await store.events.log_of(user["id"])]
    return [each["content"] for each in events if each["name"] == "companysubscription"]


async def buy(world: World, by: Document, offer: str = MONTHLY, company: str = COMPANY, **values: Any) -> Document:
    """The answer to a purchase."""
    body = {"offerId": offer_id(offer), **values}
    data: Document = granted(await world.post(subscriptions_of(company), by=by, json=body))["data"]
    return data


async def listed(world: World, by: Document, company: str = COMPANY, **query: Any) -> list[Document]:
    """The list of a company's subscriptions."""
    data: list[Document] = granted(await world.get(subscriptions_of(company), by=by, params=query))["data"]
    return data
