"""The local cache of one profile and user, for the first screen and for browsing offline. A search by a part of the
text scans it in slices, so that other reads are not kept waiting.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from svc_tui.cache.cached import CachedList, CachedRecord, RecordDict
from svc_tui.cache.database import CacheDatabase
from svc_tui.cache.opening import is_broken, is_busy, open_file, open_memory, set_damaged_file_aside
from svc_tui.cache.secrets import without_secrets
from svc_tui.language import _

DEFAULT_LIMIT = 200_000_000
#: Largest size in memory when the file cannot be used, in bytes.
MEMORY_LIMIT = 32_000_000
#: Writes between two checks of the size.
_WRITES_BETWEEN = 32
#: Pruning reduces the size to this share of the limit, so that it is rarely needed.
_GOAL = 0.75
#: Longest wait of an immediate read for the worker thread, in seconds.
_NOW_SECONDS = 0.05

T = TypeVar("T")


class Cache:
    """Records by kind and id, lists by their pages. It never raises: a failed write is dropped.

    `path` None is a cache in memory. `service` is the address of the service: the file of another service is set
    aside. `limit_bytes` limits the file; the oldest content is dropped first. `error_message` is a sentence, empty
    without an error. One connection is shared by the worker thread and, for immediate reads, the thread of the caller.
    """

    def __init__(self, path: Path | None, *, service: str = "", limit_bytes: int = DEFAULT_LIMIT) -> None:
        self.path, self.service, self.limit_bytes = path, service, limit_bytes
        self.error_message = ""
        #: Called once, in the event loop, when there is an error.
        self.on_error: Callable[[str], None] | None = None
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="cache")
        self._disk: CacheDatabase | None = None
        self._memory: CacheDatabase | None = None
        self._inode = self._writes = 0
        self._closed = False

    # Reading

    def read_list_now(self, key: str, pages: Sequence[int]) -> CachedList:
        """Cached pages of a list, read immediately in the calling thread."""
        return self._read_now(lambda: self._pages(key, pages), CachedList())

    def read_record_now(self, kind: str, record_id: str, form: str = "full") -> CachedRecord | None:
        """A cached record, read immediately in the calling thread."""
        return self._read_now(lambda: self._record(kind, record_id, form), None)

    def totals_now(self, keys: Sequence[str]) -> dict[str, int]:
        """Key -> the length of the list, for those that are cached; read immediately in the calling thread."""
        nothing: dict[str, int | None] = {}
        found = self._read_now(lambda: {key: self._pages(key, ()).total for key in keys}, nothing)
        return {key: total for key, total in found.items() if total is not None}

    async def read_list(self, key: str, pages: Sequence[int]) -> CachedList:
        """The cached pages of a list among these, and the length of the list."""
        return await self._in_thread(lambda: self._pages(key, pages), CachedList())

    async def read_record(self, kind: str, record_id: str, form: str = "full") -> CachedRecord | None:
        """A record in one of its read formats. None when it is not cached."""
        return await self._in_thread(lambda: self._record(kind, record_id, form), None)

    async def search(self, kinds: Collection[str], parts: Sequence[str]) -> AsyncIterator[Sequence[FoundRecord]]:
        """The records of these kinds whose text contains one of the parts, in slices; a record in each read format."""
        for number in range(2):
            last = await self._in_thread(partial(self._with, number, last_row, 0), 0)
            lowest = max(0, last - MOST_SCANNED)
            while last > lowest:
                first = max(lowest, last - SLICE)
                yield await self._in_thread(partial(self._slice, number, kinds, parts, first, last), ())
                last = first

    def _slice(
        self, number: int, kinds: Collection[str], parts: Sequence[str], first: int, last: int
    ) -> Sequence[FoundRecord]:
        return self._with(number, lambda connection: found(connection, kinds, parts, first, last), [])

    def _with(self, number: int, work: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """Work on one of the databases, the newest first; `nothing` when there are fewer."""
        databases = self._databases()
        return work(databases[number].connection) if number < len(databases) else nothing

    async def read_records(self, kind: str, record_ids: Collection[str]) -> Sequence[RecordDict]:
        """The cached records with these ids, each in one of its read formats."""

        def work() -> list[RecordDict]:
            found: dict[str, RecordDict] = {}
            for database in reversed(self._databases()):
                found |= database.records(kind, record_ids)
            return list(found.values())

        return await self._in_thread(work, []) if record_ids else []

    # Writing

    async def store_rows(
        self,
        key: str,
        *,
        operation_id: str,
        kind: str,
        form: str,
        first_page: int,
        ids: Sequence[str],
        rows: Sequence[RecordDict],
        total: int,
        fetched: float,
    ) -> None:
        """Store rows of a list without their secrets, from the start of a page on."""

        def work(database: CacheDatabase) -> None:
            kept = [without_secrets(operation_id, row) for row in rows]
            database.store_rows(
                key,
                kind=kind,
                form=form,
                first_page=first_page,
                ids=_named(ids, key, first_page),
                rows=kept,
                total=total,
                fetched=fetched,
            )

        await self._write(work)

    async def store_record(
        self, kind: str, record_id: str, row: RecordDict, *, operation_id: str, form: str = "full", fetched: float
    ) -> None:
        """Store a record of the response of an operation, without its secrets."""
        await self._write(
            lambda database: database.store_record(kind, record_id, form, without_secrets(operation_id, row), fetched)
        )

    async def update_record(
        self, kind: str, record_id: str, forms: Mapping[str, RecordDict], *, operation_id: str, fetched: float
    ) -> None:
        """Merge the new values of a changed record into its cached formats."""

        def work(database: CacheDatabase) -> None:
            kept = {form: without_secrets(operation_id, row) for form, row in forms.items()}
            database.update_record(kind, record_id, kept, fetched)

        await self._write(work)

    async def mark_record_stale(self, kind: str, record_id: str) -> None:
        """Mark a record as stale: a change was sent without a response."""
        await self._write(lambda database: database.mark_record_stale(kind, record_id), everywhere=True)

    async def mark_lists_stale(self, kind: str) -> None:
        """Mark the lists of a kind as stale: they may have other records now."""
        await self._write(lambda database: database.mark_lists_stale(kind), everywhere=True)

    async def remove_record(self, kind: str, record_id: str) -> None:
        """Remove a deleted record from the cache and its lists."""
        await self._write(lambda database: database.remove_record(kind, record_id), everywhere=True)

    def close(self) -> None:
        """Finish pending writes and close the file."""
        self._worker.shutdown(wait=True)
        with self._lock:
            self._closed = True
            for database in self._databases():
                database.close()
            self._disk = self._memory = None

    # Implementation

    def _pages(self, key: str, pages: Sequence[int]) -> CachedList:
        kept = CachedList()
        for database in self._databases():
            found = database.pages(key, [page for page in pages if page not in kept.pages])
            kept.total = found.total if kept.total is None else kept.total
            kept.pages.update(found.pages)
        return kept

    def _record(self, kind: str, record_id: str, form: str) -> CachedRecord | None:
        for database in self._databases():
            if (kept := database.record(kind, record_id, form)) is not None:
                return kept
        return None

    def _databases(self) -> list[CacheDatabase]:
        """The newest first: memory, which is in use when the file cannot be written, then the file."""
        return [database for database in (self._memory, self._disk) if database is not None]

    def _read_now(self, work: Callable[[], T], nothing: T) -> T:
        if not self._lock.acquire(timeout=_NOW_SECONDS):
            return nothing
        try:
            return self._run(work, nothing)
        finally:
            self._lock.release()

    async def _in_thread(self, work: Callable[[], T], nothing: T) -> T:
        def locked() -> T:
            with self._lock:
                return self._run(work, nothing)

        if self._closed:
            return nothing
        found = await asyncio.get_running_loop().run_in_executor(self._worker, locked)
        if self.error_message and self.on_error is not None:
            tell, self.on_error = self.on_error, None
            tell(self.error_message)
        return found

    async def _write(self, work: Callable[[CacheDatabase], None], *, everywhere: bool = False) -> None:
        def write() -> None:
            """Write to the newest, and removals and marks to the older one, too."""
            newest, *older = self._databases()
            for database in older if everywhere else ():
                try:
                    work(database)
                except sqlite3.Error:
                    continue
            try:
                work(newest)
            except sqlite3.Error as error:
                if newest is self._memory or is_broken(error) or is_busy(error):
                    raise
                work(self._use_memory(error))
            self._bound()

        await self._in_thread(write, None)

    def _run(self, work: Callable[[], T], nothing: T) -> T:
        """Run the work on an open database. A damaged file is set aside once; any other failure gives `nothing`."""
        if self._closed:
            return nothing
        for __ in range(2):
            try:
                self._open()
                return work()
            except sqlite3.Error as error:
                if self._disk is None or not is_broken(error):
                    return nothing
                self._replace_broken(self._disk)
        return nothing

    def _open(self) -> None:
        if self._databases():
            return
        if self.path is None:
            self._memory = open_memory(self.service)
            return
        try:
            self._disk = open_file(self.path, self.service)
            self._inode = self.path.stat().st_ino
        except (OSError, sqlite3.Error) as error:
            self._use_memory(error)

    def _replace_broken(self, broken: CacheDatabase) -> None:
        broken.close()
        self._disk = None
        if self.path is not None:
            try:
                set_damaged_file_aside(self.path, self._inode)
            except OSError as error:
                self._use_memory(error)

    def _use_memory(self, error: Exception) -> CacheDatabase:
        """Continue in memory. The content of the file can still be read."""
        why = getattr(error, "strerror", None) or str(error)
        self.error_message = _("The cache cannot be written ({why}). The console continues without it.").format(why=why)
        self._memory = self._memory or open_memory(self.service)
        return self._memory

    def _bound(self) -> None:
        self._writes += 1
        if self._writes % _WRITES_BETWEEN:
            return
        for database, limit in ((self._memory, MEMORY_LIMIT), (self._disk, self.limit_bytes)):
            if database is not None and (database is not self._disk or self._memory is None) and database.size > limit:
                database.prune(int(limit * _GOAL))


def _named(ids: Sequence[str], key: str, first_page: int) -> list[str]:
    """Rows without an id are identified by their place in the list."""
    return [record_id or f"{key}#{first_page}#{place}" for place, record_id in enumerate(ids)]


#: Records in one slice.
SLICE = 2000
#: Most records that are scanned, the newest rows of the table first.
MOST_SCANNED = 100_000
_SCAN = """
SELECT kind, form, id, body FROM records WHERE rowid > ? AND rowid <= ? AND kind IN (SELECT value FROM json_each(?))
AND EXISTS (SELECT 1 FROM json_each(?) WHERE body LIKE value ESCAPE '!') ORDER BY rowid DESC
"""
_LIST_OF = """
SELECT lists.key FROM lists JOIN windows ON windows.list = lists.number
WHERE lists.kind = ? AND lists.form = ? AND instr(windows.ids, ?) LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A cached record, and the path of a list that contains it."""

    kind: str
    id: str
    record: RecordDict
    path: Mapping[str, str]


def last_row(connection: sqlite3.Connection) -> int:
    """The number of the newest row."""
    return int(connection.execute("SELECT coalesce(max(rowid), 0) FROM records").fetchone()[0])


def found(
    connection: sqlite3.Connection, kinds: Collection[str], parts: Sequence[str], first: int, last: int
) -> list[FoundRecord]:
    """The records of these kinds, among the rows after `first` up to `last`, whose JSON contains one of the parts."""
    patterns = [f"%{_escaped(part)}%" for part in parts]
    rows = connection.execute(_SCAN, (first, last, json.dumps(list(kinds)), json.dumps(patterns))).fetchall()
    return [
        FoundRecord(kind, record_id, record, _path(connection, kind, form, record_id))
        for kind, form, record_id, body in rows
        if isinstance(record_id, str) and (record := _object(body)) is not None
    ]


def _escaped(part: str) -> str:
    """A text as it is written in JSON and as LIKE takes it."""
    written = json.dumps(part)[1:-1]
    return "".join(f"!{character}" if character in "!%_" else character for character in written)


def _path(connection: sqlite3.Connection, kind: str, form: str, record_id: str) -> dict[str, str]:
    row = connection.execute(_LIST_OF, (kind, form, json.dumps(record_id))).fetchone()
    try:
        path = json.loads(row[0])[1] if row else {}
    except (ValueError, TypeError, LookupError):
        return {}
    return {str(name): str(value) for name, value in path.items()} if isinstance(path, dict) else {}


def _object(body: object) -> dict[str, Any] | None:
    """The record; None for a deleted or damaged one."""
    try:
        record = json.loads(body) if isinstance(body, str) and body else None
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
