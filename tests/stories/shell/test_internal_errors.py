"""Internal errors: one sentence with the place of the log, never a traceback, and the console continues."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from svc_tui.client.in_flight import RawResponse
from svc_tui.client.transport import Transport
from svc_tui.console.shell.connection import Connection
from svc_tui.console.shell.home_numbers import HomeNumbers
from svc_tui.console.shell.resources import ALL
from svc_tui.console.views.list import ListView
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT, PASSWORD
from svc_tui.workspace.lists.windowed_listing import WindowedListing
from tests.stories.driver import Story, profile, story


def workspace(person: Story):  # type: ignore[no-untyped-def]
    return person.app.frame.workspace


def logs(person: Story) -> list[Path]:
    return sorted(workspace(person).folders.data.glob("crash-*.log"))


async def reports_and_logs_it(person: Story, what: str) -> None:
    """The sentence with the place of the log, which only this user can read and which holds no secret."""
    await person.sees("Internal error in svc-tui")
    await person.until(lambda: logs(person), "no log")
    (log,) = logs(person)
    assert log.stat().st_mode & 0o777 == 0o600
    text = log.read_text()
    assert what in text and "Traceback" in text
    assert PASSWORD not in text and "tkn=abc" not in text
    assert "Traceback" not in person.screen


async def test_an_internal_error_in_an_action_is_reported_and_the_console_continues(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: ListView) -> None:
        raise KeyError("https://svc.example/?tkn=abc&x=1")

    async with story(profile(service)) as person:
        await person.is_ready()
        monkeypatch.setattr(ListView, "mark", broken)
        await person.press("space")
        await reports_and_logs_it(person, "KeyError")
        await person.press("n")
        await person.sees("New application")


async def test_an_internal_error_in_background_work_is_reported_and_the_form_stays(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("n")
        await person.sees("New application")
        await person.type("Kept after a fault")
        await person.press("down", "s", "down", "j", "ctrl+o")
        await person.sees("Name: — → Kept after a fault")
        monkeypatch.setattr(workspace(person), "perform", broken)
        await person.press("enter")
        await reports_and_logs_it(person, "RuntimeError: inside")
        await person.press("esc")
        await person.sees_line(r"Name \*\s+Kept after a fault")


async def test_a_fault_in_the_login_box_does_not_leave_it_waiting(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from svc_tui.client import login

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    async with story(replace(profile(service, password=""), login="user@demo.example")) as person:
        await person.sees("Log in to demo")
        with monkeypatch.context() as patched:
            patched.setattr(login, "login", broken)
            await person.type(PASSWORD)
            await person.press("enter")
            await reports_and_logs_it(person, "RuntimeError: inside")
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.is_ready()


async def test_an_internal_error_while_connecting_is_reported_and_cached_records_stay(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: Connection) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(Connection, "_log_in_or_wait", broken)
    async with story(profile(service)) as person:
        await reports_and_logs_it(person, "RuntimeError: inside")
        await person.press("?")
        await person.sees("Help")


async def test_an_internal_error_of_a_list_that_is_read_in_the_background_is_reported(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("inside")

    async with story(profile(service)) as person:
        await person.is_ready()
        with monkeypatch.context() as patched:
            patched.setattr(WindowedListing, "_show_fetched", broken)
            await person.press("r")
            await reports_and_logs_it(person, "RuntimeError: inside")
        await person.press("r")
        await person.is_ready()
        await person.sees("58 applications")


async def test_an_internal_error_of_a_view_that_reads_in_the_background_is_reported(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr(HomeNumbers, "read", broken)
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("home")
        await reports_and_logs_it(person, "RuntimeError: inside")
        await person.goes("applications")
        await person.sees("58 applications")


async def test_a_job_that_an_internal_error_ends_can_be_closed(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("space", "down", "space", "S")
        await person.sees("Stop 2 applications")
        monkeypatch.setattr(workspace(person), "perform", broken)
        await person.press("enter")
        await reports_and_logs_it(person, "RuntimeError: inside")
        await person.press("esc")
        await person.does_not_see("Stop 2 applications")
        await person.sees("0 done, 0 failed, 1 unknown")


async def test_an_error_that_was_never_raised_is_reported_too(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        # A result that nothing reads: the event loop reports its error when it is freed, without a traceback.
        asyncio.get_running_loop().create_future().set_exception(RuntimeError("inside"))
        await person.sees("Internal error in svc-tui")
        (log,) = logs(person)
        assert "RuntimeError: inside" in log.read_text()


# --- responses of another shape ----------------------------------------------------------------------------------


@contextmanager
def every_read_returns(body: Any) -> Iterator[None]:
    """Replace the body of every response that reads by another JSON value."""
    exchange = Transport.exchange

    async def replaced(transport: Transport, method: str, *words: Any, **options: Any) -> RawResponse:
        reply = await exchange(transport, method, *words, **options)
        if method != "GET" or "json" not in reply.headers.get("content-type", ""):
            return reply
        return replace(reply, body=json.dumps(body).encode())

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Transport, "exchange", replaced)
        yield


@pytest.mark.parametrize("body", [[], {"data": "text"}, {"data": [None], "total": "many"}])
async def test_responses_of_another_shape_are_faults_of_the_service_at_every_place(service: str, body: Any) -> None:
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home") as person:
        await person.is_ready()
        with every_read_returns(body):
            for name in (*(resource.name for resource in ALL), "home"):
                await person.goes(name)
                await person.pilot.pause()
                assert "loading…" not in person.screen.lower(), person.screen
        assert not logs(person), logs(person)[0].read_text()
        assert "Internal error" not in person.screen


async def test_an_internal_error_while_rows_are_marked_or_found_is_no_bare_text(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("inside")

    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        with monkeypatch.context() as patched:
            patched.setattr(WindowedListing, "_matches", broken)
            await person.press("*")
            await reports_and_logs_it(person, "KeyError: 'inside'")
        logs(person)[0].unlink()
        await person.press("n")
        await person.on_field("Owner")
        await person.press("enter")
        await person.sees("Type to search")
        monkeypatch.setattr(workspace(person), "read", broken)
        await person.type("Nor")
        await reports_and_logs_it(person, "KeyError: 'inside'")
