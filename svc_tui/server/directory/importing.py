"""Running imports: each fills a directory that is not in use, and puts it in the place of the live one at the end.

At any time, also after a power cut, readers have either the whole old directory or the whole new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.reports import ImportedEntry, ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.directory.applying import apply_batch
from svc_tui.server.directory.csv_rows import MOST_LISTED, CheckedFile, CheckedRow
from svc_tui.server.directory.directories import Owner, live_directory, most_entries, new_directory
from svc_tui.server.directory.stored import StoredDirectory, StoredReport, StoredRow
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.long_work import LongWork
from svc_tui.server.measures import IMPORTS, IMPORTS_RUNNING, Measures
from svc_tui.server.presence import Presence
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.turns import in_turn

RUNNING = (ImportState.INITIALIZING, ImportState.CREATING)
#: Seconds that a request waits for the end of its import before it answers with the progress.
PATIENCE = 2.0
#: Seconds between two looks for imports of processes that are gone.
_LOOK_SECONDS = 60.0
_CANCELLED = "the import was cancelled; the directory is unchanged"
_STOPPED = "the service stopped during this import; the directory is unchanged"
_COUNTERS = ("created", "updated", "deleted", "failed")


@dataclass(slots=True)
class ImportOrder:
    """One import: its source, its owner, its report and its progress."""

    report_id: str
    owner: Owner
    source: CheckedFile
    #: Rows change the live directory; otherwise a new directory replaces it.
    synchronizing: bool
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
        self._service, self._presence = service, service.part(Presence)
        self._measures = service.part(Measures)
        self.process = self._presence.process
        #: The server stops. Imports in progress have a while to end.
        self.stopping = asyncio.Event()
        self._work = service.part(LongWork)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Clean up after processes that are gone. At the end of the block running imports have a while to end."""
        async with self._presence.running():
            trouble = "imports of other processes could not be checked"
            try:
                async with in_turn(self._service, "imports", self.clear_all, _LOOK_SECONDS, trouble):
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

    async def clear_all(self) -> None:
        """Mark the imports of processes that are gone as failed."""
        async with self._database.unit() as store:
            running = (await store.import_reports.find(In("state", RUNNING))).documents
        for id in [str(report["id"]) for report in running]:
            async with self._database.unit() as store:
                report = await _report(store, id)
                if report is not None:
                    await self.cleared(store, report)

    async def start(self, order: ImportOrder) -> None:
        """Start an import whose report is stored. Returns at its end, or after `PATIENCE`."""
        task = asyncio.create_task(self._run(order))
        self._tasks[order.report_id], self._orders[order.report_id] = task, order
        await asyncio.wait({task}, timeout=PATIENCE)

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

    async def _run(self, order: ImportOrder) -> None:
        with self._measures.during(IMPORTS_RUNNING):
            await self._run_to_the_end(order)

    async def _run_to_the_end(self, order: ImportOrder) -> None:
        try:
            if order.synchronizing:
                await self._synchronize(order)
            else:
                await self._replace(order)
        except BadFile as bad:
            await self._failed(order.report_id, f"line {bad.line}, column {bad.column}: {bad.sentence}", bad.code)
        except asyncio.CancelledError:
            with suppress(SQLAlchemyError, OSError):
                await self._failed(order.report_id, _STOPPED if self.stopping.is_set() else _CANCELLED)
        except (SQLAlchemyError, OSError) as error:
            log.error("an import failed: %s", type(error).__name__)
            with suppress(SQLAlchemyError, OSError):
                await self._failed(order.report_id, "the database did not answer; the directory is unchanged")
        finally:
            order.source.file.close()
            self._tasks.pop(order.report_id, None)
            self._orders.pop(order.report_id, None)

    async def _replace(self, order: ImportOrder) -> None:
        """Fill a new directory, then replace the live one by it."""
        directory = new_directory(self._ids.record(), order.owner, self._clock.now(), live=False)
        async with self._database.unit() as store:
            if not await self._may_continue(store, order, directory):
                return
            await store.directories.add(document_of(directory))
        try:
            while batch := await self._work.run(order.source.batch):
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

    async def _synchronize(self, order: ImportOrder) -> None:
        """Change the live directory, all rows in one transaction."""
        async with self._database.unit() as store:
            await store.lock(f"directory:{order.owner[1]}")
            directory = await live_directory(store, order.owner)
            if directory is None:
                directory = new_directory(self._ids.record(), order.owner, self._clock.now(), live=True)
                await store.directories.add(document_of(directory))
            order.present = await store.directory_entries.count(Is("directory", directory.id))
            while batch := await self._work.run(order.source.batch):
                await self._apply(store, order, directory, batch)
            counted = copied(directory)
            counted.most_entries = order.present + order.counters["created"]
            await store.directories.put(document_of(counted))
            if self._is_own(await _report(store, order.report_id)):
                await self._end(store, order)
            else:
                await store.rollback()

    async def _apply(
        self, store: Store, order: ImportOrder, directory: StoredDirectory, batch: list[CheckedRow]
    ) -> None:
        room = most_entries(self._settings) - order.present - order.counters["created"]
        now = self._clock.now()
        results = await apply_batch(
            store, directory, batch, ids=self._ids, now=now, room=room, matching=order.synchronizing
        )
        listed = []
        for checked, result in zip(batch, results, strict=True):
            order.counters[result.status or ""] += 1
            if sum(order.counters.values()) <= MOST_LISTED or result.status == "failed":
                listed.append(_row(order.report_id, checked, result))
        if order.counters["failed"] <= MOST_LISTED:
            await store.imported_rows.add_all(listed)

    async def _may_continue(self, store: Store, order: ImportOrder, directory: StoredDirectory) -> bool:
        """Store the progress. False when the report is deleted, or is of another import now: that ends this one."""
        await store.begin()
        report = await _report(store, order.report_id)
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
        report = await _report(store, order.report_id)
        if report is None:
            return
        order.write_counters(report)
        report.state = ImportState.FAILED if order.counters["failed"] else ImportState.COMPLETED
        del report.directory
        await store.import_reports.put(document_of(report))
        self._measures.add(IMPORTS, "incomplete" if order.counters["failed"] else "completed")

    # --- clean-up ----------------------------------------------------------------------------------------------

    async def _failed(self, report_id: str, sentence: str, code: Code = Code.BAD_FILE) -> None:
        async with self._database.unit() as store:
            report = await _report(store, report_id)
            # An import that was cancelled while its end was written has ended.
            if report is not None and report.state in RUNNING:
                self._measures.add(IMPORTS, "failed")
                await _fail(store, report, sentence, code)

    async def _remove_unless_live(self, directory_id: str) -> None:
        async with self._database.unit() as store:
            directory = typed(StoredDirectory, await store.directories.get(directory_id))
            if directory is not None and not directory.live:
                await store.directory_entries.remove_all(Is("directory", directory_id))
                await store.directories.remove(directory_id)

    async def cleared(self, store: Store, report: StoredReport) -> StoredReport:
        """The report. If its process is gone, it is marked as failed, and the directory that it filled is removed."""
        if report.state not in RUNNING or (report.process and await self._presence.lives(store, report.process)):
            return report
        failed = await _fail(store, report, _STOPPED, Code.BAD_FILE)
        self._measures.add(IMPORTS, "failed")
        if report.directory:
            await store.directory_entries.remove_all(Is("directory", report.directory))
            await store.directories.remove(report.directory)
        return failed


async def _report(store: Store, id: str) -> StoredReport | None:
    return typed(StoredReport, await store.import_reports.get(id))


async def _fail(store: Store, report: StoredReport, sentence: str, code: Code) -> StoredReport:
    """Mark an import as failed as a whole: no row counts, and row 0 has the reason."""
    failed = copied(report)
    failed.created = failed.updated = failed.deleted = 0
    failed.failed, failed.state = 1, ImportState.FAILED
    del failed.directory
    reason = typed(StoredRow, {"id": f"{report.id}/{0:09d}", "report": report.id, "number": 0, "status": "failed"})
    reason.error_details_code, reason.error_details = int(code), sentence
    await store.imported_rows.remove_all(Is("report", report.id))
    await store.imported_rows.add(document_of(reason))
    await store.import_reports.put(document_of(failed))
    return failed


def _row(report_id: str, checked: CheckedRow, result: ImportedEntry) -> Document:
    number = checked.row.number
    return {
        "id": f"{report_id}/{number:09d}",
        "report": report_id,
        "number": number,
        "csvSource": checked.source,
        **document_of(result),
    }


@background_job
def importing(service: Service) -> AbstractAsyncContextManager[None]:
    """Run imports while the server runs."""
    return service.part(Imports).running()
