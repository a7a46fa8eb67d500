"""Deletion of users (2.4): what is removed, what becomes free, what prevents it, and what happens at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT, account
from svc_tui.server.store.conditions import Is
from tests.conftest import world_at
from tests.server.authentication.oauth_support import TOKENS, application, code_of, exchanged
from tests.server.authentication.test_api_keys import BODY, KEYS, a_key, key_headers
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import writes_held
from tests.support.postgres import Postgres
from tests.support.world import World, granted, refused

USERS = "/api/svc/admin/v1.0/users"
ME = "/api/svc/enduser/v1.0/users/me"
APPLICATIONS = "/api/svc/applications/v1.0/applications"
ENTRIES = "/api/svc/directory/v1.0/entries"

Document = dict[str, Any]


async def found(world: World, kind: str, *where: Is) -> list[Document]:
    async with world.service.database.unit() as store:
        return list((await getattr(store, kind).find(*where)).documents)


async def count(world: World, user: Document) -> dict[str, int]:
    """How many records of each kind belong to a user."""
    kinds = ("subscribers", "ddis", "devices", "api_keys", "oauth_tokens", "trusted_applications", "directories")
    counts = {kind: len(await found(world, kind, Is("userId", user["id"]))) for kind in kinds}
    return {kind: number for kind, number in counts.items() if number}


@pytest.fixture
async def root(demo_world: World) -> Document:
    await demo_world.application()
    return await demo_world.stored("users", account("superadmin").id)


@pytest.fixture
async def holder(demo_world: World) -> Document:
    """A user of the demo with an extension, a device and a number, whom no welcome service calls."""
    services = str(await found(demo_world, "welcome_services"))
    for line in await found(demo_world, "subscribers"):
        user = await demo_world.stored("users", line["userId"])
        owned = await count(demo_world, user)
        plain = user["roles"] == ["user"] and "@demo.example" not in user["loginEmail"]
        called = line["userId"] in services or line["shortNumber"] in services
        if plain and {"devices", "ddis"} <= owned.keys() and not called:
            return user
    raise AssertionError("no such user")


async def test_everything_of_a_deleted_user_is_free_or_gone(
    demo_world: World, root: Document, holder: Document
) -> None:
    world, path = demo_world, f"{USERS}/{holder['id']}"
    lines = await found(world, "subscribers", Is("userId", holder["id"]))
    devices = await found(world, "devices", Is("userId", holder["id"]))
    numbers = await found(world, "ddis", Is("userId", holder["id"]))
    key = await a_key(world, holder)
    granted(await world.post(ENTRIES, by=holder, json={"lastName": "Personal"}))
    licences = {each["subscriptionId"] for each in holder["profiles"]}
    assert licences

    answer = granted(await world.delete(path, by=root))
    assert answer == {"status": f"User {holder['id']} successfully deleted", "data": []}

    assert await count(world, holder) == {}
    user = granted(await world.get(path, by=root))["data"]
    assert (user["isTerminated"], user["profiles"], user["loginEmail"]) == (True, [], holder["loginEmail"])
    assert not any(number.get("isFromSystem") for number in user["phoneNumbers"])
    for kind, records in (("devices", devices), ("ddis", numbers)):
        for each in records:
            freed = await world.stored(kind, each["id"])
            assert not {"userId", "phoneNumberId", "userDisplayName", "names"} & (freed.keys() - each.keys())
            assert "userId" not in freed
    for each in lines:
        assert not await found(world, "subscribers", Is("id", each["id"]))
    assert not await found(world, "user_secrets", Is("id", holder["id"]))
    refused(await world.get(ME, by=holder), 401520)
    refused(await world.http.get(ME, headers=key_headers(key["apiKey"], "challenge-1")), 401102)
    listed = granted(await world.get(f"{USERS}?loginEmail={holder['loginEmail']}", by=root))
    assert listed["total"] == 0
    terminated = granted(await world.get(f"{USERS}?isTerminated=true&loginEmail={holder['loginEmail']}", by=root))
    assert terminated["total"] == 1
    refused(await world.delete(path, by=root), 404002)
    refused(await world.put(path, by=root, json={"isActive": True}), 404001)


async def test_a_licence_of_a_deleted_user_is_assigned_to_another(
    demo_world: World, root: Document, holder: Document
) -> None:
    world = demo_world
    company = f"/api/svc/subscription/v1.0/companies/{holder['companyId']}/subscriptions?format=full"

    async def assigned() -> dict[str, int]:
        records = granted(await world.get(company, by=root))["data"]
        return {each["id"]: each["numberAssignedUsers"] for each in records}

    before = await assigned()
    granted(await world.delete(f"{USERS}/{holder['id']}", by=root))
    after = await assigned()
    licences = {each["subscriptionId"] for each in holder["profiles"]}
    assert {id for id in before if after[id] == before[id] - 1} == licences


async def test_users_cannot_delete_themselves(demo_world: World, root: Document) -> None:
    answer = await demo_world.delete(f"{USERS}/{root['id']}", by=root)
    assert "yourself" in str(refused(answer, 403000))
    assert not (await demo_world.stored("users", root["id"])).get("isTerminated")


async def test_applications_and_welcome_services_prevent_a_deletion_and_are_listed(
    demo_world: World, root: Document
) -> None:
    world = demo_world
    owner = await world.stored("users", account("app_admin").id)
    everything = await found(world, "applications", Is("ownerId", owner["id"]))
    owned = [each for each in everything if each["state"] != "deleted"]
    problems = refused(await world.delete(f"{USERS}/{owner['id']}", by=root), 403706)["errorDetails"]
    assert {each["value"] for each in problems} == {each["id"] for each in owned}
    called = next(
        target["destinationId"]
        for service in await found(world, "welcome_services")
        for target in (service.get("openHoursOverflow") or {}, service.get("closedHoursOverflow") or {})
        if target.get("type") == "user"
    )
    before = await count(world, {"id": called})
    problems = refused(await world.delete(f"{USERS}/{called}", by=root), 403706)["errorDetails"]
    assert [each["param"] for each in problems] == [*["applications"] * 2, *["welcomeservices"] * 2]
    async with world.service.database.unit() as store:
        await store.applications.remove_all(Is("ownerId", called))
    problems = refused(await world.delete(f"{USERS}/{called}", by=root), 403744)["errorDetails"]
    assert {each["param"] for each in problems} == {"welcomeservices"}
    assert (await world.stored("users", called))["isTerminated"] is False
    assert await count(world, {"id": called}) == before


async def test_sessions_and_grants_of_a_deleted_user_end(world_on_both: World) -> None:
    world = world_on_both
    await application(world)
    await world.company()
    jane, admin = await world.user(), await world.user("admin@example.com", roles=("company_admin",))
    token = granted(await world.login())["token"]
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    unused = await code_of(world)
    granted(await world.delete(f"{USERS}/{jane['id']}", by=admin))
    for bearer in (token, tokens["access_token"]):
        refused(await world.get(ME, headers={"authorization": f"Bearer {bearer}"}), 401520)
    for grant in ({"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
                  {"grant_type": "authorization_code", "code": unused}):  # fmt: skip
        assert (await exchanged(world, **grant)).json()["error"] == "invalid_grant"
    assert granted(await world.get(TOKENS, by=admin))["data"] == []


async def test_of_two_deletions_one_succeeds(world_on_both: World) -> None:
    world = world_on_both
    await world.company()
    jane, admin = await world.user(), await world.user("admin@example.com", roles=("company_admin",))
    path = f"{USERS}/{jane['id']}"
    answers = await asyncio.gather(*(world.delete(path, by=admin) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404]


async def test_of_two_users_with_a_login_one_is_created(world_on_both: World) -> None:
    world = world_on_both
    await world.company()
    admin = await world.user("admin@example.com", roles=("company_admin",))
    body = {"firstName": "N", "lastName": "N"}
    logins = ("new@example.com", "New@example.com", "NEW@example.com", "new@example.com")
    answers = await asyncio.gather(*(world.post(USERS, by=admin, json={**body, "loginEmail": each}) for each in logins))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


async def test_an_application_is_not_left_with_an_owner_who_is_deleted_at_that_moment(
    postgres: Postgres, clock: SetClock, tmp_path: Path
) -> None:
    database = await postgres.fresh(RUNNING)
    async with world_at(database, tmp_path, clock) as world:
        await world.company()
        await world.application()
        admin = await world.user("admin@example.com", roles=("company_admin", "app_admin"))
        owner = await world.user("owner@example.com", roles=("app_admin",))
        body = {"name": "Orphan", "type": "web", "activity": "J"}
        async with writes_held(database, "user_secrets") as waiting:
            deletion = asyncio.ensure_future(world.delete(f"{USERS}/{owner['id']}", by=admin))
            await waiting(1, deletion)
            creation = asyncio.ensure_future(world.post(APPLICATIONS, by=owner, json=body))
            await waiting(2, creation)
        granted(await deletion)
        refused(await creation, 400000)
        assert await found(world, "applications", Is("ownerId", owner["id"])) == []


async def test_a_key_does_not_outlive_its_user(world_on_both: World) -> None:
    world = world_on_both
    await world.company()
    await world.application()
    jane, admin = await world.user(), await world.user("admin@example.com", roles=("company_admin",))
    await asyncio.gather(
        world.delete(f"{USERS}/{jane['id']}", by=admin), *(world.post(KEYS, by=jane, json=BODY) for _ in range(3))
    )
    assert await found(world, "api_keys", Is("userId", jane["id"])) == []


async def test_the_default_account_of_the_demo_deletes_a_user_of_a_customer(
    demo_world: World, root: Document, holder: Document
) -> None:
    """What the console does in the demo, with its roles."""
    demo = await demo_world.stored("users", DEFAULT_ACCOUNT.id)
    company = await demo_world.stored("companies", holder["companyId"])
    answer = await demo_world.delete(f"{USERS}/{holder['id']}", by=demo)
    assert answer.status_code == (200 if company.get("bpId") == demo["companyId"] else 403)
