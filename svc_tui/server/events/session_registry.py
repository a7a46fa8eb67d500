"""The event sessions of one process: woken when there are events, ended when another process or a change ends them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from typing import Protocol

from svc_tui.server.http.measures import EVENT_SESSIONS, Measures
from svc_tui.server.refusal import Refusal
from svc_tui.server.running.background import Sleep, in_background, run_repeatedly
from svc_tui.server.security.callers import check_state
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import In
from svc_tui.server.store.tables import Document

#: Seconds between two checks for events that another process delivered, while there are sessions.
LOOK_SECONDS = 1.0
#: Seconds between two checks of the sessions, and the silence after which those of a process are ended.
CHECK_SECONDS, SILENCE = 30.0, timedelta(seconds=120)


class OpenSession(Protocol):
    """An open session, as the registry sees it."""

    id: str
    user_id: str
    password: str

    def wake(self) -> None:
        """There can be events for it."""

    def end(self, condition: str) -> None:
        """End it, with this stream error."""


class SessionRegistry:
    """Knows the open sessions of this process."""

    def __init__(self, service: Service) -> None:
        self.process = secrets.token_hex(8)
        self._service, self._measures = service, service.part(Measures)
        self._sessions: dict[str, OpenSession] = {}
        self._looking = asyncio.Event()
        #: The last event that was looked at; None before the first look.
        self._last: int | None = None

    def wake(self) -> None:
        """Look for new events."""
        self._looking.set()

    def add(self, session: OpenSession) -> None:
        """A session was opened."""
        self._sessions[session.id] = session
        self._measures.add(EVENT_SESSIONS)
        self.wake()

    def remove(self, session: OpenSession) -> None:
        """A session was closed."""
        if self._sessions.pop(session.id, None):
            self._measures.add(EVENT_SESSIONS, by=-1)

    def __len__(self) -> int:
        return len(self._sessions)

    async def look(self) -> None:
        """Wake the sessions of users with events that are new since the last check. End those that a change ended."""
        first, users = self._last is None, set[str]()
        # Before the ids are read: a session that opens after that is not ended.
        sessions = set(self._sessions)
        async with self._service.database.unit() as store:
            open_ids = await store.event_sessions.ids(self.process) if sessions else set()
            if self._last is None:
                # Each session reads older events when it begins to send.
                self._last = await store.events.last()
            else:
                self._last, users = await store.events.recipients(after=self._last)
        for session in list(self._sessions.values()):
            if first or session.user_id in users:
                session.wake()
        if not sessions <= open_ids:
            await self.check()

    async def check(self) -> None:
        """Note that this process is alive. End sessions that were replaced, and those of users who lost access."""
        now = self._service.clock.now()
        # Before the ids are read: a session that opens after that is not ended.
        sessions = list(self._sessions.values())
        async with self._service.database.unit() as store:
            await store.event_sessions.expire(now - SILENCE)
            open_ids = await store.event_sessions.seen(self.process, now=now)
        users = await self._users({session.user_id for session in sessions})
        for session in sessions:
            # First: a change that takes the access of a user can end the session too.
            if users.get(session.user_id, {}).get("jid_password") != session.password:
                session.end("not-authorized")
            elif session.id not in open_ids:
                session.end("conflict")

    async def _users(self, ids: set[str]) -> dict[str, Document]:
        """Those of these users who can connect."""
        allowed: dict[str, Document] = {}
        async with self._service.database.unit() as store:
            for user in (await store.users.find(In("id", ids))).documents if ids else ():
                with suppress(Refusal):
                    await check_state(store, user, self._service)
                    allowed[str(user["id"])] = user
        return allowed

    async def _wait(self, _seconds: float) -> None:
        """Wait for the next check: after a second with sessions, otherwise for a delivery."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS if self._sessions else None):
                await self._looking.wait()
        self._looking.clear()

    @asynccontextmanager
    async def running(self, sleep: Sleep = asyncio.sleep) -> AsyncIterator[None]:
        """Serve the sessions while the block runs."""
        self._service.event_delivery.delivered = self.wake
        looks = run_repeatedly(self.look, 0, "new events could not be read", sleep=self._wait)
        checks = run_repeatedly(self.check, CHECK_SECONDS, "event sessions could not be checked", sleep=sleep)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(in_background(looks))
            await stack.enter_async_context(in_background(checks))
            yield
