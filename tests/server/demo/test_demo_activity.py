"""The simulated activity of a demo: only on request, and never against the update of a user."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from svc_tui.server.demo.accounts import account
from svc_tui.server.demo.activity import moving, simulate_event
from svc_tui.server.demo.area import demo_areas
from svc_tui.server.store.conditions import In, Related
from tests.support.world import World

Document = dict[str, Any]


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


async def applications(world: World) -> dict[str, Document]:
    company = In("companyId", [account(name).company_id for name in ("company_admin", "demo")])
    async with world.service.database.unit() as store:
        found = await store.applications.find(Related("ownerId", "users", company))
    return {each["id"]: each for each in found.documents}


async def test_simulated_deployments_tokens_and_subscriptions(demo: World) -> None:
    before = await applications(demo)
    chance = random.Random(1)
    happened = {await simulate_event(demo.service, chance) for _ in range(800)}
    assert happened == {
        "tokens_renewed",
        "deployment_requested",
        "deployment_finished",
        "first_login",
        "subscription_moved",
        "subscription_synchronised",
        *(event.__name__.strip("_") for area in demo_areas() for event, _ in area.events),
    }
    after = await applications(demo)
    now = "2026-11-20T10:00:00.000Z"
    deployed = [id for id, each in after.items() if each["env"] == "deployed" and before[id]["env"] != "deployed"]
    assert deployed
    assert all(after[id]["dateOfDeployment"] == now and after[id]["deployReason"] for id in deployed)
    assert all("dateOfDeploymentRequest" in after[id] for id in deployed), "nothing is deployed without a request"
    assert [each for each in after.values() if each.get("dateOfLastTokenWhenRenew") == now]
    assert not [each for each in after.values() if each.get("subscriptionStatus") == ["creating"]]
    for id, each in after.items():
        statuses = [paid["status"] for paid in each.get("subscriptions", ())]
        assert statuses == each.get("subscriptionStatus", [])
        if before[id]["state"] in ("stopped", "blocked", "deleted"):
            assert each["state"] == before[id]["state"]
        for field in ("name", "ownerId", "appSecret", "type", "kpi"):
            assert each[field] == before[id][field]


async def test_nothing_changes_without_the_simulated_activity(demo: World) -> None:
    before = await applications(demo)
    tasks = len(asyncio.all_tasks())
    async with moving(demo.service):
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == tasks
    assert await applications(demo) == before


async def test_the_simulated_activity_runs_until_the_server_stops(demo: World) -> None:
    demo.service.settings.demo_activity = 0.001
    before = await applications(demo)
    tasks = asyncio.all_tasks()
    async with asyncio.timeout(20), moving(demo.service):
        while await applications(demo) == before:
            demo.clock.forward(seconds=1)
            await asyncio.sleep(0.01)
    # The connection of the cancelled task may still be closing; the activity itself would never end.
    async with asyncio.timeout(20):
        await asyncio.gather(*(asyncio.all_tasks() - tasks))


async def test_of_several_processes_one_simulates_the_activity(demo: World, monkeypatch: pytest.MonkeyPatch) -> None:
    acted = asyncio.Queue[str]()

    async def act(*_: object) -> None:
        acted.put_nowait("")

    monkeypatch.setattr("svc_tui.server.demo.activity.simulate_event", act)
    demo.service.settings.demo_activity = 0.001

    async def due() -> bool:
        async with demo.service.database.unit() as store:
            return await store.turns.due("demo activity") is not None

    async with asyncio.timeout(20), moving(demo.service), moving(demo.service):
        while not await due():  # noqa: ASYNC110
            await asyncio.sleep(0)
        for _ in range(5):
            demo.clock.forward(seconds=1)
            await acted.get()
    assert acted.empty()


async def test_the_simulated_activity_ignores_an_empty_store(world: World) -> None:
    assert await simulate_event(world.service, random.Random(1)) == ""
