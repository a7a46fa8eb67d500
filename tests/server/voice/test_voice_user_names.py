"""Copies of a user's name in subscribers, numbers and devices follow a change of the user (2.15)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import caller, put
from tests.server.voice.test_voice_welcome_services import ddi
from tests.server.voice.world import OWN, at, exchanges, member
from tests.support.world import COMPANY, World, granted

Document = dict[str, Any]

LICENCE = {"profileName": "Voice", "isVoicePhone": True}


async def extension(world: World, by: Document, short: str, digit: int, **names: str) -> Document:
    """A user with an extension, a DDI number and a device; the user as stored."""
    user = await caller(world, "user", COMPANY, profiles=[LICENCE], **names)
    body = {"userId": user["id"], "shortNumber": short}
    subscriber = granted(await world.post(at("own", "/subscribers"), by=by, json=body))["data"]
    granted(await world.post(at("own", f"/phone-numbers/ddi/{await ddi(world, digit)}/users/{user['id']}"), by=by))
    await put(world, "devices", id=f"{digit}e" * 12, systemId=OWN, description="Desk")
    body = {"deviceId": f"{digit}e" * 12}
    granted(await world.post(at("own", f"/subscribers/{subscriber['id']}/devices"), by=by, json=body))
    return dict(await world.stored("users", user["id"]))


async def names_in(world: World, by: Document, digit: int, short: str) -> list[str]:
    """The name in the subscriber, as found by it, and in the number and the device."""
    numbers = granted(await world.get(at("own", f"/phone-numbers/ddi/{f'd{digit}' * 12}"), by=by))["data"]
    device = granted(await world.get(at("own", f"/devices/{f'{digit}e' * 12}"), by=by))["data"]
    path = f"/api/svc/admin/v1.0/systems/{OWN}/phone-numbers?shortNumber={short}"
    (subscriber,) = granted(await world.get(path, by=by))["data"]
    return [
        subscriber["names"],
        subscriber["lastName"],
        numbers["names"],
        numbers["lastName"],
        device["userDisplayName"],
    ]


@pytest.mark.parametrize("many", [False, True])
async def test_a_new_name_is_found_in_all_copies(world_on_both: World, many: bool) -> None:
    voice = await exchanges(world_on_both)
    boss = await member(voice, "company_admin")
    ada = await extension(voice, boss, "8001", 1, displayName="Ada Moss", firstName="Ada", lastName="Moss")
    await extension(voice, boss, "8002", 2, displayName="Bo Moss", firstName="Bo", lastName="Moss")
    assert await names_in(voice, boss, 1, "8001") == ["Ada Moss", "Moss", "Ada Moss", "Moss", "Ada Moss"]
    changed = {**ada, "displayName": "Ada Zander", "lastName": "Zander"}
    async with voice.service.database.unit() as store:
        await (store.users.put_all([changed]) if many else store.users.put(changed))
    assert await names_in(voice, boss, 1, "8001") == ["Ada Zander", "Zander", "Ada Zander", "Zander", "Ada Zander"]
    assert await names_in(voice, boss, 2, "8002") == ["Bo Moss", "Moss", "Bo Moss", "Moss", "Bo Moss"]
    # Lists are sorted and searched by it.
    listed = granted(await voice.get(at("own", "/subscribers?sortField=names&sortOrder=-1"), by=boss))["data"]
    assert [each["names"] for each in listed] == ["Bo Moss", "Ada Zander"]
    path = f"/api/svc/admin/v1.0/systems/{OWN}/phone-numbers"
    assert len(granted(await voice.get(f"{path}?name=zan", by=boss))["data"]) == 1
    assert listed[1]["deviceName"] == "Ada Zander"


async def test_a_user_without_a_display_name_is_called_by_both_names(world: World) -> None:
    voice = await exchanges(world)
    boss = await member(voice, "company_admin")
    ada = await extension(voice, boss, "8001", 1, firstName="Ada", lastName="Moss")
    await put(voice, "users", **{**ada, "displayName": None, "lastName": "Zander"})
    assert (await names_in(voice, boss, 1, "8001"))[0] == "Ada Zander"
    # Another change of the user changes no copy; a device that was named otherwise keeps its name.
    subscriber = (granted(await voice.get(at("own", "/subscribers"), by=boss))["data"])[0]
    stored = await voice.stored("subscribers", subscriber["id"])
    await put(voice, "subscribers", **{**stored, "deviceName": "Front desk", "names": "kept"})
    await put(voice, "users", **{**(await voice.stored("users", ada["id"])), "jobTitle": "Engineer"})
    assert (await voice.stored("subscribers", subscriber["id"]))["names"] == "kept"
    await put(voice, "users", **{**(await voice.stored("users", ada["id"])), "firstName": "Ida"})
    found = await voice.stored("subscribers", subscriber["id"])
    assert (found["names"], found["deviceName"]) == ("Ida Zander", "Front desk")
