"""What points at a record of a CloudPBX: calls that would go nowhere prevent a deletion, the rest is free (4.7)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from svc_tui.interface.voice.deletion import references
from tests.server.companies.support import PARTNER, params, put
from tests.server.voice.test_voice_welcome_services import ATTENDANT, SERVICES, ddi, made, one
from tests.server.voice.world import OWN, at, exchanges, member, subscriber
from tests.support.world import OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def test_a_subscriber_is_not_deleted_while_a_service_sends_its_calls_there(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001")
    number = await ddi(voice, 1)
    granted(await voice.post(at("own", f"/phone-numbers/ddi/{number}/users/{holder['userId']}"), by=boss))
    user = {"type": "user", "destinationId": holder["userId"]}
    first = await made(voice, boss, name="Reception", openHoursOverflow=user)
    second = await made(voice, boss, name="Night", closedHoursOverflow={"type": "number", "number": "8001"})
    third = await made(voice, boss, name="Sales", closedHoursOverflow={"type": "number", "number": "+351211234561"})
    path = at("own", f"/subscribers/{holder['id']}")
    answer = refused(await voice.delete(path, by=boss), 403744)
    assert {each["msg"]: each["value"] for each in answer["errorDetails"]} == {
        "Reception sends the calls of its open hours here": first["id"],
        "Night sends the calls of its closed hours to 8001": second["id"],
        "Sales sends the calls of its closed hours to +351211234561": third["id"],
    }
    for service, change in (
        (first, {"openHoursOverflow": ATTENDANT}),
        (second, {"closedHoursOverflow": None}),
        (third, {"closedHoursOverflow": ATTENDANT}),
    ):
        assert granted(await voice.get(path, by=boss))
        granted(await voice.post(one(service), by=boss, json=change))
    granted(await voice.delete(path, by=boss))
    assert (await voice.stored("ddis", number)).get("userId") is None


async def test_a_number_is_not_deleted_while_a_service_calls_or_answers_it(voice: World, boss: Document) -> None:
    called, answered = await ddi(voice, 1), await ddi(voice, 2)
    service = await made(
        voice,
        boss,
        externalNumberId=answered,
        closedHoursOverflow={"type": "number", "number": "+351211234561"},
    )
    for number, sentence in (
        (called, "Reception sends the calls of its closed hours to +351211234561"),
        (answered, "Reception answers this number"),
    ):
        answer = refused(await voice.delete(at("own", f"/phone-numbers/ddi/{number}"), by=boss), 409000)
        assert (params(answer), answer["errorDetails"][0]["msg"]) == (["welcomeservices"], sentence)
    granted(await voice.post(one(service), by=boss, json={"closedHoursOverflow": None}))
    granted(await voice.delete(at("own", f"/phone-numbers/ddi/{called}"), by=boss))


async def test_a_service_is_not_deleted_while_another_calls_its_number(voice: World, boss: Document) -> None:
    service = await made(voice, boss, externalNumberId=await ddi(voice, 1))
    target = {"type": "number", "number": "+351211234561"}
    other = await made(voice, boss, name="Night", closedHoursOverflow=target)
    answer = refused(await voice.delete(one(service), by=boss), 403739)
    assert [each["value"] for each in answer["errorDetails"]] == [other["id"]]
    granted(await voice.delete(one(other), by=boss))
    granted(await voice.delete(one(service), by=boss))


async def test_all_services_that_use_hours_are_named(voice: World, boss: Document) -> None:
    for kind, field in (("office_hours", "companyCalendarId"), ("welcomes", "welcomeId")):
        id = "ab" * 12 if field == "welcomeId" else "ac" * 12
        await put(voice, kind, id=id, systemId=OWN, name="Hours")
        names = ("Reception", "Night")
        used = [await made(voice, boss, name=name, **{field: id}) for name in names]
        answer = refused(await voice.delete(at("own", f"/ivrs/{id}"), by=boss), 403739)
        assert answer["errorDetails"] in [f"Used by the welcome services {a}, {b}." for a, b in permutations(names)]
        for service in used:
            granted(await voice.delete(one(service), by=boss))
        granted(await voice.delete(at("own", f"/ivrs/{id}"), by=boss))
    assert granted(await voice.get(SERVICES, by=boss))["data"] == []


async def test_a_device_in_use_names_its_subscriber(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001")
    await put(voice, "devices", id="de" * 12, systemId=OWN, phoneNumberId=holder["id"], shortNumber="8001")
    answer = refused(await voice.delete(at("own", f"/devices/{'de' * 12}"), by=boss), 409561)
    assert answer["errorDetails"][0] == {"param": "subscribers", "msg": "8001 uses this device", "value": holder["id"]}


async def test_the_numbers_of_a_cloudpbx_follow_to_its_trunk(voice: World) -> None:
    root = await member(voice, "superadmin", OTHER_COMPANY)
    first, second = "71" * 12, "72" * 12
    for id in (first, second):
        await put(voice, "external_trunks", id=id, name="T", status="active", bpIds=[PARTNER])
    number = await ddi(voice, 1)
    elsewhere = await ddi(voice, 2, "sister", externalTrunkId=first)
    for trunk in (first, second, None):
        granted(await voice.put(at("own"), by=root, json={"externalTrunkId": trunk}))
        assert (await voice.stored("ddis", number)).get("externalTrunkId") == trunk
    assert (await voice.stored("ddis", elsewhere))["externalTrunkId"] == first


@pytest.mark.parametrize("odd", [None, 0, True, "x", [None], {"a": 1}, [[]], [{}]])
@pytest.mark.parametrize("kind", ["subscribers", "ddis", "sipdevices", "welcomeservices", "officehours", "other"])
def test_records_with_any_values_have_references(odd: Any, kind: str) -> None:
    record = dict.fromkeys(("id", "userId", "shortNumber", "externalNumber", "secondaryDDIs", "numberE164"), odd)
    services = [{"id": "s", "openHoursOverflow": odd, "closedHoursOverflow": {"type": "number", "number": odd}}]
    assert isinstance(references(kind, record, {"welcomeservices": services, "sipdevices": [record]}), list)
