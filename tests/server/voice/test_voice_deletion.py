"""Deletion of a CloudPBX (4.7): refused while it has content, or forced together with the content."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import caller, put
from tests.server.voice.world import OWN, at, exchange_id, exchanges, member, subscriber
from tests.support.world import COMPANY, SITE, World, granted, refused

Document = dict[str, Any]

KINDS = (
    "subscribers",
    "ddis",
    "devices",
    "registrations",
    "recordings",
    "welcome_services",
    "welcomes",
    "office_hours",
)


async def filled(world: World, name: str = "own") -> Document:
    """Something of each kind in a CloudPBX; its subscriber."""
    system = exchange_id(name)
    mark = name[:2].encode().hex()
    holder = await subscriber(world, "8001", name)
    await put(world, "ddis", id=f"{mark}01" * 3, systemId=system, number="1", numberE164=f"+1{mark}")
    await put(world, "devices", id=f"{mark}02" * 3, systemId=system, description="Phone", macAddress=f"mac {mark}")
    await put(world, "registrations", id=f"{mark}03" * 3, systemId=system, phoneNumberId=holder["id"])
    await put(world, "recordings", id=f"{mark}04" * 3, systemId=system, date="2026-11-01T00:00:00.000Z")
    for number, kind in ((5, "welcome_services"), (6, "welcomes"), (7, "office_hours")):
        await put(world, kind, id=f"{mark}0{number}" * 3, systemId=system, name=kind)
    await put(world, "prohibited_numbers", id=system, patterns=[{"pattern": "0900"}])
    return holder


async def counts(world: World, name: str) -> dict[str, int]:
    from svc_tui.server.store.conditions import Is

    async with world.service.database.unit() as store:
        return {kind: await getattr(store, kind).count(Is("systemId", exchange_id(name))) for kind in KINDS}


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


async def test_roles_that_delete_cloudpbxs(voice: World) -> None:
    for name in ("own", "sister", "customer", "grandchild", "stranger"):
        await filled(voice, name)
    # Callers with the role get the list of content (403699 does not refuse the caller).
    for role, home, reached in (
        ("company_admin", COMPANY, {"own"}),
        ("organization_admin", COMPANY, {"own", "sister"}),
    ):
        by = await caller(voice, role, home)
        for name in ("own", "sister", "customer"):
            refused(await voice.delete(at(name), by=by), 403699 if name in reached else 403301)
    for role in ("support", "site_admin", "user"):
        refused(await voice.delete(at("own"), by=await member(voice, role)), 403000)


async def test_all_content_that_prevents_a_deletion_is_listed(voice: World) -> None:
    await filled(voice)
    await subscriber(voice, "8002")
    by = await member(voice, "company_admin")
    answer = refused(await voice.delete(at("own"), by=by), 403699)
    assert {each["param"]: each["value"] for each in answer["errorDetails"]} == {
        "welcomeservices": 1,
        "ddis": 1,
        "subscribers": 2,
        "devices": 1,
    }
    assert (await counts(voice, "own"))["subscribers"] == 2
    for kind, code in (("welcome_services", 403724), ("ddis", 403725), ("subscribers", 403728)):
        async with voice.service.database.unit() as store:
            await getattr(store, kind).remove_all()
        refused(await voice.delete(at("own"), by=by), code)
    async with voice.service.database.unit() as store:
        await store.devices.remove_all()
    granted(await voice.delete(at("own"), by=by))
    refused(await voice.get(at("own"), by=by), 404000)
    assert set((await counts(voice, "own")).values()) == {0}


async def test_a_forced_deletion_removes_only_records_of_this_cloudpbx(world_on_both: World) -> None:
    voice = await exchanges(world_on_both)
    holder = await filled(voice)
    await filled(voice, "sister")
    user = await voice.stored("users", holder["userId"])
    other = {"phoneNumberId": "x", "systemId": exchange_id("sister"), "shortNumber": "8001"}
    entry = {"phoneNumberId": holder["id"], "systemId": OWN, "shortNumber": "8001"}
    await put(voice, "users", **{**user, "phoneNumbers": [entry, other]})
    by = await member(voice, "company_admin")
    answer = granted(await voice.delete(at("own", "?forceDelete=true"), by=by))
    assert answer["data"] == [] and answer["status"]
    assert set((await counts(voice, "own")).values()) == {0}
    assert set((await counts(voice, "sister")).values()) == {1}
    assert (await voice.stored("users", holder["userId"]))["phoneNumbers"] == [other]
    async with voice.service.database.unit() as store:
        assert await store.prohibited_numbers.get(OWN) is None
        assert await store.prohibited_numbers.get(exchange_id("sister"))
        assert await store.cloudpbxs.get(OWN) is None


async def test_a_site_with_a_cloudpbx_is_not_deleted(voice: World) -> None:
    await put(voice, "sites", id=SITE, name="Harbour", companyId=COMPANY, status="active")
    by = await caller(voice, "company_admin")
    path = f"/api/svc/admin/v1.0/sites/{SITE}"
    refused(await voice.delete(path, by=by), 403700)
    granted(await voice.delete(at("own", "?forceDelete=true"), by=by))
    granted(await voice.delete(path, by=by))
