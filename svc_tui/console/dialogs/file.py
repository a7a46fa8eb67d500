"""Choosing a file to upload: its path is typed or completed, and it is held against the limits before it goes on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.content import Content as Text
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.client.content import Content
from svc_tui.console.changes import Change
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.preview import Preview, Send
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.blocks import Blocks
from svc_tui.workspace.uploads import Unfit, accepted, read_file

if TYPE_CHECKING:
    from svc_tui.console.terminal.capabilities import Capabilities
    from svc_tui.interface.operations import AnyOperation

#: Entries of a folder that are looked at, and those that are shown.
MOST_ENTRIES, SHOWN = 5000, 8
_PICTURES = (".png", ".jpg", ".jpeg")


def candidates(text: str) -> list[str]:
    """What a typed path can become: folders (with a slash) and pictures first. Empty when nothing can be read there."""
    folder, slash, beginning = text.rpartition("/")
    front = folder + slash
    found: list[tuple[bool, str]] = []
    try:
        with os.scandir(Path(front or ".").expanduser()) as entries:
            for _, entry in zip(range(MOST_ENTRIES), entries, strict=False):
                if not entry.name.lower().startswith(beginning.lower()) or (entry.name[0] == "." and not beginning):
                    continue
                is_folder = entry.is_dir()
                first = is_folder or entry.name.lower().endswith(_PICTURES)
                found.append((not first, front + entry.name + "/" * is_folder))
    except (OSError, ValueError, RuntimeError):
        return []
    return [name for _, name in sorted(found)]


def meant(typed: str) -> str:
    """A path as it was typed or dropped into the terminal: without quotes around it."""
    text = typed.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


class _PathInput(Input):
    """The path; keys that choose among the candidates go to the box."""

    async def _on_key(self, event: events.Key) -> None:
        box = self.screen
        assert isinstance(box, FileBox)
        if event.key in ("tab", "up", "down"):
            event.stop()
            event.prevent_default()
            await (box.complete() if event.key == "tab" else box.choose(1 if event.key == "down" else -1))
            return
        await super()._on_key(event)


class FileBox(Box[Content]):
    """Gives back the file as the body of an upload; None when it was closed. What does not fit is said in the box."""

    DEFAULT_CSS = """
    FileBox #candidates { height: auto; max-height: 9; color: $text-muted; }
    FileBox #accepted { color: $text-muted; }
    """
    KEYS = "tab Complete   ↑↓ Choose   enter Look at it   esc Close"

    def __init__(self, title: str, operation: AnyOperation, start: str = "") -> None:
        super().__init__(title)
        self._operation = operation
        self._start = start
        self._candidates: list[str] = []
        self._at = 0

    def body(self) -> Iterable[Widget]:
        box = _PathInput(self._start, placeholder="path of the file", id="path", select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield plain(accepted(self._operation), id="accepted")
        yield plain("", id="candidates")
        yield plain("", id="trouble", classes="trouble")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._look(self._start)

    @property
    def path(self) -> str:
        """The typed path."""
        return self.query_one(Input).value

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._say("")
        self._look(event.value)

    @work(exclusive=True, group="candidates", exit_on_error=False)
    async def _look(self, text: str) -> None:
        self._show(await asyncio.to_thread(candidates, meant(text)))

    def _show(self, found: list[str]) -> None:
        self._candidates, self._at = found, 0
        self._draw()

    def _draw(self) -> None:
        first = max(0, min(self._at - SHOWN // 2, len(self._candidates) - SHOWN))
        lines = [
            Text.styled(f" {shown(name.rstrip('/').rpartition('/')[2]).text}{'/' * name.endswith('/')} ", style)
            for number, name in enumerate(self._candidates[first : first + SHOWN], first)
            for style in ("reverse" if number == self._at else "",)
        ]
        more = len(self._candidates) - first - SHOWN
        lines += [Text(f" and {more} more")] if more > 0 else []
        self.query_one("#candidates", Static).update(Text("\n").join(lines))

    async def choose(self, by: int) -> None:
        """Mark another candidate."""
        if self._candidates:
            self._at = (self._at + by) % len(self._candidates)
            self._draw()

    async def complete(self) -> None:
        """Take the marked candidate, of what is typed now."""
        found = await asyncio.to_thread(candidates, meant(self.path))
        if found != self._candidates:
            self._show(found)
        if self._candidates:
            box = self.query_one(Input)
            box.value = self._candidates[self._at]
            box.cursor_position = len(box.value)

    @on(Input.Submitted)
    def _taken(self) -> None:
        if self.path.endswith("/"):
            self._say("This is a folder: tab completes the file in it.")
        elif self.path.strip():
            self._read(meant(self.path))

    @work(exclusive=True, group="read", exit_on_error=False)
    async def _read(self, path: str) -> None:
        try:
            content = await asyncio.to_thread(read_file, Path(path), self._operation)
        except Unfit as error:
            self._say(str(error))
            return
        self.dismiss(content)

    def _say(self, text: str) -> None:
        self.query_one("#trouble", Static).update(Text(shown(text).text))


class PicturePreview(Preview):
    """The preview of an upload: the picture as it will be seen, above what will be sent."""

    DEFAULT_CSS = """
    PicturePreview Blocks { height: 10; }
    """

    def __init__(self, change: Change, send: Send, terminal: Capabilities) -> None:
        super().__init__(change, send)
        assert change.content is not None
        self._blocks = Blocks(terminal, change.content.data)

    def body(self) -> Iterable[Widget]:
        yield self._blocks
        yield from super().body()
