"""The account that the demo opens with: every place that has records anywhere shows some."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from svc_tui.console.core.demo import Demo
from svc_tui.console.core.places import Place
from svc_tui.console.shell.commands import COMMANDS, command
from svc_tui.console.shell.resources import ALL
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import Story, profile, story

#: Places that need the record they belong to, and what only other roles may read.
BELONGING = ("usage",)
#: The lists from which a parent is chosen.
PARENTS = ("cloudpbxs", "subscriptions")
#: What ends the console or its login.
ENDS = ("quit", "leave", "back", "suspend", "login", "logout", "ctx")
REFUSED = ("clientsversions", "allrecordings")
LISTS = [each.name for each in ALL if each.list and not each.placement.only and each.name not in (*BELONGING, *REFUSED)]


def _place(person: Story) -> str:
    view = person.app.frame.view
    return view.place.kind if view is not None else ""


async def test_every_place_shows_records_to_the_account_of_the_demo(service: str) -> None:
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home") as person:
        await person.sees("demo ▸ Home", "Needs attention")
        await person.is_ready()
        for name in LISTS:
            await person.goes(name)
            # The list itself, or the list of parents from which one is chosen.
            await person.until(lambda name=name: _place(person) in (name, *PARENTS), f"{name} does not open")
            await person.sees_line("^▌")
        for name, shown in (("account", "Dana Moreno"), ("statistics", "highest"), ("dashboard", "Licences")):
            await person.goes(name)
            await person.sees(shown)
        await person.goes("directory")
        await person.sees("Last import of Harbour Telecom Partners", "Contacts of the spring fair")


async def test_it_opens_a_recording_of_its_own_company(service: str) -> None:
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home") as person:
        await person.is_ready()
        await person.goes("pbx")
        await person.puts_cursor_on("Harbour offices")
        await person.press("S")
        await person.sees("Subscribers of Harbour offices", "6 subscribers", "Dana Moreno")
        await person.press("esc")
        await person.puts_cursor_on("Harbour offices")
        await person.press("R")
        await person.sees("Recordings of Harbour offices", "64 recordings")
        await person.sees_line("^▌")
        await person.press("enter")
        await person.sees("Recorded party", "Subscriber", "audio/mpeg")


async def test_the_cursor_waits_on_a_cloudpbx_whose_recordings_the_role_may_list(service: str) -> None:
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home") as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("Recordings belong to a CloudPBX. Choose one: enter opens its recordings.")
        assert "Harbour offices" in person.cursor
        await person.press("enter")
        await person.sees("Recordings of Harbour offices", "64 recordings")


@pytest.mark.parametrize("name", REFUSED)
async def test_a_place_that_it_may_not_read_names_the_role(service: str, name: str) -> None:
    async with story(profile(service, DEFAULT_ACCOUNT.login), first="home") as person:
        await person.is_ready()
        await person.goes(name)
        await person.sees("Your role does not allow this: needs superadmin")


async def test_only_a_demo_can_be_reset(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("reset")
        await person.sees("Only the data of `svc-tui demo` can be reset.")


async def test_a_failed_reset_shows_the_reason_and_changes_nothing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        person.app.demo = Demo(lambda: "The demo service has ended.")
        await person.goes("reset")
        await person.sees("Reset the demo data?", "All your changes in the demo are undone.")
        await person.press("y")
        await person.sees("The demo service has ended.", "Applications")


async def test_the_console_opens_while_the_data_is_prepared(service: str) -> None:
    reported, prepared = threading.Event(), threading.Event()

    def wait(report: Callable[[int], None]) -> None:
        report(40)
        reported.set()
        prepared.wait()

    async with story(profile(service), first="home", demo=Demo(lambda: "", wait)) as person:
        await person.sees("Checking…", "1  Applications", "Preparing the demo data… 40%  ━━━━━━━━············")
        await person.goes("reset")
        await person.sees("The demo data is still being prepared.")
        await person.goes("companies")
        await person.sees("demo ▸ Companies", "Loading…")
        assert person.app.frame.workspace.client is None
        prepared.set()
        await person.sees("1 company")
        await person.does_not_see("Preparing the demo data")


async def test_a_refused_place_is_named_until_the_next_key_while_the_data_is_prepared(service: str) -> None:
    typed, prepared = threading.Event(), threading.Event()

    def wait(report: Callable[[int], None]) -> None:
        report(40)
        typed.wait()
        report(60)
        prepared.wait()

    async with story(profile(service), first="home", demo=Demo(lambda: "", wait)) as person:
        await person.sees("Preparing the demo data… 40%")
        await person.goes("nowhere")
        await person.sees("Unknown view “nowhere”.")
        typed.set()
        prepared.set()
        await person.until(lambda: person.app.frame.connected.is_set(), "not connected")
        await person.sees("Unknown view “nowhere”.")
        await person.press("down")
        await person.does_not_see("Unknown view")


async def test_no_key_and_no_command_fails_inside_the_console_before_it_is_connected(service: str) -> None:
    prepared = threading.Event()
    async with story(profile(service), first="home", demo=Demo(lambda: "", lambda report: prepared.wait())) as person:
        await person.sees("Checking…")
        frame = person.app.frame
        crashes = frame.workspace.folders.data
        for place in (Place(("home",)), Place(("companies",))):
            await frame.open(place)
            context = frame.context()
            assert context is not None
            actions = [action.name for action in frame.registry.here(context) if action.name not in ENDS]
            assert len(actions) > 10
            commands = [f":{each.name} {text}" for each in COMMANDS if each.name not in ENDS for text in ("", "x")]
            for tried in (*actions, *commands):
                name, _, text = tried.partition(" ")
                found = command(name.removeprefix(":"))
                if found is not None:
                    frame.begin(found.run(frame, text))
                else:
                    frame.perform_by_name(name)
                await person.pilot.pause()
                frame.openings.cancel()
                while person.app.screen is not frame or frame.prompt.is_open:
                    await person.press("escape")
                await frame.open(place)
                assert [*crashes.glob("crash-*")] == [], tried
        prepared.set()
