"""Licences of users whose numbers or CloudPBX change at the same time."""

from __future__ import annotations

import asyncio

from tests.server.companies.support import caller, put
from tests.server.voice.world import OWN, at, exchanges, subscriber
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted

ONE = "51" * 12


def licence(user: str, subscription: str) -> str:
    """The path of a user's licence."""
    return f"/api/svc/admin/v1.0/users/{user}/profiles/subscriptions/{subscription}"


async def subscription(world: World, id: str) -> None:
    """An active subscription of the own company with enough licences."""
    known = {"offerName": "Business", "status": "active", "businessModel": "nb_users", "maxNumberUsers": 40}
    await put(world, "subscriptions", id=id, companyId=COMPANY, **known)


async def test_changing_numbers_keeps_licences_assigned_at_the_same_time(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    ids = [f"{n}e" * 12 for n in range(8)]
    root = await caller(world, "superadmin", OTHER_COMPANY)
    user = (await subscriber(world, "8001"))["userId"]
    ddi = await put(world, "ddis", id="dd" * 12, number="1", numberE164="+1", systemId=OWN)
    place = at("own", f"/phone-numbers/ddi/{ddi['id']}/users/{user}")
    for id in ids:
        await subscription(world, id)

    async def renumber() -> None:
        for _ in range(8):
            granted(await world.post(place, by=root))
            granted(await world.delete(place, by=root))

    async def get() -> None:
        for id in ids:
            granted(await world.post(licence(user, id), by=root, json={}))

    await asyncio.gather(renumber(), get())
    stored = await world.stored("users", user)
    assert sorted(each["subscriptionId"] for each in stored["profiles"]) == sorted(ids)
    assert len(stored["phoneNumbers"]) == 1


async def test_deleting_a_cloudpbx_keeps_licences_assigned_at_the_same_time(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    await subscription(world, ONE)
    root = await caller(world, "superadmin", OTHER_COMPANY)
    users = [(await subscriber(world, f"81{n:02}"))["userId"] for n in range(20)]
    end = world.delete(at("own"), by=root, params={"forceDelete": "true"})
    assigned = (world.post(licence(id, ONE), by=root, json={}) for id in users)
    for answer in await asyncio.gather(*assigned, end):
        granted(answer)
    for id in users:
        stored = await world.stored("users", id)
        assert [each["subscriptionId"] for each in stored["profiles"]] == [ONE]
        assert stored["phoneNumbers"] == []
