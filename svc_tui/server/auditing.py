"""Requests in the audit log: who sent them, from where, what they did, and those that were refused.

Refused changes, logins and wrong secrets are counted, and written once a minute, so that they cannot fill it. An
attempt is of a user, or of an address without one. A failed login of an account that is not locked has its own record
(`server/security/guard.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.access import Caller
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import CSV, AnyOperation
from svc_tui.server.hooks import background_job
from svc_tui.server.http.request_headers import group_of
from svc_tui.server.log_lines import current_request, log
from svc_tui.server.rules import AnyCall, Headers
from svc_tui.server.running.background import in_background, run_repeatedly
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, act_as, current_origin, originating
from svc_tui.server.store.tables import Document

#: Seconds between two writings, and the most records of one: the attempts of all others are in its last one.
_EVERY, MOST = 60.0, 100
_FAILURE = "refused attempts could not be written"
#: Refusals because of the caller, not because of the request.
_CODES = frozenset({Code.ROLE_MISSING, Code.NOT_OWNER, Code.NOT_MANAGED, Code.NOT_SAME_USER, Code.VISIBILITY})
#: The entries of a directory: the report of an import has their numbers.
OF_IMPORTS = frozenset({"directory_entries"})


def request_origin(operation: AnyOperation, headers: Headers, service: Service) -> Origin:
    """The origin of the changes of a request. Its user is known later."""
    unrecorded = OF_IMPORTS if operation.takes == CSV else frozenset()
    return Origin(
        service.clock.now, operation.id, address=headers.address, request=current_request().id, unrecorded=unrecorded
    )


def note_actor(operation: AnyOperation, caller: Caller | None, user: Document, application: Document) -> None:
    """The caller of the request, with the roles that allow the operation."""
    if caller is not None:
        act_as(user, application, [role.value for role in operation.who.allowing(caller.roles)])


def record_performed(call: AnyCall) -> None:
    """Record an operation that changes something other than records, such as an image or the end of a session."""
    if call.operation.reads or call.caller is None or call.store.audit.recorded:
        return
    name = next((part for part in reversed(call.operation.parameters)), "")
    record_id = call.path.get(name, "") if name else call.user.id
    kind = "" if name and name != "userId" else "users"
    call.store.audit.performed("perform", kind=kind, record_id=record_id)


class _Attempt(NamedTuple):
    """What is counted together: what was tried with which record, by which operation, and by whom."""

    operation: str = ""
    who: str = ""
    action: str = "attempt"
    kind: str = ""
    record_id: str = ""


@dataclass(slots=True)
class _Attempts:
    """Attempts of the same origin: the last of them, and their number."""

    origin: Origin
    count: int = 0


class RefusedAttempts:
    """The refused attempts in one process that are not written yet."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._attempts: dict[_Attempt, _Attempts] = {}

    def note(self, operation: AnyOperation, origin: Origin, code: Code) -> None:
        """Count a refusal, if it is one of a change or a login."""
        if code is not Code.LOCKED and (operation.reads or code not in _CODES):
            return
        self._count(_Attempt(operation.id, _who(origin)), replace(origin), 1)

    def wrong_secret(self, kind: str, record_id: str = "", application_id: str = "") -> None:
        """Count a wrong secret of the current origin, for a record of this kind; `record_id` where it exists."""
        origin = current_origin()
        if origin is None:
            return
        origin = replace(origin, application_id=application_id or origin.application_id)
        self._count(_Attempt(origin.operation, _who(origin), "failed login", kind, record_id), origin, 1)

    def _count(self, attempt: _Attempt, origin: Origin, count: int) -> None:
        if attempt not in self._attempts and len(self._attempts) >= MOST - 1:
            attempt, origin = _Attempt(), Origin(origin.now)
        attempts = self._attempts.setdefault(attempt, _Attempts(origin))
        attempts.origin, attempts.count = origin, attempts.count + count

    async def write(self) -> None:
        """Write the counts since the last time. After an error, the remaining counts are written the next time."""
        attempts, self._attempts = self._attempts, {}
        try:
            for attempt, each in list(attempts.items()):
                with originating(each.origin):
                    async with self._service.database.unit() as store:
                        store.audit.refused(each.count, attempt.action, attempt.kind, attempt.record_id)
                del attempts[attempt]
        finally:
            for attempt, each in attempts.items():
                self._count(attempt, each.origin, each.count)


def _who(origin: Origin) -> str:
    return origin.user_id or group_of(origin.address)


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
