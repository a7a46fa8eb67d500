"""The local cache of one profile and user: what was seen before, for the first screen and for browsing offline."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from svc_tui.cache.database import Database
from svc_tui.cache.opening import is_broken, is_busy, open_file, open_memory, put_broken_aside
from svc_tui.cache.shapes import KeptList, KeptRecord, Row

DEFAULT_LIMIT = 200_000_000
#: Bound of what is kept in memory when the file cannot be used, in bytes.
MEMORY_LIMIT = 32_000_000
#: Writes between two looks at the size.
_WRITES_BETWEEN = 32
#: Pruning goes down to this share of the limit, so that it is rarely needed.
_GOAL = 0.75
#: Longest wait of a peek for the worker thread, in seconds.
_PEEK_PATIENCE = 0.05

T = TypeVar("T")


class Cache:
    """Records by kind and id, lists by their pages. It never raises: what it cannot keep it forgets.

    `path` None keeps everything in memory. `service` is the address whose records these are: a file of another one
    is put aside. `limit_bytes` bounds the file; what was fetched longest ago goes first. `trouble` is one sentence,
    empty when all is well. One connection is shared by the worker thread and, for peeks, the caller's.
    """

    def __init__(self, path: Path | None, *, service: str = "", limit_bytes: int = DEFAULT_LIMIT) -> None:
        self.path, self.service, self.limit_bytes = path, service, limit_bytes
        self.trouble = ""
        #: Called once, in the event loop, when there is trouble.
        self.on_trouble: Callable[[str], None] | None = None
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="cache")
        self._disk: Database | None = None
        self._memory: Database | None = None
        self._inode = self._writes = 0
        self._closed = False

    # Reading

    def peek(self, key: str, pages: Sequence[int]) -> KeptList:
        """Pages of a list, read at once in the calling thread."""
        return self._peek(lambda: self._pages(key, pages), KeptList())

    def peek_record(self, kind: str, record_id: str, form: str = "full") -> KeptRecord | None:
        """A record, read at once in the calling thread."""
        return self._peek(lambda: self._record(kind, record_id, form), None)

    async def pages(self, key: str, pages: Sequence[int]) -> KeptList:
        """Those of the pages of a list that are kept, and the list's length."""
        return await self._in_thread(lambda: self._pages(key, pages), KeptList())

    async def record(self, kind: str, record_id: str, form: str = "full") -> KeptRecord | None:
        """A record in one of its read formats; None when it is not kept."""
        return await self._in_thread(lambda: self._record(kind, record_id, form), None)

    # Keeping

    async def keep_rows(
        self,
        key: str,
        *,
        operation_id: str,
        kind: str,
        form: str,
        first_page: int,
        ids: Sequence[str],
        rows: Sequence[Row],
        total: int,
        fetched: float,
    ) -> None:
        """Keep rows of a list without their secrets, from the start of a page on."""

        def work(database: Database) -> None:
            kept = [_without_secrets(operation_id, row) for row in rows]
            database.keep_rows(
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

    async def keep_record(
        self, kind: str, record_id: str, row: Row, *, operation_id: str, form: str = "full", fetched: float
    ) -> None:
        """Keep a record, without its secrets, as an operation answered it."""
        await self._write(
            lambda database: database.keep_record(kind, record_id, form, _without_secrets(operation_id, row), fetched)
        )

    async def change_record(
        self, kind: str, record_id: str, forms: Mapping[str, Row], *, operation_id: str, fetched: float
    ) -> None:
        """Take the new values of a changed record over into the forms in which it is kept."""

        def work(database: Database) -> None:
            kept = {form: _without_secrets(operation_id, row) for form, row in forms.items()}
            database.change_record(kind, record_id, kept, fetched)

        await self._write(work)

    async def mark_record_stale(self, kind: str, record_id: str) -> None:
        """Note that a record may be changed: a change was sent and no answer came."""
        await self._write(lambda database: database.mark_record_stale(kind, record_id), everywhere=True)

    async def mark_lists_stale(self, kind: str) -> None:
        """Note that the lists of a kind may hold other records by now."""
        await self._write(lambda database: database.mark_lists_stale(kind), everywhere=True)

    async def forget_record(self, kind: str, record_id: str) -> None:
        """Forget a deleted record; lists show it no more."""
        await self._write(lambda database: database.forget_record(kind, record_id), everywhere=True)

    def close(self) -> None:
        """Finish what is under way and close the file."""
        self._worker.shutdown(wait=True)
        with self._lock:
            self._closed = True
            for database in self._open_ones():
                database.close()
            self._disk = self._memory = None

    # How

    def _pages(self, key: str, pages: Sequence[int]) -> KeptList:
        kept = KeptList()
        for database in self._open_ones():
            found = database.pages(key, [page for page in pages if page not in kept.pages])
            kept.total = found.total if kept.total is None else kept.total
            kept.pages.update(found.pages)
        return kept

    def _record(self, kind: str, record_id: str, form: str) -> KeptRecord | None:
        for database in self._open_ones():
            if (kept := database.record(kind, record_id, form)) is not None:
                return kept
        return None

    def _open_ones(self) -> list[Database]:
        """The newest first: memory, which is only there when the file can no longer be written, then the file."""
        return [database for database in (self._memory, self._disk) if database is not None]

    def _peek(self, work: Callable[[], T], nothing: T) -> T:
        if not self._lock.acquire(timeout=_PEEK_PATIENCE):
            return nothing
        try:
            return self._guarded(work, nothing)
        finally:
            self._lock.release()

    async def _in_thread(self, work: Callable[[], T], nothing: T) -> T:
        def locked() -> T:
            with self._lock:
                return self._guarded(work, nothing)

        if self._closed:
            return nothing
        found = await asyncio.get_running_loop().run_in_executor(self._worker, locked)
        if self.trouble and self.on_trouble is not None:
            tell, self.on_trouble = self.on_trouble, None
            tell(self.trouble)
        return found

    async def _write(self, work: Callable[[Database], None], *, everywhere: bool = False) -> None:
        def write() -> None:
            """Into the newest; what must not come back from the older one is written there too."""
            newest, *older = self._open_ones()
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

    def _guarded(self, work: Callable[[], T], nothing: T) -> T:
        """Do it on an open database; a damaged one is put aside once, anything else that fails is forgotten."""
        if self._closed:
            return nothing
        for _ in range(2):
            try:
                self._open()
                return work()
            except sqlite3.Error as error:
                if self._disk is None or not is_broken(error):
                    return nothing
                self._replace_broken(self._disk)
        return nothing

    def _open(self) -> None:
        if self._open_ones():
            return
        if self.path is None:
            self._memory = open_memory(self.service)
            return
        try:
            self._disk = open_file(self.path, self.service)
            self._inode = self.path.stat().st_ino
        except (OSError, sqlite3.Error) as error:
            self._use_memory(error)

    def _replace_broken(self, broken: Database) -> None:
        broken.close()
        self._disk = None
        if self.path is not None:
            try:
                put_broken_aside(self.path, self._inode)
            except OSError as error:
                self._use_memory(error)

    def _use_memory(self, error: Exception) -> Database:
        """Go on without the file: what it holds can still be read."""
        why = getattr(error, "strerror", None) or str(error)
        self.trouble = f"The cache cannot be written ({why}); the console goes on from memory."
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
    """Rows without an id are known by their place in the list."""
    return [record_id or f"{key}#{first_page}#{place}" for place, record_id in enumerate(ids)]


def _without_secrets(operation_id: str, row: Row) -> Row:
    # Loads the declaration, and pydantic with it: only once there is something to keep.
    from svc_tui.cache.secrets import without_secrets

    return without_secrets(operation_id, row)
