"""Running imports: each fills a directory that is not in use, and puts it in the place of the live one at the end.

At any time, also after a power cut, readers have either the whole old directory or the whole new one. An import whose
process stops or dies begins again in another one, from the file in the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import copied, document_of
from svc_tui.server.auditing import OF_IMPORTS
from svc_tui.server.directory.applying import apply_batch
from svc_tui.server.directory.csv_rows import MOST_LISTED, CheckedRow, batches
from svc_tui.server.directory.import_reports import (
    end,
    fail,
    listed_rows,
    owner_of,
    remove_unless_live,
    report_lock,
    report_of,
    start_over,
)
from svc_tui.server.directory.import_storage import stored_file
from svc_tui.server.directory.prepared_rows import PreparedRows, prepared_rows
from svc_tui.server.directory.stored import (
    RUNNING,
    ImportSource,
    Owner,
    StoredDirectory,
    StoredReport,
    live_directory,
    new_directory,
    reading_of,
)
from svc_tui.server.hooks import background_job
from svc_tui.server.http.measures import IMPORTS, IMPORTS_RUNNING, Measures
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import in_background, run_repeatedly
from svc_tui.server.running.heartbeat import Heartbeat
from svc_tui.server.running.long_work import LongWork, Results, WorkLost
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, originating
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import PreparedRow

#: Seconds that a request waits for the end of its import before it answers with the progress.
PATIENCE = 2.0
#: Seconds between two checks for imports of processes that are gone.
_LOOK_SECONDS = 10.0
#: Processes that an import may lose before it fails: it could be what ends them.
MOST_LOST = 3
_CANCELLED = "the import was cancelled; the directory is unchanged"
_STOPPED = "the service stopped during this import; the directory is unchanged"
_LOST = f"the service ended {MOST_LOST} times during this import; the directory is unchanged"
_NOT_READ = "the process that read the file has ended; the directory is unchanged"
_COUNTERS = ("created", "updated", "deleted", "failed")


@dataclass(slots=True)
class ImportOrder:
    """One import: its source, its owner, its report and its progress."""

    report_id: str
    owner: Owner
    file: IO[bytes]
    source: ImportSource
    #: A column names the action of each row.
    has_actions: bool = False
    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTERS, 0))
    #: Entries of the live directory before the import.
    present: int = 0

    def write_counters(self, report: StoredReport) -> None:
        """Bring the numbers of a report up to date."""
        report.created, report.updated = self.counters["created"], self.counters["updated"]
        report.deleted, report.failed = self.counters["deleted"], self.counters["failed"]


class Imports:
    """The imports of one process."""

    def __init__(self, service: Service) -> None:
        self._database, self._clock = service.database, service.clock
        self._ids, self._settings = service.ids, service.settings
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._orders: dict[str, ImportOrder] = {}
        #: Reports of this process whose imports begin when their record is stored.
        self._accepted: set[str] = set()
        self._service, self._heartbeat = service, service.part(Heartbeat)
        self._measures = service.part(Measures)
        self.process = self._heartbeat.process
        #: The server stops. Imports in progress have a while to end.
        self.stopping = asyncio.Event()
        self._work = service.part(LongWork)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Continue imports of processes that are gone. At the end of the block, running imports have a while to end;
        then other processes continue them."""
        async with self._heartbeat.running():
            failure = "imports of other processes could not be checked"
            try:
                async with in_background(run_repeatedly(self.adopt_all, _LOOK_SECONDS, failure, immediately=True)):
                    yield
            finally:
                await self._stop()

    async def _stop(self) -> None:
        self.stopping.set()
        if self._tasks and not self._settings.demo:
            await asyncio.wait(self._tasks.values(), timeout=self._settings.grace_seconds)
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def accept(self, report_id: str) -> None:
        """An import of this process is about to be stored and started."""
        self._accepted.add(report_id)

    def forget(self, report_id: str) -> None:
        """It was not stored, or it is started: then it has a task."""
        self._accepted.discard(report_id)

    async def start(self, order: ImportOrder) -> None:
        """Start an import whose report is stored. Returns at its end, or after `PATIENCE`."""
        task = self._begin(order.report_id, partial(self._import, order))
        self._orders[order.report_id] = order
        await asyncio.wait({task}, timeout=PATIENCE)

    def _begin(self, report_id: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        task = self._tasks[report_id] = asyncio.create_task(self._run(report_id, work))
        self.forget(report_id)

        def ended(_task: asyncio.Task[None]) -> None:
            # The next import of this report can have begun while this one removed what it replaced.
            if self._tasks.get(report_id) is task:
                del self._tasks[report_id]
                self._orders.pop(report_id, None)

        task.add_done_callback(ended)
        return task

    async def wait_for(self, report_id: str) -> None:
        """Wait for the end of an import of this process."""
        if task := self._tasks.get(report_id):
            await asyncio.wait({task})

    async def cancel(self, report_id: str) -> None:
        """Cancel an import of this process. Its directory stays unchanged."""
        if task := self._tasks.get(report_id):
            task.cancel()
            await asyncio.wait({task})

    def progress(self, report: StoredReport) -> StoredReport:
        """A report with the current numbers."""
        order = self._orders.get(report.id)
        if order is None or report.state not in RUNNING:
            return report
        current = copied(report)
        order.write_counters(current)
        return current

    # --- the steps of an import --------------------------------------------------------------------------------

    async def _run(self, report_id: str, work: Callable[[], Awaitable[None]]) -> None:
        with self._measures.during(IMPORTS_RUNNING):
            await self._run_to_the_end(report_id, work)

    async def _run_to_the_end(self, report_id: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except BadFile as bad:
            await self._failed(report_id, f"line {bad.line}, column {bad.column}: {bad.sentence}", bad.code)
        except WorkLost:
            await self._failed(report_id, _NOT_READ)
        except asyncio.CancelledError:
            with suppress(SQLAlchemyError, OSError):
                if self.stopping.is_set():
                    await self._give_away(report_id)
                else:
                    await self._failed(report_id, _CANCELLED)
        except (SQLAlchemyError, OSError) as error:
            log.error("an import failed: %s", type(error).__name__)
            with suppress(SQLAlchemyError, OSError):
                await self._failed(report_id, "the database did not respond; the directory is unchanged")

    async def _import(self, order: ImportOrder) -> None:
        try:
            async with self._work.on_file(batches, order.file, **reading_of(order.source)) as rows:
                order.has_actions = await rows.next()
                await (self._synchronize(order, rows) if order.source.synchronizing else self._replace(order, rows))
        finally:
            order.file.close()

    async def _replace(self, order: ImportOrder, rows: Results) -> None:
        """Fill a new directory, then replace the live one by it."""
        directory = new_directory(self._ids.record(), order.owner, self._clock.now(), live=False)
        async with self._database.unit() as store:
            if not await self._may_continue(store, order, directory):
                return
            await store.directories.add(document_of(directory))
        try:
            while batch := await rows.next():
                async with self._database.unit() as store:
                    if not await self._may_continue(store, order, directory):
                        return
                    await self._apply(store, order, directory, batch)
            await self._make_live(order, directory)
        finally:
            await self._remove_unless_live(directory.id)

    async def _make_live(self, order: ImportOrder, directory: StoredDirectory) -> None:
        async with self._database.unit() as store:
            await store.lock(f"directory:{order.owner[1]}")
            before = await live_directory(store, order.owner)
            if not await self._may_continue(store, order, directory):
                return
            if before is not None:
                before.live = False
                await store.directories.put(document_of(before))
            live = copied(directory)
            live.live, live.most_entries = True, order.counters["created"]
            await store.directories.put(document_of(live))
            await self._end(store, order)
        if before is not None:
            await self._remove_unless_live(before.id)

    async def _synchronize(self, order: ImportOrder, rows: Results) -> None:
        """Change the live directory, all rows in one transaction. They are checked, and what they change is prepared,
        before it begins: other changes, on SQLite all of them, wait for its end."""
        async with self._database.unit() as store:
            live = await live_directory(store, order.owner)
        directory = live or new_directory(self._ids.record(), order.owner, self._clock.now(), live=True)
        with prepared_rows(self._service, order.report_id) as prepared:
            while batch := await rows.next():
                await prepared.add(directory, batch)
            await self._change_live(order, directory, prepared)

    async def _change_live(self, order: ImportOrder, expected: StoredDirectory, rows: PreparedRows) -> None:
        async with self._database.unit() as store:
            await store.lock(f"directory:{order.owner[1]}")
            directory = await live_directory(store, order.owner)
            if directory is None:
                directory = expected
                await store.directories.add(document_of(directory))
            order.present = await store.directory_entries.count(Is("directory", directory.id))
            for change, batch in rows:
                if change is not None and await change.written(store, directory, self._room(order)):
                    await self._report(store, order, change.statuses, change.listed)
                else:
                    await self._apply(store, order, directory, batch())
            counted = copied(directory)
            counted.most_entries = order.present + order.counters["created"]
            await store.directories.put(document_of(counted))
            await store.lock(report_lock(order.report_id))
            if self._is_own(await report_of(store, order.report_id)):
                await self._end(store, order)
            else:
                await store.rollback()

    def _room(self, order: ImportOrder) -> int:
        """How many more entries the directory can hold."""
        return self._settings.largest_directory - order.present - order.counters["created"]

    async def _apply(
        self, store: Store, order: ImportOrder, directory: StoredDirectory, batch: list[CheckedRow]
    ) -> None:
        now, room, matching = self._clock.now(), self._room(order), order.has_actions
        results = await apply_batch(store, directory, batch, ids=self._ids, now=now, room=room, matching=matching)
        listed = listed_rows(order.report_id, sum(order.counters.values()), batch, results)
        statuses = [result.status or "" for result in results]
        await self._report(store, order, statuses, store.imported_rows.prepared(listed))

    async def _report(self, store: Store, order: ImportOrder, statuses: list[str], listed: list[PreparedRow]) -> None:
        """Count rows, and list results if not too many failed before."""
        for status in statuses:
            order.counters[status] += 1
        if order.counters["failed"] <= MOST_LISTED:
            await store.imported_rows.add_prepared(listed)

    async def _may_continue(self, store: Store, order: ImportOrder, directory: StoredDirectory) -> bool:
        """Store the progress. False when the report is deleted, or is of another import now: that ends this one."""
        await store.lock(report_lock(order.report_id))
        report = await report_of(store, order.report_id)
        if report is None or not self._is_own(report):
            return False
        order.write_counters(report)
        report.state, report.directory = ImportState.CREATING, directory.id
        report.last_update = self._clock.now()
        await store.import_reports.put(document_of(report))
        return True

    def _is_own(self, report: StoredReport | None) -> bool:
        """Whether the import of a report still runs in this process. It may be deleted, or restarted elsewhere."""
        return report is not None and report.state in RUNNING and report.process == self.process

    async def _end(self, store: Store, order: ImportOrder) -> None:
        report = await report_of(store, order.report_id)
        if report is None:
            return
        order.write_counters(report)
        report.state = ImportState.FAILED if order.counters["failed"] else ImportState.COMPLETED
        await end(store, report)
        self._measures.add(IMPORTS, "incomplete" if order.counters["failed"] else "completed")

    # --- clean-up ----------------------------------------------------------------------------------------------

    async def _failed(self, report_id: str, sentence: str, code: Code = Code.BAD_FILE) -> None:
        async with self._database.unit() as store:
            await store.lock(report_lock(report_id))
            report = await report_of(store, report_id)
            # An import that was cancelled while its end was written has ended.
            if report is not None and self._is_own(report):
                self._measures.add(IMPORTS, "failed")
                await fail(store, report, sentence, code)

    async def _remove_unless_live(self, directory_id: str) -> None:
        async with self._database.unit() as store:
            await remove_unless_live(store, directory_id)

    # --- from one process to another ---------------------------------------------------------------------------

    async def _give_away(self, report_id: str) -> None:
        """Leave an import to another process."""
        async with self._database.unit() as store:
            await store.lock(report_lock(report_id))
            report = await report_of(store, report_id)
            if report is not None and self._is_own(report):
                await start_over(store, report, None)

    async def adopt_all(self) -> None:
        """Begin the imports of processes that are gone again in this one."""
        async with self._database.unit() as store:
            running = (await store.import_reports.find(In("state", RUNNING))).documents
        for id in [str(report["id"]) for report in running]:
            try:
                report = await self._adopted(id)
            except BaseException:
                self.forget(id)
                raise
            if report is not None and report.source is not None:
                self._begin(id, partial(self._run_again, report, report.source))

    async def _adopted(self, report_id: str) -> StoredReport | None:
        """The report, if its process is gone; its import is of this process now. It fails after too many losses."""
        async with self._database.unit() as store:
            report = await report_of(store, report_id)
            if report is None or not await self._is_left(store, report):
                return None
            await store.lock(report_lock(report_id))
            report = await report_of(store, report_id)
            if report is None or not await self._is_left(store, report):
                return None
            report.lost += bool(report.process)
            if report.source is None or report.lost >= MOST_LOST:
                await fail(store, report, _LOST if report.source else _STOPPED, Code.BAD_FILE)
                self._measures.add(IMPORTS, "failed")
                return None
            # Before others can see it: another look of this process must not take it for left.
            self.accept(report_id)
            return await start_over(store, report, self.process)

    async def _is_left(self, store: Store, report: StoredReport) -> bool:
        """Whether no process is at a running import."""
        if report.state not in RUNNING or self.stopping.is_set():
            return False
        if report.process == self.process:
            return report.id not in self._accepted and report.id not in self._tasks
        return not (report.process and await self._heartbeat.is_process_alive(store, report.process))

    async def _run_again(self, report: StoredReport, source: ImportSource) -> None:
        """Import the stored file of a report."""
        by = Origin(self._clock.now, job="imports", user_id=report.user_id or "", unrecorded=OF_IMPORTS)
        with originating(by):
            file = await stored_file(self._service, source.file)
            order = ImportOrder(report.id, owner_of(report), file, source)
            self._orders[report.id] = order
            await self._import(order)


@background_job
def importing(service: Service) -> AbstractAsyncContextManager[None]:
    """Run imports while the server runs."""
    return service.part(Imports).running()
