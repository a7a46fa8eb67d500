"""What an area shows at a glance on the start page and on the dashboard.

An area adds glances in its `area.py`. Each reads its rows through the shared requests of a visit; those with the same
title are shown as one panel. One without rows is not shown: its room goes to the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from svc_tui.console.core.home import SharedReads
from svc_tui.console.core.places import Link
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: The title of small lines of the last days, and how many days these are.
LAST_DAYS, DAYS = _("Last 14 days"), 14
#: The screens that show glances.
Screen = Literal["home", "dashboard"]


@dataclass(frozen=True, slots=True)
class GlanceRow:
    """A line: what it is about, a graphic, and its value at the right; all texts are safe to draw.

    `used` of `most` is drawn as a gauge, `days` as a small line, `part` as a bar. `link` is where it leads.
    """

    label: str
    value: str = ""
    link: Link | None = None
    #: The value in fewer words, where the label would be cut; empty for the same.
    brief: str = ""
    used: int = 0
    most: int = 0
    #: Whether a full gauge is a warning.
    warns: bool = False
    days: tuple[int | None, ...] = ()
    #: The newest one of `days`, whose number `value` is: today, or yesterday.
    newest: str = ""
    #: A number, and the highest one among its neighbours.
    part: tuple[int, int] = (0, 0)
    style: str = ""
    #: The text before the label, such as a day, in its own column.
    lead: str = ""


@dataclass(frozen=True, kw_only=True)
class Glance:
    """Rows of one panel of a screen. `operation` is what the role must be allowed for it to be read."""

    name: str
    title: str
    screens: tuple[Screen, ...]
    operation: str
    read: Callable[[SharedReads], Awaitable[Sequence[GlanceRow]]]
    #: Keeps in the cache what takes many requests, after all glances were drawn; then `read` is called again.
    more: Callable[[Workspace], Awaitable[None]] | None = None


#: The glances of all areas, in their order (`shell.resources`).
GLANCES: list[Glance] = []


class GlanceReads:
    """The rows of the glances of one screen. What was read stays until it is read again."""

    def __init__(self, screen: Screen, workspace: Workspace, changed: Callable[[], None]) -> None:
        self._glances = [each for each in GLANCES if screen in each.screens]
        self._workspace, self._changed = workspace, changed
        self._rows: dict[str, Sequence[GlanceRow]] = {}
        #: Why one of them could not be read; empty otherwise.
        self.error_message = ""

    @property
    def panels(self) -> dict[str, list[GlanceRow]]:
        """Title -> the rows that have arrived, of what the role may see, also in the role lens."""
        found: dict[str, list[GlanceRow]] = {}
        for each in self._glances:
            if (rows := self._rows.get(each.name)) and self._allowed(each):
                found.setdefault(each.title, []).extend(rows)
        return found

    async def read(self, reads: SharedReads) -> None:
        """Read all that the role may; each is shown when it arrives."""
        self.error_message = ""
        await asyncio.gather(*(self._read(each, reads) for each in self._glances if self._allowed(each)))

    async def read_more(self, reads: SharedReads) -> None:
        """Read what takes many requests; not on a slow link."""
        for each in self._glances:
            if each.more is not None and self._allowed(each) and not self._workspace.frugal:
                with suppress(ReadError):
                    await each.more(self._workspace)
                await self._read(each, reads)

    async def _read(self, glance: Glance, reads: SharedReads) -> None:
        try:
            rows = await glance.read(reads)
        except ReadError as error:
            if not error.missing:
                self.error_message = error.sentence
            return
        if rows != self._rows.get(glance.name):
            self._rows[glance.name] = rows
            self._changed()

    def _allowed(self, glance: Glance) -> bool:
        return self._workspace.caller is not None and bool(self._workspace.decide(glance.operation))
