"""Entries of directories (4.9): list, creation, update, deletion, and roles."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.directory.support import ENTRIES, admin, imported, names
from tests.support.statements import statements
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

OHIO = {"companyId": COMPANY, "lastName": "Miller"}
MILLER = {"companyId": COMPANY, "firstName": "Ann", "lastName": "Miller", "workPhoneNumbers": ["01 23 45 67 89"]}


async def test_an_entry_is_created_read_updated_and_deleted(world: World) -> None:
    await world.company(country="FRA")
    by = await admin(world)
    made = granted(await world.post(ENTRIES, by=by, json=MILLER))["data"]
    assert made["workPhoneNumbers"] == ["+33123456789"] and made["type"] == "user"
    one = f"{ENTRIES}/{made['id']}"
    assert granted(await world.get(one, by=by))["data"] == {"id": made["id"], "firstName": "Ann", "lastName": "Miller"}
    medium = granted(await world.get(one, by=by, params={"format": "medium"}))["data"]
    assert set(medium) == {"id", "firstName", "lastName", "companyId", "workPhoneNumbers"}
    changed = granted(await world.put(one, by=by, json={"city": "Lyon", "firstName": None}))["data"]
    assert changed["city"] == "Lyon" and "firstName" not in changed
    granted(await world.delete(one, by=by))
    refused(await world.get(one, by=by), 404000)
    refused(await world.put(one, by=by, json={"city": "Lyon"}), 404000)
    refused(await world.delete(one, by=by), 404000)


@pytest.mark.parametrize(
    ("values", "param"),
    [
        ({"city": "Lyon"}, "lastName"),
        ({"lastName": "A", "workPhoneNumbers": ["12"]}, "workPhoneNumbers.0"),
        ({"lastName": "A", "state": "Ohio", "country": "FRA"}, "state"),
        ({"lastName": "x" * 256}, "lastName"),
        ({"lastName": "A", "tags": ["a", "b", "c", "d", "e", "f"]}, "tags"),
        ({"lastName": "A", "tags": ["x" * 65]}, "tags.0"),
        ({"lastName": "A", "country": "FR"}, "country"),
        ({"lastName": "A", "eMail": "no address"}, "eMail"),
    ],
)
async def test_an_invalid_entry_is_refused_by_its_field(world: World, values: dict[str, object], param: str) -> None:
    by = await admin(world)
    body = refused(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, **values}), 400000)
    assert body["errorDetails"][0]["param"] == param


@pytest.mark.parametrize(
    ("number", "country", "kept"),
    [
        ("30123456", "DEU", ""),
        ("4917112345678", "DEU", ""),
        ("030 123456 privat", "DEU", ""),
        ("030 123456 / 0171 1234567", "DEU", ""),
        ("1001", "FRA", ""),
        ("4.479E+11", "GBR", ""),
        ("+493012", "DEU", "+493012"),
        ("tel:+39 (0)6 12345678", "FRA", "+390612345678"),
        ("01\u202f42\u202f68\u202f53\u202f00", "FRA", "+33142685300"),
    ],
)
async def test_the_service_takes_what_is_resolved_and_refuses_what_is_doubtful(
    world: World, number: str, country: str, kept: str
) -> None:
    by = await admin(world)
    body = {"companyId": COMPANY, "lastName": "A", "country": country, "workPhoneNumbers": [number]}
    answer = await world.post(ENTRIES, by=by, json=body)
    if kept:
        assert granted(answer)["data"]["workPhoneNumbers"] == [kept]
    else:
        (problem,) = refused(answer, 400000)["errorDetails"]
        assert problem["param"] == "workPhoneNumbers.0" and problem["value"] == number


async def test_an_update_must_leave_a_name(world: World) -> None:
    by = await admin(world)
    made = granted(await world.post(ENTRIES, by=by, json=MILLER | {"workPhoneNumbers": []}))["data"]
    refused(await world.put(f"{ENTRIES}/{made['id']}", by=by, json={"firstName": "", "lastName": None}), 400000)
    refused(await world.put(f"{ENTRIES}/{made['id']}", by=by, json={}), 400100)


async def _some(world: World) -> None:
    by = await admin(world, "company_admin")
    for values in (
        {"firstName": "Ann", "lastName": "Miller", "tags": ["vip"], "workPhoneNumbers": ["+33123456789"]},
        {"firstName": "Bob", "lastName": "Smith", "companyName": "Acme", "tags": ["lyon"]},
        {"firstName": "Cid", "lastName": "Zola", "eMail": "cid@zola.example"},
        {"companyName": "Acme"},
    ):
        granted(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, **values}))


async def test_entries_are_found_by_name_number_tag_and_part(world: World) -> None:
    await _some(world)
    by = await world.user(roles=("user",))
    assert await names(world, by) == ["Miller", "Smith", "Zola"]
    assert await names(world, by, type="company") == ["Acme"]
    assert await names(world, by, name="MIL") == ["Miller"]
    assert await names(world, by, phoneNumbers="+33123456789") == ["Miller"]
    assert await names(world, by, tags="lyon,vip") == ["Miller", "Smith"]
    assert await names(world, by, search="zola.ex") == ["Zola"]
    assert await names(world, by, search="+33 1 23 45") == ["Miller"]
    assert await names(world, by, companyName="acm") == ["Smith"]
    assert await names(world, by, sortOrder=-1) == ["Zola", "Smith", "Miller"]


async def test_only_one_way_of_searching_at_a_time(world: World) -> None:
    by = await world.user(roles=("user",))
    body = refused(await world.get(ENTRIES, by=by, params={"name": "a", "search": "b"}), 400451)
    assert {problem["param"] for problem in body["errorDetails"]} == {"name", "search"}


async def test_a_personal_entry_is_for_its_owner_only(world: World) -> None:
    owner = await world.user("owner@example.com")
    made = granted(await world.post(ENTRIES, by=owner, json={"lastName": "Mine"}))["data"]
    assert made["userId"] == owner["id"] and "companyId" not in made
    for role in ("company_admin", "superadmin", "directory_admin"):
        other = await admin(world, role)
        refused(await world.get(f"{ENTRIES}/{made['id']}", by=other), 403301)
        refused(await world.put(f"{ENTRIES}/{made['id']}", by=other, json={"lastName": "Yours"}), 403301)
        visible = granted(await world.get(ENTRIES, by=other))["data"]
        assert made["id"] not in [entry["id"] for entry in visible]
    assert len(granted(await world.get(ENTRIES, by=owner, params={"view": "personal"}))["data"]) == 1
    assert granted(await world.get(ENTRIES, by=owner, params={"view": "company"}))["data"] == []


async def test_identifiers_in_filters_are_checked(world: World) -> None:
    boss = await admin(world, "superadmin")
    for name in ("companyId", "organisationIds"):
        refused(await world.get(ENTRIES, by=boss, params={name: "1"}), 400000)
        granted(await world.get(ENTRIES, by=boss, params={name: "a" * 24}))


async def test_roles_that_write_entries(world: World) -> None:
    await world.company(OTHER_COMPANY, bpId=PARTNER, organisationId="0a" * 12)
    await world.company(PARTNER, isBP=True)
    body = {"companyId": OTHER_COMPANY, "lastName": "A"}
    for role, fields in (
        ("superadmin", {}),
        ("bp_admin", {"companyId": PARTNER}),
        ("organization_admin", {"organisationId": "0a" * 12}),
        ("company_admin", {"companyId": OTHER_COMPANY}),
        ("directory_admin", {"companyId": OTHER_COMPANY}),
    ):
        granted(await world.post(ENTRIES, by=await admin(world, role, **fields), json=body))
    for role, fields in (("company_admin", {}), ("directory_admin", {}), ("support", {}), ("bp_finance", {})):
        by = await world.user(f"other-{role}@example.com", roles=(role,), **fields)
        refused(await world.post(ENTRIES, by=by, json=body), 403301)


async def test_a_full_directory_refuses_further_entries(world: World) -> None:
    world.service.settings.largest_directory = 1
    by = await admin(world)
    granted(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "Miller"}))
    refused(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "Smith"}), 400000)


async def test_an_entry_is_created_without_counting_the_directory(world: World) -> None:
    by = await admin(world)
    body = {"companyId": COMPANY, "lastName": "Miller"}
    granted(await world.post(ENTRIES, by=by, json=body))
    with statements(world.service.database) as sent:
        granted(await world.post(ENTRIES, by=by, json=body))
    assert not [each for each in sent if "count(" in each.sql]


async def test_a_full_directory_takes_an_entry_again_when_one_was_deleted(world: World) -> None:
    world.service.settings.largest_directory = 2
    by = await admin(world)
    body = {"companyId": COMPANY, "lastName": "Miller"}
    made = [granted(await world.post(ENTRIES, by=by, json=body))["data"]["id"] for _ in range(2)]
    refused(await world.post(ENTRIES, by=by, json=body), 400000)
    granted(await world.delete(f"{ENTRIES}/{made[0]}", by=by))
    granted(await world.post(ENTRIES, by=by, json=body))
    refused(await world.post(ENTRIES, by=by, json=body), 400000)


async def test_entries_of_an_import_count_for_the_largest_directory(world: World) -> None:
    world.service.settings.largest_directory = 2
    by = await admin(world)
    await imported(world, by, "lastName;firstName\nMiller;Ann\nSmith;Bob\n", companyId=COMPANY)
    refused(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "Zola"}), 400000)


async def test_a_directory_is_emptied(world: World) -> None:
    await _some(world)
    by = await admin(world)
    refused(await world.delete(f"/api/svc/directory/v1.0/companies/{COMPANY}", by=await world.user()), 403000)
    granted(await world.delete(f"/api/svc/directory/v1.0/companies/{COMPANY}", by=by))
    assert await names(world, by) == []


async def test_an_entry_that_is_deleted_during_an_update_stays_deleted(world_on_both: World) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await world.company(country="FRA")
    for _ in range(6):
        made = granted(await world.post(ENTRIES, by=by, json=MILLER))["data"]["id"]
        changes = (world.put(f"{ENTRIES}/{made}", by=by, json={"city": f"City {at}"}) for at in range(6))
        _, gone, *_ = await asyncio.gather(next(changes), world.delete(f"{ENTRIES}/{made}", by=by), *changes)
        granted(gone)
        refused(await world.get(f"{ENTRIES}/{made}", by=by), 404000)


async def test_an_entry_that_is_updated_while_the_directory_is_emptied_stays_deleted(world_on_both: World) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await world.company(country="FRA")
    for _ in range(6):
        made = granted(await world.post(ENTRIES, by=by, json=MILLER))["data"]["id"]
        changes = (world.put(f"{ENTRIES}/{made}", by=by, json={"city": f"City {at}"}) for at in range(6))
        empty = world.delete(f"/api/svc/directory/v1.0/companies/{COMPANY}", by=by)
        _, gone, *_ = await asyncio.gather(next(changes), empty, *changes)
        granted(gone)
        assert await names(world, by) == []


async def test_the_state_goes_with_a_country_that_has_none(world: World) -> None:
    """Facts: a state is for the USA and Canada only. An address that moves does not keep it, as in a company."""
    await world.company(country="FRA")
    by = await admin(world)
    made = granted(await world.post(ENTRIES, by=by, json={**OHIO, "country": "USA", "state": "Ohio"}))["data"]
    one = f"{ENTRIES}/{made['id']}"
    assert granted(await world.put(one, by=by, json={"country": "CAN"}))["data"]["state"] == "Ohio"
    assert "state" not in granted(await world.put(one, by=by, json={"country": "FRA"}))["data"]
    granted(await world.put(one, by=by, json={"country": "USA", "state": "Ohio"}))
    # Without a country of its own, an entry is in that of its company.
    assert "state" not in granted(await world.put(one, by=by, json={"country": None}))["data"]
    # One that is sent is not dropped in silence.
    refused(await world.put(one, by=by, json={"country": "FRA", "state": "Ohio"}), 400000)


async def test_the_state_goes_with_the_country_of_an_imported_row(world: World) -> None:
    by = await admin(world)
    head = "__action__;ldap_id;lastName;country;state"
    await imported(world, by, f"{head}\nupsert;1;Miller;USA;Ohio\nupsert;2;Moss;USA;Ohio\n", "/synchronize")
    await imported(world, by, f"{head}\nupsert;1;Miller;FRA;\nupsert;2;Moss;CAN;\n", "/synchronize")
    found = granted(await world.get(ENTRIES, by=by, params={"format": "full"}))["data"]
    assert {each["lastName"]: each.get("state") for each in found} == {"Miller": None, "Moss": "Ohio"}
