"""The check of a file for a command ends by its event, also when the response is lost: with a real service."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from svc_tui.client.errors import ServiceError
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.workspace.core.events import ServiceReported
from svc_tui.workspace.directory import check_run
from svc_tui.workspace.directory.check_run import CheckRun, CommandEnd
from svc_tui.workspace.directory.upload import FileUpload
from tests.server.events.support import listening
from tests.support.world import World
from tests.workspace.changes.test_live_events import live_desk, until
from tests.workspace.conftest import Desk, Desks

COMMAND = "nightly-1"


class LosesFirstAnswer(httpx.AsyncBaseTransport):
    """A line that loses the answer to the first upload: the connection breaks, or `hangs`."""

    def __init__(self, inner: httpx.AsyncBaseTransport, *, hangs: bool) -> None:
        self._inner, self._hangs, self._lost = inner, hangs, False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._inner.handle_async_request(request)
        if request.method != "POST" or self._lost:
            return answer
        self._lost = True
        if self._hangs:
            await asyncio.Event().wait()
        raise httpx.ReadError("lost", request=request)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_text("__action__;ldap_id;firstName;lastName\nsync;1;Ada;Lovelace\n")
    return path


def check(desk: Desk, file: Path, command: str = COMMAND) -> CheckRun:
    query = {"commandId": command} if command else {}
    upload = FileUpload(desk.workspace, "check_directory_csv", file, CsvFormat("utf-8", ";", "%"), query=query)
    return CheckRun(desk.workspace, upload, command)


def reports(desk: Desk) -> int:
    """The requests of the report."""
    return sum("/report" in each for each in desk.line.requests)


async def test_the_response_has_the_result_and_the_report_is_not_read(world: World, desks: Desks, file: Path) -> None:
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        result = await check(desk, file).run()
        assert result["data"]["okCount"] == 1
        await until(lambda: any(isinstance(event, ServiceReported) for event in desk.events))
        assert reports(desk) == 0
        await desk.workspace.close()


@pytest.mark.parametrize("hangs", [False, True])
async def test_without_a_response_the_event_ends_it_and_the_report_has_the_result(
    world: World, desks: Desks, file: Path, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    monkeypatch.setattr(check_run, "RESPONSE_SECONDS", 0.05)
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        desk.line.service = LosesFirstAnswer(desk.line.service, hangs=hangs)
        result = await check(desk, file).run()
        assert (result["data"]["okCount"], reports(desk)) == (1, 1)
        await desk.workspace.close()


async def test_without_an_event_channel_a_lost_response_is_a_failure(world: World, desks: Desks, file: Path) -> None:
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
    await until(lambda: desk.workspace.live.channel.state != "live")
    desk.line.service = LosesFirstAnswer(desk.line.service, hangs=False)
    monitored = check(desk, file)
    with pytest.raises(ServiceError):
        await monitored.run()
    assert reports(desk) == 0


async def test_the_end_of_another_command_is_not_the_end(world: World, desks: Desks) -> None:
    desk = desks.make(httpx.ASGITransport(app=world.app))
    end = CommandEnd(desk.workspace, COMMAND)
    for command in ("another", ""):
        desk.workspace._listeners.notify(ServiceReported("command_ended", {"commandId": command}))
    assert not end._ended.is_set()
    desk.workspace._listeners.notify(ServiceReported("command_ended", {"commandId": COMMAND}))
    assert await end.next_look()
    end.forget()


async def test_with_an_event_channel_a_report_is_looked_at_less_often(
    world: World, desks: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_run, "POLL_SECONDS", 0.0)
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        watched, other = CommandEnd(desk.workspace, COMMAND), CommandEnd(desk.workspace, "")
        assert not await other.next_look()
        look = asyncio.create_task(watched.next_look())
        await asyncio.sleep(0.05)
        assert not look.done()
        desk.workspace._listeners.notify(ServiceReported("command_ended", {"commandId": COMMAND}))
        assert await look
        await desk.workspace.close()


async def test_a_response_that_is_a_little_later_than_the_event_is_awaited(
    world: World, desks: Desks, file: Path
) -> None:
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        desk.line.answers.clear()
        running = asyncio.create_task(check(desk, file).run())
        await until(lambda: any(isinstance(event, ServiceReported) for event in desk.events))
        desk.line.answers.set()
        assert ((await running)["data"]["okCount"], reports(desk)) == (1, 0)
        await desk.workspace.close()
