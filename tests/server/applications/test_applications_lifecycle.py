"""Stop, restart and delete (4.5, and the states of an application)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.world import World, granted, refused

ALL = "/api/svc/applications/v1.0/applications"
ID = "1" * 24

Document = dict[str, Any]


@pytest.fixture
async def anna(world: World) -> Document:
    return await world.user("anna@example.com", roles=("app_admin",))


def address(move: str) -> tuple[str, str]:
    return ("DELETE", f"{ALL}/{ID}") if move == "delete" else ("PUT", f"{ALL}/{ID}/{move}")


# Step, state before -> state after, or the code of the refusal.
MOVES = [
    ("stop", "new", "stopped"),
    ("stop", "active", "stopped"),
    ("stop", "stopped", "stopped"),
    ("stop", "blocked", 403000),
    ("stop", "deleted", 404000),
    ("restart", "stopped", "active"),
    ("restart", "active", "active"),
    ("restart", "blocked", 403000),
    ("restart", "deleted", 404000),
    ("delete", "new", "deleted"),
    ("delete", "active", "deleted"),
    ("delete", "stopped", "deleted"),
    ("delete", "deleted", 404000),
]


async def test_each_deployment_step_from_each_state(world: World, anna: Document) -> None:
    for move, before, after in MOVES:
        await world.application(ID, ownerId=anna["id"], state=before)
        answer = await world.send(*address(move), by=anna)
        if isinstance(after, int):
            refused(answer, after)
            assert (await world.stored("applications", ID))["state"] == before
            continue
        assert (await world.stored("applications", ID))["state"] == after, (move, before)
        if move == "delete":
            assert granted(answer) == {"status": f"Application {ID} successfully deleted", "data": []}
        else:
            assert granted(answer)["data"]["state"] == after
            assert granted(answer)["data"]["appSecret"]


async def test_a_deleted_application_is_hidden_from_lists_that_do_not_ask_for_it(world: World, anna: Document) -> None:
    await world.application(ID, ownerId=anna["id"], name="Gone")
    granted(await world.delete(f"{ALL}/{ID}", by=anna))
    assert granted(await world.get(ALL, by=anna))["data"] == []
    asked = granted(await world.get(ALL, by=anna, params={"state": "deleted"}))
    assert [each["name"] for each in asked["data"]] == ["Gone"]
    refused(await world.put(f"{ALL}/{ID}", by=anna, json={"name": "Back"}), 404000)


async def test_applications_of_the_store_have_no_deployment_steps(world: World, anna: Document) -> None:
    head = await world.user("head@example.com", roles=("superadmin",))
    await world.application(ID, ownerId=anna["id"], kpi="svcstore")
    for caller in (anna, head):
        for move in ("stop", "restart", "delete"):
            body = refused(await world.send(*address(move), by=caller), 403000)
            assert "store operations" in body["errorDetails"]
    assert (await world.stored("applications", ID))["state"] == "active"
    granted(await world.put(f"{ALL}/{ID}", by=anna, json={"origin": "an update is fine"}))


async def test_only_the_owner_and_platform_roles_deploy_an_application(world: World, anna: Document) -> None:
    colleague = await world.user("ben@example.com", roles=("app_admin",))
    reader = await world.user("reader@example.com", roles=("app_support", "support", "company_admin"))
    await world.application(ID, ownerId=anna["id"])
    for move in ("stop", "restart", "delete"):
        refused(await world.send(*address(move), by=colleague), 403001)
        refused(await world.send(*address(move), by=reader), 403000)
        refused(await world.send(*address(move)), 401102)
    for role in ("superadmin", "app_superadmin"):
        caller = await world.user(f"{role}@example.com", roles=(role,))
        assert granted(await world.send(*address("stop"), by=caller))["data"]["state"] == "stopped"


async def test_the_body_of_a_deployment_step_is_ignored(world: World, anna: Document) -> None:
    await world.application(ID, ownerId=anna["id"])
    json = {"content-type": "application/json"}
    for content in (b"", b"{}", b'{"anything": 1}'):
        granted(await world.put(f"{ALL}/{ID}/stop", by=anna, content=content, headers=json))
        granted(await world.put(f"{ALL}/{ID}/restart", by=anna, content=content, headers=json))


async def test_unknown_and_malformed_identifiers(world: World, anna: Document) -> None:
    for method, tail in (("PUT", "/stop"), ("PUT", "/restart"), ("DELETE", "")):
        refused(await world.send(method, f"{ALL}/{'0' * 24}{tail}", by=anna), 404000)
        refused(await world.send(method, f"{ALL}/nonsense{tail}", by=anna), 400000)
