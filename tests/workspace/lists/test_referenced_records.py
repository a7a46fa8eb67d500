"""The records that others refer to: from the cache without a request, else each asked for once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.support.world import World
from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import Script, until

ANA = ("users", "u1")


@pytest.fixture
async def desk(desks: Desks, script: Script) -> Desk:
    made = desks.make(script, {**JANE, "roles": ["user", "company_admin"]})
    made.attach()
    return made


async def cached(desk: Desk, name: str, fetched: float) -> None:
    row = {"id": "u1", "displayName": name}
    await desk.workspace.cache.store_record("users", "u1", row, operation_id="get_user", form="small", fetched=fetched)


async def test_a_cached_record_needs_no_request_and_its_changes_are_seen(desk: Desk) -> None:
    records = desk.workspace.referenced
    before = len(desk.line.requests)
    await cached(desk, "Ana Mendes", 1.0)
    assert await records.load([ANA])
    assert records.get(ANA) == {"id": "u1", "displayName": "Ana Mendes"}
    assert not await records.load([ANA])
    await cached(desk, "Ana Costa", 2.0)
    assert await records.load([ANA])
    assert records.get(ANA) == {"id": "u1", "displayName": "Ana Costa"}
    assert len(desk.line.requests) == before


async def test_a_record_that_is_not_cached_is_read_once_and_then_cached(
    real: Callable[..., Awaitable[Desk]], world: World
) -> None:
    desk = await real("superadmin")
    ana = ("users", str((await world.user("ana@example.com"))["id"]))
    before = len(desk.line.requests)
    for _ in range(2):
        await desk.workspace.referenced.load([ana])
    (asked,) = desk.line.requests[before:]
    assert asked.partition("?")[0].endswith(ana[1])
    (kept,) = await desk.workspace.cache.read_records("users", [ana[1]])
    assert desk.workspace.referenced.get(ana) == kept
    assert kept["loginEmail"] == "ana@example.com"


async def test_a_record_whose_request_was_cancelled_is_read_by_the_next_view(
    real: Callable[..., Awaitable[Desk]], world: World
) -> None:
    desk = await real("superadmin")
    ana = ("users", str((await world.user("ana@example.com"))["id"]))
    desk.line.hold()
    closed = asyncio.create_task(desk.workspace.referenced.load([ana]))
    await until(lambda: desk.line.in_progress == 1)
    closed.cancel()
    await asyncio.wait([closed])
    desk.line.release()
    assert await desk.workspace.referenced.load([ana])
    assert (desk.workspace.referenced.get(ana) or {})["loginEmail"] == "ana@example.com"


async def test_records_that_the_role_may_not_read_are_not_requested(desks: Desks, script: Script) -> None:
    desk = desks.make(script, {**JANE, "roles": ["user", "app_superadmin"]})
    desk.attach()
    before = len(desk.line.requests)
    assert not await desk.workspace.referenced.load([ANA])
    assert len(desk.line.requests) == before


async def test_a_record_that_may_not_be_read_is_asked_for_once(desk: Desk, script: Script) -> None:
    script.refusal = (404, {"errorCode": 404, "errorMsg": "no", "errorDetailsCode": 404000})
    before = len(desk.line.requests)
    for _ in range(2):
        assert not await desk.workspace.referenced.load([ANA])
    assert [each.partition("?")[0].rpartition("/")[2] for each in desk.line.requests[before:]] == ["u1"]


async def test_nothing_is_asked_on_a_slow_link_and_when_the_service_does_not_respond_it_is_asked_again(
    desk: Desk, script: Script
) -> None:
    script.refusal = (404, {"errorCode": 404, "errorMsg": "no", "errorDetailsCode": 404000})
    before = len(desk.line.requests)
    desk.workspace.frugal = True
    assert not await desk.workspace.referenced.load([ANA])
    assert len(desk.line.requests) == before
    desk.workspace.frugal = False
    desk.line.cut = True
    assert not await desk.workspace.referenced.load([ANA])
    desk.line.cut = False
    desk.workspace.retry_now()
    before = len(desk.line.requests)
    assert not await desk.workspace.referenced.load([ANA])
    assert any("/u1?" in each for each in desk.line.requests[before:])


async def test_a_record_whose_path_needs_more_than_its_id_is_not_asked_for(desk: Desk) -> None:
    before = len(desk.line.requests)
    assert not await desk.workspace.referenced.load([("subscribers", "s1")])
    assert len(desk.line.requests) == before
