"""Input of a path on this machine, with completion."""

from __future__ import annotations

import asyncio
import os
from abc import abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, DOWN, UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded

T = TypeVar("T")

COMPLETE = DialogKey("path.complete", ("tab",), "Complete", "Complete the path with the selected entry")
#: Entries of a folder that are read, and that are shown.
MOST_ENTRIES, SHOWN = 5000, 8


def candidates(text: str, endings: tuple[str, ...] = ()) -> list[str]:
    """Completions of a typed path: folders (with a slash) and files with one of the endings first.

    Empty when the folder cannot be read.
    """
    folder, slash, beginning = text.rpartition("/")
    front = folder + slash
    found: list[tuple[bool, str]] = []
    try:
        with os.scandir(expanded(Path(front or "."))) as entries:
            for _number, entry in zip(range(MOST_ENTRIES), entries, strict=False):
                if not entry.name.lower().startswith(beginning.lower()) or (entry.name[0] == "." and not beginning):
                    continue
                is_folder = entry.is_dir()
                first = is_folder or entry.name.lower().endswith(endings)
                found.append((not first, front + entry.name + "/" * is_folder))
    except (OSError, ValueError, RuntimeError):
        return []
    return [name for _, name in sorted(found)]


def unquoted(typed: str) -> str:
    """A path that was typed or dropped into the terminal, without quotes around it."""
    text = typed.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


class PathBox(Box[T]):
    """Input of a path; `take` decides what it is used for.

    `note` is shown below the path, `start` is the path at first.
    """

    DEFAULT_CSS = """
    PathBox #candidates { height: auto; max-height: 9; color: $text-muted; }
    PathBox #note { color: $text-muted; }
    """
    KEYS = (COMPLETE, UP.labelled(_("Select")), DOWN.labelled(_("Select")), ACCEPT, CLOSE)
    #: Endings of the files that are offered first.
    ENDINGS: tuple[str, ...] = ()

    def __init__(self, title: str, note: str, start: str = "") -> None:
        super().__init__(title)
        self._note, self._start = note, start
        self._candidates: list[str] = []
        self._at = 0

    @abstractmethod
    async def take(self, path: str) -> None:
        """Use the path that was accepted."""

    def body(self) -> Iterable[Widget]:
        # The first character that is typed replaces the path at first.
        yield LineInput(self._start, placeholder=_("Path of the file"), id="path", select_on_focus=bool(self._start))
        yield plain(self._note, id="note")
        yield plain("", id="candidates")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._find(self._start)

    @property
    def path(self) -> str:
        """The typed path."""
        return self.query_one(Input).value

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.show_error("")
        self._find(event.value)

    @work(exclusive=True, group="candidates", exit_on_error=False)
    async def _find(self, text: str) -> None:
        self._show(await asyncio.to_thread(candidates, unquoted(text), self.ENDINGS))

    def _show(self, found: list[str]) -> None:
        self._candidates, self._at = found, 0
        self._draw()

    def _draw(self) -> None:
        first = max(0, min(self._at - SHOWN // 2, len(self._candidates) - SHOWN))
        lines = [
            Content.styled(f" {safe_text(name.rstrip('/').rpartition('/')[2]).text}{'/' * name.endswith('/')} ", style)
            for number, name in enumerate(self._candidates[first : first + SHOWN], first)
            for style in ("reverse" if number == self._at else "",)
        ]
        more = len(self._candidates) - first - SHOWN
        lines += [Content(_(" and {more} more").format(more=more))] if more > 0 else []
        self.query_one("#candidates", Static).update(Content("\n").join(lines))

    def move(self, by: int) -> None:
        """Select another candidate."""
        if self._candidates:
            self._at = (self._at + by) % len(self._candidates)
            self._draw()

    async def action_complete(self) -> None:
        """Complete the typed path with the selected candidate."""
        found = await asyncio.to_thread(candidates, unquoted(self.path), self.ENDINGS)
        if found != self._candidates:
            self._show(found)
        if self._candidates:
            box = self.query_one(Input)
            box.value = self._candidates[self._at]
            box.cursor_position = len(box.value)

    def action_accept(self) -> None:
        if self.path.endswith("/"):
            self.show_error(self.with_keys(_("This is a folder. {complete} completes the path.")))
        elif self.path.strip():
            self._take(unquoted(self.path))

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _take(self, path: str) -> None:
        await self.take(path)
