"""Imports under way: each one fills a directory that nobody sees, which takes the old one's place at the end.

Whatever happens on the way, a power cut included, readers have the old directory whole or the new one whole.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.reports import ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.timestamps import moment, stamp
from svc_tui.server.clock import Clock, Ids
from svc_tui.server.directory.applying import apply_batch
from svc_tui.server.directory.batches import MOST_TOLD, CheckedRow, Source
from svc_tui.server.directory.live import Owner, live_directory, new_directory
from svc_tui.server.settings import Settings
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

log = logging.getLogger("svc_tui.server")

RUNNING = (ImportState.INITIALIZING.value, ImportState.CREATING.value)
#: Seconds that a request waits for the end of its import before it answers how far it is.
PATIENCE = 2.0
#: A process of another machine that says nothing for so long is gone.
_SILENCE = timedelta(minutes=10)
_COUNTERS = ("created", "updated", "deleted", "failed")
_HOST = socket.gethostname()
#: The imports that live in this process.
_HERE: set[str] = set()


@dataclass(slots=True)
class Order:
    """What is imported, for whom, and where it is reported."""

    report_id: str
    owner: Owner
    source: Source
    #: Each row changes the directory that there is; otherwise a new one takes its place.
    synchronizing: bool
    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTERS, 0))
    #: Entries that were there before.
    standing: int = 0


class Imports:
    """The imports of one process."""

    def __init__(self, database: Database, clock: Clock, ids: Ids, settings: Settings) -> None:
        self._database, self._clock, self._ids, self._settings = database, clock, ids, settings
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._orders: dict[str, Order] = {}
        self.process = f"{_HOST}:{os.getpid()}:{secrets.token_hex(8)}"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Clears up after processes that are gone; at the end of the block imports under way are ended."""
        _HERE.add(self.process)
        async with self._database.unit() as store:
            for report in (await store.import_reports.find(In("state", RUNNING))).documents:
                await self.cleared(store, report)
        try:
            yield
        finally:
            _HERE.discard(self.process)
            for task in list(self._tasks.values()):
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def start(self, order: Order) -> None:
        """Begin an import whose report is written; returns at its end, or after a little patience."""
        task = asyncio.create_task(self._run(order))
        self._tasks[order.report_id], self._orders[order.report_id] = task, order
        await asyncio.wait({task}, timeout=PATIENCE)

    async def settled(self, report_id: str) -> None:
        """Wait until an import of this process is over."""
        if task := self._tasks.get(report_id):
            await asyncio.wait({task})

    async def cancel(self, report_id: str) -> None:
        """Stop an import of this process; the directory stays as it was."""
        if task := self._tasks.get(report_id):
            task.cancel()
            await asyncio.wait({task})

    def progress(self, report: Document) -> Document:
        """A report with the numbers of this moment."""
        order = self._orders.get(report["id"])
        return {**report, **order.counters} if order and report["state"] in RUNNING else report

    # --- what an import does -----------------------------------------------------------------------------------

    async def _run(self, order: Order) -> None:
        try:
            if order.synchronizing:
                await self._synchronize(order)
            else:
                await self._replace(order)
        except BadFile as bad:
            await self._failed(order.report_id, f"line {bad.line}, column {bad.column}: {bad.sentence}", bad.code)
        except asyncio.CancelledError:
            with suppress(SQLAlchemyError, OSError):
                await self._failed(order.report_id, "the import was stopped; the directory is as it was before")
        except (SQLAlchemyError, OSError) as error:
            log.error("an import failed: %s", type(error).__name__)
            with suppress(SQLAlchemyError, OSError):
                await self._failed(order.report_id, "the database did not answer; the directory is as it was before")
        finally:
            order.source.file.close()
            self._tasks.pop(order.report_id, None)
            self._orders.pop(order.report_id, None)

    async def _replace(self, order: Order) -> None:
        """Fill a directory beside the live one, then let it take its place."""
        directory = new_directory(self._ids.record(), order.owner, stamp(self._clock.now()), live=False)
        async with self._database.unit() as store:
            if not await self._go_on(store, order, directory["id"]):
                return
            await store.directories.add(directory)
        try:
            while batch := await asyncio.to_thread(order.source.batch):
                async with self._database.unit() as store:
                    if not await self._go_on(store, order, directory["id"]):
                        return
                    await self._apply(store, order, directory, batch)
            await self._take_its_place(order, directory)
        finally:
            await self._sweep(directory["id"])

    async def _take_its_place(self, order: Order, directory: Document) -> None:
        async with self._database.unit() as store:
            await store.lock(f"directory:{order.owner[1]}")
            before = await live_directory(store, order.owner)
            if not await self._go_on(store, order, directory["id"]):
                return
            if before is not None:
                await store.directories.put({**before, "live": False})
            await store.directories.put({**directory, "live": True})
            await self._end(store, order)
        if before is not None:
            await self._sweep(before["id"])

    async def _synchronize(self, order: Order) -> None:
        """Change the live directory, all rows in one transaction."""
        async with self._database.unit() as store:
            await store.lock(f"directory:{order.owner[1]}")
            directory = await live_directory(store, order.owner)
            if directory is None:
                directory = new_directory(self._ids.record(), order.owner, stamp(self._clock.now()), live=True)
                await store.directories.add(directory)
            order.standing = await store.directory_entries.count(Is("directory", directory["id"]))
            while batch := await asyncio.to_thread(order.source.batch):
                await self._apply(store, order, directory, batch)
            if self._is_ours(await store.import_reports.get(order.report_id)):
                await self._end(store, order)
            else:
                await store.rollback()

    async def _apply(self, store: Store, order: Order, directory: Document, batch: list[CheckedRow]) -> None:
        room = self._settings.largest_directory - order.standing - order.counters["created"]
        now = stamp(self._clock.now())
        done = await apply_batch(
            store, directory, batch, ids=self._ids, now=now, room=room, matching=order.synchronizing
        )
        told = []
        for checked, outcome in zip(batch, done, strict=True):
            order.counters[outcome["status"]] += 1
            if sum(order.counters.values()) <= MOST_TOLD or outcome["status"] == "failed":
                told.append(_row(order.report_id, checked, outcome))
        if order.counters["failed"] <= MOST_TOLD:
            await store.imported_rows.add_all(told)

    async def _go_on(self, store: Store, order: Order, directory_id: str) -> bool:
        """Note how far it is; False when the report is deleted, or another's by now: that ends the import."""
        await store.begin()
        report = await store.import_reports.get(order.report_id)
        if report is None or not self._is_ours(report):
            return False
        await store.import_reports.put(
            {
                **report,
                **order.counters,
                "state": ImportState.CREATING.value,
                "directory": directory_id,
                "lastUpdate": stamp(self._clock.now()),
            }
        )
        return True

    def _is_ours(self, report: Document | None) -> bool:
        """Whether the import of a report still runs, in this process: it may be deleted, or begun anew elsewhere."""
        return report is not None and report["state"] in RUNNING and report["process"] == self.process

    async def _end(self, store: Store, order: Order) -> None:
        report = await store.import_reports.get(order.report_id)
        if report is None:
            return
        state = ImportState.FAILED if order.counters["failed"] else ImportState.COMPLETED
        ended = {**report, **order.counters, "state": state.value}
        ended.pop("directory", None)
        await store.import_reports.put(ended)

    # --- what is left behind -----------------------------------------------------------------------------------

    async def _failed(self, report_id: str, sentence: str, code: Code = Code.BAD_FILE) -> None:
        async with self._database.unit() as store:
            report = await store.import_reports.get(report_id)
            # One that was cancelled while its end was written is over.
            if report is not None and report["state"] in RUNNING:
                await _fail(store, report, sentence, code)

    async def _sweep(self, directory_id: str) -> None:
        """Remove a directory that is not live."""
        async with self._database.unit() as store:
            directory = await store.directories.get(directory_id)
            if directory is not None and not directory["live"]:
                await store.directory_entries.remove_all(Is("directory", directory_id))
                await store.directories.remove(directory_id)

    async def cleared(self, store: Store, report: Document) -> Document:
        """A report as it is: one whose process is gone says so, and what it left behind is removed."""
        if report["state"] not in RUNNING or self._lives(report):
            return report
        sentence = "the service stopped while this import ran; the directory is as it was before"
        failed = await _fail(store, report, sentence, Code.BAD_FILE)
        if report.get("directory"):
            await store.directory_entries.remove_all(Is("directory", report["directory"]))
            await store.directories.remove(str(report["directory"]))
        return failed

    def _lives(self, report: Document) -> bool:
        host, number, _ = str(report.get("process") or "::").split(":", 2)
        if host != _HOST:
            last = str(report.get("lastUpdate") or report["startTime"])
            return self._clock.now() - moment(last) < _SILENCE
        if int(number or 0) == os.getpid():
            return report["process"] in _HERE
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


async def _fail(store: Store, report: Document, sentence: str, code: Code) -> Document:
    """Write that an import failed as a whole: nothing of it counts, and row 0 says why."""
    failed = {**report, **dict.fromkeys(_COUNTERS, 0), "failed": 1, "state": ImportState.FAILED.value}
    failed.pop("directory", None)
    await store.imported_rows.remove_all(Is("report", report["id"]))
    await store.imported_rows.add(
        {
            "id": f"{report['id']}/{0:09d}",
            "report": report["id"],
            "number": 0,
            "status": "failed",
            "errorDetailsCode": int(code),
            "errorDetails": sentence,
        }
    )
    return await store.import_reports.put(failed)


def _row(report_id: str, checked: CheckedRow, outcome: Document) -> Document:
    number = checked.row.number
    return {
        "id": f"{report_id}/{number:09d}",
        "report": report_id,
        "number": number,
        "csvSource": checked.source,
        **outcome,
    }
