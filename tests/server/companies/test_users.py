"""Listing and reading users as an administrator (2.4, 2.6)."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.access import Role
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, SITE, World, granted, refused

ALL = "/api/svc/admin/v1.0/users"
CUSTOMER = "ec" * 12
Document = dict[str, Any]

# Role of the caller -> the companies whose users the caller reads. The caller belongs to the first company.
READS = {
    "superadmin": {"own", "sister", "customer"},
    "support": {"own", "sister", "customer"},
    "bp_admin": {"customer"},
    "bp_finance": {"customer"},
    "organization_admin": {"own", "sister"},
    "company_admin": {"own"},
    "site_admin": {"own"},
}
OTHERS = set(Role) - READS.keys()


@pytest.fixture
async def users(world: World) -> dict[str, Document]:
    """One user in the caller's company, in one of the same organisation, and in an end customer of the caller's."""
    await world.company(organisationId=ORGANISATION)
    await world.company(OTHER_COMPANY, organisationId=ORGANISATION)
    await world.company(CUSTOMER, bpId=COMPANY)
    return {
        "own": await world.user("own@example.com", organisationId=ORGANISATION),
        "sister": await world.user("sister@example.com", companyId=OTHER_COMPANY, companyName="Sisters"),
        "customer": await world.user("customer@example.com", companyId=CUSTOMER),
    }


async def test_each_role_lists_and_reads_the_users_it_is_responsible_for(
    world: World, users: dict[str, Document]
) -> None:
    for role, expected in READS.items():
        caller = await world.user(f"{role}@admin.example", roles=(role,), organisationId=ORGANISATION)
        listed = granted(await world.get(ALL, by=caller, params={"searchEmail": "@example.com"}))
        assert {each["loginEmail"].split("@")[0] for each in listed["data"]} == expected, role
        for name, user in users.items():
            answer = await world.get(f"{ALL}/{user['id']}", by=caller)
            if name in expected:
                assert granted(answer)["data"]["id"] == user["id"]
            else:
                refused(answer, 403301)
    for role in OTHERS:
        caller = await world.user(f"{role}@admin.example", roles=(role,))
        refused(await world.get(ALL, by=caller), 403000)
        refused(await world.get(f"{ALL}/{users['own']['id']}", by=caller), 403000)


async def test_filters_of_the_list_on_both_databases(world_on_both: World) -> None:
    world = world_on_both
    admin = await world.user("zed@example.com", roles=("superadmin",), displayName="Zed")
    await world.company(OTHER_COMPANY)
    await world.user("ann@example.com", roles=("app_admin",), displayName="Ann Émile", siteId=SITE)
    await world.user("bob@other.example", companyId=OTHER_COMPANY, companyName="Other & Co", displayName="bob")
    await world.user("cy@example.com", roles=("company_admin",), displayName="Cy", organisationId=ORGANISATION)
    await world.user("gone@example.com", isTerminated=True, displayName="Gone")

    async def found(**query: Any) -> list[str]:
        return [each["displayName"] for each in granted(await world.get(ALL, by=admin, params=query))["data"]]

    expected: list[tuple[Document, list[str]]] = [
        ({}, ["Ann Émile", "bob", "Cy", "Zed"]),
        ({"sortOrder": -1}, ["Zed", "Cy", "bob", "Ann Émile"]),
        ({"companyId": OTHER_COMPANY}, ["bob"]),
        ({"roles": "app_admin"}, ["Ann Émile"]),
        ({"roles": "app_admin,company_admin"}, ["Ann Émile", "Cy"]),
        ({"roles": "admin"}, ["Cy"]),
        ({"displayName": "ÉMI"}, ["Ann Émile"]),
        ({"searchEmail": "OTHER"}, ["bob"]),
        ({"loginEmail": "BOB@other.example"}, ["bob"]),
        ({"loginEmail": "bob"}, []),
        ({"companyName": "r & c"}, ["bob"]),
        ({"organisationId": ORGANISATION}, ["Cy"]),
        ({"siteId": SITE}, ["Ann Émile"]),
        ({"isTerminated": "true"}, ["Gone"]),
        ({"sortField": "loginEmail", "limit": 2, "offset": 1}, ["bob", "Cy"]),
        ({"offset": 99}, []),
    ]
    for query, names in expected:
        assert await found(**query) == names, query


async def test_invalid_filters_of_users_are_refused(world: World, users: dict[str, Document]) -> None:
    admin = await world.user("admin@admin.example", roles=("company_admin",))
    for query in ({"roles": "king"}, {"companyId": "x"}, {"siteId": "x"}, {"isTerminated": "maybe"}, {"limit": 0}):
        body = refused(await world.get(ALL, by=admin, params=query), 400000)
        assert [each["param"] for each in body["errorDetails"]] == list(query)
    refused(await world.get(ALL, by=admin, params={"companyId": "0" * 24}), 404000)
    refused(await world.get(ALL, by=admin, params={"companyId": CUSTOMER}), 403301)
    refused(await world.get(f"{ALL}/{'0' * 24}", by=admin), 404000)
    refused(await world.get(f"{ALL}/x", by=admin), 400000)


async def test_a_user_reads_itself_by_its_id_as_clients_do_after_a_login(world: World) -> None:
    """Clients send `GET enduser/users/:id` after each login."""
    jane, other = await world.user(), await world.user("other@example.com")
    path = "/api/svc/enduser/v1.0/users"
    assert granted(await world.get(f"{path}/{jane['id']}", by=jane)) == granted(await world.get(f"{path}/me", by=jane))
    small = granted(await world.get(f"{path}/{jane['id']}", by=jane, params={"format": "small"}))["data"]
    assert set(small) == {"id", "displayName", "loginEmail", "companyId"}
    for id in (other["id"], "0" * 24):
        refused(await world.get(f"{path}/{id}", by=jane), 403100)
    assert (await world.get(f"{path}/{jane['id']}")).status_code == 401


async def test_formats_contain_no_secrets(world: World) -> None:
    admin = await world.user("admin@example.com", roles=("company_admin",), jid_password="0f" * 16)
    small = {"id", "displayName", "loginEmail", "companyId"}
    medium = small | {"firstName", "lastName", "companyName", "roles", "adminType", "isActive", "lastLoginDate"}
    for format, expected in (("small", small), ("medium", medium)):
        listed = granted(await world.get(ALL, by=admin, params={"format": format}))["data"]
        assert set(listed[0]) == expected
    for answer in (
        await world.get(ALL, by=admin, params={"format": "full"}),
        await world.get(f"{ALL}/{admin['id']}", by=admin),
    ):
        assert "jid_password" not in answer.text
        assert "passwordHash" not in answer.text
        assert "adminType" in answer.text
