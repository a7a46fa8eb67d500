"""The check of a directory file by the service; that of a command ends with its event, also without a response."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from svc_tui.client.errors import OutcomeUnknown, Unreachable
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.changes.live_events import LiveEvents
from svc_tui.workspace.core.events import Event, ServiceReported
from svc_tui.workspace.core.service import Reader, ReadError
from svc_tui.workspace.directory.import_run import POLL_SECONDS
from svc_tui.workspace.directory.reports import command_report, in_progress, report_in
from svc_tui.workspace.directory.upload import FileUpload

#: Name of the event of section 6.
COMMAND_ENDED = "command_ended"
#: Seconds that the response may be later than the event.
RESPONSE_SECONDS = 2.0
#: Seconds between two requests of a report whose event will arrive.
LIVE_POLL_SECONDS = 15.0


class EventService(Reader, Protocol):
    """What the end of a command needs of the workspace."""

    live: LiveEvents

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]: ...


class CommandEnd:
    """Waits for the end of a command, in the events of the service."""

    def __init__(self, service: EventService, command_id: str) -> None:
        self._service, self._command_id = service, command_id
        self._ended = asyncio.Event()
        self.forget = service.subscribe(self._take)

    def _take(self, event: Event) -> None:
        if not isinstance(event, ServiceReported) or event.name != COMMAND_ENDED:
            return
        if self._command_id and event.content.get("commandId") == self._command_id:
            self._ended.set()

    @property
    def may_come(self) -> bool:
        """Whether the event can be expected: the event channel is open."""
        return bool(self._command_id) and self._service.live.channel.state == "live"

    async def wait(self) -> None:
        """Wait for the event."""
        await self._ended.wait()

    async def next_look(self) -> bool:
        """Wait for the event where it is expected, otherwise a moment. Whether it came; it is returned once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LIVE_POLL_SECONDS if self.may_come else POLL_SECONDS):
                await self._ended.wait()
        came = self._ended.is_set()
        self._ended.clear()
        return came


class CheckRun:
    """The check of one file, with the progress of its upload.

    Where the response to the check of a command is lost, its event shows the end, and its report has the result.
    """

    def __init__(self, service: EventService, upload: FileUpload, command_id: str = "") -> None:
        self.upload = upload
        self._service, self._command_id = service, command_id

    async def run(self) -> dict[str, Any]:
        """Send the file; the result of the check. ServiceError, OSError or ReadError without one."""
        if not self._command_id:
            return await self.upload.run()
        end = CommandEnd(self._service, self._command_id)
        sending = asyncio.create_task(self.upload.run())
        ended = asyncio.create_task(end.wait())
        try:
            await asyncio.wait({sending, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                await asyncio.wait({sending}, timeout=RESPONSE_SECONDS)
            if sending.done() and not self._is_lost(sending):
                return sending.result()
            while not await end.next_look():
                if not end.may_come:
                    return sending.result()
            return {"data": await self._report()}
        finally:
            end.forget()
            for task in (sending, ended):
                task.cancel()
            await asyncio.wait({sending, ended})

    def _is_lost(self, sending: asyncio.Task[dict[str, Any]]) -> bool:
        """Whether the whole file was sent, but no response came."""
        sent = 0 < self.upload.size <= self.upload.sent
        return sent and isinstance(sending.exception(), OutcomeUnknown | Unreachable)

    async def _report(self) -> RecordData:
        source = command_report(self._command_id, check=True)
        report = report_in(await self._service.read(source.report, source.path, source.query))
        if in_progress(report):
            raise ReadError(_("The result of the check is not ready. See its report."))
        return report
