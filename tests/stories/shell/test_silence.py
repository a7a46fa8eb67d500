"""An idle console writes nothing: after a minute, and after ten, each view looks as it did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, tzinfo
from typing import Self
from unittest import mock

import pytest
from textual.message_pump import MessagePump
from textual.timer import Timer

from svc_tui.console.shell.resources import ALL
from svc_tui.console.views.detail_pane import DetailPane
from tests.pictures.clock import _readers
from tests.stories.driver import Story, profile, story

LISTS = ("home", "applications", "companies", "users", "exchanges", "recordings", "directory", "invoices")
REPORTS = ("dashboard", "statistics", "subscriptions", "templates")
#: Keys of a record of the list that open a form or a dialog, and the keys that close it.
OPENED = {
    "n": ("esc",),
    "e": ("esc",),
    "x": ("esc",),
    ":": ("esc",),
    "/": ("esc",),
    "ctrl+p": ("esc",),
    "y": ("esc",),
    "A": ("esc",),
}


class _Later(datetime):
    """Ten minutes later."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(minutes=10)


@contextmanager
def ten_minutes_later() -> Iterator[None]:
    with ExitStack() as stack:
        for module in _readers():
            stack.enter_context(mock.patch(f"{module}.datetime", _Later))
        yield


def repeating(person: Story) -> list[Timer]:
    """The timers of the console that run again and again."""
    pumps: list[MessagePump] = [person.app, *person.app.screen_stack]
    pumps += [widget for screen in person.app.screen_stack for widget in screen.walk_children()]
    timers = [timer for pump in pumps for timer in pump._timers if timer._repeat is None and timer._interval >= 1]
    return [timer for timer in timers if timer._callback is not None]


def is_complete(pane: DetailPane) -> bool:
    """Whether a pane beside a list shows the complete record of the cursor."""
    source = pane._source
    read = source is None or source.read_from == "live" or bool(source.error_message)
    return not pane.size.width or (pane._timer is None and read)


async def stays_as_it_is(person: Story) -> None:
    await person.is_ready()
    await person.until(lambda: person.app.frame.at_rest, "the bars belong to another row")
    await person.until(
        lambda: all(map(is_complete, person.app.frame.view.query(DetailPane))), "the pane waits for its record"
    )
    await person.pilot.pause()
    before = person.app.export_screenshot()
    with ten_minutes_later():
        timers = repeating(person)
        assert timers, "nothing ticks: the test looks at the wrong timers"
        for timer in timers:
            assert timer._callback is not None
            timer._callback()
        await person.pilot.pause()
        await person.is_ready()
        assert person.app.export_screenshot() == before, person.screen


@pytest.mark.parametrize(("size", "places"), [((80, 24), (*LISTS, *REPORTS)), ((120, 40), ("home", "companies"))])
async def test_no_view_changes_while_nothing_happens(
    service: str, size: tuple[int, int], places: tuple[str, ...]
) -> None:
    async with story(profile(service, "bp_admin@demo.example"), size=size) as person:
        await person.is_ready()
        for place in places:
            await person.goes(place)
            await stays_as_it_is(person)
        await person.goes("applications")
        await person.is_ready()
        for key in ("enter", "d", "!", "?"):
            await person.press(key)
            await stays_as_it_is(person)


async def test_no_other_list_changes_while_nothing_happens(service: str) -> None:
    seen = {*LISTS, *REPORTS}
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        for resource in ALL:
            if resource.name not in seen and not resource.placement.only:
                # Where the place is below a parent, this is the list of parents.
                await person.app.frame.navigator.open_typed(resource.name)
                await stays_as_it_is(person)


async def test_no_form_and_no_dialog_changes_while_nothing_happens(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        for key, closing in OPENED.items():
            before = person.screen
            await person.press(key)
            await person.until(lambda before=before: person.screen != before, f"{key} opens nothing")
            await stays_as_it_is(person)
            await person.press(*closing)
            await person.sees("58 applications")


#: What opens each dialog, from the list of applications with the cursor on one.
DIALOGS = {
    "Question": ("n", "Q", "ctrl+c"),
    "Preview": ("e", "Q", "ctrl+o"),
    "TextEditor": ("e", "down", "enter"),
    "CommandLines": ("ctrl+y",),
    "BulkBox": ("space", "down", "space", "S"),
    "SaveBox": ("W",),
    "Picker": ("ctrl+p",),
}


async def test_no_other_dialog_changes_while_nothing_happens(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        frame = person.app.frame
        for name, keys in DIALOGS.items():
            await person.press(*keys)
            await person.until(lambda name=name: type(person.app.screen).__name__ == name, f"no {name}")
            await stays_as_it_is(person)
            while not (person.app.screen is frame and frame.view.kind == "list"):
                await person.press("y" if "Discard unsaved changes? " in person.screen else "esc")


async def test_a_move_updates_the_status_and_the_footer_and_leaves_the_top_line(service: str) -> None:
    async with story(profile(service)) as person:
        await person.goes("applications")
        await person.is_ready()
        frame = person.app.frame
        await person.until(lambda: frame.at_rest, "the bars belong to another row")
        with (
            mock.patch.object(frame, "_update_top") as top,
            mock.patch.object(frame, "_update_footer", wraps=frame._update_footer) as footer,
        ):
            await person.press("down")
            await person.until(lambda: frame.at_rest and footer.called, "the footer does not follow the row")
            assert not top.called
