"""One import from its first byte to its end: sent, followed while the service works on it, and stopped when wished.

It knows no screen. A lost answer does not lose the import: what the service says of the last one tells whether it
began.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from svc_tui.interface.directory.csv.reading import Shape
from svc_tui.interface.directory.reports import ENDED, ImportState
from svc_tui.workspace.core.service import Performer, Reader, ReadError
from svc_tui.workspace.directory.target import Target
from svc_tui.workspace.directory.upload import Sending

#: Seconds between two questions how far it is.
LOOK = 1.0
#: Said where a service that has the whole file does not answer any more.
UNKNOWN = "It is not known whether the import went on: its report tells when the service is back."
Phase = Literal["sending", "working", "stopping", "ended"]
Status = Mapping[str, Any]
#: What a command's report says, as the state of its import.
_COMMAND = {"success": ImportState.COMPLETED.value, "failure": ImportState.FAILED.value}


class ImportService(Reader, Performer, Protocol):
    """What an import needs of the workspace."""


class Importing:
    """An import into the directory of a target. `status` is what the service last said of it."""

    def __init__(
        self,
        service: ImportService,
        target: Target,
        file: Path,
        shape: Shape,
        *,
        label: str = "",
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.target = target
        self.phase: Phase = "sending"
        self.status: Status = {}
        #: Why the service cannot be asked at present; empty while it can.
        self.trouble = ""
        query = {**target.import_query, **({"label": label} if label else {})}
        self.sending = Sending(service, target.operations.send, file, shape, query=query)
        self._service, self._pause = service, pause

    async def run(self) -> Status:
        """Send the file and follow the import to its end; its report. ServiceError, OSError, ReadError.

        Cancelled before all is sent nothing was imported.
        """
        before = await self._last()
        self.status = await self._send(before)
        while not self._over():
            if self.phase == "stopping":
                await self._delete()
                break
            self.phase = "working"
            await self._pause(LOOK)
            if self.phase == "working":
                await self._look()
        self.phase = "ended"
        return self.status if self.deleted else await self._report()

    def stop(self) -> bool:
        """Have the import stopped; False when it cannot be: it is over, or a command, which nothing stops."""
        if not self.target.operations.delete or self.phase == "ended":
            return False
        self.phase = "stopping"
        return True

    @property
    def sent(self) -> bool:
        """Whether all of the file is on its way: from then on the import may have begun."""
        return self.sending.state == "done" or 0 < self.sending.size <= self.sending.sent

    @property
    def left(self) -> str:
        """What becomes of it when nobody follows it any more, in a sentence."""
        if not self.sent:
            return "Stopped: nothing was imported."
        if self._over():
            return "The import has ended; its report tells how."
        return UNKNOWN if self.trouble else "The service goes on with it; its report tells how it ends."

    @property
    def deleted(self) -> bool:
        """Whether it was stopped."""
        return self.status.get("state") == ImportState.DELETED.value

    def _over(self) -> bool:
        return self.status.get("state") in ENDED

    async def _send(self, before: Status) -> Status:
        from svc_tui.client.errors import OutcomeUnknown

        try:
            return _status(await self.sending.run())
        except OutcomeUnknown:
            now = await self._last()
            if not now or now.get("startTime") == before.get("startTime"):
                raise
            # The answer got lost, the import did not.
            return now

    async def _last(self) -> Status:
        """What is said of the last import; nothing when there was none, or it cannot be read."""
        try:
            return await self._read(self.target.operations.status)
        except ReadError:
            return {}

    async def _look(self) -> None:
        try:
            self.status, self.trouble = await self._read(self.target.operations.status), ""
        except ReadError as error:
            if not error.offline:
                raise
            self.trouble = error.sentence

    async def _report(self) -> Status:
        return await self._read(self.target.operations.report)

    async def _read(self, operation_id: str) -> Status:
        body = await self._service.read(operation_id, self.target.status_path, self.target.status_query)
        return _status(body)

    async def _delete(self) -> None:
        """Stop it by deleting its report, unless it ended meanwhile."""
        await self._look()
        if not self._over():
            operation, path = self.target.operations.delete, self.target.status_path
            answer = await self._service.perform(operation, path=path, query=self.target.status_query)
            self.status = _status(answer)


def _status(body: Any) -> Status:
    """What an answer says of an import; that of a command is packed into its report."""
    if not isinstance(body, Mapping):
        return {}
    if isinstance(body.get("data"), Mapping):
        return dict(body["data"])
    told = body.get("report")
    state = _COMMAND.get(str(body.get("status")), ImportState.CREATING.value)
    return {"state": state, **(told if isinstance(told, Mapping) else {})}


def in_words(status: Status) -> str:
    """What was done, in one sentence: `38 created, 2 failed`."""
    counted = [f"{status[name]:,} {name}" for name in _COUNTERS if status.get(name)]
    return ", ".join(counted) or "nothing was changed"


_COUNTERS = ("created", "updated", "deleted", "failed")
