"""Commands for a shell, copied and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.containers import VerticalScroll
from textual.widget import Widget

from svc_tui.console.core.call_line import CallLine
from svc_tui.console.core.dialog_keys import CLOSE, COPY, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.language import _


class CommandLines(Box[None]):
    """Shows the lines of commands and copies them."""

    DEFAULT_CSS = """
    CommandLines .lines { height: auto; max-height: 14; scrollbar-size-vertical: 1; }
    CommandLines #notes { color: $warning; }
    CommandLines #copied { color: $text-muted; }
    """
    KEYS = (
        COPY.labelled(_("Copy again")),
        *(key.labelled(_("Scroll")) for key in (UP, DOWN)),
        PAGE_UP,
        PAGE_DOWN,
        CLOSE,
    )

    def __init__(self, lines: Sequence[CallLine]) -> None:
        super().__init__(_("Command"))
        self._text = "\n".join(line.text for line in lines if line.text)
        self._notes = list(dict.fromkeys(line.notes for line in lines))

    def body(self) -> Iterable[Widget]:
        yield VerticalScroll(plain(self._text, id="lines"), classes="lines")
        if notes := "\n".join(filter(None, self._notes)):
            yield plain(notes, id="notes")
        yield plain("", id="copied")

    async def on_mount(self) -> None:
        self.set_focus(None)
        await self.action_copy()

    async def action_copy(self) -> None:
        self.put("#copied", await host_of(self.app).copied(self._text))

    def move(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)
