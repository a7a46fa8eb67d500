"""The dialogs for a file of new subscribers, and for their passwords, which are shown once."""

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
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files import export
from svc_tui.workspace.voice.bulk_create import (
    COLUMNS,
    MOST_BYTES,
    SubscriberFileError,
    SubscriberRows,
    read_subscribers,
)


def _read(path: str) -> SubscriberRows:
    """The lines of a file. SubscriberFileError with the reason."""
    try:
        file = expanded(Path(path))
        if not file.is_file():
            raise SubscriberFileError(_("This file does not exist.") if not file.exists() else _("This is not a file."))
        with file.open("rb") as opened:
            # One byte more than the limit is enough to detect a file that is too large.
            return read_subscribers(opened.read(MOST_BYTES + 1))
    except (OSError, ValueError, RuntimeError) as error:
        raise SubscriberFileError(
            _("Could not read the file: {reason}.").format(reason=getattr(error, "strerror", None) or error)
        ) from error


class SubscriberFile(PathBox[SubscriberRows]):
    """Returns the lines of the file, or None when closed. Faults of the file are shown in the dialog."""

    ENDINGS = (".csv",)

    def __init__(self) -> None:
        super().__init__(_("Subscribers from a file"), f"{COLUMNS}.")

    async def take(self, path: str) -> None:
        try:
            lines = await asyncio.to_thread(_read, path)
        except SubscriberFileError as error:
            self.show_error(str(error))
            return
        self.dismiss(lines)


class PasswordsBox(Box[None]):
    """Passwords of several subscribers, shown once: number, name and password of each."""

    DEFAULT_CSS = "PasswordsBox Sheet { height: auto; max-height: 12; }"
    KEYS = (
        COPY.labelled(_("Copy all as CSV")),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        CLOSE,
    )

    def __init__(self, passwords: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(_("SIP passwords of {subscribers}").format(subscribers=counted(len(passwords), "subscriber")))
        self._passwords = passwords
        self._kept = False

    def body(self) -> Iterable[Widget]:
        yield plain(_("Save these passwords now. They are not shown again."))
        sheet = Sheet(label_width=44)
        yield sheet
        yield plain("", id="message")

    def on_mount(self) -> None:
        sheet = self.query_one(Sheet)
        lines = [
            Line("field", safe_text(f"{number}  {name}").text, safe_text(password).text, key=str(at), secret=True)
            for at, (number, name, password) in enumerate(self._passwords)
        ]
        sheet.styles.height = len(lines)
        sheet.show(lines)
        self.set_focus(None)

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    async def action_copy(self) -> None:
        rows = [
            ("shortNumber", "name", "password"),
            *((number, export.escaped(name), word) for number, name, word in self._passwords),
        ]
        self._say(await host_of(self.app).copied("".join(export.csv_line(row) for row in rows)))
        self._kept = True

    def action_close(self) -> None:
        """Close; passwords that are not copied are confirmed by a second key press."""
        if self._kept:
            self.dismiss(None)
            return
        self._kept = True
        self._say(self.with_keys(_("Not copied yet: {copy} copies the passwords, {close} again closes.")))

    def _say(self, text: str) -> None:
        self.query_one("#message", Static).update(Content(safe_text(text).text))
