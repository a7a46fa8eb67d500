"""Internal numbers of a CloudPBX (4.7): emergency numbers are none, and none begins like another number."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import caller, params, put
from tests.server.voice.world import OWN, at, exchanges, member
from tests.support.world import COMPANY, World, granted, refused

Document = dict[str, Any]

LICENCE = {"profileName": "Voice", "isVoicePhone": True}


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


@pytest.mark.parametrize(
    "plan",
    [
        {"numberingPrefix": None, "numberingDigits": None},
        {"numberingPrefix": 1, "numberingDigits": 3},
        {"numberingPlan": [{"prefix": "11", "digits": 3}]},
        {"numberingPrefixes": ["1"], "numberingDigits": 3, "numberingDigitsLength": "variable"},
    ],
)
async def test_an_emergency_number_is_neither_offered_nor_accepted_whatever_the_plan(
    voice: World, boss: Document, plan: Document
) -> None:
    granted(await voice.put(at("own"), by=boss, json=plan))
    # Who dials 112 calls the emergency services: no colleague can be reached there.
    body = {"userId": (await caller(voice, "user", COMPANY, profiles=[LICENCE]))["id"], "shortNumber": "112"}
    answer = refused(await voice.post(at("own", "/subscribers"), by=boss, json=body), 400000)
    assert answer["errorDetails"][0]["msg"] == "is an emergency number"
    free = granted(await voice.get(at("own", "/phone-numbers/free"), by=boss))["data"]
    assert "112" not in free and (free == [] or "111" in free)
    granted(await voice.post(at("own", "/subscribers"), by=boss, json={**body, "shortNumber": "111"}))


async def test_the_emergency_numbers_are_those_of_the_company_where_the_cloudpbx_has_no_country(
    voice: World, boss: Document
) -> None:
    pbx, company = await voice.stored("cloudpbxs", OWN), await voice.stored("companies", COMPANY)
    await put(voice, "companies", **{**company, "country": "USA"})
    await put(voice, "cloudpbxs", **{**pbx, "country": None, "cloudpbx": {"numberingPrefix": 9, "numberingDigits": 3}})
    free = granted(await voice.get(at("own", "/phone-numbers/free"), by=boss))["data"]
    assert "910" in free and "911" not in free
    listed = granted(await voice.get(at("own", "/emergency-numbers"), by=boss))["data"]["numbers"]
    assert {"number": "911"} in listed


@pytest.mark.parametrize(
    ("first", "second", "code", "param"),
    [
        ({"outgoingPrefix": 0}, {"numberingPlan": [{"prefix": "0", "digits": 4}]}, 400601, "numberingPlan"),
        ({"outgoingPrefix": 0}, {"numberingPlan": [{"prefix": "01", "digits": 4}]}, 400601, "numberingPlan"),
        ({"outgoingPrefix": 0}, {"numberingPrefixes": ["01"], "numberingDigits": 4}, 400601, "numberingPrefixes"),
        ({"numberingPlan": [{"prefix": "91", "digits": 3}]}, {"outgoingPrefix": 9}, 400601, "numberingPlan"),
        ({}, {"numberingPlan": [{"prefix": "8", "digits": 3}]}, 400000, "numberingPlan"),
        ({}, {"numberingPlan": [{"prefix": "81", "digits": 5}]}, 400000, "numberingPlan"),
        (
            {"numberingPrefix": None, "numberingPlan": [{"prefix": "8", "digits": 3}]},
            {"numberingPrefix": 8, "numberingDigits": 4},
            400000,
            "numberingPlan",
        ),
        ({"numberingPlan": [{"prefix": "8", "digits": 4}]}, {"numberingDigits": 3}, 400000, "numberingPlan"),
    ],
)
async def test_numbers_that_begin_like_others_are_refused_in_either_order(
    voice: World, boss: Document, first: Document, second: Document, code: int, param: str
) -> None:
    if first:
        granted(await voice.put(at("own"), by=boss, json=first))
    before = await voice.stored("cloudpbxs", OWN)
    assert params(refused(await voice.put(at("own"), by=boss, json=second), code)) == [param]
    assert await voice.stored("cloudpbxs", OWN) == before
