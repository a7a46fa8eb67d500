"""Hooks of areas: background jobs run with the server, observers see its requests, a part exists once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from svc_tui.interface.operations import AnyOperation
from svc_tui.server import hooks
from svc_tui.server.service import Service
from tests.support.world import APP, World, granted


async def test_background_jobs_run_while_the_server_runs(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    events = list[str]()
    monkeypatch.setattr(hooks, "_JOBS", [])

    @hooks.background_job
    @asynccontextmanager
    async def job(service: Service) -> AsyncIterator[None]:
        assert service is world.service
        events.append("started")
        yield
        events.append("ended")

    async with world.app.router.lifespan_context(world.app):
        assert events == ["started"]
    assert events == ["started", "ended"]


async def test_observers_get_the_application_and_the_operation_of_each_request(
    monkeypatch: pytest.MonkeyPatch, world: World
) -> None:
    seen = list[tuple[str, str]]()
    monkeypatch.setattr(hooks, "_OBSERVERS", [])

    @hooks.request_observer
    def observe(service: Service, application_id: str, operation: AnyOperation) -> None:
        seen.append((application_id, operation.id))

    user = await world.user(roles=("superadmin",))
    granted(await world.get(f"/api/svc/admin/v1.0/users/{user['id']}", by=user))
    assert seen == [(APP, "get_user")]


def test_a_part_of_a_service_is_created_once(world: World) -> None:
    def part(service: Service) -> list[Service]:
        return [service]

    assert world.service.part(part) is world.service.part(part)
    assert world.service.part(part) == [world.service]
