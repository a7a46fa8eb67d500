"""Welcomes and office hours (2.17, 4.7): deprecated, and they still work."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.catalogue import operations_of
from tests.server.companies.support import params, put
from tests.server.voice.world import OWN, at, checked, exchange_id, exchanges, member
from tests.support.world import World, granted, refused

Document = dict[str, Any]

HOURS, WELCOMES = at("own", "/ivrs/officehours"), at("own", "/ivrs/welcomes")
UNKNOWN = "f0" * 12
WEEK = [[], *[[["09:00", "12:00"], ["13:00", "18:00"]]] * 5, []]
CHRISTMAS = {"month": 12, "mday": 25, "open": False}


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def test_roles_for_office_hours(voice: World) -> None:
    for kind in ("welcomes", "officehours"):
        await checked(voice, "GET", f"/ivrs/{kind}", writes=False)
        await checked(voice, "GET", f"/ivrs/{kind}/{UNKNOWN}", writes=False)
        await checked(voice, "POST", f"/ivrs/{kind}", writes=True, json={"name": "Office"})
    await checked(voice, "PUT", f"/ivrs/officehours/{UNKNOWN}", writes=True, json={"name": "Office"})


def test_the_operations_are_marked_as_deprecated() -> None:
    marked = {id for id, operation in operations_of("voice").items() if operation.deprecated}
    assert marked >= {
        f"{verb}_{kind}"
        for verb, kind in (
            ("list", "welcomes"),
            ("create", "welcome"),
            ("get", "welcome"),
            ("list", "office_hours"),
            ("create", "office_hours"),
            ("get", "office_hours"),
        )
    }


async def test_office_hours_are_created_read_and_updated(voice: World, boss: Document) -> None:
    sent = {"name": "Office", "officehours": {"openhours": WEEK, "exceptions": [CHRISTMAS]}}
    made = granted(await voice.post(HOURS, by=boss, json=sent))["data"]
    assert made == {"id": made["id"], "systemId": OWN, **sent}
    address = f"{HOURS}/{made['id']}"
    assert granted(await voice.get(address, by=boss))["data"] == made
    friday = [*WEEK[:5], [["09:00", "15:00"]], []]
    changed = granted(await voice.put(address, by=boss, json={"officehours": {"openhours": friday}}))["data"]
    assert changed == {**made, "officehours": {"openhours": friday}}
    assert granted(await voice.put(address, by=boss, json={"name": "Desk"}))["data"] == {**changed, "name": "Desk"}
    refused(await voice.put(address, by=boss, json={}), 400100)
    assert params(refused(await voice.put(address, by=boss, json={"name": None}), 400000)) == ["name"]
    refused(await voice.put(f"{HOURS}/{UNKNOWN}", by=boss, json={"name": "x"}), 404000)
    refused(await voice.get(f"{HOURS}/{UNKNOWN}", by=boss), 404000)


@pytest.mark.parametrize(
    "hours",
    [
        {"openhours": [[]] * 6},
        {"openhours": [[]] * 8},
        {"openhours": [[["09:00"]], *[[]] * 6]},
        {"openhours": [[["9:00", "12:00"]], *[[]] * 6]},
        {"openhours": [[["09:00", "24:01"]], *[[]] * 6]},
        {"openhours": [[["12:00", "09:00"]], *[[]] * 6]},
        {"openhours": [[["09:00", "12:00"], ["11:00", "13:00"]], *[[]] * 6]},
        {"exceptions": [{"month": 13, "mday": 1}]},
        {"exceptions": [{"month": 1, "mday": 32}]},
        {"exceptions": [{"month": 2, "mday": 30}]},
        {"exceptions": [{"year": 2027, "month": 2, "mday": 29}]},
        {"exceptions": [{"month": 1}]},
        {"exceptions": [{"month": 1, "mday": 1, "periods": [["b", "a"]]}]},
        {"exceptions": [CHRISTMAS, {**CHRISTMAS, "open": True}]},
        {"exceptions": [{"year": 2026, **CHRISTMAS}, CHRISTMAS, {"year": 2026, **CHRISTMAS}]},
    ],
)
async def test_an_invalid_week_is_refused(voice: World, boss: Document, hours: Document) -> None:
    body = refused(await voice.post(HOURS, by=boss, json={"name": "Office", "officehours": hours}), 400000)
    assert params(body)[0].startswith("officehours.")


async def test_an_exception_of_one_year_may_repeat_a_day_of_every_year(voice: World, boss: Document) -> None:
    hours = {"exceptions": [CHRISTMAS, {"year": 2026, **CHRISTMAS, "open": True}]}
    assert granted(await voice.post(HOURS, by=boss, json={"name": "Office", "officehours": hours}))


async def test_a_welcome_is_created_and_read(voice: World, boss: Document) -> None:
    made = granted(await voice.post(WELCOMES, by=boss, json={"name": "Hello"}))["data"]
    assert made == {"id": made["id"], "systemId": OWN, "name": "Hello"}
    assert granted(await voice.get(f"{WELCOMES}/{made['id']}", by=boss))["data"] == made
    for sent in ({}, {"name": ""}, {"name": None}):
        assert params(refused(await voice.post(WELCOMES, by=boss, json=sent), 400000)) == ["name"]


@pytest.mark.parametrize(("address", "kind"), [(HOURS, "office_hours"), (WELCOMES, "welcomes")])
async def test_lists_by_name(voice: World, boss: Document, address: str, kind: str) -> None:
    for digit, name in enumerate(("Winter", "always", "Summer")):
        await put(voice, kind, id=f"1{digit}" * 12, systemId=OWN, name=name)
    await put(voice, kind, id="20" * 12, systemId=exchange_id("sister"), name="Sister's")

    async def found(query: str) -> list[str]:
        return [each["name"] for each in granted(await voice.get(f"{address}?{query}", by=boss))["data"]]

    assert await found("") == ["always", "Summer", "Winter"]
    assert await found("name=WIN") == ["Winter"]
    assert await found("limit=1&offset=1") == ["Summer"]
    assert await found("limit=1") == ["always"] and await found("offset=1") == ["Summer", "Winter"]
    refused(await voice.get(f"{address}/{'20' * 12}", by=boss), 404000)


@pytest.mark.parametrize(
    ("kind", "wire", "thing"),
    [("office_hours", "companyCalendarId", "Office hours"), ("welcomes", "welcomeId", "Welcome")],
)
async def test_records_that_a_service_uses_are_not_deleted(
    voice: World, boss: Document, kind: str, wire: str, thing: str
) -> None:
    id = "10" * 12
    await put(voice, kind, id=id, systemId=OWN, name="Office")
    await put(voice, "welcome_services", id="5e" * 12, systemId=OWN, name="Reception", **{wire: id})
    body = refused(await voice.delete(at("own", f"/ivrs/{id}"), by=boss), 403739)
    assert "Reception" in body["errorDetails"]
    granted(await voice.delete(at("own", f"/ivrs/{'5e' * 12}"), by=boss))
    answer = granted(await voice.delete(at("own", f"/ivrs/{id}"), by=boss))
    assert answer["status"] == f"{thing} {id} successfully deleted"
    refused(await voice.delete(at("own", f"/ivrs/{id}"), by=boss), 404000)
