"""The story driver: open, see, press, type, see. A story can also be watched on a real screen (see `__main__`)."""

from __future__ import annotations

import asyncio
import io
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from unittest import mock

from rich.console import Console as RichConsole
from textual import events
from textual.pilot import Pilot

from svc_tui.client.profile import Profile
from svc_tui.console.core.demo import Demo
from svc_tui.console.shell.app import Console
from svc_tui.console.terminal.capabilities import Capabilities, capabilities
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import fields_of
from svc_tui.server.demo.accounts import accounts
from tests.support.rest import pilots_wait_for_rest

#: Longest wait for something to be seen, in seconds; a story fails with the screen as it was.
PATIENCE = 40.0
#: A story also fails when its screen did not change for so long, in seconds of a machine that has time for it: a
#: developer sees the failure at once. A busy machine of CI waits to the end.
QUIET = PATIENCE if os.environ.get("CI") else 4.0
#: The most that one look at the screen counts: more is time that others had, or the service took for an answer.
_LOOK = 0.05

TERMINAL: Capabilities = capabilities({"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"})


def profile(url: str, login: str = "company_admin@demo.example", **changes: object) -> Profile:
    """The profile of a demo account on a running service; `password=""` leaves the login to the user."""
    known = accounts()
    password = next(one["password"] for one in known["accounts"] if one["login"] == login)
    values = {
        "name": "demo",
        "base_url": url,
        "app_id": known["appId"],
        "app_secret": known["appSecret"],
        "login": login,
        "password": password,
        **changes,
    }
    return Profile(**values)


@dataclass
class Story:
    """A user at the console. Every step waits for what it needs and fails with a picture in words."""

    app: Console
    pilot: Pilot[int]
    pause: float = 0.0
    told: list[str] = field(default_factory=list)

    # --- checks ------------------------------------------------------------------------------------------------

    @property
    def screen(self) -> str:
        """The whole screen as text."""
        width, height = self.app.size
        console = RichConsole(
            width=width,
            height=height,
            file=io.StringIO(),
            force_terminal=True,
            color_system=None,
            record=True,
            legacy_windows=False,
        )
        update = self.app.screen._compositor.render_update(full=True, screen_stack=self.app._background_screens)
        console.print(update)
        return console.export_text(styles=False)

    @property
    def lines(self) -> list[str]:
        return self.screen.split("\n")

    @property
    def top(self) -> str:
        """The crumbs, role and link."""
        return self.lines[0]

    @property
    def status(self) -> str:
        return self.lines[self.app.size.height - 2]

    @property
    def footer(self) -> str:
        return self.lines[self.app.size.height - 1]

    @property
    def cursor(self) -> str:
        """The line of the list that the cursor is on."""
        lines = (line.removeprefix("│") for line in self.lines)
        return next((line for line in lines if line.startswith(("▌", ">"))), "")

    async def until(self, true: Callable[[], object], what: str) -> None:
        """Wait until something holds."""
        loop = asyncio.get_running_loop()
        end, quiet, seen = loop.time() + PATIENCE, 0.0, ""
        for look in count():
            looked = loop.time()
            if true():
                break
            if look % 10 == 0 and self.screen != seen:
                quiet, seen = 0.0, self.screen
            if quiet > QUIET or looked > end:
                raise AssertionError(f"{what}\n--- after {'; '.join(self.told[-8:])}\n{self.screen}")
            await self.pilot.pause(0.01)
            quiet += min(loop.time() - looked, _LOOK)
        if self.pause:
            await asyncio.sleep(self.pause)

    async def sees(self, *texts: str) -> None:
        """All these texts are on the screen, soon."""
        for text in texts:
            await self.until(lambda text=text: text in self.screen, f"{text!r} is not seen")

    async def sees_across_lines(self, text: str) -> None:
        """This text is on the screen, soon; a narrow box may break its lines anywhere, also within a long path."""
        wanted = "".join(text.split())
        await self.until(lambda: wanted in self._unbroken, f"{text!r} is not seen")

    @property
    def _unbroken(self) -> str:
        """The screen without spaces, frames, marks and QR codes; of a line that crosses a box, that of the box."""
        inside = (re.sub(r"^[^│]*│(.*)│[^│]*$", r"\1", line) for line in self.lines)
        return re.sub(r"[\s│█▀▄↪]", "", "".join(inside))

    async def does_not_see(self, *texts: str) -> None:
        """None of these texts is on the screen, soon."""
        for text in texts:
            await self.until(lambda text=text: text not in self.screen, f"{text!r} is still seen")

    async def is_gone(self, text: str) -> None:
        """No record of that name is listed, soon; messages below the list may name it."""
        await self.until(lambda: text not in "".join(self.lines[1:-2]), f"{text!r} is still listed")

    async def sees_line(self, pattern: str) -> re.Match[str]:
        """A line fits a pattern, soon."""
        await self.until(lambda: re.search(pattern, self.screen, re.MULTILINE), f"no line like {pattern!r}")
        found = re.search(pattern, self.screen, re.MULTILINE)
        assert found is not None
        return found

    async def is_ready(self) -> None:
        """The console is connected and the list has come."""
        await self.until(lambda: "●" in self.top or "◐" in self.top, "the link is not live")
        await self.until(
            lambda: "loading…" not in self.screen.lower() and "refreshing" not in self.status, "still loading"
        )

    # --- input -------------------------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other (`enter`, `ctrl+z`, `/`)."""
        for key in keys:
            self.told.append(f"press {key}")
            await self.pilot.press(_KEYS.get(key, key))
            await self.pilot.pause()
            if self.pause:
                await asyncio.sleep(self.pause)

    async def type(self, text: str) -> None:
        """Type a text."""
        self.told.append(f"type {text!r}")
        for char in text:
            await self.pilot.press(_KEYS.get(char, char))
        await self.pilot.pause()
        if self.pause:
            await asyncio.sleep(self.pause)

    async def stays_after_quitting(self, *about: str) -> None:
        """Quit; the question about what would be lost is answered with no."""
        await self.press("ctrl+c")
        await self.sees("Quit now?", *about)
        await self.press("n")
        await self.does_not_see("Quit now?")

    async def goes(self, place: str) -> None:
        """Type a place after `:`."""
        await self.press(":")
        await self.type(place)
        await self.press("enter")

    async def puts_cursor_on(self, text: str) -> None:
        """Move down until the line under the cursor holds a text."""
        for _ in range(200):
            if text in self.cursor:
                return
            await self.press("down")
        raise AssertionError(f"no line with {text!r}\n{self.screen}")

    async def on_field(self, label: str) -> None:
        """Move down to the field of a form or detail with this label."""
        from svc_tui.console.widgets.sheet import Sheet

        sheet = self.app.screen.query(Sheet).last() if not self.app.started else _sheet(self.app)
        for _ in range(200):
            line = sheet.line
            if line is not None and line.label.removesuffix(" *") == label:
                return
            before = sheet.cursor
            await self.press("down")
            if sheet.cursor == before:
                break
        raise AssertionError(f"no field {label!r}\n{self.screen}")


