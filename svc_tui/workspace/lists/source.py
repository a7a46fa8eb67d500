"""Where the rows of one list come from: its name and pages in the cache, its requests to the service."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from svc_tui.cache.shapes import PAGE, KeptList, Row
from svc_tui.cache.store import Cache
from svc_tui.workspace.core.service import Reader
from svc_tui.workspace.kinds.registry import kind_of
from svc_tui.workspace.lists.ordering import ordered

#: Rows in one request when a whole list is read; the service gives no more.
LARGEST = 1000
#: Why nothing is asked of the service, and how that is said with and without something to show.
Obstacle = Literal["connecting", "offline", "no login"]
OFFLINE_SHOWN = "Offline: what was seen before is shown, as old as it says."
OFFLINE_EMPTY = "Offline, and this was not seen before; it is read as soon as the service answers."
_SENTENCES: dict[Obstacle, tuple[str, str]] = {
    "connecting": ("", ""),
    "offline": (OFFLINE_SHOWN, OFFLINE_EMPTY),
    "no login": (
        "Not logged in: what was seen before is shown, as old as it says.",
        "Not logged in, and this was not seen before; refresh asks for the login.",
    ),
}


class NotRead(Exception):
    """Something could not be read. `sentence` says why; `offline`: the service did not answer at all; `missing`: it
    has no such record."""

    def __init__(self, sentence: str, *, offline: bool = False, missing: bool = False) -> None:
        self.sentence, self.offline, self.missing = sentence, offline, missing
        super().__init__(sentence)


@dataclass(slots=True)
class Arrived:
    """Rows of a list as the service gave them. `fetched` is seconds since 1970."""

    first: int
    rows: list[Row]
    total: int
    fetched: float


class ListService(Reader, Protocol):
    """What lists and records need of the workspace."""

    @property
    def cache(self) -> Cache: ...
    def now(self) -> float: ...
    def obstacle(self) -> Obstacle | None:
        """Why nothing should be asked of the service now; None when it may be."""

    def insist(self) -> None:
        """Try a connection that was found lost again, at once."""

    def leave(self, view: object) -> None:
        """A view is closed: it need not be told of changes any more."""


class ListSource:
    """One list: an operation with its path and query, whatever part of it is shown."""

    def __init__(
        self, service: ListService, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
    ) -> None:
        self.service = service
        self.kind = kind_of(operation_id)
        self.operation_id = operation_id
        self.path = dict(path)
        self.query = {
            name: value
            for name, value in query.items()
            if name not in ("limit", "offset") and value is not None and value != ""
        }
        self.form = str(self.query.get("format") or "small")
        self.key = list_key(operation_id, self.path, self.query)
        #: Why the service must not be asked for this list; empty when it may be.
        self.withheld = ""

    def now(self) -> float:
        return self.service.now()

    def obstacle(self, shown: bool) -> str | None:
        """Why nothing should be asked of the service now, as the list says it; None when it may be."""
        return self.withheld or sentence_of_obstacle(self.service.obstacle(), shown)

    def sentence_of(self, problem: NotRead, shown: bool) -> str:
        """What a list says of a problem: offline is told by what is still there to see."""
        return (OFFLINE_SHOWN if shown else problem.sentence) if problem.offline else problem.sentence

    def insist(self) -> None:
        self.service.insist()

    def leave(self, view: object) -> None:
        self.service.leave(view)

    def peek(self, pages: Sequence[int]) -> KeptList:
        """Pages from the cache, now."""
        return self.service.cache.peek(self.key, pages)

    async def kept(self, pages: Sequence[int]) -> KeptList:
        """Pages from the cache."""
        return await self.service.cache.pages(self.key, pages)

    async def keep(self, arrived: Arrived) -> None:
        """Put rows into the cache. They begin at the start of a page."""
        await self.service.cache.keep_rows(
            self.key,
            operation_id=self.operation_id,
            kind=self.kind.name,
            form=self.form,
            first_page=arrived.first // PAGE,
            ids=[self.kind.id_of(row) for row in arrived.rows],
            rows=arrived.rows,
            total=arrived.total,
            fetched=arrived.fetched,
        )

    async def fetch(self, first: int, count: int) -> Arrived:
        """Up to `count` rows from the service. NotRead when it did not give them.

        A service that gives fewer than it was asked for is asked for the rest; one that knows no pages gives all,
        in an order of its own: it is put in order here.
        """
        rows: list[Row] = []
        total = first + 1
        while len(rows) < count and first + len(rows) < total:
            query = {**self.query, "limit": count - len(rows), "offset": first + len(rows)}
            body = await self.service.read(self.operation_id, self.path, query)
            found, total, paged = _rows(body, first + len(rows), self._knows_pages())
            rows += found if paged else self._in_order(found)[first : first + count]
            if not found or not paged:
                break
        return Arrived(first, rows[:count], total, self.now())

    def _in_order(self, rows: list[Row]) -> list[Row]:
        field = str(self.query.get("sortField") or "")
        return ordered(rows, field, descending=self.query.get("sortOrder") == -1) if field else rows

    def _knows_pages(self) -> bool:
        """Whether the service can be asked for a part of the list; where it cannot, it gives all and says how many."""
        from svc_tui.interface.catalogue import query_of
        from svc_tui.interface.records import field_by_wire

        return "offset" in field_by_wire(query_of(self.operation_id))

    def as_row(self, record: Row, old: Row) -> Row:
        """A record that was read or changed elsewhere, in the form that this list has."""
        from svc_tui.cache.secrets import record_model

        model = record_model(self.operation_id)
        return {**old, **(model.shown(record, self.form) if model else record)}

    def without_secrets(self, row: Row) -> Row:
        from svc_tui.cache.secrets import without_secrets

        return without_secrets(self.operation_id, row)

    def may_move(self, changed: set[str]) -> bool:
        """Whether a record with these changed fields may stand elsewhere in the list by now, or not in it at all."""
        from svc_tui.interface.catalogue import operation

        if changed and set(self.query) - {"format", "sortField", "sortOrder"}:
            return True
        usual = getattr(operation(self.operation_id).query, "DEFAULT_SORT", "")
        return self.query.get("sortField", usual) in changed

    async def all_rows(self, fresh_seconds: float) -> AsyncIterator[Row]:
        """Every row in order; what the cache read a moment ago is not asked for again.

        NotRead when neither the service nor the cache has them all.
        """
        first, total = 0, 1
        while first < total:
            arrived = await self._from_cache(first, self.now() - fresh_seconds)
            if arrived is None:
                try:
                    arrived = await self.fetch(first, LARGEST)
                except NotRead as problem:
                    arrived = await self._from_cache(first, 0.0) if problem.offline else None
                    if arrived is None:
                        raise
                else:
                    await self.keep(arrived)
            total = arrived.total
            for row in arrived.rows:
                yield row
            if not arrived.rows:
                return
            first += len(arrived.rows)

    async def _from_cache(self, first: int, not_before: float) -> Arrived | None:
        """A large page out of the cache when it is there whole, read after a time and not known to be old."""
        kept = await self.kept(range(first // PAGE, (first + LARGEST) // PAGE))
        if kept.total is None:
            return None
        pages = range(first // PAGE, -(-min(first + LARGEST, kept.total) // PAGE))
        found = [kept.pages[page] for page in pages if page in kept.pages]
        if len(found) < len(pages) or any(page.fetched < not_before for page in found):
            return None
        if not_before and any(page.stale for page in found):
            return None
        return Arrived(first, [row for page in found for row in page.rows], kept.total, self.now())


def sentence_of_obstacle(obstacle: Obstacle | None, shown: bool) -> str | None:
    """What is said of an obstacle; empty where it is no trouble, None when there is none."""
    return None if obstacle is None else _SENTENCES[obstacle][not shown]


def list_key(operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> str:
    """The name of a list in the cache: the same question has the same name."""
    said = {name: value if isinstance(value, (str, int, float, bool)) else str(value) for name, value in query.items()}
    return json.dumps([operation_id, dict(path), said], sort_keys=True, separators=(",", ":"))


def _rows(body: Any, first: int, pages: bool) -> tuple[list[Row], int, bool]:
    """Rows and total of an answer, and whether it is one page of several; `pages`: it can be."""
    data = body if isinstance(body, list) else body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise NotRead("The service answered something that is not a list of records.")
    total = body.get("total") if isinstance(body, dict) else None
    if not pages or not isinstance(total, int) or isinstance(total, bool):
        return data, len(data), False
    return data, max(total, first + len(data) if data else 0), True
