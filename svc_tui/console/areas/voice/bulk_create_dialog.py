"""Choosing the file of new subscribers, and the passwords that their creation shows once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.dialog_keys import CLOSE, COPY, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.terminal.text import shown
from svc_tui.console.widgets.sheet import Line, Sheet
from svc_tui.workspace.voice.bulk_create import (
    COLUMNS,
    MOST_BYTES,
    RequestedSubscriber,
    SubscriberFileError,
    read_subscribers,
)


def _read(path: str) -> list[RequestedSubscriber]:
    """The lines of a file. Unreadable, with a sentence."""
    try:
        file = Path(path).expanduser()
        if not file.is_file():
            raise SubscriberFileError("There is no such file." if not file.exists() else "This is no file.")
        with file.open("rb") as opened:
            # One byte more than fits tells that it is too large, whatever its size.
            return read_subscribers(opened.read(MOST_BYTES + 1))
    except (OSError, ValueError, RuntimeError) as error:
        raise SubscriberFileError(f"The file cannot be read: {getattr(error, 'strerror', None) or error}.") from error


class SubscriberFile(PathBox[list[RequestedSubscriber]]):
    """Gives back the lines of the file; None when it was closed. What is wrong with the file is said in the box."""

    ENDINGS = (".csv",)

    def __init__(self) -> None:
        super().__init__("Subscribers from a file", f"{COLUMNS}.")

    async def take(self, path: str) -> None:
        try:
            wanted = await asyncio.to_thread(_read, path)
        except SubscriberFileError as error:
            self.show_error(str(error))
            return
        self.dismiss(wanted)


class Passwords(Box[None]):
    """Passwords of several subscribers, shown once. `told` are number, name and password of each."""

    DEFAULT_CSS = "Passwords Sheet { height: auto; max-height: 12; }"
    KEYS = (
        COPY.labelled("Copy all as CSV"),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        CLOSE.labelled("Close: they cannot be shown again"),
    )

    def __init__(self, told: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(f"SIP passwords of {len(told)} subscriber{'s' * (len(told) != 1)}")
        self._told = told
        self._kept = False

    def body(self) -> Iterable[Widget]:
        yield plain("Keep them now: they are shown this once.")
        yield Sheet(label_width=44)
        yield plain("", id="said")

    def on_mount(self) -> None:
        sheet = self.query_one(Sheet)
        lines = [
            Line("field", shown(f"{number}  {name}").text, shown(password).text, key=str(at))
            for at, (number, name, password) in enumerate(self._told)
        ]
        sheet.styles.height = len(lines)
        sheet.show(lines)
        self.set_focus(None)

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    async def action_copy(self) -> None:
        from svc_tui.workspace.files.export import csv_line, escaped

        rows = [
            ("shortNumber", "name", "password"),
            *((number, escaped(name), word) for number, name, word in self._told),
        ]
        self._say(await host_of(self.app).copied("".join(csv_line(row) for row in rows)))
        self._kept = True

    def action_close(self) -> None:
        """Close; passwords that nobody copied go only when it is asked for again."""
        if self._kept:
            self.dismiss(None)
            return
        self._kept = True
        self._say(self.with_keys("Not copied yet: {copy} copies them, {close} again closes."))

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(Content(shown(text).text))
