"""The audit log on both databases: who changed what when many write at once, and nothing half written."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from svc_tui.server.store.audit import Origin, originating
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from tests.support.world import APP, COMPANY, World, granted

Document = dict[str, Any]
APPLICATIONS = "/api/svc/applications/v1.0/applications"


async def recorded(world: World, **fields: str) -> list[Document]:
    """The records of the log with these values."""
    async with world.service.database.unit() as store:
        found = await store.audit_records.find(*(Is(wire, value) for wire, value in fields.items()))
    return list(found.documents)


async def test_simultaneous_changes_each_record_their_user_and_previous_value(world_on_both: World) -> None:
    world = world_on_both
    users = [await world.user(f"root{number}@example.com", roles=("app_superadmin",)) for number in range(4)]
    sent = {f"by {user['id']}, {number}": user["id"] for user in users for number in range(4)}
    answers = await asyncio.gather(
        *(
            world.put(f"{APPLICATIONS}/{APP}", by=user, json={"description": f"by {user['id']}, {number}"})
            for number in range(4)
            for user in users
        )
    )
    for answer in answers:
        granted(answer)
    # From each value to the next one, and who made it: a change that saw an older value would be a second way on.
    steps = {}
    for record in await recorded(world, recordId=APP, operation="update_application"):
        (change,) = record["changes"]
        assert record["userId"] == sent[change["new"]]
        steps[change.get("old")] = change["new"]
    assert len(steps) == len(sent)
    value = None
    for _ in range(len(sent)):
        value = steps.pop(value)
    assert value == (await world.stored("applications", APP))["description"]


async def test_a_change_that_fails_leaves_neither_itself_nor_a_record(world_on_both: World) -> None:
    world, failing = world_on_both, Origin(world_on_both.clock.now, "test", user_id="u1")
    with originating(failing), pytest.raises(IntegrityError):
        async with world.service.database.unit() as store:
            await store.companies.put({**await world.stored("companies", COMPANY), "name": "Never"})
            await store.companies.add({"id": COMPANY, "name": "Twice"})
    assert await recorded(world, userId="u1") == []
    assert (await world.stored("companies", COMPANY))["name"] != "Never"


async def test_a_change_whose_record_cannot_be_written_is_not_made(world_on_both: World) -> None:
    world = world_on_both
    root = await world.user("root@example.com", roles=("app_superadmin",))
    async with world.service.database.unit() as store:
        await store.change(sa.text("DROP TABLE audit_records"))
    answer = await world.put(f"{APPLICATIONS}/{APP}", by=root, json={"description": "Never"})
    assert answer.status_code >= 500
    assert "description" not in await world.stored("applications", APP)


@pytest.mark.parametrize("world_on_both", ["postgresql"], indirect=True)
async def test_a_change_whose_connection_ends_before_its_commit_leaves_no_record(world_on_both: World) -> None:
    world, killed = world_on_both, Origin(world_on_both.clock.now, "test", user_id="u1")
    other = Database(world.service.settings.database_url)
    with originating(killed), pytest.raises((DBAPIError, OSError)):
        async with world.service.database.unit() as store:
            await store.companies.put({**await world.stored("companies", COMPANY), "name": "Never"})
            ((pid,),) = await store.rows(sa.text("SELECT pg_backend_pid()"))
            async with other.engine.begin() as admin:
                await admin.execute(sa.text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
    await other.close()
    assert await recorded(world, userId="u1") == []
    assert (await world.stored("companies", COMPANY))["name"] != "Never"
