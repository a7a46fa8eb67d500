"""What the service still works on is looked at again, until it is settled; nothing is asked when nothing is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Protocol

from svc_tui.cache.shapes import Row
from svc_tui.workspace.changes.unconfirmed_writes import same
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

#: Seconds to the first look after something new is under way, how much longer each further pause is, and the longest.
FIRST, LONGER, LONGEST = 2.0, 1.25, 10.0


class Shown(Protocol):
    """A list or a record that is open."""

    @property
    def kind(self) -> str: ...
    def shown(self) -> Iterable[Row]:
        """The records that it shows, as far as they are here."""

    def look_again(self) -> None:
        """Ask the service again without a word: nobody asked for it."""


class Settling:
    """Watches what is shown. `views` gives what is open, `settled` is told of each record that came to its end, with
    the wire names of what was asked for and did not come to stay."""

    def __init__(
        self,
        views: Callable[[], Iterable[Shown]],
        settled: Callable[[Kind, Row, tuple[str, ...]], None],
        pause: Callable[[float], Awaitable[None]],
    ) -> None:
        self._views, self._settled, self._pause = views, settled, pause
        self._waited: dict[tuple[str, str], Row] = {}
        self._asked: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._seconds = FIRST
        self._looking: asyncio.Task[None] | None = None

    def asked(self, kind: Kind, record_id: str, body: Any) -> None:
        """A change of a record was taken by the service, which may go on working on it."""
        if kind.in_progress and isinstance(body, Mapping):
            self._asked[kind.name, record_id] = body

    def notice(self) -> None:
        """Something shown may be other than before."""
        found: dict[tuple[str, str], tuple[Kind, Row]] = {}
        waited: dict[tuple[str, str], Row] = {}
        for view in self._views():
            kind = KINDS.get(view.kind)
            for row in view.shown() if kind is not None and kind.in_progress else ():
                assert kind is not None
                key = (kind.name, kind.id_of(row))
                found[key] = (kind, row)
                # A list may know already what a detail over it still has to read.
                if _under_way(kind, row):
                    waited[key] = row
        if waited.keys() - self._waited.keys():
            self._seconds = FIRST
        before, self._waited = self._waited, waited
        for key in before:
            if key in found and key not in waited:
                kind, row = found[key]
                asked = self._asked.pop(key, {})
                missed = tuple(wire for wire, value in asked.items() if not same(value, row.get(wire)))
                self._settled(kind, row, missed)
        if waited and (self._looking is None or self._looking.done()):
            self._looking = _start(self._look())

    def close(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()

    async def _look(self) -> None:
        while self._waited:
            await self._pause(self._seconds)
            self._seconds = min(self._seconds * LONGER, LONGEST)
            for view in list(self._views()):
                kind = KINDS.get(view.kind)
                if kind is not None and any(_under_way(kind, row) for row in view.shown()):
                    view.look_again()
            # What is not shown any more is not waited for.
            self.notice()


def _under_way(kind: Kind, row: Mapping[str, Any]) -> bool:
    return bool(kind.in_progress) and bool(row.get(kind.in_progress))


def _start(work: Any) -> asyncio.Task[None] | None:
    """Nothing looks before the loop runs: what is shown then is from the cache, and is read anew."""
    try:
        return asyncio.get_running_loop().create_task(work)
    except RuntimeError:
        work.close()
        return None
