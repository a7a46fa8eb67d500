"""Keys typed ahead of a slow list: none is lost, and each acts on the record that it was typed for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from textual import events

from svc_tui.console.editing import record_forms
from svc_tui.console.shell.app import Console
from svc_tui.workspace.core.service import ReadError
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, send, story
from tests.stories.wire import wired

LIST, RECORD = b"GET /api/svc/applications/v1.0/applications?", b"GET /api/svc/applications/v1.0/applications/"


def typed(*keys: str) -> list[events.Key]:
    """Keys that were typed now and are still on their way."""
    return [events.Key(key, key if len(key) == 1 else None) for key in keys]


async def begins_to_open(person: Story) -> None:
    """Wait until a view is being put on top, in the turn of the event loop in which that begins."""
    async with asyncio.timeout(20):
        while not person.app.frame.is_changing:  # noqa: ASYNC110 - the next picture is too late
            await asyncio.sleep(0)


def arrive(person: Story, keys: list[events.Key]) -> None:
    for key in keys:
        person.app.post_message(key)


async def test_an_action_behind_another_order_never_acts_on_the_record_that_comes_to_the_cursor(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        await person.press("down", "down", "down")
        await person.is_ready()
        wire.hold = b"GET /api"
        # In the other order, other records are at the top, and where this one is only the service knows.
        send(person, ">")
        await wire.held.wait()
        send(person, "enter")
        await person.pilot.pause()
        assert person.app.frame.view.kind == "list"
        wire.released.set()
        await person.sees("DATE              ▲", "Another record is selected now. Nothing was done.")
        assert person.app.frame.view.kind == "list"
        await person.press("enter")
        await person.until(lambda: person.app.frame.view.kind == "detail", "no record is opened")


async def test_an_order_that_is_known_keeps_the_record_for_the_keys_behind_it(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        wire.hold = LIST
        send(person, ">", "e", "down")
        await wire.held.wait()
        wire.released.set()
        await person.sees("▸ Edit Campus Client", "no changes")


async def test_keys_for_a_record_that_was_deleted_elsewhere_do_nothing_to_its_neighbour(service: str) -> None:
    async with wired(service) as (_, url), story(profile(url)) as person, other_client(service) as other:
        await person.is_ready()
        await person.puts_cursor_on("Branch Planner")
        row = person.app.frame.view.record
        assert row is not None
        # A confirmation with the name, and keys that would open a form, change a state, or leave.
        on_the_way = typed("x", *"Branch", "space", *"Planner", "enter", "e", "n", "S", "enter", "q")
        await call(other, "delete_application", appId=str(row["id"]))
        await person.press("r")
        await person.is_gone("Branch Planner")
        before = person.cursor
        arrive(person, on_the_way)
        await person.sees("Another record is selected now. Nothing was done.")
        await person.is_ready()
        assert person.cursor == before and person.app.screen is person.app.frame
        await person.press("down", "up")
        await person.sees("57 applications")
        # Keys that are typed now mean the record that is selected now.
        await person.press("enter")
        await person.sees("Applications ▸ Branch Studio")


async def test_a_text_typed_behind_a_change_that_the_role_forbids_does_nothing(service: str) -> None:
    async with story(profile(service, "user@demo.example"), place="users") as person:
        await person.is_ready()
        # As commands, these letters would open the form of a new record, the log and another place.
        arrive(person, typed("e", *"n!2", "enter"))
        await person.sees("Edit: ")
        await person.pilot.pause()
        assert person.app.frame.view.kind == "list" and "▸ Users" in person.top
        await person.press("2")
        await person.sees("demo ▸ Companies")


async def test_a_text_typed_for_a_form_that_cannot_be_read_does_nothing(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def unreadable(*_: object) -> Mapping[str, Any]:
        asked.set()
        await answered.wait()
        raise ReadError("This record could not be read completely.")

    monkeypatch.setattr(record_forms, "full_record", unreadable)
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        send(person, "e")
        await person.until(asked.is_set, "not read")
        send(person, *"n2", "enter")
        await person.pilot.pause()
        answered.set()
        await person.sees("could not be read completely")
        await person.pilot.pause()
        assert "▸ Applications" in person.top and len(person.app.frame.stack) == 1
        await person.press("2")
        await person.sees("demo ▸ Companies")


async def test_keys_for_the_first_record_wait_until_the_service_is_connected(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, prepare = asyncio.Event(), Console.prepare_demo

    async def slowly(console: Console) -> bool:
        await prepared.wait()
        return await prepare(console)

    monkeypatch.setattr(Console, "prepare_demo", slowly)
    async with story(profile(service), place="home") as person:
        await person.sees("Needs attention")
        send(person, "1", "enter")
        await person.sees("demo ▸ Applications")
        prepared.set()
        await person.sees("demo ▸ Applications ▸ ")


async def test_every_key_of_a_burst_is_used_while_the_list_loads(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        wire.hold = LIST
        await person.press("r")
        await wire.held.wait()
        send(person, "down", "down", "space", "space", "down", "space")
        await person.sees("3 marked")
        marked = person.app.frame.view.marked
        wire.released.set()
        await person.is_ready()
        assert person.app.frame.view.marked == marked


async def test_escape_typed_twice_goes_back_twice(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        for _ in range(3):
            send(person, "enter", "e", "esc", "esc", "down", "up")
            await person.until(lambda: person.app.frame.view.kind == "list", "not back in the list")
            await person.sees("▸ Applications ")
            await person.until(lambda: "Campus Client" in person.cursor, "the moves are lost")


async def test_escape_typed_again_while_the_first_one_closes_a_view_is_not_lost(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter", "e")
        await person.sees("▸ Campus Client ▸ Edit")
        await person.until(lambda: person.app.frame.opening is None, "the form is still opening")
        # Both are there before the form has been closed.
        first, second = events.Key("escape", None), events.Key("escape", None)
        assert await person.app.frame.press(first) and person.app.frame.opening is not None
        assert await person.app.frame.press(second)
        await person.until(lambda: person.app.frame.view.kind == "list", "the second escape is lost")


async def test_esc_closes_the_help_that_still_opens_while_the_record_is_read(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        wire.hold = RECORD
        await person.press("enter")
        await wire.held.wait()
        await person.sees("▸ Applications ▸ ", "Identity")
        # Both are there before the help is open.
        send(person, "?", "esc", "esc")
        await person.until(lambda: len(person.app.frame.stack) == 1, "an escape is lost")
        wire.released.set()


async def test_esc_closes_a_record_that_still_opens_and_the_marks_of_its_list_stay(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("space")
        await person.sees("1 marked")
        enter, escape = typed("enter", "escape")
        frame = person.app.frame
        assert await frame.press(enter)
        await begins_to_open(person)
        assert [view.kind for view in frame.stack] == ["list"]
        assert await frame.press(escape)
        await person.until(lambda: frame.opening is None, "the record is still being closed")
        assert [view.kind for view in frame.stack] == ["list"]
        await person.sees("1 marked")


async def test_esc_behind_another_key_goes_back_from_what_that_key_opens(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        enter, raw, escape = typed("enter", "d", "escape")
        frame = person.app.frame
        assert await frame.press(enter)
        await begins_to_open(person)
        assert await frame.press(raw) and await frame.press(escape)
        await person.until(lambda: frame.opening is None and not frame.is_changing, "still opening")
        await person.is_ready()
        assert [view.kind for view in frame.stack] == ["list", "detail"]


async def test_esc_cancels_an_action_that_waits_without_a_request_and_the_view_stays(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("enter")
        await person.is_ready()
        frame = person.app.frame
        frame.begin(asyncio.Event().wait())
        send(person, "esc")
        await person.until(lambda: frame.opening is None, "not cancelled")
        assert [view.kind for view in frame.stack] == ["list", "detail"]


async def test_a_text_typed_behind_the_key_of_a_record_like_this_one_is_in_its_form(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, "company_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("users felix becker")
        await person.sees("Felix Becker")
        await person.is_ready()
        wire.hold = b"GET /api/svc/admin/v1.0/users/"
        send(person, "=", *"x@a.co", "down", "X")
        await wire.held.wait()
        wire.released.set()
        await person.sees("New user")
        await person.sees_line(r"Login.* x@a.co")
        await person.sees_line(r"First name \* +X")
