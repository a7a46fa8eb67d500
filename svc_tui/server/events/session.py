"""Sending the events of a user to one session: a few at a time, the next ones after the client confirmed these.

A client confirms by answering a ping (XEP-0199) behind the events: every client must answer, and in order. So a slow
reader holds no more than one batch in memory; all other events wait in the database.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.messaging import CLIENT, PING, domain_of, message, node, written
from svc_tui.server.events.session_registry import SessionRegistry
from svc_tui.server.log_lines import log
from svc_tui.server.service import Service
from svc_tui.server.store.tables import Document

#: Events that are sent before the client has to confirm them.
BATCH = 50
#: Seconds that a client has to confirm a batch.
CONFIRM_SECONDS = 120.0
#: Seconds before the database is asked again after it did not respond.
_RETRY = 5.0

#: Writes a message to the client; waits while it does not read. Gone when there is no connection any more.
Send = Callable[[str], Awaitable[None]]


class ConnectionClosed(Exception):
    """The connection to the client ended."""


class _Unconfirmed(Exception):
    """The client did not confirm in time. No TimeoutError: that is an OSError, as the database raises it."""


class _Replaced(Exception):
    """The session was ended elsewhere."""


class EventSession:
    """A session of a user with a bound address. It takes events while it is available."""

    def __init__(
        self,
        service: Service,
        session_registry: SessionRegistry,
        user_id: str,
        password: str,
        address: str,
        send: Send,
        ended: Callable[[str], None],
    ) -> None:
        """`address` is the full JID. `ended` is called when the session must end, with the stream error."""
        self.id = secrets.token_hex(12)
        self.user_id, self.password, self.address = user_id, password, address
        self._service, self._registry, self._send, self.end = service, session_registry, send, ended
        self._new = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None
        self._ping = ""
        self._confirmed = asyncio.Event()

    async def open(self, resource: str) -> bool:
        """Open the session; another one with this resource is ended. False when the user has too many."""
        async with self._service.database.unit() as store:
            opened = await store.event_sessions.open(
                self.id,
                self.user_id,
                resource,
                self._registry.process,
                most=self._service.settings.event_sessions,
                now=self._service.clock.now(),
            )
        if opened:
            self._registry.add(self)
        return opened

    async def make_available(self) -> None:
        """Send the events that wait for the user, and those to come."""
        if self._sending is None:
            await self._acknowledge(0)
            self._sending = asyncio.create_task(self._send_events())

    async def make_unavailable(self) -> None:
        """Send no more events. They wait for the next session."""
        if await self._stop():
            await self._acknowledge(None)

    async def close(self) -> None:
        """End the session. What it did not confirm waits for the next one."""
        self._registry.remove(self)
        await self._stop()
        async with self._service.database.unit() as store:
            await store.event_sessions.close(self.id)
            await store.events.remove_acknowledged(self.user_id)

    def wake(self) -> None:
        self._new.set()

    def confirm(self, id: str) -> None:
        """The client answered a ping."""
        if id == self._ping:
            self._confirmed.set()

    async def _stop(self) -> bool:
        task, self._sending = self._sending, None
        if task is None:
            return False
        task.cancel()
        await asyncio.wait([task])
        return True

    async def _acknowledge(self, number: int | None) -> bool:
        async with self._service.database.unit() as store:
            known = await store.event_sessions.acknowledge(self.id, number)
            if known and number:
                await store.events.remove_acknowledged(self.user_id)
        return known

    async def _send_events(self) -> None:
        position = 0
        try:
            while True:
                self._new.clear()
                try:
                    position = await self._send_batch(position)
                except (SQLAlchemyError, OSError) as error:
                    log.error("events of a session could not be read: %s", type(error).__name__)
                    await asyncio.sleep(_RETRY)
        except _Unconfirmed:
            self.end("connection-timeout")
        except _Replaced:
            self.end("conflict")
        except ConnectionClosed:
            self.end("")
        except Exception:
            # The client connects again, and the events wait for it.
            log.exception("events of a session could not be sent")
            self.end("internal-server-error")

    async def _send_batch(self, position: int) -> int:
        """Send the next events and wait until they are confirmed, or wait for new ones. Returns the new position.

        _Unconfirmed when the client does not confirm, _Replaced when the session was ended elsewhere.
        """
        async with self._service.database.unit() as store:
            events = await store.events.log_of(self.user_id, after=position, limit=BATCH)
        if not events:
            await self._new.wait()
            return position
        try:
            async with asyncio.timeout(CONFIRM_SECONDS):
                for _, event in events:
                    await self._send_event(event)
                await self._confirmation()
        except TimeoutError as error:
            raise _Unconfirmed from error
        last = events[-1][0]
        if not await self._acknowledge(last):
            raise _Replaced(self.id)
        return last

    async def _send_event(self, event: Document) -> None:
        domain = domain_of(self.address)
        stanza = message(event["name"], event["content"], id=event["id"], sender=domain, recipient=self.address)
        await self._send(written(stanza))

    async def _confirmation(self) -> None:
        self._confirmed.clear()
        self._ping = secrets.token_hex(8)
        attributes = {"type": "get", "id": self._ping, "from": domain_of(self.address), "to": self.address}
        await self._send(written(node("iq", CLIENT, attributes, [node("ping", PING)])))
        await self._confirmed.wait()
