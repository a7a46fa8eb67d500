"""External trunks (2.14, 4.7): superadmin reads all of them, a bp_admin those of the BP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import RESELLER, caller, params, populated, put
from tests.server.voice.world import BASE
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]

ALL = f"{BASE}/external-trunks"
#: name -> BPs that may use it
TRUNKS = {"both": [PARTNER, RESELLER], "partner": [PARTNER], "no partner": []}
UNKNOWN = "f0" * 12


def trunk_id(name: str) -> str:
    return f"7{sorted(TRUNKS).index(name)}" * 12


@pytest.fixture
async def trunks(world: World) -> World:
    await populated(world)
    for name, partners in TRUNKS.items():
        kind = "hybrid_trunk" if name == "both" else "bp_trunk"
        status = "new" if name == "no partner" else "active"
        fields = {"bpIds": partners, "trunkType": kind, "status": status, "voiceInstanceId": f"voice {name}"}
        await put(world, "external_trunks", id=trunk_id(name), name=name, **fields)
    return world


@pytest.mark.parametrize(
    ("role", "home", "expected"),
    [
        ("superadmin", OTHER_COMPANY, {"both", "partner", "no partner"}),
        ("bp_admin", PARTNER, {"both", "partner"}),
        ("bp_admin", RESELLER, {"both"}),
        ("bp_admin", OTHER_COMPANY, set()),
    ],
)
async def test_roles_that_read_trunks(trunks: World, role: str, home: str, expected: set[str]) -> None:
    by = await caller(trunks, role, home)
    assert {each["name"] for each in granted(await trunks.get(ALL, by=by))["data"]} == expected
    for name in TRUNKS:
        answer = await trunks.get(f"{ALL}/{trunk_id(name)}", by=by)
        if name in expected:
            assert granted(answer)["data"] == await trunks.stored("external_trunks", trunk_id(name))
        else:
            refused(answer, 403301)
    refused(await trunks.get(f"{ALL}/{UNKNOWN}", by=by), 404000)


@pytest.mark.parametrize(
    "role", ["support", "bp_finance", "organization_admin", "company_admin", "site_admin", "user", "business_admin"]
)
async def test_other_roles_read_no_trunks(trunks: World, role: str) -> None:
    by = await caller(trunks, role, COMPANY)
    refused(await trunks.get(ALL, by=by), 403000)
    refused(await trunks.get(f"{ALL}/{trunk_id('both')}", by=by), 403000)


async def test_filters_of_the_list(trunks: World) -> None:
    by = await caller(trunks, "superadmin", OTHER_COMPANY)

    async def found(query: str) -> list[str]:
        return [each["name"] for each in granted(await trunks.get(f"{ALL}?{query}", by=by))["data"]]

    assert await found("") == ["both", "no partner", "partner"]
    assert await found("status=active") == ["both", "partner"]
    assert await found("trunkType=hybrid_trunk") == ["both"]
    assert await found("voiceInstanceId=voice%20no%20partner") == ["no partner"]
    assert await found("status=active&trunkType=bp_trunk") == ["partner"]
    assert params(refused(await trunks.get(f"{ALL}?status=old", by=by), 400000)) == ["status"]
