"""Request bodies that are too large for memory: kept in an unnamed file that ends with the process, and bounded.

Uploads in progress are bounded for users and companies, over all processes on one database. With PostgreSQL each upload
is a ticket while it lasts, renewed each minute. The tickets of a process that is killed expire.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import IO

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from svc_tui.interface.access import Caller
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import Problem
from svc_tui.server.http.bodies import UTF_8, TooLarge, media_and_charset
from svc_tui.server.refusal import TooManyRequests, invalid
from svc_tui.server.running.background import Sleep, in_background, run_repeatedly
from svc_tui.server.service import Service
from svc_tui.server.settings import Settings

#: Seconds after which a refused client may send its file again.
_RETRY_SECONDS = 10
#: Seconds between two renewals of a ticket, and the time after which that of a killed process is forgotten.
_RENEWAL_SECONDS, _COUNTED = 60.0, timedelta(minutes=3)
#: Whose upload it is: `user` or `company`, and the id.
Owner = tuple[str, str]
#: Bytes that stay in memory.
IN_MEMORY = 1 << 20
#: Other content types that clients send for CSV.
_OTHER_TYPES = ("", "text/plain", "application/octet-stream")


class Upload:
    """A request body in a file. It is closed with the request, unless the rule takes it."""

    def __init__(self, file: IO[bytes], is_abandoned: Callable[[], Awaitable[bool]]) -> None:
        self.file = file
        #: Whether the client is gone and waits for no response.
        self.is_abandoned = is_abandoned
        self._taken = False

    def take(self) -> IO[bytes]:
        """Keep the file beyond the request."""
        self._taken = True
        return self.file

    def close(self) -> None:
        """Close the file at the end of the request, unless it was taken."""
        if not self._taken:
            self.file.close()


async def upload_content(request: Request, operation: AnyOperation, settings: Settings) -> Upload:
    """The body of an operation that takes CSV. TooLarge beyond the limit, Refusal 400000 unless declared as UTF-8."""
    said = request.headers.get("content-type", "")
    media, charset = media_and_charset(said)
    if media not in (*operation.takes, *_OTHER_TYPES) or charset not in UTF_8:
        raise invalid(Problem("content-type", f"must be {' or '.join(operation.takes)}; charset=utf-8", said[:100]))
    file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(settings.data_dir))  # noqa: SIM115 (its taker closes it)
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > settings.largest_import:
                raise TooLarge(settings.largest_import)
            file.write(chunk)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return Upload(file, request.is_disconnected)


class UploadLimits:
    """The uploads that are in progress in one process."""

    def __init__(self, service: Service) -> None:
        self._settings, self._clock, self._ids = service.settings, service.clock, service.ids
        self._database = service.database
        # SQLite has one process.
        self._is_shared = service.database.engine.dialect.name == "postgresql"
        self._here: Counter[Owner] = Counter()

    @asynccontextmanager
    async def upload_of(self, caller: Caller | None, sleep: Sleep = asyncio.sleep) -> AsyncIterator[None]:
        """An upload, from its first byte to the end of the work on it. Refusal 429000 with too many at once."""
        limits: dict[Owner, int] = {}
        if caller is not None:
            limits["company", caller.company_id] = self._settings.company_uploads
            limits["user", caller.user_id] = self._settings.user_uploads
        for owner, most in limits.items():
            _check(owner, self._here[owner], most)
        self._here.update(limits.keys())
        id = self._ids.record()
        try:
            if self._is_shared:
                await self._begin(id, limits)
                failure = "an upload could not be counted"
                renewals = run_repeatedly(lambda: self._renew(id, limits), _RENEWAL_SECONDS, failure, sleep=sleep)
                async with in_background(renewals):
                    yield
            else:
                yield
        finally:
            self._here.subtract(limits.keys())
            # Only those in progress stay.
            self._here = +self._here
            if self._is_shared:
                await self._end(id, limits)

    async def _begin(self, id: str, limits: dict[Owner, int]) -> None:
        now = self._clock.now()
        async with self._database.unit() as store:
            # The company first: users of one company count one after another, and none waits for two others.
            for owner, most in limits.items():
                kind = _kind(owner)
                await store.lock(kind)
                _check(owner, await store.tickets.count(kind, now=now), most)
                await store.tickets.add(kind, id, now=now, expires=now + _COUNTED, document={})

    async def _renew(self, id: str, limits: dict[Owner, int]) -> None:
        expires = self._clock.now() + _COUNTED
        async with self._database.unit() as store:
            await store.tickets.renew([_kind(owner) for owner in limits], id, expires=expires)

    async def _end(self, id: str, limits: dict[Owner, int]) -> None:
        # Without the database, the ticket expires.
        with suppress(SQLAlchemyError, OSError):
            async with self._database.unit() as store:
                for owner in limits:
                    await store.tickets.remove(_kind(owner), id)


def _kind(owner: Owner) -> str:
    return f"upload {' '.join(owner)}"


def _check(owner: Owner, count: int, most: int) -> None:
    if count >= most:
        sentence = f"This {owner[0]} has {most} uploads in progress. Wait for one of them to end."
        raise TooManyRequests(_RETRY_SECONDS, sentence)
