"""The options of a CloudPBX (4.7): barring, prohibited numbers, CLI, pick lists, emergency, announcement."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import params
from tests.server.voice.world import OTHERS, OWN, at, checked, exchanges, member
from tests.support.world import OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

PROHIBITED = at("own", "/barring-options/custom-numbers-restriction")


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


@pytest.mark.parametrize(
    "path",
    [
        "/barring-options",
        "/barring-options/custom-numbers-restriction",
        "/cli-options",
        "/languages",
        "/devicemodels",
        "/emergency-numbers",
        "/phone-numbers/free",
    ],
)
async def test_roles_that_read_the_options(voice: World, path: str) -> None:
    await checked(voice, "GET", path, writes=False)


async def test_roles_that_change_the_options(voice: World) -> None:
    path = "/barring-options/custom-numbers-restriction"
    await checked(voice, "PUT", path, writes=True, json={"patterns": []})
    await checked(voice, "PUT", "/cli-options", writes=True, json={"userCanManageItsCli": True})


async def test_barring_options(voice: World, boss: Document) -> None:
    found = granted(await voice.get(at("own", "/barring-options"), by=boss))["data"]
    assert [each["id"] for each in found["permissions"]] == ["local", "nat_local", "int_nat_local"]
    assert [each["id"] for each in found["restrictions"]] == ["no_restriction", "surcharged_numbers", "custom_numbers"]
    assert all(each["description"] for each in (*found["permissions"], *found["restrictions"]))


async def test_prohibited_numbers_are_replaced_as_a_whole(voice: World, boss: Document) -> None:
    assert granted(await voice.get(PROHIBITED, by=boss))["data"] == {"patterns": []}
    first = [{"pattern": "0900", "description": "dear"}, {"pattern": "118"}]
    answer = granted(await voice.put(PROHIBITED, by=boss, json={"patterns": first}))
    assert answer["data"] == {"patterns": first} and answer["status"]
    second = [{"pattern": "118"}]
    granted(await voice.put(PROHIBITED, by=boss, json={"patterns": second}))
    assert granted(await voice.get(PROHIBITED, by=boss))["data"] == {"patterns": second}


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "patterns"),
        ({"patterns": None}, "patterns"),
        ({"patterns": [{"description": "x"}]}, "patterns.0.pattern"),
        ({"patterns": [{"pattern": "1"}, {"pattern": "2"}, {"pattern": "1"}]}, "patterns.2.pattern"),
    ],
)
async def test_an_invalid_list_of_prohibited_numbers_changes_nothing(
    voice: World, boss: Document, body: Document, param: str
) -> None:
    kept = {"patterns": [{"pattern": "0900"}]}
    granted(await voice.put(PROHIBITED, by=boss, json=kept))
    assert params(refused(await voice.put(PROHIBITED, by=boss, json=body), 400000)) == [param]
    assert granted(await voice.get(PROHIBITED, by=boss))["data"] == kept


async def test_cli_options_change_one_by_one(voice: World, boss: Document) -> None:
    path = at("own", "/cli-options")
    granted(await voice.put(path, by=boss, json={"policy": "user_ddi_number"}))
    answer = granted(await voice.put(path, by=boss, json={"userCanManageItsCli": True}))
    expected = {"policy": "user_ddi_number", "userCanManageItsCli": True, "numberE164": None}
    assert answer["data"] == granted(await voice.get(path, by=boss))["data"] == expected
    assert granted(await voice.get(at("own"), by=boss))["data"]["cloudpbx"]["cliOptions"] == expected
    refused(await voice.put(path, by=boss, json={}), 400100)
    # The company's number follows from the default DDI number.
    refused(await voice.put(path, by=boss, json={"numberE164": "+351210000000"}), 400100)
    assert params(refused(await voice.put(path, by=boss, json={"policy": None}), 400000)) == ["policy"]
    refused(await voice.put(path, by=boss, json={"policy": "other_ddi_number"}), 400000)


async def test_pick_lists(voice: World, boss: Document) -> None:
    languages = granted(await voice.get(at("own", "/languages"), by=boss))["data"]
    assert sorted(languages) == sorted(["ro", "es", "it", "de", "fr", "en", "ar", "he", "nl", "pt_br"])
    models = granted(await voice.get(at("own", "/devicemodels"), by=boss))["data"]
    assert all(len(model["id"]) == 24 and model["vendor"] and model["model"] for model in models)
    assert "Generic SIP" in [model["model"] for model in models]


async def test_emergency_numbers_are_those_of_the_country(voice: World, boss: Document) -> None:
    granted(await voice.put(at("own"), by=boss, json={"emergencyOptions": {"emergencyGroupActivated": True}}))
    found = granted(await voice.get(at("own", "/emergency-numbers"), by=boss))["data"]
    assert "112" in [each["number"] for each in found["numbers"]]
    assert found["emergencyGroupActivated"] is True


async def test_only_the_company_admin_sets_the_announcement(voice: World, boss: Document) -> None:
    path = at("own", "/recordings/announcement-profile")
    for profile in ("all", "external_only", "internal_only", "none"):
        answer = granted(await voice.put(path, by=boss, json={"announcementProfile": profile}))
        assert set(answer) == {"status"}
        assert (await voice.stored("cloudpbxs", OWN))["cloudpbx"]["announcementProfile"] == profile
    refused(await voice.put(path, by=boss, json={"announcementProfile": "some"}), 400000)
    refused(await voice.put(path, by=boss, json={}), 400000)
    for role in ("superadmin", "support", "bp_admin", "organization_admin", "site_admin", *OTHERS):
        refused(await voice.put(path, by=await member(voice, role), json={"announcementProfile": "all"}), 403000)
    stranger = await member(voice, "company_admin", OTHER_COMPANY)
    refused(await voice.put(path, by=stranger, json={"announcementProfile": "all"}), 403301)
