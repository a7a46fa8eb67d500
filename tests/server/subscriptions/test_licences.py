"""Licences: listing, assigning and unassigning them, and each rule that refuses it (4.6)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, SISTER, caller, populated, put
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, SITE, World, granted, refused

Document = dict[str, Any]
ONE, TWO, THREE, FLAT, DEFAULT = "51" * 12, "52" * 12, "53" * 12, "54" * 12, "5d" * 12
OFFER = "0f" * 12
PROFILE_FIELDS = {
    "subscriptionId": ONE,
    "offerId": OFFER,
    "offerName": "Business",
    "offerDescription": None,
    "offerReference": "business",
    "profileId": None,
    "profileName": "Business",
    "status": "active",
    "isDefault": False,
    "isExclusive": True,
    "businessModel": "nb_users",
    "canBeSold": True,
    "isPrepaid": True,
    "prepaidDuration": 12,
    "hasConference": True,
}


def path(user: Document, subscription: str = "") -> str:
    base = f"/api/svc/admin/v1.0/users/{user['id']}/profiles"
    return f"{base}/subscriptions/{subscription}" if subscription else base


async def subscription(world: World, id: str = ONE, company: str = COMPANY, **fields: Any) -> Document:
    known = {
        "id": id,
        "companyId": company,
        "offerId": OFFER,
        "offerName": "Business",
        "offerReference": "business",
        "profileName": "Business",
        "businessModel": "nb_users",
        "status": "active",
        "syncOngoing": False,
        "isDefault": False,
        "isExclusive": False,
        "maxNumberUsers": 2,
    }
    return await put(world, "subscriptions", **{**known, **fields})


@pytest.fixture
async def firm(world: World) -> World:
    await populated(world)
    more = {"canBeSold": True, "isPrepaid": True, "hasConference": True, "isVoicePhone": False}
    await put(world, "offers", id=OFFER, name="Business", **more)
    return world


async def staff(world: World, login: str = "jane@example.com", company: str = COMPANY, **fields: Any) -> Document:
    return await world.user(login, companyId=company, **fields)


async def licences_of(world: World, user: Document) -> list[str]:
    stored = await world.stored("users", user["id"])
    return [each["subscriptionId"] for each in stored.get("profiles") or ()]


async def test_a_licence_is_assigned_with_all_fields_of_its_profile(firm: World) -> None:
    await subscription(firm, isExclusive=True, prepaidDuration=12)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    assigned = granted(await firm.post(path(jane, ONE), by=clara, json={}))["data"]
    assert assigned == {**PROFILE_FIELDS, "assignationDate": "2026-11-20T10:00:00.000Z"}
    assert granted(await firm.get(path(jane), by=clara))["data"] == [assigned]
    assert await licences_of(firm, jane) == [ONE]


async def test_an_assignment_needs_no_body(firm: World) -> None:
    await subscription(firm)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    granted(await firm.post(path(jane, ONE), by=clara))
    assert await licences_of(firm, jane) == [ONE]


async def test_a_licence_is_unassigned_and_the_answer_contains_the_remaining_ones(firm: World) -> None:
    await subscription(firm)
    await subscription(firm, TWO, offerName="Voice")
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    for id in (ONE, TWO):
        granted(await firm.post(path(jane, id), by=clara, json={}))
    left = granted(await firm.delete(path(jane, ONE), by=clara))["data"]
    assert [each["offerName"] for each in left] == ["Voice"]
    assert await licences_of(firm, jane) == [TWO]
    refused(await firm.delete(path(jane, ONE), by=clara), 404000)


async def test_the_user_must_belong_to_the_subscribed_company(firm: World) -> None:
    await subscription(firm, company=SISTER)
    superadmin, jane = await caller(firm, "superadmin"), await staff(firm)
    body = refused(await firm.post(path(jane, ONE), by=superadmin, json={}), 403607)
    assert "another company" in body["errorDetails"]


@pytest.mark.parametrize("status", ["creating", "alerting", "hold", "terminating", "terminated", "failed", "unknown"])
async def test_the_subscription_must_be_active(firm: World, status: str) -> None:
    await subscription(firm, status=status)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    assert status in refused(await firm.post(path(jane, ONE), by=clara, json={}), 403607)["errorDetails"]
    assert await licences_of(firm, jane) == []


async def test_nothing_is_assigned_during_a_synchronisation(firm: World) -> None:
    await subscription(firm, syncOngoing=True)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    refused(await firm.post(path(jane, ONE), by=clara, json={}), 403608)


async def test_a_flat_fee_has_no_licences(firm: World) -> None:
    await subscription(firm, FLAT, businessModel="flat_fee")
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    assert "flat fee" in refused(await firm.post(path(jane, FLAT), by=clara, json={}), 403607)["errorDetails"]


async def test_when_all_licences_are_assigned_none_is_available_until_one_is_unassigned(firm: World) -> None:
    await subscription(firm, maxNumberUsers=2)
    clara = await caller(firm, "company_admin")
    one, two, three = [await staff(firm, f"{name}@example.com") for name in ("one", "two", "three")]
    for user in (one, two):
        granted(await firm.post(path(user, ONE), by=clara, json={}))
    assert "all 2 licences" in refused(await firm.post(path(three, ONE), by=clara, json={}), 403610)["errorDetails"]
    granted(await firm.delete(path(one, ONE), by=clara))
    granted(await firm.post(path(three, ONE), by=clara, json={}))


async def test_a_user_has_at_most_one_licence_of_a_subscription(firm: World) -> None:
    await subscription(firm)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    granted(await firm.post(path(jane, ONE), by=clara, json={}))
    refused(await firm.post(path(jane, ONE), by=clara, json={}), 409000)
    assert await licences_of(firm, jane) == [ONE]


async def test_a_user_has_at_most_one_exclusive_licence(firm: World) -> None:
    await subscription(firm, isExclusive=True, offerName="Enterprise")
    await subscription(firm, TWO, isExclusive=True)
    await subscription(firm, THREE)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    granted(await firm.post(path(jane, ONE), by=clara, json={}))
    assert "Enterprise" in refused(await firm.post(path(jane, TWO), by=clara, json={}), 403607)["errorDetails"]
    granted(await firm.post(path(jane, THREE), by=clara, json={}))
    assert await licences_of(firm, jane) == [ONE, THREE]


async def test_the_licence_of_the_default_subscription_cannot_be_unassigned(firm: World) -> None:
    profile = {"subscriptionId": DEFAULT, "offerName": "Essential", "isDefault": True}
    await subscription(firm, DEFAULT, isDefault=True)
    clara, jane = await caller(firm, "company_admin"), await staff(firm, profiles=[profile])
    refused(await firm.delete(path(jane, DEFAULT), by=clara), 403609)
    assert await licences_of(firm, jane) == [DEFAULT]


async def test_missing_records_are_not_found(firm: World) -> None:
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    gone = await staff(firm, "gone@example.com", isTerminated=True)
    nobody = {"id": "9" * 24}
    for user in (nobody, gone):
        refused(await firm.get(path(user), by=clara), 404000)
        refused(await firm.post(path(user, ONE), by=clara, json={}), 404000)
    refused(await firm.post(path(jane, ONE), by=clara, json={}), 404000)
    refused(await firm.delete(path(jane, ONE), by=clara), 404000)
    refused(await firm.post(path(jane, "short"), by=clara, json={}), 400000)


#: role, its company, and the companies whose users it reaches
REACHES = (
    ("superadmin", OTHER_COMPANY, {COMPANY, SISTER, CUSTOMER, GRANDCHILD, PARTNER}),
    ("bp_admin", PARTNER, {COMPANY, CUSTOMER, PARTNER}),
    ("bp_finance", PARTNER, {COMPANY, CUSTOMER, PARTNER}),
    ("bp_finance", RESELLER, {GRANDCHILD}),
    ("organization_admin", COMPANY, {COMPANY, SISTER}),
    ("company_admin", COMPANY, {COMPANY}),
)


@pytest.mark.parametrize(("role", "company", "reached"), REACHES)
async def test_roles_that_assign_licences(firm: World, role: str, company: str, reached: set[str]) -> None:
    who = await caller(firm, role, company)
    for index, each in enumerate((COMPANY, SISTER, CUSTOMER, GRANDCHILD, PARTNER)):
        id = f"{index}a" * 12
        await subscription(firm, id, each)
        user = await staff(firm, f"user{index}@example.com", each)
        answer = await firm.post(path(user, id), by=who, json={})
        if each in reached:
            granted(answer)
            granted(await firm.get(path(user), by=who))
            granted(await firm.delete(path(user, id), by=who))
        else:
            refused(answer, 403301)
            refused(await firm.delete(path(user, id), by=who), 403301)


@pytest.mark.parametrize("role", ["user", "app_admin", "support", "business_admin", "site_admin", "directory_admin"])
async def test_other_roles_assign_nothing(firm: World, role: str) -> None:
    await subscription(firm)
    who, jane = await caller(firm, role), await staff(firm)
    refused(await firm.post(path(jane, ONE), by=who, json={}), 403000)
    assert await licences_of(firm, jane) == []


async def test_support_reads_all_licences_and_a_site_admin_those_of_the_site(firm: World) -> None:
    jane, joe = await staff(firm, siteId=SITE), await staff(firm, "joe@example.com")
    granted(await firm.get(path(jane), by=await caller(firm, "support", OTHER_COMPANY)))
    silvia = await caller(firm, "site_admin", siteId=SITE)
    granted(await firm.get(path(jane), by=silvia))
    refused(await firm.get(path(joe), by=silvia), 403301)


async def test_the_user_is_notified_of_assigned_and_unassigned_licences(firm: World) -> None:
    await subscription(firm)
    clara, jane = await caller(firm, "company_admin"), await staff(firm)
    granted(await firm.post(path(jane, ONE), by=clara, json={}))
    granted(await firm.delete(path(jane, ONE), by=clara))
    refused(await firm.delete(path(jane, ONE), by=clara), 404000)
    await firm.service.event_delivery.settled()
    async with firm.service.database.unit() as store:
        events = [document for _, document in await store.events.log_of(jane["id"])]
    assert [each["name"] for each in events] == ["userprofile", "userprofile"]
    content = {"subscriptionId": ONE, "offerReference": "business"}
    assert [each["content"] for each in events] == [{"action": "created", **content}, {"action": "deleted", **content}]


async def test_simultaneous_assignments_stop_at_the_number_of_licences(world_on_both: World) -> None:
    world = world_on_both
    await subscription(world, maxNumberUsers=3)
    clara = await caller(world, "company_admin")
    users = [await staff(world, f"user{index}@example.com") for index in range(8)]
    answers = await asyncio.gather(*(world.post(path(user, ONE), by=clara, json={}) for user in users))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [403] * 5
    assert sorted([await licences_of(world, user) for user in users], key=len) == [[]] * 5 + [[ONE]] * 3


async def test_two_simultaneous_assignments_to_one_user_are_both_stored(world_on_both: World) -> None:
    world = world_on_both
    ids = [f"{index}e" * 12 for index in range(6)]
    for id in ids:
        await subscription(world, id)
    clara, jane = await caller(world, "company_admin"), await staff(world)
    for answer in await asyncio.gather(*(world.post(path(jane, id), by=clara, json={}) for id in ids)):
        granted(answer)
    assert sorted(await licences_of(world, jane)) == sorted(ids)


async def test_a_termination_keeps_licences_assigned_elsewhere_at_the_same_time(
    world_on_both: World,
) -> None:
    world = world_on_both
    await put(world, "offers", id=OFFER, name="Business", canBeSold=True, businessModel="nb_users", isMonthly=True)
    await subscription(world, maxNumberUsers=20)
    await subscription(world, TWO, maxNumberUsers=20)
    root = await caller(world, "superadmin", OTHER_COMPANY)
    users = [await staff(world, f"user{n}@example.com", profiles=[{"subscriptionId": ONE}]) for n in range(12)]
    end = world.delete(f"/api/svc/subscription/v1.0/companies/{COMPANY}/subscriptions/{ONE}", by=root)
    answers = await asyncio.gather(end, *(world.post(path(user, TWO), by=root, json={}) for user in users))
    for answer in answers:
        granted(answer)
    assert [await licences_of(world, user) for user in users] == [[TWO]] * 12


async def test_deleting_a_site_keeps_licences_assigned_at_the_same_time(world_on_both: World) -> None:
    world = world_on_both
    await put(world, "sites", id=SITE, name="Lisbon", companyId=COMPANY, status="active")
    await subscription(world, maxNumberUsers=20)
    root = await caller(world, "superadmin", OTHER_COMPANY)
    users = [await staff(world, f"user{n}@example.com", siteId=SITE) for n in range(12)]
    rename = world.put(f"/api/svc/admin/v1.0/companies/{COMPANY}", by=root, json={"name": "Renamed"})
    close = world.delete(f"/api/svc/admin/v1.0/sites/{SITE}", by=root)
    assigned = (world.post(path(user, ONE), by=root, json={}) for user in users)
    for answer in await asyncio.gather(rename, close, *assigned):
        granted(answer)
    for user in users:
        stored = await world.stored("users", user["id"])
        assert [each["subscriptionId"] for each in stored["profiles"]] == [ONE]
        assert (stored["companyName"], stored.get("siteId")) == ("Renamed", None)


async def test_removing_trusted_applications_keeps_licences_assigned_at_the_same_time(
    world_on_both: World,
) -> None:
    world = world_on_both
    ids = [f"{n}e" * 12 for n in range(8)]
    root, jane = await caller(world, "superadmin", OTHER_COMPANY), await staff(world)
    for id in ids:
        await subscription(world, id)
    forgets = f"/api/svc/enduser/v1.0/users/{jane['id']}/mfa/trusted"

    async def forget() -> None:
        for _ in range(6):
            granted(await world.delete(forgets, by=jane))

    async def get() -> None:
        for id in ids:
            granted(await world.post(path(jane, id), by=root, json={}))

    await asyncio.gather(get(), *(forget() for _ in range(4)))
    assert sorted(await licences_of(world, jane)) == sorted(ids)
