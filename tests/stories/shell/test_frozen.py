"""A service that takes requests and does not respond: the wait is shown, can be cancelled, and ends with a message."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.client.in_flight import Timeouts
from tests.stories.driver import profile, story
from tests.stories.wire import wired

RECORD = b"GET /api/svc/applications/v1.0/applications/"
USERS = b"GET /api/svc/admin/v1.0/users"


async def test_the_mark_of_the_link_counts_the_seconds_without_an_answer(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        wire.hold = b"GET "
        await person.press("r")
        await wire.held.wait()
        assert "●" in person.top
        await person.until(lambda: "◐ waiting 2 s" in person.top, "the wait is not shown")
        await person.until(lambda: "◐ waiting 3 s" in person.top, "the seconds are not counted")
        wire.released.set()
        await person.until(lambda: "●" in person.top or "◐ slow" in person.top, "the wait does not end")
        assert "waiting" not in person.top


async def test_a_form_that_waits_for_its_record_shows_it_at_once_and_can_be_cancelled(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        wire.hold = RECORD
        await person.press("e")
        await person.sees("reading…   esc cancels")
        await person.press("down", "x")
        await person.press("esc")
        await person.sees("Cancelled.", "demo ▸ Applications")
        await person.does_not_see("reading…")
        wire.released.set()
        await person.press("e")
        await person.sees("no changes")


async def test_esc_cancels_a_read_and_keeps_the_view_below(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Applications ▸ Campus Client", "Identity")
        await person.is_ready()
        wire.hold = RECORD
        await person.press("e")
        await person.sees("reading…")
        await person.press("esc")
        await person.sees("Cancelled.", "Applications ▸ Campus Client")
        wire.released.set()


async def test_waiting_after_a_choice_is_shown_too(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, "bp_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("templates")
        await person.is_ready()
        await person.press("A", "c")
        await person.sees("Northwind Telecom")
        wire.hold = b"GET /api/svc/admin/v1.0/customisations"
        await person.press("enter")
        await person.sees("reading…   esc cancels")
        await person.press("esc")
        await person.sees("Cancelled.")
        wire.released.set()


async def test_a_detail_that_is_not_known_yet_can_be_left_while_it_is_read(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        wire.hold = RECORD
        await person.goes("applications/unknown")
        await person.sees("Loading…")
        await person.press("esc")
        await person.sees("58 applications")
        wire.released.set()


async def test_a_timeout_is_one_sentence_and_is_not_repeated(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        client = person.app.frame.workspace.client
        assert client is not None
        monkeypatch.setattr(client, "_timeout", Timeouts(read=1.0))
        wire.hold = RECORD
        await person.press("e")
        await person.sees("This record could not be read completely. No response from 127.0.0.1")
        await person.does_not_see("reading…")
        late = [each for each in client.log.exchanges if each.error]
        assert len(late) == 1
        wire.released.set()


async def test_a_list_that_does_not_load_is_left_by_the_keys_of_other_places(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        for key, seen in (("1", "demo ▸ Applications"), (":", "tab Complete")):
            wire.hold, wire.held = USERS, asyncio.Event()
            await person.press("3")
            await wire.held.wait()
            await person.sees("demo ▸ Users", "loading…")
            await person.press(key)
            await person.sees(seen)
        wire.released.set()


async def test_esc_ends_the_wait_for_a_list_that_does_not_load(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        wire.hold = USERS
        await person.press("3")
        await wire.held.wait()
        await person.sees("demo ▸ Users", "loading…")
        # It is for what loads, and waits.
        await person.press("?")
        await person.until(lambda: person.app.frame.opening is not None, "nothing waits")
        await person.press("esc", "?")
        await person.sees("Users ▸ Help: Users")
        await person.press("esc")
        await person.sees("demo ▸ Users", "loading…")
        wire.released.set()
        await person.is_ready()
