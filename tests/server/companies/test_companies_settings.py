"""Every setting of 2.7 on the real service: accepted and refused values, allowed and refused callers, dependencies."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interface.specification_2_7 import FEATURE_KEYS, SETTINGS, Setting, values_of
from tests.server.companies.support import (
    ALL,
    CUSTOMER,
    DEFAULT,
    GRANDCHILD,
    PARTNER,
    SISTER,
    TERMINATED,
    caller,
    params,
    populated,
    put,
)
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

#: relation -> the company of the caller, and the company that the caller updates.
PLACES = {
    "own": (OTHER_COMPANY, OTHER_COMPANY),
    "customer": (PARTNER, CUSTOMER),
    "reseller_customer": (PARTNER, GRANDCHILD),
    "organisation": (COMPANY, SISTER),
    "stranger": (OTHER_COMPANY, CUSTOMER),
}
#: Roles that may send an update at all.
WRITERS = ("bp_admin", "bp_finance", "organization_admin", "company_admin", "business_admin")


@pytest.fixture
async def boss(world: World) -> Document:
    await populated(world)
    return await world.user("boss@example.com", roles=("superadmin",), companyId=DEFAULT)


async def prepared(world: World, untouched: Document, setting: Setting) -> None:
    """Restore the company and meet the prerequisites of the setting."""
    await world.company(**{**untouched, **setting.company})


async def test_every_setting_accepts_and_refuses_the_specified_values(world: World, boss: Document) -> None:
    untouched = await world.stored("companies", OTHER_COMPANY)
    for wire, setting in SETTINGS.items():
        await prepared(world, untouched, setting)
        for value in setting.accepted:
            answer = await world.put(f"{ALL}/{OTHER_COMPANY}", by=boss, json={wire: value})
            shown = granted(answer)["data"]
            expected = value["light"] if isinstance(value, dict) and "light" in value else value
            assert shown[wire] == expected, (wire, value)
        for value in setting.refused:
            body = refused(await world.put(f"{ALL}/{OTHER_COMPANY}", by=boss, json={wire: value}), 400000)
            assert {param.split(".")[0] for param in params(body)} == {wire}, (wire, value)


async def test_every_feature_key_accepts_and_refuses_the_specified_values(world: World, boss: Document) -> None:
    for wire in sorted(FEATURE_KEYS):
        taken, bad = values_of(wire)
        for value in taken:
            shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: value}))["data"]
            assert shown[wire] == value
        for value in bad:
            assert params(refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: value}), 400000)) == [wire]


@pytest.mark.parametrize("role", WRITERS)
async def test_settings_by_role_and_relation(world: World, role: str) -> None:
    await populated(world)
    for relation, (home, target) in PLACES.items():
        by = await caller(world, role, home)
        untouched = await world.stored("companies", target)
        for wire, setting in SETTINGS.items():
            if not setting.accepted:
                continue
            await prepared(world, untouched, setting)
            answer = await world.put(f"{ALL}/{target}", by=by, json={wire: setting.accepted[0]})
            if relation in setting.who.get(role, ()):
                granted(answer)
            else:
                # A company outside the caller's access, or a field of another role.
                assert answer.status_code == 403, (role, relation, wire, answer.text)


@pytest.mark.parametrize("role", ["support", "customer_success_admin", "site_admin", "app_superadmin", "user"])
async def test_other_roles_update_no_company(world: World, role: str) -> None:
    await populated(world)
    by = await caller(world, role)
    refused(await world.put(f"{ALL}/{COMPANY}", by=by, json={"city": "Porto"}), 403000)


async def test_a_company_outside_the_callers_access_is_refused(world: World) -> None:
    await populated(world)
    for role, home in (("company_admin", OTHER_COMPANY), ("bp_admin", OTHER_COMPANY), ("organization_admin", COMPANY)):
        by = await caller(world, role, home)
        for sent in ({"city": "Porto"}, {}):
            refused(await world.put(f"{ALL}/{CUSTOMER}", by=by, json=sent), 403301)


async def test_a_refused_field_names_the_allowed_roles_and_changes_nothing(world: World) -> None:
    await populated(world)
    by = await caller(world, "company_admin")
    sent = {"city": "Porto", "currency": "USD", "bpType": "VAD"}
    body = refused(await world.put(f"{ALL}/{COMPANY}", by=by, json=sent), 403000)
    assert {each["param"]: each["msg"] for each in body["errorDetails"]} == {
        "currency": "needs superadmin",
        "bpType": "needs superadmin",
    }
    assert "city" not in await world.stored("companies", COMPANY)


async def test_custom_data_of_a_company_admin(world: World) -> None:
    await populated(world)
    by = await caller(world, "company_admin")
    sent = {"customData": {"a": "b"}}
    body = refused(await world.put(f"{ALL}/{COMPANY}", by=by, json=sent), 403000)
    assert "adminCanSetCustomData is true" in body["errorDetails"][0]["msg"]
    featured = await caller(world, "company_admin", profiles=[{"features": ["ADMIN_CAN_SET_CUSTOM_DATA"]}])
    granted(await world.put(f"{ALL}/{COMPANY}", by=featured, json=sent))
    # The same request cannot grant the right that it needs.
    refused(await world.put(f"{ALL}/{COMPANY}", by=by, json={**sent, "adminCanSetCustomData": True}), 403000)
    stored = await world.stored("companies", COMPANY)
    await world.company(**{**stored, "adminCanSetCustomData": True})
    shown = granted(await world.put(f"{ALL}/{COMPANY}", by=by, json={"customData": {"c": "d"}}))["data"]
    assert shown["customData"] == {"c": "d"}


async def test_a_setting_that_does_not_apply_to_the_company_is_refused(world: World, boss: Document) -> None:
    for wire, setting in SETTINGS.items():
        if setting.elsewhere is None:
            continue
        await world.company(CUSTOMER, name="Customer", **setting.elsewhere)
        value = True if True in setting.accepted else setting.accepted[-1]
        body = refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: value}), 400000)
        assert params(body) == [wire]
        assert body["errorDetails"][0]["msg"].startswith("only when ")


async def test_a_setting_and_its_prerequisite_can_be_sent_together(world: World, boss: Document) -> None:
    sent = {"isBP": True, "bpType": "DR", "bpApplicantNumber": "12", "bpCRDid": "C1", "bpHasRightToSell": True}
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json=sent))["data"]
    assert sent.items() <= shown.items()
    # Without its number the partner can no longer sell.
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"bpCRDid": None}))["data"]
    assert shown.get("bpHasRightToSell") is None
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"isBP": False}))["data"]
    assert shown["bpType"] is shown.get("bpApplicantNumber") is None


async def test_another_country_removes_the_state(world: World, boss: Document) -> None:
    granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"country": "USA", "state": "Texas"}))
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"country": "FRA"}))["data"]
    assert shown["state"] is None


async def test_null_restores_the_default_or_empties_the_field(world: World, boss: Document) -> None:
    await world.company(CUSTOMER, name="Customer", cloudPbxRecordingRetention=90, city="Porto")
    sent = {"cloudPbxRecordingRetention": None, "city": None}
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json=sent))["data"]
    assert shown["cloudPbxRecordingRetention"] == 60
    assert shown["city"] is None
    for wire in ("name", "status"):
        assert params(refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: None}), 400000)) == [wire]


async def test_an_update_needs_a_known_field(world: World, boss: Document) -> None:
    refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={}), 400100)
    refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"unheardOf": 1}), 400100)
    refused(await world.put(f"{ALL}/{'f0' * 12}", by=boss, json={"city": "x"}), 404000)


async def test_the_bp_of_a_company_is_a_business_partner(world: World, boss: Document) -> None:
    put_to = f"{ALL}/{OTHER_COMPANY}"
    assert granted(await world.put(put_to, by=boss, json={"bpId": PARTNER}))["data"]["bpId"] == PARTNER
    for wrong in (CUSTOMER, "f0" * 12):
        assert params(refused(await world.put(put_to, by=boss, json={"bpId": wrong}), 400000)) == ["bpId"]
    refused(await world.put(f"{ALL}/{PARTNER}", by=boss, json={"bpId": PARTNER}), 400552)
    # A company with customers is still a partner.
    assert params(refused(await world.put(f"{ALL}/{PARTNER}", by=boss, json={"isBP": False}), 400000)) == ["isBP"]


async def test_other_references_must_exist(world: World, boss: Document) -> None:
    await put(world, "catalogs", id="ca" * 12, name="Main")
    await put(world, "offers", id="0f" * 12, name="Voice", groupName="Voice group")
    good = {
        "catalogId": "ca" * 12,
        "companyContactId": boss["id"],
        "defaultLicenseGroup": "Voice group",
        "defaultOptionsGroups": ["Voice group"],
    }
    for wire, value in good.items():
        assert granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: value}))["data"][wire] == value
        wrong = ["unknown"] if isinstance(value, list) else "f0" * 12
        assert params(refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: wrong}), 400000)) == [wire]


async def test_visibility_organization_needs_an_organisation(world: World, boss: Document) -> None:
    refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"visibility": "organization"}), 403212)
    granted(await world.put(f"{ALL}/{COMPANY}", by=boss, json={"visibility": "organization"}))
    assert (await world.stored("companies", COMPANY))["organisationId"] == ORGANISATION


async def test_names_are_unique_and_two_are_reserved(world: World, boss: Document) -> None:
    users = await caller(world, "user", CUSTOMER)
    for name in ("Default", "terminated", " DEFAULT "):
        refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"name": name}), 400500)
    for name in ("Stranger", "sTRANGER"):
        refused(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"name": name}), 400504)
    granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"name": "customer"}))
    granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"name": "New name"}))
    assert (await world.stored("users", users["id"]))["companyName"] == "New name"
    for id in (DEFAULT, TERMINATED):
        refused(await world.put(f"{ALL}/{id}", by=boss, json={"name": "Other"}), 400500)
        granted(await world.put(f"{ALL}/{id}", by=boss, json={"slogan": "fine"}))


async def test_the_bp_blocks_customer_care_regardless_of_the_company(world: World, boss: Document) -> None:
    async def closed(id: str) -> bool:
        answer = granted(await world.get(f"{ALL}/{id}?format=full", by=boss))
        return bool(answer["data"].get("disableCCareAdminAccess"))

    granted(await world.put(f"{ALL}/{PARTNER}", by=boss, json={"disableCCareAdminAccessCustomers": True}))
    shown = granted(await world.put(f"{ALL}/{CUSTOMER}", by=boss, json={"disableCCareAdminAccess": False}))["data"]
    assert shown["disableCCareAdminAccess"] is True
    assert await closed(CUSTOMER)
    assert not await closed(OTHER_COMPANY)
    granted(await world.put(f"{ALL}/{PARTNER}", by=boss, json={"disableCCareAdminAccessCustomers": False}))
    assert not await closed(CUSTOMER)
    granted(await world.put(f"{ALL}/{PARTNER}", by=boss, json={"disableCCareAdminAccessResellers": True}))
    assert await closed("b1" * 12)
    assert not await closed(CUSTOMER)


async def test_the_accepted_contract_is_stored_with_user_and_date(world: World) -> None:
    await populated(world)
    by = await caller(world, "bp_admin", PARTNER)
    granted(await world.put(f"{ALL}/{PARTNER}", by=by, json={"bpIsContractAccepted": True}))
    assert (await world.stored("companies", PARTNER))["bpContractAcceptationInfo"] == {
        "acceptationDate": "2026-11-20T10:00:00.000Z",
        "bpAdminId": by["id"],
        "bpAdminLoginEmail": by["loginEmail"],
    }


async def test_the_data_location_does_not_change_with_the_country(world: World, boss: Document) -> None:
    made = granted(await world.post(ALL, by=boss, json={"name": "Mover", "country": "USA"}))["data"]
    assert made["dataLocation"]["location"] == "North America"
    moved = granted(await world.put(f"{ALL}/{made['id']}", by=boss, json={"country": "FRA"}))["data"]
    assert moved["country"] == "FRA"
    assert moved["dataLocation"] == made["dataLocation"]
