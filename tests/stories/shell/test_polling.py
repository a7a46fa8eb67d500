"""Where the service sends no events, what is on the screen is read again by itself while the terminal is used."""

from __future__ import annotations

import pytest
from textual import events

from svc_tui.console.shell import live
from svc_tui.workspace.changes import polling
from svc_tui.workspace.core.events import Channel, ChannelChanged
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story

#: Nothing listens here.
NO_EVENTS = "ws://127.0.0.1:9"


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "SECONDS", 1.0)


async def polls(person: Story, state: str = "1 s") -> None:
    await person.until(lambda: person.status.endswith(f" polling {state} "), "the status line does not say it")


async def test_a_changed_name_is_seen_without_a_key_press(service: str) -> None:
    who = "app_admin@demo.example"
    async with story(profile(service, who, xmpp_host=NO_EVENTS)) as person, other_client(service, who) as other:
        await person.is_ready()
        await polls(person)
        found = (await call(other, "list_applications"))["data"][0]
        await person.puts_cursor_on(found["name"])
        await call(other, "update_application", {"name": f"{found['name'][:8]} two"}, appId=found["id"])
        await person.until(lambda: f"{found['name'][:8]} two" in person.cursor, "the change is not seen")
        await call(other, "update_application", {"name": found["name"]}, appId=found["id"])
        await person.until(lambda: found["name"] in person.cursor, "the change back is not seen")


async def test_it_pauses_without_the_focus_of_the_terminal_and_shows_it(service: str) -> None:
    async with story(profile(service, xmpp_host=NO_EVENTS)) as person:
        await person.is_ready()
        await polls(person)
        person.app.post_message(events.AppBlur())
        await polls(person, "paused")
        person.app.post_message(events.AppFocus())
        await polls(person)


async def test_it_pauses_when_no_key_is_pressed_for_long(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "IDLE_SECONDS", 0.0)
    async with story(profile(service, xmpp_host=NO_EVENTS)) as person:
        await person.is_ready()
        await polls(person, "paused")
        monkeypatch.setattr(live, "IDLE_SECONDS", 600.0)
        await person.press("down")
        await polls(person)


async def test_with_events_nothing_is_polled(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        channel = person.app.frame.workspace.live
        await person.until(lambda: channel.channel.state == "live", "no events arrive")
        assert person.app.frame.live is not None
        assert not person.app.frame.live._is_wanted()
        # An attempt to connect is not yet a reason to poll.
        person.app.frame.live.changed(ChannelChanged(Channel("connecting")))
        assert not person.app.frame.live._is_wanted()
        assert "polling" not in person.status


async def test_dialogs_and_views_without_records_are_not_polled(service: str) -> None:
    async with story(profile(service, xmpp_host=NO_EVENTS)) as person:
        await person.is_ready()
        await polls(person)
        live_screen = person.app.frame.live
        assert live_screen is not None
        assert live_screen._on_screen() is not None
        await person.press("n")
        await person.until(lambda: live_screen._on_screen() is None, "a form is polled")
        assert "polling" not in person.status
        await person.press("esc")
        await person.until(lambda: live_screen._on_screen() is not None, "the list is not polled")
        await person.press("ctrl+p")
        await person.until(lambda: live_screen._on_screen() is None, "the list behind a dialog is polled")
        await person.press("esc")
        await person.press("!")
        await person.until(lambda: live_screen._on_screen() is None, "the log is polled")
