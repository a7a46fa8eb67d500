"""Refused attempts in the audit log: who tried what how often, in few records however many there are."""

from __future__ import annotations

import pytest

from svc_tui.interface.catalogue import operation
from svc_tui.interface.errors import Code
from svc_tui.server.auditing import MOST, RefusedAttempts, refused_attempt_storage
from svc_tui.server.store.audit import Audit, Origin
from tests.server.audit.test_audit_records import log
from tests.support.world import APP, World, refused

STOP = f"/api/svc/applications/v1.0/applications/{APP}/stop"


async def test_refused_changes_are_counted_by_user_and_written_together(world: World) -> None:
    root = await world.user("root@example.com", roles=("superadmin", "app_superadmin"))
    jane = await world.user()
    for _ in range(3):
        refused(await world.put(STOP, by=jane), 403000)
    # What is only read leaves no trace.
    assert (await world.get("/api/svc/audit/v1.0/records", by=jane)).status_code == 403
    assert await log(world, root, userId=jane["id"]) == []
    await world.service.part(RefusedAttempts).write()
    (record,) = await log(world, root, userId=jane["id"])
    found = (record["action"], record["outcome"], record["operation"], record["count"], record["address"])
    assert found == ("attempt", "refused", "stop_application", 3, "127.0.0.1")
    await world.service.part(RefusedAttempts).write()
    assert len(await log(world, root, userId=jane["id"])) == 1


async def test_refused_changes_are_written_when_the_server_stops_also_after_an_error(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = await world.user("root@example.com", roles=("superadmin", "app_superadmin"))
    jane = await world.user()

    def lost(*_: object) -> None:
        raise OSError

    async with refused_attempt_storage(world.service):
        refused(await world.put(STOP, by=jane), 403000)
        with monkeypatch.context() as patched, pytest.raises(OSError):
            patched.setattr(Audit, "refused", lost)
            await world.service.part(RefusedAttempts).write()
        refused(await world.put(STOP, by=jane), 403000)
        assert await log(world, root, userId=jane["id"]) == []
    (record,) = await log(world, root, userId=jane["id"])
    assert record["count"] == 2


async def test_attempts_of_very_many_addresses_are_few_records(world: World) -> None:
    root = await world.user("root@example.com", roles=("superadmin", "app_superadmin"))
    attempts = world.service.part(RefusedAttempts)
    for number in range(1000):
        origin = Origin(world.clock.now, "login", address=f"192.0.{number // 250}.{number % 250}")
        attempts.note(operation("login"), origin, Code.LOCKED)
    await attempts.write()
    records = [each for each in await log(world, root, limit=1000) if each["action"] == "attempt"]
    assert len(records) == MOST
    assert sum(record["count"] for record in records) == 1000
