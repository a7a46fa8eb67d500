"""CloudPBXs (2.14, 4.7): roles, creation, and updates that are refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.interface.specification_2_7 import ROLES
from tests.server.companies.support import (
    CUSTOMER,
    GRANDCHILD,
    PARTNER,
    RESELLER,
    TERMINATED,
    caller,
    params,
    populated,
    put,
)
from tests.server.voice.world import (
    ALL,
    BASE,
    EXCHANGES,
    OTHERS,
    OWN,
    REACH,
    at,
    checked,
    exchange_id,
    exchanges,
    member,
    subscriber,
)
from tests.support.world import COMPANY, OTHER_COMPANY, SITE, World, granted, refused

Document = dict[str, Any]

TRUNK, OTHER_TRUNK, LOCKED = "71" * 12, "72" * 12, "73" * 12


@pytest.fixture
async def voice(world: World) -> World:
    await exchanges(world)
    for id, partner in ((TRUNK, PARTNER), (OTHER_TRUNK, RESELLER), (LOCKED, PARTNER)):
        await put(
            world,
            "external_trunks",
            id=id,
            name=f"Trunk {id[:2]}",
            status="active",
            trunkType="bp_trunk",
            bpIds=[partner],
            locked=id == LOCKED,
        )
    return world


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


@pytest.fixture
async def root(voice: World) -> Document:
    return await member(voice, "superadmin", OTHER_COMPANY)


async def changed(world: World, by: Document, **fields: Any) -> Document:
    """The settings after an update that was taken."""
    answer = granted(await world.put(at("own"), by=by, json=fields))
    read = granted(await world.get(at("own"), by=by))
    assert answer == read
    return dict(answer["data"]["cloudpbx"])


async def test_roles_that_read_cloudpbxs(voice: World) -> None:
    for role, home, expected, _ in REACH:
        page = granted(await voice.get(ALL, by=await member(voice, role, home)))
        assert {each["id"] for each in page["data"]} == {exchange_id(name) for name in expected}, role
        assert (page["total"], page["limit"], page["offset"]) == (len(expected), 100, 0)
    for role in set(ROLES) - {role for role, *_ in REACH}:
        refused(await voice.get(ALL, by=await caller(voice, role)), 403000)
    await checked(voice, "GET", "", writes=False)


async def test_a_site_administrator_does_not_read_a_cloudpbx_of_another_site(voice: World) -> None:
    by = await caller(voice, "site_admin", siteId="52" * 12)
    assert granted(await voice.get(ALL, by=by))["data"] == []
    refused(await voice.get(at("own"), by=by), 403301)


async def test_the_administrator_of_each_of_several_sites_reads_the_cloudpbx(voice: World) -> None:
    pbx = await voice.stored("cloudpbxs", OWN)
    await put(voice, "cloudpbxs", **{**pbx, "siteId": ["52" * 12, SITE]})
    for site in (SITE, "52" * 12):
        by = await caller(voice, "site_admin", siteId=site)
        assert granted(await voice.get(at("own"), by=by))["data"]["id"] == OWN
        assert len(granted(await voice.get(ALL, by=by))["data"]) == 1


async def test_the_list_is_filtered_by_company_and_bp_and_sorted_by_company(world_on_both: World) -> None:
    voice = await exchanges(world_on_both)
    root = await member(voice, "superadmin", OTHER_COMPANY)
    found = granted(await voice.get(ALL, by=root))["data"]
    assert [each["companyId"] for each in found] == sorted(EXCHANGES.values())
    found = granted(await voice.get(f"{ALL}?companyId={CUSTOMER}", by=root))["data"]
    assert [each["id"] for each in found] == [exchange_id("customer")]
    found = granted(await voice.get(f"{ALL}?bpId={PARTNER}&sortField=name", by=root))["data"]
    assert [each["name"] for each in found] == ["customer exchange", "own exchange"]
    refused(await voice.get(f"{ALL}?companyId=x", by=root), 400000)
    refused(await voice.get(f"{ALL}?sortField=voiceNumber", by=root), 400000)


async def test_roles_that_create_a_cloudpbx(world: World) -> None:
    await populated(world)
    for role, home, reached, writes in REACH:
        by = await member(world, role, home)
        for name, company in EXCHANGES.items():
            answer = await world.post(ALL, by=by, json={"companyId": company})
            if not writes:
                refused(answer, 403000)
            elif name in reached:
                made = granted(answer)["data"]
                assert made["companyId"] == company
                async with world.service.database.unit() as store:
                    await store.cloudpbxs.remove(made["id"])
            else:
                refused(answer, 403301)
    for role in OTHERS:
        refused(await world.post(ALL, by=await member(world, role), json={"companyId": COMPANY}), 403000)


async def test_a_new_cloudpbx_has_its_defaults_and_its_passwords_only_alone(world: World) -> None:
    await populated(world)
    root = await member(world, "superadmin", OTHER_COMPANY)
    made = granted(await world.post(ALL, by=root, json={"companyId": COMPANY}))["data"]
    assert made["name"] == "Own CloudPBX"
    assert (made["type"], made["status"], made["bpId"], made["siteId"]) == ("cloud_pbx", "created", PARTNER, [])
    settings = made["cloudpbx"]
    assert settings["language"] == "en"
    assert settings["overflowSubscribersToVoicemail"]["noReplyDelay"] == 20
    assert (settings["shortCodePrefix"], settings["shortCodeDigits"]) == ("*", 4)
    assert settings["aaNbOfRepetitions"] == settings["aaNbbOfRepetitions"] == 2
    assert not [name for name in (*made, *settings["peerAuthenticationOptions"]) if "password" in name]
    alone = granted(await world.get(f"{ALL}/{made['id']}", by=root))["data"]
    assert alone.pop("jid_pbxagent_password") != alone.pop("jid_pbxpcg_password")
    assert alone == made
    assert granted(await world.get(ALL, by=root))["data"] == [made]


async def test_a_new_cloudpbx_has_the_sent_values(world: World) -> None:
    await populated(world)
    await put(world, "sites", id=SITE, name="Harbour", companyId=COMPANY, status="active")
    root = await member(world, "superadmin", OTHER_COMPANY)
    body = {
        "companyId": COMPANY,
        "siteId": SITE,
        "bpId": PARTNER,
        "name": "Switchboard",
        "language": "pt_br",
        "outgoingPrefix": 0,
        "numberingPrefix": 8,
        "numberingDigits": 4,
        "noReplyDelay": 35,
        "customSipHeader_1": "X-One: 1",
    }
    made = granted(await world.post(ALL, by=root, json=body))["data"]
    assert (made["name"], made["siteId"], made["bpId"]) == ("Switchboard", [SITE], PARTNER)
    settings = made["cloudpbx"]
    assert settings["overflowSubscribersToVoicemail"]["noReplyDelay"] == 35
    for wire in ("language", "outgoingPrefix", "numberingPrefix", "numberingDigits", "customSipHeader_1"):
        assert settings[wire] == body[wire]
    assert "companyId" not in settings and "noReplyDelay" not in settings


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"companyId": "x"}, "companyId"),
        ({"companyId": TERMINATED}, "companyId"),
        ({"siteId": "51" * 12}, "siteId"),
        ({"bpId": RESELLER}, "bpId"),
        ({"numberingPrefix": 8}, "numberingPrefix"),
        ({"externalTrunkId": TRUNK}, "externalTrunkId"),
        ({"outgoingPrefix": 0, "externalTrunkId": "79" * 12}, "externalTrunkId"),
        ({"noReplyDelay": 9}, "noReplyDelay"),
        ({"customSipHeader_1": "X-One: 1\r\nX-Two: 2"}, "customSipHeader_1"),
        ({"noReplyDelay": 61}, "noReplyDelay"),
    ],
)
async def test_a_creation_with_a_wrong_value_is_refused_by_its_name(
    voice: World, root: Document, fields: Document, param: str
) -> None:
    answer = await voice.post(ALL, by=root, json={"companyId": RESELLER, **fields})
    assert params(refused(answer, 400000)) == [param]


async def test_a_creation_for_an_unknown_company_is_not_found(voice: World, root: Document) -> None:
    refused(await voice.post(ALL, by=root, json={"companyId": "99" * 12}), 404000)


async def test_a_creation_with_equal_prefixes_is_refused(voice: World, root: Document) -> None:
    body = {"companyId": RESELLER, "outgoingPrefix": 8, "numberingPrefix": 8, "numberingDigits": 4}
    refused(await voice.post(ALL, by=root, json=body), 400601)


async def test_a_company_has_one_cloudpbx(voice: World, boss: Document) -> None:
    refused(await voice.post(ALL, by=boss, json={"companyId": COMPANY}), 409556)


async def test_of_two_concurrent_creations_one_is_refused(world_on_both: World) -> None:
    await populated(world_on_both)
    root = await member(world_on_both, "superadmin", OTHER_COMPANY)
    answers = await asyncio.gather(*(world_on_both.post(ALL, by=root, json={"companyId": COMPANY}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    for answer in answers:
        assert answer.status_code == 200 or refused(answer, 409556)
    assert granted(await world_on_both.get(ALL, by=root))["total"] == 1


async def test_roles_that_change_cloudpbxs(voice: World) -> None:
    await checked(voice, "PUT", "", writes=True, json={"language": "fr"})


async def test_an_update_keeps_other_fields(voice: World, boss: Document) -> None:
    before = granted(await voice.get(at("own"), by=boss))["data"]["cloudpbx"]
    after = await changed(voice, boss, language="es", emergencyOptions={"emergencyGroupActivated": True})
    assert after == {**before, "language": "es", "emergencyOptions": {"emergencyGroupActivated": True}}
    after = await changed(voice, boss, emergencyOptions={"callAuthorizationWithSoftPhone": True})
    assert after["emergencyOptions"] == {"emergencyGroupActivated": True, "callAuthorizationWithSoftPhone": True}


async def test_empty_objects_change_nothing(voice: World, boss: Document) -> None:
    await changed(voice, boss, barringOptions={"permissions": "local"}, serviceCodesDialPlan={"digits": 3})
    before = granted(await voice.get(at("own"), by=boss))["data"]
    answer = await voice.put(at("own"), by=boss, json={"barringOptions": {}, "serviceCodesDialPlan": {}})
    assert granted(answer)["data"] == before


async def test_an_empty_update_is_refused(voice: World, boss: Document) -> None:
    refused(await voice.put(at("own"), by=boss, json={}), 400100)
    refused(await voice.put(at("own"), by=boss, json={"voiceNumber": "8999", "status": "x"}), 400100)


async def test_null_restores_the_default_or_removes_the_value(voice: World, boss: Document) -> None:
    await changed(voice, boss, shortCodePrefix="#", shortCodeDigits=6, customSipHeader_1="X-A: 1", name="New name")
    settings = await changed(voice, boss, shortCodePrefix=None, shortCodeDigits=None, customSipHeader_1=None)
    assert (settings["shortCodePrefix"], settings["shortCodeDigits"]) == ("*", 4)
    assert settings["customSipHeader_1"] is None
    assert granted(await voice.get(at("own"), by=boss))["data"]["name"] == "New name"
    assert params(refused(await voice.put(at("own"), by=boss, json={"name": None}), 400000)) == ["name"]


async def test_unknown_fields_are_not_stored_at_any_depth(voice: World, boss: Document) -> None:
    await changed(
        voice,
        boss,
        language="de",
        secret=1,
        bargeOptions={"other": 1},
        numberingPlan=[{"prefix": "8", "digits": 4, "owner": "x"}],
    )
    stored = (await voice.stored("cloudpbxs", OWN))["cloudpbx"]
    assert "secret" not in stored and stored["bargeOptions"] == {}
    assert stored["numberingPlan"] == [{"prefix": "8", "digits": 4}]


@pytest.mark.parametrize(
    ("before", "fields", "code", "param"),
    [
        ({"numberingDigits": None, "numberingPrefix": None}, {"numberingPrefixes": ["7"]}, 400000, "numberingDigits"),
        # Section 4.7: digits that are configured do not count here, as they do for a fixed length.
        ({}, {"numberingPrefixes": ["7"]}, 400000, "numberingDigits"),
        ({}, {"numberingPrefixes": ["7"], "numberingDigits": None}, 400000, "numberingDigits"),
        ({"numberingDigits": None, "numberingPrefix": None}, {"numberingPrefix": 7}, 400000, "numberingPrefix"),
        (
            {"numberingDigits": None, "numberingPrefix": None},
            {"numberingDigitsLength": "fixed"},
            400000,
            "numberingDigitsLength",
        ),
        ({}, {"outgoingPrefix": 8}, 400601, "numberingPrefix"),
        ({}, {"numberingPrefix": 0}, 400601, "numberingPrefix"),
        ({}, {"numberingPrefixes": ["5", "0"], "numberingDigits": 4}, 400601, "numberingPrefixes"),
        ({}, {"numberingDigits": None}, 400000, "numberingPrefix"),
    ],
)
async def test_numbering_settings_that_contradict_each_other_are_refused(
    voice: World, boss: Document, before: Document, fields: Document, code: int, param: str
) -> None:
    if before:
        await changed(voice, boss, **before)
    assert params(refused(await voice.put(at("own"), by=boss, json=fields), code)) == [param]


async def test_ranges_that_contradict_each_other_are_refused(voice: World, boss: Document) -> None:
    plan = [{"prefix": "2", "digits": 3}, {"prefix": "2", "digits": 4}]
    assert params(refused(await voice.put(at("own"), by=boss, json={"numberingPlan": plan}), 400000)) == [
        "numberingPlan"
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"numberingPrefixes": ["7"], "numberingDigits": 4},
        {"numberingPrefixes": []},
        {"numberingDigitsLength": "fixed"},
        {"numberingDigitsLength": "variable"},
        {"outgoingPrefix": 9, "numberingPrefix": 0},
    ],
)
async def test_current_settings_count_in_an_update(voice: World, boss: Document, fields: Document) -> None:
    assert fields.items() <= (await changed(voice, boss, **fields)).items()


async def test_an_earlier_contradiction_does_not_block_other_changes(voice: World, boss: Document) -> None:
    pbx = await voice.stored("cloudpbxs", OWN)
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": {"numberingPrefix": 0, "outgoingPrefix": 0}})
    assert (await changed(voice, boss, language="nl"))["language"] == "nl"


async def test_numbers_in_use_lock_the_numbering_plan(voice: World, boss: Document) -> None:
    await subscriber(voice, "8123")
    await subscriber(voice, "8200")
    answer = refused(await voice.put(at("own"), by=boss, json={"numberingPrefix": 7}), 403721)
    assert [each["value"] for each in answer["errorDetails"]] == ["8123", "8200"]
    refused(await voice.put(at("own"), by=boss, json={"numberingDigits": 5}), 403721)
    settings = await changed(voice, boss, numberingPrefix=7, numberingPlan=[{"prefix": "8", "digits": 4}])
    assert settings["numberingPrefix"] == 7
    await changed(voice, boss, numberingPrefixes=["6"], numberingDigits=4, numberingDigitsLength="fixed")


async def test_a_number_outside_the_plan_locks_nothing(voice: World, boss: Document) -> None:
    await subscriber(voice, "555")
    assert (await changed(voice, boss, numberingPrefix=7))["numberingPrefix"] == 7


async def test_roles_that_link_trunks(voice: World) -> None:
    partner = await member(voice, "bp_admin", PARTNER)
    settings = await changed(voice, partner, externalTrunkId=TRUNK)
    trunk_information = {"id": TRUNK, "name": "Trunk 71", "status": "active", "trunkType": "bp_trunk", "locked": False}
    assert settings["externalTrunkAdditionalInfo"] == trunk_information
    body = {"externalTrunkId": OTHER_TRUNK}
    assert params(refused(await voice.put(at("own"), by=partner, json=body), 403301)) == ["externalTrunkId"]
    for role in ("company_admin", "organization_admin"):
        by = await member(voice, role)
        answer = refused(await voice.put(at("own"), by=by, json=body), 403000)
        assert "superadmin or bp_admin" in answer["errorDetails"][0]["msg"]
        refused(await voice.put(at("own"), by=by, json={"externalTrunkId": None}), 403000)
        # The same value again is no change: forms send it with everything else.
        assert (await changed(voice, by, externalTrunkId=TRUNK, language="it"))["language"] == "it"
    root = await member(voice, "superadmin", OTHER_COMPANY)
    assert (await changed(voice, root, externalTrunkId=OTHER_TRUNK))["externalTrunkId"] == OTHER_TRUNK
    assert (await changed(voice, partner, externalTrunkId=None))["externalTrunkId"] is None


@pytest.mark.parametrize(("role", "home"), [("superadmin", OTHER_COMPANY), ("bp_admin", PARTNER)])
async def test_a_caller_may_link_the_trunks_that_it_lists_and_no_others(voice: World, role: str, home: str) -> None:
    by = await member(voice, role, home)
    listed = {each["id"] for each in granted(await voice.get(f"{BASE}/external-trunks", by=by))["data"]}
    for trunk in (TRUNK, OTHER_TRUNK):
        answer = await voice.put(at("own"), by=by, json={"externalTrunkId": trunk})
        assert granted(answer) if trunk in listed else refused(answer, 403301)
    assert TRUNK in listed


async def test_a_trunk_requires_an_outgoing_prefix_earlier_or_in_the_same_request(voice: World, root: Document) -> None:
    await changed(voice, root, outgoingPrefix=None)
    answer = refused(await voice.put(at("own"), by=root, json={"externalTrunkId": TRUNK}), 400000)
    assert params(answer) == ["externalTrunkId"]
    settings = await changed(voice, root, externalTrunkId=TRUNK, outgoingPrefix=0)
    assert settings["outgoingPrefix"] == 0


async def test_the_outgoing_prefix_stays_while_a_trunk_is_linked(voice: World, root: Document) -> None:
    await changed(voice, root, externalTrunkId=TRUNK)
    refused(await voice.put(at("own"), by=root, json={"outgoingPrefix": None}), 403722)
    assert (await changed(voice, root, outgoingPrefix=9))["outgoingPrefix"] == 9
    settings = await changed(voice, root, outgoingPrefix=None, externalTrunkId=None)
    assert settings["outgoingPrefix"] is settings["externalTrunkAdditionalInfo"] is None


async def test_a_locked_trunk_and_its_prefix_stay(voice: World, root: Document) -> None:
    await changed(voice, root, externalTrunkId=LOCKED)
    refused(await voice.put(at("own"), by=root, json={"externalTrunkId": TRUNK}), 403719)
    refused(await voice.put(at("own"), by=root, json={"externalTrunkId": None}), 403719)
    refused(await voice.put(at("own"), by=root, json={"outgoingPrefix": 9}), 403722)
    assert (await changed(voice, root, language="ro"))["externalTrunkAdditionalInfo"]["locked"] is True


async def test_unknown_records_are_not_found(voice: World, root: Document) -> None:
    unknown = f"{ALL}/{'f0' * 12}"
    for answer in (
        await voice.get(unknown, by=root),
        await voice.put(unknown, by=root, json={"language": "en"}),
        await voice.delete(unknown, by=root),
    ):
        refused(answer, 404000)
    refused(await voice.get(f"{ALL}/x", by=root), 400000)


async def test_a_partner_creates_only_for_customers(voice: World) -> None:
    by = await member(voice, "bp_admin", PARTNER)
    refused(await voice.post(ALL, by=by, json={"companyId": GRANDCHILD}), 403301)
    refused(await voice.post(ALL, by=by, json={"companyId": PARTNER}), 403301)
    answer = await voice.post(ALL, by=by, json={"companyId": RESELLER, "outgoingPrefix": 0, "externalTrunkId": TRUNK})
    assert granted(answer)["data"]["cloudpbx"]["externalTrunkId"] == TRUNK
