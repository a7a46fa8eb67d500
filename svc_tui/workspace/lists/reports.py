"""Reports across companies: their declaration, and their reading in bounded steps that can be continued."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Literal, Protocol, Self, TypeVar

from svc_tui.cache.cached import RecordDict
from svc_tui.client.content import FileSink
from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.interface.access import Decision, Role, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.workspace.core.service import LARGEST_REQUEST, Downloader, ListService, ReadError
from svc_tui.workspace.lists.list_reader import OFFLINE_EMPTY, ListReader, list_key

if TYPE_CHECKING:
    from svc_tui.client.client import Client


class OfFile(Protocol):
    """What a report keeps of a file of the service, instead of the file."""

    def as_data(self) -> RecordDict:
        """The same as JSON; names of objects are fixed, since those that look like secrets are not kept."""

    @classmethod
    def from_data(cls, data: RecordData) -> Self:
        """What `as_data` made. ValueError for other data."""


T = TypeVar("T")
R = TypeVar("R")
F = TypeVar("F", bound=OfFile)

#: The most requests at once, on a slow link one.
AT_ONCE = 4
#: The type of the values of a column: `share` is a part of 1, `day` and `moment` are texts of ISO 8601.
ColumnType = Literal["text", "number", "share", "day", "moment", "yes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportColumn:
    """A column of a report. `width`, `flex` and `priority` are those of columns on the screen."""

    field: str
    title: str
    type: ColumnType = "text"
    #: The unit of a number, such as `d`.
    unit: str = ""
    width: int = 10
    flex: int = 0
    priority: int = 0
    #: The field of a row by which it is sorted, if that is not its own.
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A table across companies. `name` is its name on the command line.

    `read` returns its rows in parts, in any order. A row has the values of the columns, an `id` that is the same in
    each reading, and the IDs of what it leads to.
    """

    name: str
    title: str
    #: One sentence about what its rows are.
    help: str
    columns: tuple[ReportColumn, ...]
    #: The list that it reads first: who may read that may read the report.
    operation: str
    read: Callable[[Reading], AsyncGenerator[Sequence[RecordDict], None]]
    sort: str
    descending: bool = False


class ReportService(ListService, Downloader, Protocol):
    """What a report needs of the workspace."""

    @property
    def client(self) -> Client | None: ...
    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision: ...


