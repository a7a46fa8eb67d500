"""Minimum client versions by application (4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.world import APP, World, granted, refused

ALL = "/api/svc/admin/v1.0/clientsversions"
Document = dict[str, Any]


@pytest.fixture
async def admin(world: World) -> Document:
    return await world.user("admin@example.com", roles=("superadmin",))


async def test_a_minimum_version_is_created_read_updated_and_deleted(world: World, admin: Document) -> None:
    made = granted(await world.post(ALL, by=admin, json={"id": APP, "version": "1.75.0"}))["data"]
    assert made == {"id": APP, "name": "Application a0a0", "version": "1.75.0"}
    again = refused(await world.post(ALL, by=admin, json={"id": APP, "version": "2.0"}), 409000)
    assert again["errorDetails"] == f"application {APP} already has a minimum version"
    assert granted(await world.get(f"{ALL}/{APP}", by=admin))["data"] == made
    changed = granted(await world.put(f"{ALL}/{APP}", by=admin, json={"version": "2"}))["data"]
    assert changed == {**made, "version": "2"}
    answer = granted(await world.delete(f"{ALL}/{APP}", by=admin))
    assert answer == {"status": f"Client version {APP} successfully deleted", "data": []}
    for method in ("GET", "PUT", "DELETE"):
        refused(await world.send(method, f"{ALL}/{APP}", by=admin, json={"version": "1"}), 404000)


async def test_only_superadmin_uses_client_versions(world: World) -> None:
    roles = "support business_admin app_superadmin app_support company_admin bp_admin organization_admin app_admin user"
    for role in roles.split():
        caller = await world.user(f"{role}@example.com", roles=(role,))
        for method, address in (
            ("GET", ALL),
            ("POST", ALL),
            ("GET", f"{ALL}/{APP}"),
            ("PUT", f"{ALL}/{APP}"),
            ("DELETE", f"{ALL}/{APP}"),
        ):
            refused(await world.send(method, address, by=caller, json={"id": APP, "version": "1"}), 403000)


async def test_filters_and_order_on_both_databases(world_on_both: World) -> None:
    world = world_on_both
    admin = await world.user("admin@example.com", roles=("superadmin",))
    for id, name, type_ in (("3", "Desk", "desktop"), ("1", "pocket", "mobile"), ("2", "Desk Go", "mobile")):
        await world.application(id * 24, name=name, type=type_)
        granted(await world.post(ALL, by=admin, json={"id": id * 24, "version": f"{id}.0"}))

    async def found(**query: Any) -> list[str]:
        page = granted(await world.get(ALL, by=admin, params=query))
        assert {"limit", "offset", "total"} <= set(page)
        return [each["name"] for each in page["data"]]

    assert await found() == ["pocket", "Desk Go", "Desk"]
    assert await found(name="DESK") == ["Desk Go", "Desk"]
    assert await found(type="mobile") == ["pocket", "Desk Go"]
    assert await found(sortField="name") == ["Desk", "Desk Go", "pocket"]
    assert await found(sortOrder=-1, limit=1) == ["Desk"]
    assert await found(offset=3) == []


async def test_invalid_fields_are_refused_by_name(world: World, admin: Document) -> None:
    wrong: list[tuple[Document, str]] = [
        ({"id": APP, "version": "new"}, "version"),
        ({"id": APP, "version": ""}, "version"),
        ({"id": APP, "version": "1.2.3.4.5"}, "version"),
        ({"id": APP}, "version"),
        ({"version": "1"}, "id"),
        ({"id": "short", "version": "1"}, "id"),
    ]
    for body, param in wrong:
        details = refused(await world.post(ALL, by=admin, json=body), 400000)["errorDetails"]
        assert [each["param"] for each in details] == [param], body
    refused(await world.get(f"{ALL}/short-1", by=admin), 400000)


async def test_an_application_that_does_not_exist_is_not_found(world: World, admin: Document) -> None:
    refused(await world.post(ALL, by=admin, json={"id": "0" * 24, "version": "1"}), 404000)
    refused(await world.post(ALL, by=admin, json={"id": "0" * 32, "version": "1"}), 404000)


async def test_a_minimum_version_refuses_older_clients_and_follows_the_name_of_its_application(
    world: World, admin: Document
) -> None:
    await world.user("jane@example.com")
    granted(await world.post(ALL, by=admin, json={"id": APP, "version": "1.75"}))
    refused(await world.login(x_svc_client_version="1.74.9"), 403020)
    granted(await world.login(x_svc_client_version="1.75.0"))
    address = f"/api/svc/applications/v1.0/applications/{APP}"
    granted(await world.put(address, by=admin, json={"name": "Renamed"}))
    assert granted(await world.get(f"{ALL}/{APP}", by=admin))["data"]["name"] == "Renamed"
