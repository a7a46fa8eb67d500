"""DDI numbers (2.15, 4.7): creation, deletion, the default number, and assignment as main or further number."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, PARTNER, params, put
from tests.server.voice.world import OWN, at, checked, exchange_id, exchanges, member, subscriber
from tests.support.world import COMPANY, OTHER_COMPANY, SITE, World, granted, refused

Document = dict[str, Any]

DDIS = at("own", "/phone-numbers/ddi")
UNKNOWN = "f0" * 12


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def made(world: World, by: Document, number: str = "+351 210 000 001") -> Document:
    return dict(granted(await world.post(DDIS, by=by, json={"number": number}))["data"])


async def read(world: World, by: Document, ddi: Document) -> Document:
    return dict(granted(await world.get(f"{DDIS}/{ddi['id']}", by=by))["data"])


async def numbers(world: World, by: Document, filters: str = "") -> list[str]:
    page = granted(await world.get(f"{DDIS}{filters}", by=by))
    assert page["total"] == len(page["data"])
    return [each["numberE164"][-1] for each in page["data"]]


async def test_roles_for_ddi_numbers(voice: World) -> None:
    await checked(voice, "GET", "/phone-numbers/ddi", writes=False)
    await checked(voice, "GET", f"/phone-numbers/ddi/{UNKNOWN}", writes=False)
    await checked(voice, "POST", "/phone-numbers/ddi", writes=True, json={"number": "no number"})
    await checked(voice, "DELETE", f"/phone-numbers/ddi/{UNKNOWN}", writes=True)
    await checked(voice, "POST", f"/phone-numbers/ddi/{UNKNOWN}/default", writes=True)
    await checked(voice, "POST", f"/sites/{SITE}/phone-numbers/ddi/{UNKNOWN}/default", writes=True)
    await checked(voice, "POST", f"/phone-numbers/ddi/{UNKNOWN}/users/{UNKNOWN}", writes=True)
    await checked(voice, "DELETE", f"/phone-numbers/ddi/{UNKNOWN}/users/{UNKNOWN}", writes=True)


@pytest.mark.parametrize("typed", ["+351210000001", "+351 210 000 001", "210 000 001", "00351 210000001"])
async def test_a_number_is_read_in_the_notation_of_its_country(voice: World, boss: Document, typed: str) -> None:
    ddi = await made(voice, boss, typed)
    expected = {"numberE164": "+351210000001", "systemId": OWN, "country": "PRT", "isCloudPbxDDI": True}
    assert expected.items() <= ddi.items()
    assert ddi["isCloudPbxDefault"] is False and "jid_password" not in ddi
    found = await read(voice, boss, ddi)
    assert found.pop("jid_password") and found == ddi


async def test_a_number_without_a_holder_shows_that_it_is_no_further_number(voice: World, boss: Document) -> None:
    person, ddi = await subscriber(voice, "8001"), await made(voice, boss)
    assert ddi["isAssignedAsSecondaryCloudPbxDDI"] is False and ddi["deviceType"] == "landline"
    assert "@" in ddi["jid_im"] and ddi["jid_tel"].startswith("tel_")
    granted(await voice.post(f"{DDIS}/{ddi['id']}/users/{person['userId']}", by=boss))
    granted(await voice.delete(f"{DDIS}/{ddi['id']}/users/{person['userId']}", by=boss))
    found = await read(voice, boss, ddi)
    assert found.pop("jid_password") and found == ddi


@pytest.mark.parametrize(
    "typed", ["abc", "12", "+999 1 2 3", "+351 210 000 001 ext. 5", "210 000 001 main", "21000.00", "2026-11-27"]
)
async def test_an_invalid_number_is_refused(voice: World, boss: Document, typed: str) -> None:
    answer = refused(await voice.post(DDIS, by=boss, json={"number": typed}), 400210)
    assert params(answer) == ["number"] and answer["errorDetails"][0]["msg"]


async def test_a_number_exists_once_here_and_elsewhere(voice: World, boss: Document) -> None:
    await made(voice, boss)
    refused(await voice.post(DDIS, by=boss, json={"number": "210000001"}), 409555)
    root = await member(voice, "superadmin", OTHER_COMPANY)
    answer = await voice.post(at("customer", "/phone-numbers/ddi"), by=root, json={"number": "+351210000001"})
    refused(answer, 409251)


async def test_of_two_concurrent_creations_one_is_refused(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    root = await member(world, "superadmin", OTHER_COMPANY)
    places = [at(name, "/phone-numbers/ddi") for name in ("own", "own", "customer", "stranger")]
    answers = await asyncio.gather(*(world.post(place, by=root, json={"number": "+351210000001"}) for place in places))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    codes = {answer.json().get("errorDetailsCode") for answer in answers} - {None}
    assert codes <= {409555, 409251}


async def test_a_reseller_with_read_only_numbers_changes_none(voice: World) -> None:
    company = await voice.stored("companies", PARTNER)
    by = await member(voice, "bp_admin", PARTNER)
    ddi = await made(voice, by)
    await put(voice, "companies", **{**company, "bpType": "IR", "ddiReadOnly": True})
    refused(await voice.post(DDIS, by=by, json={"number": "+351210000002"}), 403000)
    refused(await voice.delete(f"{DDIS}/{ddi['id']}", by=by), 403000)
    await put(voice, "companies", **{**company, "bpType": "IR", "ddiReadOnly": False})
    granted(await voice.delete(f"{DDIS}/{ddi['id']}", by=by))


async def test_the_default_number_is_toggled_and_there_is_one_only(voice: World, boss: Document) -> None:
    await put(voice, "sites", id=SITE, name="Harbour", companyId=COMPANY, status="active")
    first, second = await made(voice, boss), await made(voice, boss, "+351210000002")
    toggle = at("own", f"/sites/{SITE}/phone-numbers/ddi/{first['id']}/default")
    assert granted(await voice.post(toggle, by=boss))["data"]["isCloudPbxDefault"] is True
    settings = granted(await voice.get(at("own"), by=boss))["data"]["cloudpbx"]
    assert (settings["installationNumber"], settings["installationNumberId"]) == ("+351210000001", first["id"])
    assert settings["cliOptions"]["numberE164"] == "+351210000001"
    granted(await voice.post(f"{DDIS}/{second['id']}/default", by=boss))
    assert (await read(voice, boss, first))["isCloudPbxDefault"] is False
    answer = granted(await voice.post(f"{DDIS}/{second['id']}/default", by=boss))
    assert answer["data"]["isCloudPbxDefault"] is False
    settings = granted(await voice.get(at("own"), by=boss))["data"]["cloudpbx"]
    assert settings["installationNumber"] is settings["cliOptions"]["numberE164"] is None


async def test_the_site_of_the_default_number_is_one_of_the_company(voice: World, boss: Document) -> None:
    await put(voice, "sites", id=SITE, name="Elsewhere", companyId=CUSTOMER, status="active")
    ddi = await made(voice, boss)
    refused(await voice.post(at("own", f"/sites/{SITE}/phone-numbers/ddi/{ddi['id']}/default"), by=boss), 404000)


async def test_the_default_number_goes_last(voice: World, boss: Document) -> None:
    first, second = await made(voice, boss), await made(voice, boss, "+351210000002")
    granted(await voice.post(f"{DDIS}/{first['id']}/default", by=boss))
    refused(await voice.delete(f"{DDIS}/{first['id']}", by=boss), 403723)
    granted(await voice.delete(f"{DDIS}/{second['id']}", by=boss))
    granted(await voice.delete(f"{DDIS}/{first['id']}", by=boss))
    assert "installationNumber" not in (await voice.stored("cloudpbxs", OWN))["cloudpbx"]
    refused(await voice.delete(f"{DDIS}/{first['id']}", by=boss), 404000)


async def test_the_first_number_of_a_user_is_the_main_one_and_others_follow(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001", firstName="Ada", lastName="Moss", deviceName="Ada's")
    ddis = [await made(voice, boss, f"+35121000000{digit}") for digit in (1, 2, 3)]
    for ddi in ddis:
        granted(await voice.post(f"{DDIS}/{ddi['id']}/users/{holder['userId']}", by=boss, json={}))
    shown = [await read(voice, boss, ddi) for ddi in ddis]
    assert [each["isAssignedAsSecondaryCloudPbxDDI"] for each in shown] == [False, True, True]
    assert [each.get("secondaryDdiOrder") for each in shown] == [None, 1, 2]
    assert {(each["userId"], each["firstName"], each["names"]) for each in shown} == {
        (holder["userId"], "Ada", "User 8001")
    }
    now = granted(await voice.get(at("own", f"/subscribers/{holder['id']}"), by=boss))["data"]
    assert (now["externalNumber"], now["externalNumberId"]) == ("+351210000001", ddis[0]["id"])
    assert [each["numberE164"][-1] for each in now["secondaryDDIs"]] == ["2", "3"]
    entry = (await voice.stored("users", holder["userId"]))["phoneNumbers"][0]
    assert (entry["phoneNumberId"], entry["numberE164"]) == (holder["id"], "+351210000001")


async def test_when_the_main_number_is_unassigned_the_next_one_becomes_main(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001")
    ddis = [await made(voice, boss, f"+35121000000{digit}") for digit in (1, 2, 3)]
    for ddi in ddis:
        granted(await voice.post(f"{DDIS}/{ddi['id']}/users/{holder['userId']}", by=boss))
    granted(await voice.delete(f"{DDIS}/{ddis[0]['id']}/users/{holder['userId']}", by=boss))
    free = await read(voice, boss, ddis[0])
    assert (free["userId"], free["names"], free["isAssignedAsSecondaryCloudPbxDDI"]) == (None, None, False)
    now = await voice.stored("subscribers", holder["id"])
    assert (now["externalNumber"][-1], [each["numberE164"][-1] for each in now["secondaryDDIs"]]) == ("2", ["3"])
    granted(await voice.delete(f"{DDIS}/{ddis[1]['id']}", by=boss))
    now = await voice.stored("subscribers", holder["id"])
    assert (now["externalNumber"][-1], now["secondaryDDIs"]) == ("3", [])
    granted(await voice.delete(f"{DDIS}/{ddis[2]['id']}/users/{holder['userId']}", by=boss))
    assert "externalNumber" not in await voice.stored("subscribers", holder["id"])
    entry = (await voice.stored("users", holder["userId"]))["phoneNumbers"][0]
    assert "numberE164" not in entry


async def test_a_number_has_one_holder(voice: World, boss: Document) -> None:
    one, other = await subscriber(voice, "8001"), await subscriber(voice, "8002")
    ddi = await made(voice, boss)
    granted(await voice.post(f"{DDIS}/{ddi['id']}/users/{one['userId']}", by=boss))
    for user in (one, other):
        refused(await voice.post(f"{DDIS}/{ddi['id']}/users/{user['userId']}", by=boss), 409000)
    refused(await voice.delete(f"{DDIS}/{ddi['id']}/users/{other['userId']}", by=boss), 404000)
    ringing = await made(voice, boss, "+351210000002")
    await put(voice, "ddis", **{**await voice.stored("ddis", ringing["id"]), "ivrId": "ab" * 12})
    refused(await voice.post(f"{DDIS}/{ringing['id']}/users/{one['userId']}", by=boss), 409000)
    refused(await voice.delete(f"{DDIS}/{ringing['id']}", by=boss), 409000)


async def test_a_user_without_an_extension_gets_no_number(voice: World, boss: Document) -> None:
    ddi = await made(voice, boss)
    answer = refused(await voice.post(f"{DDIS}/{ddi['id']}/users/{boss['id']}", by=boss), 400000)
    assert params(answer) == ["userId"]


async def test_an_unknown_user_or_one_of_another_company_gets_no_number(voice: World, boss: Document) -> None:
    ddi, stranger = await made(voice, boss), await member(voice, "user", OTHER_COMPANY)
    elsewhere = await subscriber(voice, "8001", "customer")
    for user_id in (UNKNOWN, stranger["id"], elsewhere["userId"]):
        refused(await voice.post(f"{DDIS}/{ddi['id']}/users/{user_id}", by=boss), 404000)


async def test_numbers_are_filtered_by_holder(world_on_both: World) -> None:
    voice = await exchanges(world_on_both)
    boss = await member(voice, "company_admin")
    holders = {"1": {"userId": "aa"}, "2": {"ivrId": "ab"}, "3": {"groupId": "ac"}, "4": {"voiceAutoAttendantId": "ad"}}
    for digit in "54321":
        ddi = await made(voice, boss, f"+35121000000{digit}")
        await put(voice, "ddis", **{**await voice.stored("ddis", ddi["id"]), **holders.get(digit, {})})
    assert await numbers(voice, boss) == ["1", "2", "3", "4", "5"]
    assert await numbers(voice, boss, "?isAssigned=true") == ["1", "2", "3", "4"]
    assert await numbers(voice, boss, "?isAssigned=false") == ["5"]
    for name, digit in {"User": "1", "IVR": "2", "Group": "3", "AutoAttendant": "4"}.items():
        assert await numbers(voice, boss, f"?isAssignedTo{name}=true") == [digit]
        assert digit not in await numbers(voice, boss, f"?isAssignedTo{name}=false")
    assert await numbers(voice, boss, "?sortOrder=-1") == ["5", "4", "3", "2", "1"]


async def test_numbers_of_another_cloudpbx_are_not_found_here(voice: World, boss: Document) -> None:
    await put(voice, "ddis", id=UNKNOWN, systemId=exchange_id("customer"), number="+1", numberE164="+1")
    refused(await voice.get(f"{DDIS}/{UNKNOWN}", by=boss), 404000)
    refused(await voice.delete(f"{DDIS}/{UNKNOWN}", by=boss), 404000)
    assert await numbers(voice, boss) == []


async def test_unassigned_internal_numbers(voice: World, boss: Document) -> None:
    path = at("own", "/phone-numbers/free")
    pbx = await voice.stored("cloudpbxs", OWN)
    settings = {**pbx["cloudpbx"], "voiceNumber": "8002"}
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": settings})
    await subscriber(voice, "8000")
    await subscriber(voice, "8003")
    await subscriber(voice, "8001", "customer")
    found = granted(await voice.get(path, by=boss))["data"]
    assert found[:3] == ["8001", "8004", "8005"] and len(found) == 997
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": {**settings, "numberingDigits": 6}})
    assert len(granted(await voice.get(path, by=boss))["data"]) == 1000
