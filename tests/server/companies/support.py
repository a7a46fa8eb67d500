"""Test companies: a distributor, its reseller, their customers, an organisation and an unrelated company."""

from __future__ import annotations

from typing import Any

from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, PARTNER, World

Document = dict[str, Any]

ALL = "/api/svc/admin/v1.0/companies"
RESELLER, CUSTOMER, GRANDCHILD = "b1" * 12, "c2" * 12, "c3" * 12
SISTER, DEFAULT, TERMINATED = "c4" * 12, "d0" * 12, "d1" * 12

NAMES = {
    COMPANY: "Own",
    OTHER_COMPANY: "Stranger",
    PARTNER: "Distributor",
    RESELLER: "Reseller",
    CUSTOMER: "Customer",
    GRANDCHILD: "Grandchild",
    SISTER: "Sister",
    DEFAULT: "Default",
    TERMINATED: "Terminated",
}


async def populated(world: World) -> World:
    """Distributor (VAD) -> reseller (IR) -> grandchild; distributor -> customer and own; own and sister are a group."""
    await world.company(PARTNER, name="Distributor", isBP=True, bpType="VAD")
    await world.company(RESELLER, name="Reseller", isBP=True, bpType="IR", bpId=PARTNER)
    await world.company(GRANDCHILD, name="Grandchild", bpId=RESELLER)
    await world.company(CUSTOMER, name="Customer", bpId=PARTNER)
    await world.company(COMPANY, name="Own", bpId=PARTNER, organisationId=ORGANISATION)
    await world.company(SISTER, name="Sister", organisationId=ORGANISATION)
    await world.company(OTHER_COMPANY, name="Stranger")
    await world.company(DEFAULT, name="Default", visibility="public")
    await world.company(TERMINATED, name="Terminated", status="terminated")
    return world


async def caller(world: World, role: str, company: str = COMPANY, **fields: Any) -> Document:
    """A user with this role in this company, and in the organisation of the company."""
    if company in (COMPANY, SISTER):
        fields.setdefault("organisationId", ORGANISATION)
    login = f"{world.service.ids.record()}@example.com"
    return await world.user(login, roles=(role,), companyId=company, **fields)


async def put(world: World, kind: str, **document: Any) -> Document:
    """A record written straight into the store."""
    async with world.service.database.unit() as store:
        await getattr(store, kind).put(document)
    return document


def params(body: Document) -> list[str]:
    """The fields that a refusal names."""
    return [each["param"] for each in body["errorDetails"]]
