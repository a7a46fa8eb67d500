"""Sites (4.4): roles that read, create, update and delete them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interface.specification_2_7 import ROLES
from tests.server.companies.support import (
    CUSTOMER,
    GRANDCHILD,
    PARTNER,
    SISTER,
    TERMINATED,
    caller,
    params,
    populated,
    put,
)
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

ALL = "/api/svc/admin/v1.0/sites"
#: A site in each company, by its name.
SITES = {"own": COMPANY, "own 2": COMPANY, "sister": SISTER, "customer": CUSTOMER, "grandchild": GRANDCHILD}
SITES["stranger"] = OTHER_COMPANY
EVERY = set(SITES)

#: Role, company -> sites that the caller reads; whether the caller also writes them.
REACH: list[tuple[str, str, set[str], bool]] = [
    ("superadmin", OTHER_COMPANY, EVERY, True),
    ("support", OTHER_COMPANY, EVERY, False),
    ("bp_admin", PARTNER, {"own", "own 2", "customer"}, True),
    ("organization_admin", COMPANY, {"own", "own 2", "sister"}, True),
    ("company_admin", COMPANY, {"own", "own 2"}, True),
    ("site_admin", COMPANY, {"own"}, False),
]
OTHERS = set(ROLES) - {role for role, *_ in REACH}


def site_id(name: str) -> str:
    return f"{sorted(SITES).index(name) + 1:02d}" * 12


@pytest.fixture
async def sites(world: World) -> World:
    await populated(world)
    for name, company in SITES.items():
        await put(world, "sites", id=site_id(name), name=name, companyId=company, status="active")
    return world


async def member(world: World, role: str, home: str) -> Document:
    return await caller(world, role, home, **({"siteId": site_id("own")} if role == "site_admin" else {}))


async def test_roles_that_read_sites(sites: World) -> None:
    for role, home, expected, _ in REACH:
        by = await member(sites, role, home)
        page = granted(await sites.get(ALL, by=by))
        assert {each["name"] for each in page["data"]} == expected, role
        assert page["total"] == len(expected)
        for name, company in SITES.items():
            answer = await sites.get(f"{ALL}/{site_id(name)}", by=by)
            if name in expected:
                site = {"id": site_id(name), "name": name, "companyId": company, "status": "active"}
                assert granted(answer)["data"] == site
            else:
                refused(answer, 403301)


async def test_roles_that_create_update_and_delete_sites(sites: World) -> None:
    for role, home, expected, writes in REACH:
        by = await member(sites, role, home)
        for name, company in SITES.items():
            answers = [
                await sites.put(f"{ALL}/{site_id(name)}", by=by, json={"name": name}),
                await sites.post(ALL, by=by, json={"name": "New", "companyId": company}),
                await sites.delete(f"{ALL}/{site_id(name)}", by=by),
            ]
            await put(sites, "sites", id=site_id(name), name=name, companyId=company, status="active")
            for answer in answers:
                if not writes:
                    refused(answer, 403000)
                elif name in expected:
                    granted(answer)
                else:
                    refused(answer, 403301)


async def test_other_roles_do_not_use_sites(sites: World) -> None:
    for role in OTHERS:
        refused(await sites.get(ALL, by=await caller(sites, role)), 403000)
        refused(await sites.post(ALL, by=await caller(sites, role), json={"name": "N", "companyId": COMPANY}), 403000)


@pytest.fixture
async def boss(sites: World) -> Document:
    return await caller(sites, "superadmin", OTHER_COMPANY)


async def test_a_new_site_is_active_and_read_back(sites: World, boss: Document) -> None:
    made = granted(await sites.post(ALL, by=boss, json={"name": "Lisbon", "companyId": COMPANY}))["data"]
    assert (made["name"], made["companyId"], made["status"]) == ("Lisbon", COMPANY, "active")
    assert granted(await sites.get(f"{ALL}/{made['id']}", by=boss))["data"] == made


async def test_required_and_invalid_fields_of_a_site(sites: World, boss: Document) -> None:
    for sent, expected in (
        ({}, ["companyId", "name"]),
        ({"name": "", "companyId": COMPANY}, ["name"]),
        ({"name": "n" * 256, "companyId": COMPANY}, ["name"]),
        ({"name": "N", "companyId": "x"}, ["companyId"]),
        ({"name": "N", "companyId": TERMINATED}, ["companyId"]),
        ({"name": "N", "companyId": COMPANY, "status": "gone"}, ["status"]),
    ):
        assert sorted(params(refused(await sites.post(ALL, by=boss, json=sent), 400000))) == expected, sent
    refused(await sites.post(ALL, by=boss, json={"name": "N", "companyId": "f0" * 12}), 404000)


async def test_a_site_is_renamed_put_on_hold_and_moved(sites: World, boss: Document) -> None:
    address = f"{ALL}/{site_id('own')}"
    sent = {"name": "Porto", "status": "hold", "companyId": SISTER}
    changed = granted(await sites.put(address, by=boss, json=sent))["data"]
    assert sent.items() <= changed.items()
    refused(await sites.put(address, by=boss, json={}), 400100)
    assert params(refused(await sites.put(address, by=boss, json={"name": None}), 400000)) == ["name"]
    refused(await sites.put(f"{ALL}/{'f0' * 12}", by=boss, json={"name": "x"}), 404000)


async def test_a_site_is_not_moved_to_a_company_outside_the_callers_access(sites: World) -> None:
    by = await caller(sites, "company_admin")
    refused(await sites.put(f"{ALL}/{site_id('own')}", by=by, json={"companyId": OTHER_COMPANY}), 403301)
    assert (await sites.stored("sites", site_id("own")))["companyId"] == COMPANY


async def test_filters_and_order_of_the_list(sites: World, boss: Document) -> None:
    async def found(query: str) -> list[str]:
        return [each["name"] for each in granted(await sites.get(f"{ALL}?{query}", by=boss))["data"]]

    assert await found("name=OWN") == ["own", "own 2"]
    assert await found(f"companyId={SISTER}") == ["sister"]
    assert await found("sortOrder=-1&limit=1") == ["stranger"]
    refused(await sites.get(f"{ALL}?companyId={'f0' * 12}", by=boss), 404000)
    refused(await sites.get(f"{ALL}?companyId=x", by=boss), 400000)


async def test_a_site_with_systems_cannot_be_deleted(sites: World, boss: Document) -> None:
    id = site_id("own")
    await put(sites, "sites", id=id, name="own", companyId=COMPANY, status="active", systems=["0e" * 12])
    refused(await sites.delete(f"{ALL}/{id}", by=boss), 403700)


async def test_users_of_a_deleted_site_have_no_site(sites: World, boss: Document) -> None:
    user = await caller(sites, "user", siteId=site_id("own"))
    answer = granted(await sites.delete(f"{ALL}/{site_id('own')}", by=boss))
    assert answer["status"] == f"Site {site_id('own')} successfully deleted"
    assert "siteId" not in await sites.stored("users", user["id"])
    refused(await sites.delete(f"{ALL}/{site_id('own')}", by=boss), 404000)
