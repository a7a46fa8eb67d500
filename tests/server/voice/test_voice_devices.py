"""SIP devices (2.15, 4.7): creation, update, deletion, assignment, roles, and concurrent requests."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from svc_tui.server.voice.devices import DEVICE_MODELS
from tests.server.companies.support import params, put
from tests.server.voice.world import OWN, at, checked, exchange_id, exchanges, member, subscriber
from tests.support.world import COMPANY, World, granted, refused

Document = dict[str, Any]

DEVICES = at("own", "/devices")
MAC = "00:1b:2c:3d:4e:5f"
UNKNOWN = "f0" * 12


def model(family: str, *modules: str) -> Document:
    """A model of a family that takes exactly these modules."""
    return next(each for each in DEVICE_MODELS if (each["family"], each["expansionModules"]) == (family, list(modules)))


PLAIN, BIG = model("desk_phone"), model("desk_phone", "EM_20", "EM_200")
GENERIC, DECT = model("generic"), model("dect")


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def made(world: World, by: Document, **fields: Any) -> Document:
    """A device that was created over the interface."""
    sent = {"deviceTypeId": PLAIN["id"], "macAddress": MAC, **fields}
    device: Document = granted(await world.post(DEVICES, by=by, json=sent))["data"]
    return device


async def test_roles_that_read_devices(voice: World) -> None:
    await checked(voice, "GET", "/devices", writes=False)
    await checked(voice, "GET", f"/devices/{UNKNOWN}", writes=False)
    await checked(voice, "GET", f"/devices/{UNKNOWN}/registrations", writes=False)
    await checked(voice, "GET", f"/subscribers/{UNKNOWN}/devices", writes=False)
    await checked(voice, "GET", f"/subscribers/{UNKNOWN}/devices/{UNKNOWN}", writes=False)
    await checked(voice, "GET", f"/subscribers/{UNKNOWN}/registrations", writes=False)


async def test_roles_that_change_devices(voice: World) -> None:
    await checked(voice, "POST", "/devices", writes=True, json={"deviceTypeId": GENERIC["id"]})
    await checked(voice, "PUT", f"/devices/{UNKNOWN}", writes=True, json={"description": "x"})
    await checked(voice, "DELETE", f"/devices/{UNKNOWN}", writes=True)
    await checked(voice, "POST", f"/devices/{UNKNOWN}/expansion-modules", writes=True, json={"type": "EM_20"})
    await checked(voice, "POST", f"/subscribers/{UNKNOWN}/devices", writes=True, json={"deviceId": UNKNOWN})
    await checked(voice, "DELETE", f"/subscribers/{UNKNOWN}/devices/{UNKNOWN}", writes=True)


async def test_a_device_is_created_and_read_back(voice: World, boss: Document) -> None:
    device = await made(voice, boss, macAddress="001B2C-3D4E5F", description="Reception")
    kind = {name: PLAIN[name] for name in ("id", "vendor", "model")}
    expected = {"macAddress": MAC, "deviceType": kind, "companyId": COMPANY, "systemId": OWN, "currentDevice": False}
    assert {**expected, "description": "Reception"}.items() <= device.items()
    assert granted(await voice.get(f"{DEVICES}/{device['id']}", by=boss))["data"] == device


async def test_desk_phones_need_an_address_and_others_have_none(voice: World, boss: Document) -> None:
    for sent, expected in (
        ({}, ["deviceTypeId"]),
        ({"deviceTypeId": UNKNOWN}, ["deviceTypeId"]),
        ({"deviceTypeId": PLAIN["id"]}, ["macAddress"]),
        ({"deviceTypeId": PLAIN["id"], "macAddress": ""}, ["macAddress"]),
        ({"deviceTypeId": PLAIN["id"], "macAddress": "00:1b:2c"}, ["macAddress"]),
        ({"deviceTypeId": PLAIN["id"], "macAddress": "ff:ff:ff:ff:ff:ff"}, ["macAddress"]),
        ({"deviceTypeId": GENERIC["id"], "macAddress": MAC}, ["macAddress"]),
        ({"deviceTypeId": DECT["id"], "macAddress": MAC}, ["macAddress"]),
    ):
        assert params(refused(await voice.post(DEVICES, by=boss, json=sent), 400000)) == expected, sent
    for _ in range(2):
        assert (await made(voice, boss, deviceTypeId=GENERIC["id"], macAddress=None))["macAddress"] is None


async def test_an_address_is_used_once(voice: World, boss: Document) -> None:
    device = await made(voice, boss)
    again = {"deviceTypeId": PLAIN["id"], "macAddress": MAC.upper().replace(":", "-")}
    refused(await voice.post(DEVICES, by=boss, json=again), 409560)
    organisation = await member(voice, "organization_admin")
    refused(await voice.post(at("sister", "/devices"), by=organisation, json=again), 409563)
    other = await made(voice, boss, macAddress="00:1b:2c:3d:4e:60")
    refused(await voice.put(f"{DEVICES}/{other['id']}", by=boss, json={"macAddress": MAC}), 409560)
    granted(await voice.put(f"{DEVICES}/{device['id']}", by=boss, json={"macAddress": "001b.2c3d.4e5f"}))


async def test_of_concurrent_devices_with_one_address_one_is_created(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    by = await member(world, "organization_admin")
    sent = {"deviceTypeId": PLAIN["id"], "macAddress": MAC}
    addresses = [at("own", "/devices"), at("sister", "/devices")] * 2
    answers = await asyncio.gather(*(world.post(address, by=by, json=sent) for address in addresses))
    made = [answer for answer in answers if answer.status_code == 200]
    assert len(made) == 1
    assert {answer.json()["errorDetailsCode"] for answer in answers if answer not in made} == {409560, 409563}


async def test_a_device_is_changed(voice: World, boss: Document) -> None:
    device = await made(voice, boss, description="Old")
    address = f"{DEVICES}/{device['id']}"
    changed = granted(await voice.put(address, by=boss, json={"description": "New"}))["data"]
    assert changed == {**device, "description": "New"}
    changed = granted(await voice.put(address, by=boss, json={"macAddress": "00-1B-2C-3D-4E-60"}))["data"]
    assert changed["macAddress"] == "00:1b:2c:3d:4e:60"
    assert granted(await voice.put(address, by=boss, json={"description": None}))["data"]["description"] is None
    refused(await voice.put(address, by=boss, json={}), 400100)
    for sent in ({"macAddress": None}, {"macAddress": "desk"}):
        assert params(refused(await voice.put(address, by=boss, json=sent), 400000)) == ["macAddress"]
    refused(await voice.put(f"{DEVICES}/{UNKNOWN}", by=boss, json={"description": "x"}), 404000)


async def test_new_hardware_is_not_online_before_it_registers(voice: World, boss: Document) -> None:
    device = await made(voice, boss)
    await registration(voice, deviceId=device["id"])
    address = f"{DEVICES}/{device['id']}"
    granted(await voice.put(address, by=boss, json={"description": "Same telephone"}))
    assert len(granted(await voice.get(f"{address}/registrations", by=boss))["data"]) == 1
    granted(await voice.put(address, by=boss, json={"macAddress": "00:1b:2c:3d:4e:60"}))
    assert granted(await voice.get(f"{address}/registrations", by=boss))["data"] == []


async def test_a_device_of_another_cloudpbx_is_not_found(voice: World) -> None:
    await put(voice, "devices", id="de" * 12, systemId=exchange_id("sister"), description="theirs")
    by = await member(voice, "organization_admin")
    granted(await voice.get(at("sister", f"/devices/{'de' * 12}"), by=by))
    refused(await voice.get(at("own", f"/devices/{'de' * 12}"), by=by), 404000)
    refused(await voice.delete(at("own", f"/devices/{'de' * 12}"), by=by), 404000)


async def test_filters_and_order_of_the_list(voice: World, boss: Document) -> None:
    first, second = await subscriber(voice, "8001"), await subscriber(voice, "8002")
    for key, holder in (("a", first), ("b", second), ("c", None), ("d", None)):
        document = {"description": key.upper(), **({"phoneNumberId": holder["id"]} if holder else {})}
        await put(voice, "devices", id=f"{key}0" * 12, systemId=OWN, macAddress=f"00:00:00:00:00:{key}0", **document)

    async def found(query: str = "") -> list[str]:
        page = granted(await voice.get(f"{DEVICES}?{query}", by=boss))
        assert page["total"] >= len(page["data"])
        return [each["description"] for each in page["data"]]

    assert await found() == ["A", "B", "C", "D"]
    assert await found("sortOrder=-1&limit=2&offset=1") == ["C", "B"]
    assert await found("assigned=true") == ["A", "B"]
    assert await found("assigned=false") == ["C", "D"]
    assert await found(f"phoneNumberId={first['id']}") == ["A"]
    assert await found(f"phoneNumberId={first['id']}%20{second['id']}") == ["A", "B"]
    assert await found("sortField=macAddress") == ["A", "B", "C", "D"]
    refused(await voice.get(f"{DEVICES}?sortField=colour", by=boss), 400000)


async def test_only_an_unassigned_device_is_deleted(voice: World, boss: Document) -> None:
    person, device = await subscriber(voice, "8001"), await made(voice, boss)
    held = at("own", f"/subscribers/{person['id']}/devices")
    granted(await voice.post(held, by=boss, json={"deviceId": device["id"]}))
    refused(await voice.delete(f"{DEVICES}/{device['id']}", by=boss), 409561)
    granted(await voice.delete(f"{held}/{device['id']}", by=boss))
    assert granted(await voice.get(f"{DEVICES}/{device['id']}", by=boss))["data"] == device
    answer = granted(await voice.delete(f"{DEVICES}/{device['id']}", by=boss))
    assert (answer["status"], answer["data"]) == (f"Device {device['id']} successfully deleted", [])
    refused(await voice.get(f"{DEVICES}/{device['id']}", by=boss), 404000)


async def test_a_device_is_assigned_by_id_or_by_address_and_model(voice: World, boss: Document) -> None:
    person, device = await subscriber(voice, "8001"), await made(voice, boss)
    held = at("own", f"/subscribers/{person['id']}/devices")
    for sent in ({"deviceId": device["id"]}, {"macAddress": "001B.2C3D.4E5F", "deviceTypeId": PLAIN["id"]}):
        given = granted(await voice.post(held, by=boss, json=sent))["data"]
        assert (given["phoneNumberId"], given["userId"]) == (person["id"], person["userId"])
        assert (given["shortNumber"], given["userDisplayName"], given["currentDevice"]) == ("8001", "User 8001", True)
        assert granted(await voice.get(held, by=boss))["data"] == [given]
        assert granted(await voice.get(f"{held}/{device['id']}", by=boss))["data"] == given
        refused(await voice.post(held, by=boss, json=sent), 409562)
        granted(await voice.delete(f"{held}/{device['id']}", by=boss))
        assert granted(await voice.get(f"{DEVICES}/{device['id']}", by=boss))["data"] == device


async def test_devices_that_cannot_be_assigned(voice: World, boss: Document) -> None:
    person = await subscriber(voice, "8001")
    await made(voice, boss)
    await put(voice, "devices", id="de" * 12, systemId=exchange_id("sister"), macAddress="00:00:00:00:00:01")
    held = at("own", f"/subscribers/{person['id']}/devices")
    for sent, code in (
        ({}, 400000),
        ({"macAddress": MAC}, 400000),
        ({"macAddress": "desk", "deviceTypeId": PLAIN["id"]}, 400000),
        ({"deviceId": "1"}, 400000),
        ({"deviceId": UNKNOWN}, 404000),
        ({"deviceId": "de" * 12}, 404000),
        ({"macAddress": "00:00:00:00:00:01", "deviceTypeId": PLAIN["id"]}, 404000),
        ({"macAddress": MAC, "deviceTypeId": BIG["id"]}, 404000),
    ):
        refused(await voice.post(held, by=boss, json=sent), code)
    refused(await voice.post(at("own", f"/subscribers/{UNKNOWN}/devices"), by=boss, json={"deviceId": UNKNOWN}), 404000)


async def test_of_concurrent_assignments_of_a_device_one_succeeds(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    boss = await member(world, "company_admin")
    device = await made(world, boss)
    people = [await subscriber(world, short) for short in ("8001", "8002", "8003")]
    answers = await asyncio.gather(
        *(
            world.post(at("own", f"/subscribers/{each['id']}/devices"), by=boss, json={"deviceId": device["id"]})
            for each in people
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]


async def test_when_the_current_device_is_unassigned_the_next_one_becomes_current(voice: World, boss: Document) -> None:
    person = await subscriber(voice, "8001")
    held = at("own", f"/subscribers/{person['id']}/devices")
    first, second = await made(voice, boss), await made(voice, boss, macAddress="00:1b:2c:3d:4e:60")
    current = [
        granted(await voice.post(held, by=boss, json={"deviceId": each["id"]}))["data"]["currentDevice"]
        for each in (first, second)
    ]
    assert current == [True, False]
    granted(await voice.delete(f"{held}/{first['id']}", by=boss))
    assert granted(await voice.get(f"{held}/{second['id']}", by=boss))["data"]["currentDevice"] is True
    refused(await voice.get(f"{held}/{first['id']}", by=boss), 404000)
    refused(await voice.delete(f"{held}/{first['id']}", by=boss), 404000)


async def registration(world: World, key: str = "re", **fields: Any) -> Document:
    document = {"id": key * 12, "systemId": OWN, "expirationDate": "2026-11-20T11:00:00.000Z", **fields}
    return await put(world, "registrations", **document)


async def test_registrations(voice: World, boss: Document) -> None:
    person, device = await subscriber(voice, "8001"), await made(voice, boss)
    held = at("own", f"/subscribers/{person['id']}")
    granted(await voice.post(f"{held}/devices", by=boss, json={"deviceId": device["id"]}))
    both = {"deviceId": device["id"], "phoneNumberId": person["id"]}
    await registration(voice, "r1", **both)
    await registration(voice, "r2", phoneNumberId=person["id"], expirationDate="2026-11-20T12:00:00.000Z")
    await registration(voice, "r3", **both, expirationDate="2026-11-20T09:59:59.999Z")

    async def found(address: str) -> list[str]:
        return [each["id"][:2] for each in granted(await voice.get(f"{address}/registrations", by=boss))["data"]]

    assert await found(held) == ["r2", "r1"]
    assert await found(f"{DEVICES}/{device['id']}") == ["r1"]
    voice.clock.forward(hours=1, minutes=1)
    assert await found(held) == ["r2"]
    voice.clock.forward(minutes=-30)
    granted(await voice.delete(f"{held}/devices/{device['id']}", by=boss))
    assert await found(held) == ["r2"]
    assert await found(f"{DEVICES}/{device['id']}") == []


async def test_expansion_modules_with_their_keys(voice: World, boss: Document) -> None:
    device = await made(voice, boss, deviceTypeId=BIG["id"])
    address = f"{DEVICES}/{device['id']}/expansion-modules"
    keys = [{"position": 1, "label": "Door", "number": "8500"}, {"position": 20, "number": "8501"}]
    changed = granted(await voice.post(address, by=boss, json={"type": "EM_20", "keys": keys}))["data"]
    assert changed["expansionModules"] == [{"type": "EM_20", "keys": keys}]
    changed = granted(await voice.post(address, by=boss, json={"type": "EM_200"}))["data"]
    assert [each["type"] for each in changed["expansionModules"]] == ["EM_20", "EM_200"]


async def test_unsupported_modules_and_keys_are_refused(voice: World, boss: Document) -> None:
    big = await made(voice, boss, deviceTypeId=BIG["id"])
    plain = await made(voice, boss, macAddress="00:1b:2c:3d:4e:60")
    for device, sent, expected in (
        (big, {}, ["type"]),
        (big, {"type": "EM_21"}, ["type"]),
        (plain, {"type": "EM_20"}, ["type"]),
        (big, {"type": "EM_20", "keys": [{"position": 21}]}, ["keys"]),
        (big, {"type": "EM_200", "keys": [{"position": 201}]}, ["keys.0.position"]),
        (big, {"type": "EM_20", "keys": [{"position": 0}]}, ["keys.0.position"]),
        (big, {"type": "EM_20", "keys": [{"position": 1}, {"position": 1}]}, ["keys"]),
    ):
        address = f"{DEVICES}/{device['id']}/expansion-modules"
        assert params(refused(await voice.post(address, by=boss, json=sent), 400000)) == expected, sent
    granted(
        await voice.post(
            f"{DEVICES}/{big['id']}/expansion-modules",
            by=boss,
            json={"type": "EM_200", "keys": [{"position": 200}]},
        )
    )
