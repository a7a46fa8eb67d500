"""Calls that welcome services send round, and numbers that they cannot call (2.17): both ends are known, so refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import params, put
from tests.server.voice.test_voice_welcome_services import ATTENDANT, SERVICES, ddi, made, one
from tests.server.voice.world import OWN, at, exchanges, member, subscriber
from tests.support.world import World, granted, refused

Document = dict[str, Any]

#: The numbers of the DDI numbers 1, 2 and 3.
FIRST, SECOND, THIRD = (f"+35121123456{digit}" for digit in (1, 2, 3))


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


def to(number: str) -> Document:
    return {"closedHoursOverflow": {"type": "number", "number": number}}


async def test_a_service_does_not_send_its_closed_hours_to_its_own_number(voice: World, boss: Document) -> None:
    numbers = {"externalNumberId": await ddi(voice, 1), "secondaryDDIs": [{"phoneNumberId": await ddi(voice, 2)}]}
    for own in (FIRST, "211 234 562"):
        body = {"name": "Night", "openHoursOverflow": ATTENDANT, **numbers, **to(own)}
        answer = refused(await voice.post(SERVICES, by=boss, json=body), 400000)
        assert params(answer) == ["closedHoursOverflow.number"]
        assert answer["errorDetails"][0]["msg"] == "sends calls round in a loop: Night, Night"
    assert granted(await voice.get(SERVICES, by=boss))["data"] == []
    assert (await voice.stored("ddis", numbers["externalNumberId"])).get("ivrId") is None
    # To a free number it may, until that number becomes its own.
    service = await made(voice, boss, **to(FIRST))
    answer = refused(await voice.post(one(service), by=boss, json=numbers), 400000)
    assert params(answer) == ["externalNumberId"]


async def test_services_do_not_send_calls_round(voice: World, boss: Document) -> None:
    day = await made(voice, boss, name="Day", externalNumberId=await ddi(voice, 1))
    night = await made(voice, boss, name="Night", externalNumberId=await ddi(voice, 2), **to(FIRST))
    third = await made(voice, boss, name="Third", externalNumberId=await ddi(voice, 3), **to(SECOND))
    for number, names in ((SECOND, "Day, Night, Day"), (THIRD, "Day, Third, Night, Day")):
        answer = refused(await voice.post(one(day), by=boss, json=to(number)), 400000)
        assert answer["errorDetails"][0]["msg"] == f"sends calls round in a loop: {names}"
    # A service that is open sends its calls as in closed hours: it is called while it is open, or closed.
    body = {"openHoursOverflow": {"type": "closed_hours"}, **to(THIRD)}
    assert params(refused(await voice.post(one(night), by=boss, json=body), 400000)) == ["closedHoursOverflow.number"]
    granted(await voice.post(one(day), by=boss, json=to("+351211234569")))
    granted(await voice.post(one(third), by=boss, json={"name": "Again"}))


async def test_a_service_in_an_existing_loop_can_be_saved_and_corrected(voice: World, boss: Document) -> None:
    service = await made(voice, boss, externalNumberId=await ddi(voice, 1))
    looping = {**(await voice.stored("welcome_services", service["id"])), **to(FIRST)}
    await put(voice, "welcome_services", **looping)
    granted(await voice.post(one(service), by=boss, json={"name": "Front desk"}))
    granted(await voice.post(one(service), by=boss, json=to("+351211234569")))


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("8002", "is an internal number that no subscriber has"),
        ("112", "is an emergency number"),
        ("12", "is an internal or short number, not one of the public network"),
    ],
)
async def test_closed_hours_are_sent_to_numbers_that_answer_only(
    voice: World, boss: Document, number: str, reason: str
) -> None:
    await subscriber(voice, "8001")
    body = {"name": "Night", "openHoursOverflow": ATTENDANT, **to(number)}
    answer = refused(await voice.post(SERVICES, by=boss, json=body), 400000)
    assert (params(answer), answer["errorDetails"][0]["msg"]) == (["closedHoursOverflow.number"], reason)
    service = await made(voice, boss, **to("8001"))
    # Unassigned internal numbers go to the peer, where that is set.
    granted(await voice.put(at("own"), by=boss, json={"routeInternalCallsToPeer": True}))
    answer = await voice.post(one(service), by=boss, json=to(number))
    assert granted(answer) if number == "8002" else refused(answer, 400000)


async def test_a_destination_that_is_gone_does_not_prevent_other_changes(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001")
    target = {"type": "user", "destinationId": holder["userId"]}
    service = await made(voice, boss, openHoursOverflow=target)
    async with voice.service.database.unit() as store:
        await store.subscribers.remove(holder["id"])
    granted(await voice.post(one(service), by=boss, json={"name": "Front desk", "openHoursOverflow": target}))
    other = {**target, "toVoicemail": True}
    answer = await voice.post(one(service), by=boss, json={"openHoursOverflow": other})
    assert params(refused(answer, 400000)) == ["openHoursOverflow.destinationId"]
    assert (await voice.stored("welcome_services", service["id"]))["systemId"] == OWN
