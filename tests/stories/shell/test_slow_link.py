"""A slow link to the terminal or the service: the console steps down with a message, and returns."""

from __future__ import annotations

import pytest
from textual import events

from svc_tui.console.terminal.round_trip import QUESTION
from svc_tui.workspace.core.link import SLOW_SECONDS
from tests.stories.driver import Story, profile, story


def replies(person: Story, monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[str]:
    """From now on, the terminal replies to questions after these seconds."""
    asked: list[str] = []

    def ask(app: object, sequence: str) -> None:
        if sequence == QUESTION:
            reply = events.CursorPosition(0, 0)
            reply.time += seconds
            person.app.post_message(reply)
        asked.append(sequence)

    monkeypatch.setattr("svc_tui.console.shell.terminal_link.send", ask)
    return asked


async def test_on_a_slow_terminal_the_console_steps_down_with_a_message(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(profile(service, theme="dark")) as person:
        asked = replies(person, monkeypatch, 0.164)
        await person.sees("Slow terminal link (160 ms): terminal colours, fewer requests and previews.")
        await person.sees("terminal 12 ms")
        assert asked == [QUESTION] * 2
        assert person.app.theme == "terminal" and person.app.frame.workspace.frugal
        person.app.terminal_link.measured(0.08)
        assert person.app.theme == "terminal", "not fast enough to change the colours again"
        person.app.terminal_link.measured(0.02)
        await person.does_not_see("terminal 12 ms")
        assert person.app.theme == "dark" and not person.app.frame.workspace.frugal


async def test_a_slow_service_makes_requests_fewer_and_leaves_the_colours(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(profile(service, theme="dark")) as person:
        await person.is_ready()
        monkeypatch.setattr("svc_tui.workspace.core.link.SLOW_SECONDS", SLOW_SECONDS)
        monitor = person.app.frame.workspace.monitor
        for _ in range(6):
            monitor.answered(1.0)
        await person.sees("The service responds slowly: fewer requests and previews.")
        assert person.app.theme == "dark" and person.app.frame.workspace.frugal
        for _ in range(12):
            monitor.answered(0.01)
        await person.until(lambda: not person.app.frame.workspace.frugal, "the fast service is noticed")
        person.app.frame.show_message("Changed.", "ok")
        for _ in range(6):
            monitor.answered(1.0)
        await person.until(lambda: person.app.frame.workspace.frugal, "the slow service is noticed")
        await person.sees("Changed.")


async def test_a_slow_link_that_breaks_is_not_called_fast(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        monkeypatch.setattr("svc_tui.workspace.core.link.SLOW_SECONDS", SLOW_SECONDS)
        monitor = person.app.frame.workspace.monitor
        for _ in range(6):
            monitor.answered(1.0)
        await person.sees("The service responds slowly")
        monitor.lost()
        await person.sees("○ offline")
        assert person.app.frame.workspace.frugal


@pytest.mark.parametrize(("setting", "theme", "frugal"), [("always", "terminal", True), ("never", "dark", False)])
async def test_the_setting_forces_and_forbids_it(
    service: str, monkeypatch: pytest.MonkeyPatch, setting: str, theme: str, frugal: bool
) -> None:
    async with story(profile(service, theme="dark", slow_link=setting)) as person:
        asked = replies(person, monkeypatch, 0.5)
        await person.is_ready()
        await person.press("down", "up")
        assert (person.app.theme, person.app.frame.workspace.frugal) == (theme, frugal)
        # Nothing is measured where it decides nothing.
        assert asked == []


async def test_on_a_slow_link_details_wait_until_the_cursor_rests_longer(service: str) -> None:
    async with story(profile(service, slow_link="always"), size=(140, 30)) as person:
        await person.is_ready()
        await person.press("down")
        assert person.app.frame.view.beside.frugal
