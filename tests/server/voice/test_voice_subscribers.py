"""Subscribers (2.15, 4.7): roles, the values of a new one, and the devices and numbers of a deleted one."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tests.server.companies.support import caller, params, put
from tests.server.voice.world import BASE, OWN, at, checked, exchange_id, exchanges, member, subscriber
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

SUBSCRIBERS = at("own", "/subscribers")
SYSTEM = f"/api/svc/admin/v1.0/systems/{OWN}/phone-numbers"
UNKNOWN = "f0" * 12
LICENCE = {"profileName": "Voice", "isVoicePhone": True}


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def employee(world: World, company: str = COMPANY, **fields: Any) -> Document:
    """A user with a licence for voice."""
    return await caller(world, "user", company, **{"profiles": [LICENCE], **fields})


async def created(world: World, by: Document, user: Document, **fields: Any) -> Document:
    body = {"userId": user["id"], "shortNumber": "8001", **fields}
    return dict(granted(await world.post(SUBSCRIBERS, by=by, json=body))["data"])


async def test_roles_for_subscribers(voice: World) -> None:
    await checked(voice, "GET", "/subscribers", writes=False)
    await checked(voice, "GET", f"/subscribers/{UNKNOWN}", writes=False)
    await checked(voice, "POST", "/subscribers", writes=True, json={"userId": UNKNOWN, "shortNumber": "8001"})
    await checked(voice, "DELETE", f"/subscribers/{UNKNOWN}", writes=True)


async def test_roles_that_list_the_extensions_of_a_system(voice: World) -> None:
    for role, code in (("support", 0), ("company_admin", 0), ("site_admin", 0), ("user", 403000)):
        answer = await voice.get(SYSTEM, by=await member(voice, role))
        refused(answer, code) if code else granted(answer)
    refused(await voice.get(SYSTEM, by=await member(voice, "company_admin", OTHER_COMPANY)), 403301)
    refused(
        await voice.get(f"/api/svc/admin/v1.0/systems/{UNKNOWN}/phone-numbers", by=await member(voice, "support")),
        404000,
    )


async def test_a_new_subscriber_has_the_settings_of_the_company_and_the_password_is_shown_once(
    voice: World, boss: Document
) -> None:
    user = await employee(voice, displayName="Ada Moss", firstName="Ada", lastName="Moss")
    made = await created(voice, boss, user, login="ignored")
    assert re.fullmatch(r"[a-z0-9*#]{8,12}", made.pop("password"))
    expected = {
        "userId": user["id"],
        "shortNumber": "8001",
        "internalNumber": "8001",
        "names": "Ada Moss",
        "systemId": OWN,
        "status": "activated",
        "cloudPbxStatus": "activated",
        "recordingProfile": "none",
        "isRecordingActivated": False,
        "barringOptions": {"permissions": "default", "restrictions": "default"},
        "callForwardOptions": {"externalCallForward": "company_policy"},
    }
    assert expected.items() <= made.items()
    assert "login" not in made and "jid_password" not in made
    alone = granted(await voice.get(f"{SUBSCRIBERS}/{made['id']}", by=boss))["data"]
    assert alone.pop("jid_password") and alone == made
    assert granted(await voice.get(SUBSCRIBERS, by=boss))["data"] == [made]
    entry = (await voice.stored("users", user["id"]))["phoneNumbers"][-1]
    assert (entry["phoneNumberId"], entry["shortNumber"], entry["systemId"]) == (made["id"], "8001", OWN)


async def test_a_sent_password_is_used(voice: World, boss: Document) -> None:
    made = await created(voice, boss, await employee(voice), password="abc*def#1")
    assert made["password"] == "abc*def#1"
    body = {"userId": (await employee(voice))["id"], "shortNumber": "8002", "password": "Short1"}
    answer = refused(await voice.post(SUBSCRIBERS, by=boss, json=body), 400000)
    assert params(answer) == ["password"]


async def test_a_user_requires_a_licence_for_voice(voice: World, boss: Document) -> None:
    await put(voice, "offers", id="0f" * 12, name="Voice", hasVoice=True)
    await put(voice, "offers", id="0e" * 12, name="Other", hasVoice=False)
    without: list[list[Document]] = [[], [{"offerId": "0e" * 12}], [{"profileName": "Business"}]]
    for profiles in without:
        body = {"userId": (await employee(voice, profiles=profiles))["id"], "shortNumber": "8001"}
        refused(await voice.post(SUBSCRIBERS, by=boss, json=body), 403622)
    for number, licence in enumerate((LICENCE, {"offerId": "0f" * 12}, {"hasVoice": True})):
        user = await employee(voice, profiles=[{"offerId": "0e" * 12}, licence])
        await created(voice, boss, user, shortNumber=f"800{number}")


async def test_users_who_cannot_have_an_extension(voice: World, boss: Document) -> None:
    elsewhere = await employee(voice, OTHER_COMPANY)
    gone = await employee(voice, isTerminated=True)
    for user_id in (elsewhere["id"], gone["id"], "x"):
        answer = await voice.post(SUBSCRIBERS, by=boss, json={"userId": user_id, "shortNumber": "8001"})
        assert params(refused(answer, 400000)) == ["userId"]
    refused(await voice.post(SUBSCRIBERS, by=boss, json={"userId": UNKNOWN, "shortNumber": "8001"}), 404000)
    user = await employee(voice)
    await created(voice, boss, user)
    answer = await voice.post(SUBSCRIBERS, by=boss, json={"userId": user["id"], "shortNumber": "8002"})
    assert "This user already has an extension." in str(refused(answer, 409000))


async def test_a_number_must_be_free_and_in_the_plan(voice: World, boss: Document) -> None:
    pbx = await voice.stored("cloudpbxs", OWN)
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": {**pbx["cloudpbx"], "voiceNumber": "8999"}})
    await subscriber(voice, "8001")
    await subscriber(voice, "8002", "customer")
    user = await employee(voice)
    for taken in ("8001", "8999"):
        refused(await voice.post(SUBSCRIBERS, by=boss, json={"userId": user["id"], "shortNumber": taken}), 409552)
    for outside in ("7001", "80001", "800", "0"):
        answer = await voice.post(SUBSCRIBERS, by=boss, json={"userId": user["id"], "shortNumber": outside})
        problem = refused(answer, 400000)["errorDetails"][0]
        assert problem["param"] == "shortNumber" and "8000 to 8999" in problem["msg"]
    assert (await created(voice, boss, user, shortNumber="8002"))["shortNumber"] == "8002"


async def test_of_two_concurrent_subscribers_with_one_number_one_is_refused(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    boss = await member(world, "company_admin")
    bodies = [{"userId": (await employee(world))["id"], "shortNumber": "8001"} for _ in range(4)]
    answers = await asyncio.gather(*(world.post(SUBSCRIBERS, by=boss, json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    for answer in answers:
        assert answer.status_code == 200 or refused(answer, 409552)


async def test_of_two_concurrent_extensions_for_one_user_one_is_refused(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    boss, user = await member(world, "company_admin"), await employee(world)
    bodies = [{"userId": user["id"], "shortNumber": number} for number in ("8001", "8002")]
    answers = await asyncio.gather(*(world.post(SUBSCRIBERS, by=boss, json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert len((await world.stored("users", user["id"]))["phoneNumbers"]) == 1


async def test_deleting_a_subscriber_frees_devices_and_numbers(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    boss, user = await member(world, "company_admin"), await employee(world)
    own = {"number": "+351", "type": "work"}
    await put(world, "users", **{**user, "phoneNumbers": [own]})
    made = await created(world, boss, user)
    path = f"{SUBSCRIBERS}/{made['id']}"
    held = {"systemId": OWN, "phoneNumberId": made["id"], "userId": user["id"], "userDisplayName": "Ada"}
    await put(world, "devices", id="d0" * 12, description="Desk", macAddress="m", currentDevice=True, **held)
    await put(world, "registrations", id="e0" * 12, systemId=OWN, phoneNumberId=made["id"], deviceId="d0" * 12)
    for digit in "12":
        ddi = granted(await world.post(at("own", "/phone-numbers/ddi"), by=boss, json={"number": f"21000000{digit}"}))
        place = at("own", f"/phone-numbers/ddi/{ddi['data']['id']}/users/{user['id']}")
        granted(await world.post(place, by=boss))
    answer = granted(await world.delete(path, by=boss))
    assert answer["data"] == [] and answer["status"]
    refused(await world.get(path, by=boss), 404000)
    refused(await world.delete(path, by=boss), 404000)
    device = await world.stored("devices", "d0" * 12)
    free = {"id": "d0" * 12, "description": "Desk", "macAddress": "m", "systemId": OWN, "currentDevice": False}
    assert device == free
    free = granted(await world.get(at("own", "/phone-numbers/ddi?isAssigned=false"), by=boss))
    assert free["total"] == 2
    assert (await world.stored("users", user["id"]))["phoneNumbers"] == [own]
    async with world.service.database.unit() as store:
        assert await store.registrations.count() == 0
    # Number and user are free again.
    await created(world, boss, user)


async def test_extensions_are_found_by_number_name_and_device(world_on_both: World) -> None:
    voice = await exchanges(world_on_both)
    boss = await member(voice, "company_admin")
    ada = await subscriber(voice, "8001", firstName="Ada", lastName="Moss", names="Ada Moss", deviceName="Front desk")
    bo = await subscriber(
        voice, "8002", firstName="Bo", lastName="ADAMS", names="Bo Adams", isMonitored=True, pbxUserId="77"
    )
    cy = await subscriber(voice, "8110", firstName="Cy", lastName="Reed", names="Cy Reed", internalNumber="8110")
    await subscriber(voice, "8001", "customer", firstName="Ada")
    await put(voice, "devices", id="d0" * 12, systemId=OWN, phoneNumberId=cy["id"], description="Desk 4")
    found = {
        "": [ada, bo, cy],
        "?shortNumber=80": [ada, bo],
        "?shortNumber=001": [],
        "?internalNumber=81": [cy],
        "?name=ada": [ada, bo],
        "?name=Bo%20A": [bo],
        "?name=eed": [],
        "?deviceName=desk": [ada, cy],
        "?isMonitored=true": [bo],
        "?isMonitored=false": [ada, cy],
        "?pbxUserId=77": [bo],
        "?isAssignedToUser=true": [ada, bo, cy],
        "?isAssignedToUser=false": [],
        "?sortField=lastName&sortOrder=-1": [cy, ada, bo],
        "?limit=1&offset=1": [bo],
    }
    for query, expected in found.items():
        page = granted(await voice.get(f"{SYSTEM}{query}", by=boss))
        assert [each["id"] for each in page["data"]] == [each["id"] for each in expected], query
    assert page["total"] == 3


async def test_a_subscriber_of_another_cloudpbx_is_not_found_here(voice: World, boss: Document) -> None:
    other = await subscriber(voice, "8001", "customer")
    assert other["systemId"] == exchange_id("customer")
    refused(await voice.get(f"{SUBSCRIBERS}/{other['id']}", by=boss), 404000)
    refused(await voice.delete(f"{SUBSCRIBERS}/{other['id']}", by=boss), 404000)
    refused(await voice.get(f"{BASE}/cloudpbxs/{UNKNOWN}/subscribers", by=boss), 404000)
