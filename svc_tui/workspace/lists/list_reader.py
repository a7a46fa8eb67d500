"""Reading one list: its key and pages in the cache, its requests to the service."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.cache.cached import PAGE, CachedList, RecordDict
from svc_tui.cache.secrets import record_model, without_secrets
from svc_tui.interface.catalogue import operation, query_of
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.language import _
from svc_tui.workspace.core.service import LARGEST_REQUEST, ListService, Obstacle, ReadError
from svc_tui.workspace.kinds.registry import kind_of
from svc_tui.workspace.lists.held_rows import ordered

OFFLINE_SHOWN = _("Offline: showing cached data.")
OFFLINE_EMPTY = _("Offline: no cached data. It loads when the service responds.")
#: The sentence with and without cached data to show.
_SENTENCES: dict[Obstacle, tuple[str, str]] = {
    "connecting": ("", ""),
    "offline": (OFFLINE_SHOWN, OFFLINE_EMPTY),
    "no login": (
        _("Not logged in: showing cached data."),
        _("Not logged in: no cached data. Log in with :login."),
    ),
}


@dataclass(slots=True)
class FetchedRows:
    """Rows of a list in a response of the service. `fetched` is seconds since 1970."""

    first: int
    rows: list[RecordDict]
    total: int
    fetched: float


class ListReader:
    """One list: an operation with its path and query, for every part of the list."""

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
        self.read_format = str(self.query.get("format") or "small")
        self.key = list_key(operation_id, self.path, self.query)
        #: Why this list must not be requested; empty when it may be.
        self.withheld = ""

    def now(self) -> float:
        return self.service.now()

    def obstacle(self, shown: bool) -> str | None:
        """The sentence of why no request can be sent now; None when requests can be sent."""
        return self.withheld or obstacle_sentence(self.service.obstacle(), shown)

    def error_sentence(self, error: ReadError, shown: bool) -> str:
        """The sentence of a failed read, depending on whether rows are shown."""
        return OFFLINE_SHOWN if error.offline and shown else error.sentence

    def retry_now(self) -> None:
        self.service.retry_now()

    def forget_open(self, view: object) -> None:
        self.service.forget_open(view)

    def read_cached(self, pages: Sequence[int]) -> CachedList:
        """Pages from the cache, without waiting."""
        return self.service.cache.read_list_now(self.key, pages)

    async def cached(self, pages: Sequence[int]) -> CachedList:
        """Pages from the cache."""
        return await self.service.cache.read_list(self.key, pages)

    async def keep(self, fetched: FetchedRows) -> None:
        """Write rows to the cache. They begin at the start of a page."""
        await self.service.cache.store_rows(
            self.key,
            operation_id=self.operation_id,
            kind=self.kind.name,
            form=self.read_format,
            first_page=fetched.first // PAGE,
            ids=[self.kind.id_of(row) for row in fetched.rows],
            rows=fetched.rows,
            total=fetched.total,
            fetched=fetched.fetched,
        )

    async def fetch(self, first: int, count: int) -> FetchedRows:
        """Up to `count` rows from the service. ReadError when they cannot be read.

        When the service returns fewer rows than requested, the rest is requested again. A list without pages is
        returned whole in the order of the service: it is sorted here.
        """
        rows: list[RecordDict] = []
        total = first + 1
        while len(rows) < count and first + len(rows) < total:
            query = {**self.query, "limit": count - len(rows), "offset": first + len(rows)}
            body = await self.service.read(self.operation_id, self.path, query)
            found, total, paged = _rows(body, first + len(rows), self._has_pages())
            rows += found if paged else self._in_order(found)[first : first + count]
            if not found or not paged:
                break
        return FetchedRows(first, rows[:count], total, self.now())

    def _in_order(self, rows: list[RecordDict]) -> list[RecordDict]:
        field = str(self.query.get("sortField") or "")
        return ordered(rows, field, descending=self.query.get("sortOrder") == -1) if field else rows

    def _has_pages(self) -> bool:
        """Whether a part of the list can be requested; otherwise the service returns all rows."""
        return "offset" in field_by_wire(query_of(self.operation_id))

    def as_row(self, record: RecordDict, old: RecordDict) -> RecordDict:
        """A record that was read or changed elsewhere, in the read format of this list."""
        model = record_model(self.operation_id)
        return {**old, **(model.shown(record, self.read_format) if model else record)}

    def without_secrets(self, row: RecordDict) -> RecordDict:
        return without_secrets(self.operation_id, row)

    def can_move(self, changed: set[str]) -> bool:
        """Whether a record with these changed fields may have another place in the list, or none."""
        if changed and set(self.query) - {"format", "sortField", "sortOrder"}:
            return True
        default_sort = getattr(operation(self.operation_id).query, "DEFAULT_SORT", "")
        return self.query.get("sortField", default_sort) in changed

    async def all_rows(self, fresh_seconds: float) -> AsyncIterator[RecordDict]:
        """Every row in order; cached pages younger than `fresh_seconds` are not requested again.

        ReadError when neither the service nor the cache has all rows.
        """
        first, total = 0, 1
        while first < total:
            fetched = await self.from_cache(first, self.now() - fresh_seconds)
            if fetched is None:
                try:
                    fetched = await self.fetch(first, LARGEST_REQUEST)
                except ReadError as error:
                    fetched = await self.from_cache(first, 0.0) if error.offline else None
                    if fetched is None:
                        raise
                else:
                    await self.keep(fetched)
            total = fetched.total
            for row in fetched.rows:
                yield row
            if not fetched.rows:
                return
            first += len(fetched.rows)

    async def from_cache(self, first: int, not_before: float) -> FetchedRows | None:
        """The rows from a place on, at most LARGEST_REQUEST, from the cache: when they are complete, read after a time
        and not stale."""
        cached = await self.cached(range(first // PAGE, (first + LARGEST_REQUEST) // PAGE))
        if cached.total is None:
            return None
        # A list without records has one page, which says when that was.
        last = max(min(first + LARGEST_REQUEST, cached.total), 1)
        pages = range(first // PAGE, -(-last // PAGE))
        found = [cached.pages[page] for page in pages if page in cached.pages]
        if not cached.total and not not_before:
            return FetchedRows(first, [], 0, found[0].fetched if found else self.now())
        if len(found) < len(pages) or any(page.fetched < not_before for page in found):
            return None
        if not_before and any(page.stale for page in found):
            return None
        fetched = min((page.fetched for page in found), default=self.now())
        return FetchedRows(first, [row for page in found for row in page.rows], cached.total, fetched)


def obstacle_sentence(obstacle: Obstacle | None, shown: bool) -> str | None:
    """The sentence of an obstacle; empty where it needs none, None without an obstacle."""
    return None if obstacle is None else _SENTENCES[obstacle][not shown]


def list_key(operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> str:
    """The key of a list in the cache: equal requests have equal keys."""
    values = {
        name: value if isinstance(value, (str, int, float, bool)) else str(value) for name, value in query.items()
    }
    return json.dumps([operation_id, dict(path), values], sort_keys=True, separators=(",", ":"))


def _rows(body: Any, first: int, pages: bool) -> tuple[list[RecordDict], int, bool]:
    """Rows and total of a response, and whether it is one page of several; `pages`: the list has pages."""
    data = body if isinstance(body, list) else body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise ReadError(_("Unexpected response: not a list of records."))
    total = body.get("total") if isinstance(body, dict) else None
    if not pages or not isinstance(total, int) or isinstance(total, bool):
        return data, len(data), False
    return data, max(total, first + len(data) if data else 0), True
