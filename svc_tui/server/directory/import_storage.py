"""The file of an import in the database: compressed blocks, from which any process can import it again; and the removal
of what imports left and of reports on imports and checks after their retention, once a day.
"""

from __future__ import annotations

import tempfile
import zlib
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import IO

from svc_tui.interface.dates import stamp
from svc_tui.interface.typed_access import all_typed
from svc_tui.server.directory.import_reports import remove_unless_live, report_lock, report_of
from svc_tui.server.directory.stored import RUNNING, StoredReport
from svc_tui.server.hooks import background_job
from svc_tui.server.http.uploads import IN_MEMORY
from svc_tui.server.running.long_process import Pause
from svc_tui.server.running.long_work import LongWork
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost, In, Is, Not

#: Bytes of the file in one block.
_BLOCK = 1 << 20
#: Files that no report names are of processes that ended between both: no upload takes so long.
_UNNAMED = timedelta(days=1)


async def store_file(service: Service, file: IO[bytes]) -> str:
    """Store a file, block by block; its id. The position in the file does not change."""
    file_id, place, work = service.ids.record(), file.tell(), service.part(LongWork)
    number = 0

    def compressed(pause: Pause) -> bytes:
        pause()
        file.seek(number * _BLOCK)
        content = file.read(_BLOCK)
        file.seek(place)
        return zlib.compress(content, 1) if content else b""

    try:
        while content := await work.run(compressed):
            async with service.database.unit() as store:
                await store.import_files.add(file_id, number, content, now=service.clock.now())
            number += 1
    except BaseException:
        async with service.database.unit() as store:
            await store.import_files.remove(file_id)
        raise
    return file_id


async def stored_file(service: Service, file_id: str) -> IO[bytes]:
    """A stored file. It is empty when it was removed: then its report is too."""
    file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(service.settings.data_dir))  # noqa: SIM115 (its taker closes it)
    number = 0
    while True:
        async with service.database.unit() as store:
            content = await store.import_files.block(file_id, number)
        if content is None:
            file.seek(0)
            return file
        file.write(zlib.decompress(content))
        number += 1


async def remove_file(service: Service, file_id: str, report_id: str) -> None:
    """Remove a file, unless its report was stored before the request ended: then the import is to be done."""
    async with service.database.unit() as store:
        await store.lock(report_lock(report_id))
        report = await report_of(store, report_id)
        if report is None or report.source is None or report.source.file != file_id:
            await store.import_files.remove(file_id)


async def remove_unnamed(service: Service) -> None:
    """Remove what no running import names: old files, and directories that a process replaced and did not remove."""
    async with service.database.unit() as store:
        # Before the reports: a directory is in use with the commit that ends its report.
        unused = (await store.directories.find(Is("live", False))).documents
        running = all_typed(StoredReport, (await store.import_reports.find(In("state", RUNNING))).documents)
        named = {report.source.file for report in running if report.source}
        await store.import_files.remove_before(service.clock.now() - _UNNAMED, but=named)
        for id in {str(directory["id"]) for directory in unused} - {report.directory for report in running}:
            await remove_unless_live(store, id)


#: Seconds between two removals.
_EVERY = 86_400.0


@background_job
def report_retention(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove old reports for the length of a block."""

    async def act() -> int:
        count = await remove_old(service)
        await remove_unnamed(service)
        return count

    failure, done = "old import reports could not be removed", "old reports on imports removed"
    return in_turn(service, "old import reports", act, _EVERY, failure, done=done)


async def remove_old(service: Service) -> int:
    """Remove the reports that are older than their retention, with their rows. Returns how many there were."""
    limit = stamp(service.clock.now() - timedelta(days=service.settings.report_retention_days))
    old = (AtMost("startTime", limit), Not(In("state", RUNNING)))
    async with service.database.unit() as store:
        count = 0
        for id in await store.import_reports.ids(*old):
            # Not if an import with this report has begun since it was found.
            if await store.import_reports.remove_all(Is("id", id), *old):
                await store.imported_rows.remove_all(Is("report", id))
                count += 1
    return count
