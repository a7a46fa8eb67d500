"""Refused changes and logins in the audit log: counted, and written once a minute, so that they cannot fill it.

An attempt is of a user, or of an address without one. A failed login of an account that is not locked has its own
record (`server/security/guard.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.addresses import group_of
from svc_tui.server.background import in_background, run_repeatedly
from svc_tui.server.hooks import background_job
from svc_tui.server.log_lines import log
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, originating

#: Seconds between two writings, and the most records of one: the attempts of all others are in its last one.
_EVERY, MOST = 60.0, 100
_FAILURE = "refused attempts could not be written"
#: Refusals because of the caller, not because of the request.
_CODES = frozenset({Code.ROLE_MISSING, Code.NOT_OWNER, Code.NOT_MANAGED, Code.NOT_SAME_USER, Code.VISIBILITY})


@dataclass(slots=True)
class _Attempts:
    """Attempts of the same origin: the last of them, and their number."""

    origin: Origin
    count: int = 0


class RefusedAttempts:
    """The refused attempts in one process that are not written yet."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._attempts: dict[tuple[str, str], _Attempts] = {}

    def note(self, operation: AnyOperation, origin: Origin, code: Code) -> None:
        """Count a refusal, if it is one of a change or a login."""
        if code is not Code.LOCKED and (operation.reads or code not in _CODES):
            return
        self._count((operation.id, origin.user_id or group_of(origin.address)), replace(origin), 1)

    def _count(self, key: tuple[str, str], origin: Origin, count: int) -> None:
        if key not in self._attempts and len(self._attempts) >= MOST - 1:
            key, origin = ("", ""), Origin(origin.now)
        attempts = self._attempts.setdefault(key, _Attempts(origin))
        attempts.origin, attempts.count = origin, attempts.count + count

    async def write(self) -> None:
        """Write the counts since the last time. After an error, the remaining counts are written the next time."""
        attempts, self._attempts = self._attempts, {}
        try:
            for key, each in list(attempts.items()):
                with originating(each.origin):
                    async with self._service.database.unit() as store:
                        store.audit.refused(each.count)
                del attempts[key]
        finally:
            for key, each in attempts.items():
                self._count(key, each.origin, each.count)


@background_job
@asynccontextmanager
async def refused_attempt_storage(service: Service) -> AsyncIterator[None]:
    """Write refused attempts every minute while a block runs, and at its end."""
    write = service.part(RefusedAttempts).write
    try:
        async with in_background(run_repeatedly(write, _EVERY, _FAILURE)):
            yield
    finally:
        try:
            await write()
        except (SQLAlchemyError, OSError) as error:
            log.error("%s: %s", _FAILURE, type(error).__name__)
