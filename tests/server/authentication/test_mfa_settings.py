"""Second factor policies of a company (5.7)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, World, granted, refused

ALL = f"/api/svc/admin/v1.0/companies/{COMPANY}/settings/svcmfa"
CUSTOMER = "ec" * 12
Document = dict[str, Any]


def of(company: str) -> str:
    return ALL.replace(COMPANY, company)


@pytest.fixture
async def admin(world: World) -> Document:
    return await world.user("admin@example.com", roles=("company_admin",))


async def created(world: World, by: Document, **fields: Any) -> Document:
    return dict(granted(await world.post(ALL, by=by, json=fields))["data"])


async def test_a_policy_is_created_with_defaults_read_updated_and_deleted(world: World, admin: Document) -> None:
    made = await created(world, admin, mfaName="All users")
    assert made == {
        "mfaId": made["mfaId"],
        "mfaName": "All users",
        "mfaType": "totp",
        "mfaPolicy": "never",
        "enabledForAllCompanyUsers": False,
        "rememberDaysApplication": 365,
        "mfaCanBeDisabled": False,
    }
    address = f"{ALL}/{made['mfaId']}"
    assert granted(await world.get(address, by=admin))["data"] == made
    changed = granted(await world.put(address, by=admin, json={"mfaPolicy": "always", "unknown": 1}))["data"]
    assert changed == {**made, "mfaPolicy": "always"}
    answer = granted(await world.delete(address, by=admin))
    assert answer == {"status": f"MFA setting {made['mfaId']} successfully deleted", "data": []}
    for method in ("GET", "PUT", "DELETE"):
        refused(await world.send(method, address, by=admin, json={"mfaName": "x"}), 404000)


async def test_formats_of_the_list(world: World, admin: Document) -> None:
    await created(world, admin, mfaName="b")
    await created(world, admin, mfaName="A", mfaType="none")
    small = {"mfaId", "mfaName", "mfaType"}
    medium = small | {"enabledForAllCompanyUsers", "mfaPolicy", "rememberDaysApplication", "mfaCanBeDisabled"}
    for format, fields in (("", medium), ("small", small), ("medium", medium), ("full", medium)):
        body = granted(await world.get(ALL, by=admin, params={"format": format}))
        assert set(body) == {"data"}
        assert [each["mfaName"] for each in body["data"]] == ["A", "b"]
        assert set(body["data"][0]) == fields


# Role -> the companies whose policies it manages. The caller belongs to the first company.
MANAGES = {
    "superadmin": {COMPANY, OTHER_COMPANY, CUSTOMER},
    "bp_admin": {CUSTOMER},
    "organization_admin": {COMPANY, OTHER_COMPANY},
    "company_admin": {COMPANY},
    "site_admin": set(),
    "bp_finance": set(),
    "support": set(),
    "app_superadmin": set(),
    "user": set(),
}


async def test_roles_that_manage_policies(world: World) -> None:
    await world.company(organisationId=ORGANISATION)
    await world.company(OTHER_COMPANY, organisationId=ORGANISATION)
    await world.company(CUSTOMER, bpId=COMPANY)
    head = await world.user("head@example.com", roles=("superadmin",))
    ids = {
        company: granted(await world.post(of(company), by=head, json={"mfaName": "x"}))["data"]["mfaId"]
        for company in (COMPANY, OTHER_COMPANY, CUSTOMER)
    }
    for role, managed in MANAGES.items():
        caller = await world.user(f"{role}@example.com", roles=(role,), organisationId=ORGANISATION)
        for company, id in ids.items():
            answers = [
                await world.get(of(company), by=caller),
                await world.post(of(company), by=caller, json={"mfaName": role}),
                await world.get(f"{of(company)}/{id}", by=caller),
                await world.put(f"{of(company)}/{id}", by=caller, json={"mfaName": role}),
            ]
            for answer in answers:
                if company in managed:
                    granted(answer)
                else:
                    refused(answer, 403000)
    caller = await world.user("last@example.com", roles=("user",))
    refused(await world.delete(f"{ALL}/{ids[COMPANY]}", by=caller), 403000)


async def test_a_policy_for_all_users_is_the_only_policy(world_on_both: World) -> None:
    world = world_on_both
    admin = await world.user("admin@example.com", roles=("company_admin",))
    first = await created(world, admin, mfaName="first", enabledForAllCompanyUsers=True)
    second = await created(world, admin, mfaName="second", enabledForAllCompanyUsers=True)

    async def holds() -> list[str]:
        found = granted(await world.get(ALL, by=admin))["data"]
        return [each["mfaName"] for each in found if each["enabledForAllCompanyUsers"]]

    assert await holds() == ["second"]
    granted(await world.put(f"{ALL}/{first['mfaId']}", by=admin, json={"enabledForAllCompanyUsers": True}))
    assert await holds() == ["first"]
    await asyncio.gather(
        *(
            world.put(f"{ALL}/{each['mfaId']}", by=admin, json={"enabledForAllCompanyUsers": True})
            for each in (first, second, first, second)
        )
    )
    assert len(await holds()) == 1


async def test_invalid_policies_are_refused(world: World, admin: Document) -> None:
    made = await created(world, admin)
    for body in (
        {"mfaPolicy": "untrusted_app"},
        {"mfaType": "sms"},
        {"rememberDaysApplication": -1},
        {"mfaCanBeDisabled": None},
    ):
        refused(await world.post(ALL, by=admin, json=body), 400000)
        refused(await world.put(f"{ALL}/{made['mfaId']}", by=admin, json=body), 400000)
    refused(await world.put(f"{ALL}/{made['mfaId']}", by=admin, json={}), 400100)
    refused(await world.get(of("0" * 24), by=admin), 404000)
    refused(await world.get(of("x"), by=admin), 400000)
    refused(await world.get(f"{ALL}/{'0' * 24}", by=admin), 404000)


async def test_a_policy_is_found_under_its_own_company_only(world: World, admin: Document) -> None:
    await world.company(OTHER_COMPANY)
    made = await created(world, admin)
    head = await world.user("head@example.com", roles=("superadmin",))
    for method in ("GET", "PUT", "DELETE"):
        address = f"{of(OTHER_COMPANY)}/{made['mfaId']}"
        refused(await world.send(method, address, by=head, json={"mfaName": "x"}), 404000)