class Reading:
    """One reading of a report: what is read is kept in the cache, so that the next reading continues.

    `since`: what was read at this time or later, in seconds since 1970, is not requested again. `companies` are the IDs
    of those that are read, None for all. Without `sends`, only the cache is read. `changed` is called after each step.
    """

    def __init__(
        self,
        service: ReportService,
        *,
        since: float,
        companies: Collection[str] | None = None,
        sends: bool = True,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._service, self._since, self._sends, self._changed = service, since, sends, changed
        self.companies = None if companies is None else frozenset(companies)
        self._slots = asyncio.Semaphore(1 if service.frugal else AT_ONCE)
        #: How many steps are known so far, and how many of them are done.
        self.steps = self.done = 0
        #: When the oldest part was read, in seconds since 1970; None before the first one.
        self.oldest: float | None = None
        #: What the service refused, with the reason.
        self.gaps: dict[str, str] = {}
        #: What the role may not read, which is no gap.
        self.left_out: list[str] = []

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self._service.now(), UTC)

    def interface_name(self, name: str) -> str:
        """The name of the interface for a name in a file of the deployment, which can have other words."""
        client = self._service.client
        return name if client is None else client.brand.interface_name(name)

    def may(self, operation_id: str, name: str) -> bool:
        """Whether the role may call an operation; if not, its records are left out under this name."""
        allowed = self._service.decide(operation_id).allowed
        if not allowed and name not in self.left_out:
            self.left_out.append(name)
        return allowed

    async def pages(
        self, operation_id: str, query: RecordDict | None = None, *, company: str = "", field: str = "companyId"
    ) -> AsyncGenerator[list[RecordDict], None]:
        """The records of a list over companies, in parts of at most LARGEST_REQUEST.

        `company` is the filter of the list for one company, which is used where a group needs fewer requests than the
        whole list; `field` has the ID of the company in a record, empty for records without one. ReadError.
        """
        reader = ListReader(self._service, operation_id, {}, query or {})
        self.steps += 1
        rows, total = await self._part(reader, 0)
        self._step()
        more = range(LARGEST_REQUEST, total, LARGEST_REQUEST)
        if self.companies is not None and company and len(self.companies) <= len(more):
            read = self.each(
                sorted(self.companies), lambda id: self.all(operation_id, {}, {**(query or {}), company: id}), str
            )
            async with aclosing(read) as found:
                async for _id, of_company in found:
                    yield of_company
            return
        yield self._of_group(rows, field)
        async with aclosing(self.each(more, lambda first: self._part(reader, first))) as parts:
            async for _first, (rows, _total) in parts:
                yield self._of_group(rows, field)

    async def all(self, operation_id: str, path: dict[str, str], query: RecordDict | None = None) -> list[RecordDict]:
        """All records of one list. ReadError."""
        reader = ListReader(self._service, operation_id, path, query or {})
        rows, total = await self._part(reader, 0)
        while rows and len(rows) < total:
            rows += (found := (await self._part(reader, len(rows)))[0])
            if not found:
                break
        return rows

    async def last_seen(self, operation_id: str, path: dict[str, str], record_id: str) -> str:
        """When this console last read that a list had records, in ISO 8601; empty where it never did.

        It is kept in the cache under `record_id`, and is asked for before the list is read, which replaces what was
        read earlier. The list may have been read by a view.
        """
        reader = ListReader(self._service, operation_id, path, {})
        pages = (await reader.cached([0])).pages
        latest = max((page.fetched for page in pages.values() if page.rows), default=0.0)
        cache, kept = self._service.cache, ("seen", record_id)
        known = await cache.read_record(*kept)
        seen = max(latest, float(known.data.get("seen") or 0.0) if known else 0.0)
        if latest and seen == latest:
            await cache.store_record(*kept, {"seen": seen}, operation_id=operation_id, fetched=seen)
        return datetime.fromtimestamp(seen, UTC).isoformat(timespec="seconds") if seen else ""

    async def file(
        self,
        operation_id: str,
        path: dict[str, str],
        work: Callable[[IO[bytes]], F],
        result: type[F],
        *unfit: type[Exception],
    ) -> F:
        """What `work` makes of a file of the service, which is kept instead of the file. ReadError, also for an error
        `unfit` of it."""
        kept = "file", list_key(operation_id, path, {})
        known = await self._service.cache.read_record(*kept)
        if known is not None and (not self._sends or (known.fetched >= self._since and not known.stale)):
            try:
                found = await asyncio.to_thread(result.from_data, known.data)
            except ValueError:
                # Another version of the program wrote it, or it is damaged: the file is read again.
                pass
            else:
                self._used(known.fetched)
                return found
        if not self._sends:
            raise ReadError(OFFLINE_EMPTY, offline=True)
        with TemporaryFile() as file:
            async with self._slots:
                try:
                    await self._service.download(operation_id, path, FileSink(file))
                except ServiceError as error:
                    raise ReadError(error.sentence, offline=isinstance(error, Unreachable)) from error
            fetched = self._service.now()
            file.seek(0)
            try:
                found = await asyncio.to_thread(work, file)
            except unfit as error:
                raise ReadError(str(error)) from error
        await self._service.cache.store_record(*kept, found.as_data(), operation_id=operation_id, fetched=fetched)
        self._used(fetched)
        return found

    async def names(self) -> dict[str, str]:
        """The names of the companies by ID. ReadError."""
        async with aclosing(self.pages("list_companies", field="id")) as parts:
            return {str(row.get("id")): str(row.get("name") or "") async for rows in parts for row in rows}

    async def users(self) -> AsyncGenerator[list[RecordDict], None]:
        """The users with all fields, in parts. ReadError."""
        query = {"format": "full", "roles": ",".join(Role)}
        async with aclosing(self.pages("list_users", query, company="companyId")) as parts:
            async for rows in parts:
                yield rows

    async def each(
        self, items: Iterable[T], read: Callable[[T], Awaitable[R]], name: Callable[[T], str] | None = None
    ) -> AsyncGenerator[tuple[T, R], None]:
        """The result for each item, in the order in which they arrive, few at once.

        An item with a `name` that the service refuses is a gap. ReadError for one without, or when the service does not
        respond.
        """
        waiting = deque(items)
        self.steps += len(waiting)
        running: dict[asyncio.Task[R], T] = {}
        try:
            while waiting or running:
                while waiting and len(running) < AT_ONCE:
                    item = waiting.popleft()
                    running[asyncio.ensure_future(read(item))] = item
                ended, __ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                results, failure = [], None
                for task in ended:
                    item = running.pop(task)
                    error = task.exception()
                    if error is None:
                        results.append((item, task.result()))
                    elif not isinstance(error, ReadError) or error.offline or name is None or self._ended:
                        failure = error
                        continue
                    else:
                        self.gaps[name(item)] = error.sentence
                    self._step()
                for result in results:
                    yield result
                if failure is not None:
                    raise failure
        finally:
            for task in running:
                task.cancel()

    @property
    def _ended(self) -> bool:
        """Whether the session has ended since: no further request can be sent."""
        return self._sends and self._service.obstacle() is not None

    async def _part(self, reader: ListReader, first: int) -> tuple[list[RecordDict], int]:
        fetched = await reader.from_cache(first, self._since if self._sends else 0.0)
        if fetched is None:
            if not self._sends:
                raise ReadError(OFFLINE_EMPTY, offline=True)
            async with self._slots:
                fetched = await reader.fetch(first, LARGEST_REQUEST)
            await reader.keep(fetched)
        self._used(fetched.fetched)
        return list(fetched.rows), fetched.total

    def _used(self, fetched: float) -> None:
        self.oldest = fetched if self.oldest is None else min(self.oldest, fetched)

    def _of_group(self, rows: list[RecordDict], field: str) -> list[RecordDict]:
        return (
            rows
            if self.companies is None or not field
            else [row for row in rows if str(row.get(field)) in self.companies]
        )

    def _step(self) -> None:
        self.done += 1
        self._changed()


def days_since(value: object, now: datetime) -> int | None:
    """Whole days since a time of ISO 8601; None for another value."""
    try:
        return (now - moment(str(value))).days
    except (ValueError, OverflowError):
        return None
