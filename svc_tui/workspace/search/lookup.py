"""Requests of a search: how many in all and at once, and the few for one kind of record: by filter, by identifier,
by comparison, or by halving a sorted list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.cache.store import Cache
from svc_tui.workspace.core.service import Obstacle, ReadError, Service
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.kinds.search_rule import Meaning, SearchRule
from svc_tui.workspace.lists.list_reader import FetchedRows, ListReader
from svc_tui.workspace.search.comparison import as_query, holds, value_of, whole

#: Most requests of one search; as many again for each time that it is continued.
MOST_REQUESTS = 80
#: Most requests of a search that continues by itself, for a number whose owner is not among the first CloudPBXs.
MOST_BY_ITSELF = 400
#: Requests in progress at once: fewer than the client has connections, so that the console stays usable.
AT_ONCE = 6
#: Rows of a list that are shown.
MOST_HITS = 20
#: Rows that are compared in a list that the service cannot filter; whole values are found in lists of any length.
MOST_COMPARED = 100
#: Rows of a sorted list that are read at once when it is halved.
_WINDOW = 16


class Budget:
    """The service for the lists of one search. `requests` were sent; `spent` is true when more were needed."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._most = MOST_REQUESTS
        self.requests = 0
        self.spent = False

    def extend(self) -> None:
        """Allow as many requests again."""
        self._most, self.spent = self.requests + MOST_REQUESTS, False

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response; ReadError without one, also when no request is left."""
        async with self._slots:
            if self.requests >= self._most:
                self.spent = True
                raise ReadError("", missing=True)
            self.requests += 1
            return await self._service.read(operation_id, path, query)

    @property
    def cache(self) -> Cache:
        return self._service.cache

    def now(self) -> float:
        return self._service.now()

    def obstacle(self) -> Obstacle | None:
        return self._service.obstacle()

    def retry_now(self) -> None:
        self._service.retry_now()

    def forget_open(self, view: object) -> None:
        """A search opens no views."""

    @property
    def frugal(self) -> bool:
        return self._service.frugal


@dataclass(frozen=True, slots=True)
class LookupResult:
    """Rows of one list. `total`: all that match (None: unknown); `compared` of `rows_in_all` were compared."""

    rows: list[RecordDict]
    total: int | None = None
    compared: int = 0
    rows_in_all: int = 0


class Lookup:
    """The requests of one rule, for one record in whose path the list is, if it is in one."""

    def __init__(
        self,
        budget: Budget,
        rule: SearchRule,
        path: Mapping[str, str],
        query: Mapping[str, object],
        country: str | None,
    ) -> None:
        self._budget, self._rule = budget, rule
        self._path, self._query, self._country = path, {**rule.queries[0], **query}, country
        self._kind: Kind = KINDS[rule.kind]

    async def filtered(self, meaning: Meaning, text: str) -> LookupResult:
        """The rows that the service finds by a query parameter."""
        found = await self.listed({self._rule.asks[meaning]: as_query(meaning, text, self._country)})
        if meaning != "extension":
            return found
        # The service finds every number that begins with the digits.
        return LookupResult([row for row in found.rows if holds(self._rule, {meaning: text}, row)])

    async def listed(
        self, query: Mapping[str, object], keep: Callable[[RecordDict], bool] = lambda row: True, most: int = MOST_HITS
    ) -> LookupResult:
        """The rows of a query that are to be kept."""
        fetched = await self._fetch(query, 0, most)
        rows = [row for row in fetched.rows if keep(row)]
        return LookupResult(rows, fetched.total if len(rows) == len(fetched.rows) else None)

    async def by_id(self, record_id: str) -> LookupResult:
        """The record with an identifier. ReadError, `missing`, when there is none."""
        path = {**self._path, self._kind.parameter: record_id}
        body = await self._budget.read(self._kind.get, path, {"format": "full"})
        record = body.get("data") if isinstance(body, dict) else None
        if not isinstance(record, dict) or not self._kind.id_of(record):
            return LookupResult([])
        await self._budget.cache.store_record(
            self._kind.name,
            self._kind.id_of(record),
            record,
            operation_id=self._kind.get,
            fetched=self._budget.now(),
        )
        return LookupResult([record])

    async def compared(self, meanings: Mapping[Meaning, str]) -> LookupResult:
        """The rows of a list without a filter that contain the searched text."""
        for meaning, field in self._rule.sorted_by.items():
            if meaning in meanings and (value := whole(meaning, meanings[meaning], self._country)):
                return await self._halved(field, value, meanings)
        fetched = await self._fetch({}, 0, MOST_COMPARED)
        return self._matching(fetched, meanings)

    def _matching(self, fetched: FetchedRows, meanings: Mapping[Meaning, str]) -> LookupResult:
        rows = [row for row in fetched.rows if holds(self._rule, meanings, row)]
        return LookupResult(rows, None, len(fetched.rows), fetched.total)

    async def _halved(self, field: str, value: str, meanings: Mapping[Meaning, str]) -> LookupResult:
        """Halve the sorted list until a few rows are left: a request for each half, however long the list is."""
        order = {"sortField": field, "sortOrder": 1}
        first, last = 0, 0
        fetched = await self._fetch(order, 0, _WINDOW)
        last = fetched.total
        while fetched.total > _WINDOW and last - first > _WINDOW:
            middle = (first + last) // 2
            row = (await self._fetch(order, middle, 1)).rows
            found = value_of(row[0], field) if row else None
            # Rows without a value are at the end of the list.
            if isinstance(found, str) and found <= value:
                first = middle
            else:
                last = middle
        if first > 0:
            fetched = await self._fetch(order, first, last - first)
        return LookupResult(self._matching(fetched, meanings).rows)

    async def _fetch(self, query: Mapping[str, object], first: int, count: int) -> FetchedRows:
        """Rows of the list, kept in the cache. ReadError when they cannot be read."""
        reader = ListReader(self._budget, self._kind.list, self._path, {**self._query, **query})
        fetched = await reader.fetch(first, count)
        if first == 0 and len(fetched.rows) >= min(fetched.total, PAGE):
            await reader.keep(fetched)
        return fetched


def named(row: Mapping[str, Any], *fields: str) -> str:
    """The first of these fields that has a text."""
    return next((value for field in fields if isinstance(value := row.get(field), str) and value), "")