def _sheet(app: Console):  # type: ignore[no-untyped-def]
    from svc_tui.console.widgets.sheet import Sheet

    assert app.frame.view is not None
    return app.frame.view.query_one(Sheet)


_KEYS = {
    "esc": "escape",
    "pgdn": "pagedown",
    "pgup": "pageup",
    " ": "space",
    ":": "colon",
    "/": "slash",
    "?": "question_mark",
    "!": "exclamation_mark",
    "*": "asterisk",
    "-": "minus",
    "+": "plus",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "@": "at",
    ".": "full_stop",
    ",": "comma",
    "_": "underscore",
    "(": "left_parenthesis",
    ")": "right_parenthesis",
    "ctrl+space": "ctrl+@",
}


def form_fields(operation_id: str) -> int:
    """The number of fields of the form that sends an operation."""
    return sum(not spec.facet.by_action for spec in fields_of(body_of(operation_id)))


def send(person: Story, *keys: str) -> None:
    """Press keys without waiting for anything between them."""
    for key in keys:
        character = key if len(key) == 1 else None
        person.app.post_message(events.Key(_KEYS.get(key, key), character))


@asynccontextmanager
async def story(
    profile: Profile | None,
    *,
    size: tuple[int, int] = (80, 24),
    place: str | None = None,
    read_only: bool = False,
    terminal: Capabilities = TERMINAL,
    first: str = "applications",
    demo: Demo | None = None,
) -> AsyncIterator[Story]:
    """A console opened by a user, toasts and tooltips on, closed at the end. `first` is what a first start opens.

    Every round trip takes 12 ms in its top line, so that no screen depends on how fast the machine is.
    With WATCH=seconds in the environment it runs on the real screen, with that pause after each step.
    """
    app = Console(profile, place=place, read_only=read_only, terminal=terminal, demo=demo)
    if pause := float(os.environ.get("WATCH", 0)):
        async with _on_screen(app) as pilot:
            yield Story(app, pilot, pause)
        return
    with (
        mock.patch("svc_tui.console.shell.top_line.in_steps", lambda seconds: 12),
        mock.patch("svc_tui.workspace.core.link.SLOW_SECONDS", PATIENCE),
        mock.patch("svc_tui.console.shell.frame.Frame.FIRST", first),
    ):
        async with pilots_wait_for_rest(), app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            yield Story(app, pilot)


@asynccontextmanager
async def _on_screen(app: Console) -> AsyncIterator[Pilot[int]]:
    """The console on the real screen, driven by the story."""
    found: asyncio.Future[Pilot[int]] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def drive(pilot: Pilot[int]) -> None:
        found.set_result(pilot)
        await over.wait()

    running = asyncio.create_task(app.run_async(auto_pilot=drive))
    try:
        yield await found
    finally:
        over.set()
        app.exit(0)
        await running


def private_folders(monkeypatch, folder: Path) -> None:  # type: ignore[no-untyped-def]
    """Configuration, cache and data of this test alone."""
    for kind in ("config", "cache", "data"):
        monkeypatch.setenv(f"SVC_TUI_{kind.upper()}_DIR", str(folder / kind))
