"""One import of a directory file: upload, progress, stop and report.

An upload without a response does not lose the import: the state of the last import shows whether it was started.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from svc_tui.client.errors import OutcomeUnknown
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.directory.values import ENDED, ImportState
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import Performer, Reader, ReadError
from svc_tui.workspace.directory.target import ImportTarget
from svc_tui.workspace.directory.upload import FileUpload

#: Seconds between two requests of the progress.
POLL_SECONDS = 1.0
#: Shown when the service stops responding after it received the whole file.
UNKNOWN = _("The state of the import is unknown. See its report when the service responds again.")
Phase = Literal["sending", "working", "stopping", "ended"]
#: Status in the report of a command -> state of its import.
_COMMAND = {"success": ImportState.COMPLETED.value, "failure": ImportState.FAILED.value}


class ImportService(Reader, Performer, Protocol):
    """What an import needs of the workspace."""


class ImportRun:
    """An import into the directory of a target. `status` is the last response of the service about it."""

    def __init__(
        self,
        service: ImportService,
        target: ImportTarget,
        file: Path,
        csv_format: CsvFormat,
        *,
        label: str = "",
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.target = target
        self.phase: Phase = "sending"
        self.status: RecordData = {}
        #: Why the progress cannot be read; empty while it can.
        self.error_message = ""
        query = {**target.import_query, **({"label": label} if label else {})}
        self.upload = FileUpload(service, target.operations.send, file, csv_format, query=query)
        self._service, self._pause = service, pause

    async def run(self) -> RecordData:
        """Upload the file and wait for the end of the import; its report. ServiceError, OSError, ReadError.

        Nothing is imported when it is cancelled before the end of the upload.
        """
        before = await self._last_import()
        self.status = await self._upload_file(before)
        while not self._over():
            if self.phase == "stopping":
                await self._delete()
                break
            self.phase = "working"
            await self._pause(POLL_SECONDS)
            if self.phase == "working":
                await self._poll()
        self.phase = "ended"
        return self.status if self.deleted else await self._report()

    def stop(self) -> bool:
        """Stop the import; False when it cannot be stopped: it has ended, or it is a command."""
        if not self.target.operations.delete or self.phase == "ended":
            return False
        self.phase = "stopping"
        return True

    @property
    def sent(self) -> bool:
        """Whether the whole file was sent: from then on the import may have started."""
        return self.upload.state == "done" or 0 < self.upload.size <= self.upload.sent

    @property
    def notice_on_leaving(self) -> str:
        """The state of the import for a user who stops watching it, as a sentence."""
        if not self.sent:
            return _("Stopped: nothing was imported.")
        if self._over():
            return _("The import has ended. See its report.")
        return UNKNOWN if self.error_message else _("The import continues on the service. See its report.")

    @property
    def deleted(self) -> bool:
        """Whether the import was stopped."""
        return self.status.get("state") == ImportState.DELETED.value

    def _over(self) -> bool:
        return self.status.get("state") in ENDED

    async def _upload_file(self, before: RecordData) -> RecordData:
        try:
            return _status(await self.upload.run())
        except OutcomeUnknown:
            now = await self._last_import()
            if not now or now.get("startTime") == before.get("startTime"):
                raise
            # The import was started although the response was lost.
            return now

    async def _last_import(self) -> RecordData:
        """The status of the last import; empty when there was none, or it cannot be read."""
        try:
            return await self._read(self.target.operations.status)
        except ReadError:
            return {}

    async def _poll(self) -> None:
        try:
            self.status, self.error_message = await self._read(self.target.operations.status), ""
        except ReadError as error:
            if not error.offline:
                raise
            self.error_message = error.sentence

    async def _report(self) -> RecordData:
        return await self._read(self.target.operations.report)

    async def _read(self, operation_id: str) -> RecordData:
        body = await self._service.read(operation_id, self.target.status_path, self.target.status_query)
        return _status(body)

    async def _delete(self) -> None:
        """Stop the import by deleting its report, unless it has ended."""
        await self._poll()
        if not self._over():
            operation, path = self.target.operations.delete, self.target.status_path
            answer = await self._service.perform(operation, path=path, query=self.target.status_query)
            self.status = _status(answer)


def _status(body: Any) -> RecordData:
    """The status of an import in a response; the status of a command is inside its report."""
    if not isinstance(body, Mapping):
        return {}
    if isinstance(body.get("data"), Mapping):
        return dict(body["data"])
    report = body.get("report")
    state = _COMMAND.get(str(body.get("status")), ImportState.CREATING.value)
    return {"state": state, **(report if isinstance(report, Mapping) else {})}


def import_summary(status: RecordData) -> str:
    """The number of entries by result: `38 created, 2 failed`."""
    counted = [f"{number_text(status[name])} {name}" for name in _COUNTERS if status.get(name)]
    return ", ".join(counted) or _("no changes")


def entries_counted(status: RecordData, left_out: Collection[str] = ()) -> int:
    """The number of entries with a result so far."""
    return sum(status.get(name) or 0 for name in _COUNTERS if name not in left_out)


_COUNTERS = ("created", "updated", "deleted", "failed", "doubtful")
