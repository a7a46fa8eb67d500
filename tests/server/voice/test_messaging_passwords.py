"""Passwords of messaging addresses: in reads of one record, for those who may update it, and nowhere else (2.14)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import PARTNER, put
from tests.server.voice.world import at, exchange_id, exchanges, member
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted

Document = dict[str, Any]
SECRET = "5ecret-of-a-line"
NAMES = ("own", "sister", "customer")
LINE, NUMBER = "b7" * 12, "b8" * 12
#: Who may update the records of a CloudPBX (4.7): role, home, and the CloudPBX.
WRITERS = [
    ("superadmin", OTHER_COMPANY, "own"),
    ("bp_admin", PARTNER, "customer"),
    ("organization_admin", COMPANY, "sister"),
    ("company_admin", COMPANY, "own"),
]
READERS = [("support", OTHER_COMPANY, "own"), ("site_admin", COMPANY, "own")]


@pytest.fixture
async def voice(world: World) -> World:
    await exchanges(world)
    for place, name in enumerate(NAMES):
        id = exchange_id(name)
        found = await world.stored("cloudpbxs", id)
        await put(world, "cloudpbxs", **{**found, "jid_pbxagent_password": SECRET, "jid_pbxpcg_password": SECRET})
        part = {"systemId": id, "jid_password": SECRET, "number": f"+35121000000{place}"}
        await put(
            world,
            "subscribers",
            id=LINE[:-1] + str(place),
            userId=f"{place}e" * 12,
            shortNumber="8001",
            status="activated",
            **part,
        )
        await put(world, "ddis", id=NUMBER[:-1] + str(place), numberE164=part["number"], **part)
    return world


def addresses(name: str) -> list[tuple[str, tuple[str, ...]]]:
    place = str(NAMES.index(name))
    return [
        (at(name), ("jid_pbxagent_password", "jid_pbxpcg_password")),
        (at(name, f"/subscribers/{LINE[:-1]}{place}"), ("jid_password",)),
        (at(name, f"/phone-numbers/ddi/{NUMBER[:-1]}{place}"), ("jid_password",)),
    ]


@pytest.mark.parametrize(("role", "home", "name"), WRITERS)
async def test_those_who_may_update_a_record_read_its_messaging_passwords(
    voice: World, role: str, home: str, name: str
) -> None:
    by = await member(voice, role, home)
    for address, fields in addresses(name):
        found = granted(await voice.get(address, by=by))["data"]
        assert {field: found.get(field) for field in fields} == dict.fromkeys(fields, SECRET), address


@pytest.mark.parametrize(("role", "home", "name"), READERS)
async def test_those_who_only_read_it_do_not(voice: World, role: str, home: str, name: str) -> None:
    by = await member(voice, role, home)
    for address, _ in addresses(name):
        answer = await voice.get(address, by=by)
        assert granted(answer) and SECRET not in answer.text


async def test_messaging_passwords_are_nowhere_else(voice: World) -> None:
    boss = await member(voice, "company_admin")
    root = await member(voice, "superadmin")
    answers = [
        await voice.get(f"{at('own').rpartition('/')[0]}?format=full", by=boss),
        await voice.get(at("own", "/subscribers?format=full"), by=boss),
        await voice.get(at("own", "/phone-numbers/ddi?format=full"), by=boss),
        await voice.put(at("own"), by=boss, json={"name": "Renamed"}),
        await voice.put(at("own"), by=root, json={"name": "Renamed again"}),
        await voice.get("/api/svc/audit/v1.0/records?format=full", by=root),
    ]
    for answer in answers:
        assert granted(answer) and SECRET not in answer.text, answer.request.url
    assert "Renamed again" in answers[-1].text
