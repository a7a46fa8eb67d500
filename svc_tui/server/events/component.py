"""Delivery through an external XMPP server, as a component of it (XEP-0114), which keeps events for absent users.

The external server admits one connection for a component. So of several processes one delivers; the others log that
once, and try again, so that one of them takes over when it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.messaging import domain_of, message, written
from svc_tui.lazy_import import lazy_import
from svc_tui.server.events.session import BATCH, CONFIRM_SECONDS
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import in_background
from svc_tui.server.service import Service
from svc_tui.server.settings import XmppComponent
from svc_tui.server.store.conditions import In
from svc_tui.server.store.events import LoggedEvent

if TYPE_CHECKING:
    import slixmpp
else:
    slixmpp = lazy_import("slixmpp")

#: Seconds for the connection and its handshake, before another attempt, and between looks for events of others.
CONNECT_SECONDS, RETRY_SECONDS, LOOK_SECONDS = 15.0, 5.0, 1.0
#: Seconds between two attempts while another process has the connection.
TAKEN_SECONDS = 20.0
#: What it says of a second connection for the component.
_CONFLICT = "conflict"
#: Answers to a ping that show that the stanzas before it were handled.
_HANDLED = ("service-unavailable", "feature-not-implemented")


class _NotDelivered(Exception):
    """The external server did not take the events, for this reason. They stay in the log."""


class _ConnectionInUse(Exception):
    """Another process has the connection of the component: it delivers the events of all."""


def events_over_component(service: Service) -> AbstractAsyncContextManager[None]:
    """Deliver through the external server of the settings while a block runs."""
    return in_background(_deliver_always(service))


async def _deliver_always(service: Service) -> None:
    settings = service.settings.xmpp_component
    assert settings is not None
    new = asyncio.Event()
    service.event_delivery.delivered = new.set
    was_taken = False
    while True:
        try:
            async with _connected(settings) as component:
                was_taken = False
                while True:
                    new.clear()
                    if not await _deliver(service, component):
                        with suppress(TimeoutError):
                            async with asyncio.timeout(LOOK_SECONDS):
                                await new.wait()
        except _ConnectionInUse:
            if not was_taken:
                log.info("events are delivered through the XMPP server %s by another process", settings.host)
            was_taken = True
        except (_NotDelivered, SQLAlchemyError, OSError) as error:
            was_taken = False
            reason = str(error) if isinstance(error, _NotDelivered) else type(error).__name__
            log.error("events are waiting: the XMPP server %s did not accept them: %s", settings.host, reason)
        await asyncio.sleep(TAKEN_SECONDS if was_taken else RETRY_SECONDS)


@asynccontextmanager
async def _connected(settings: XmppComponent) -> AsyncIterator[slixmpp.ComponentXMPP]:
    """A connection that was accepted. Leaves the block with _NotDelivered when it is lost."""
    component = slixmpp.ComponentXMPP(settings.name, settings.secret, settings.host, settings.port)  # type: ignore[no-untyped-call]
    component.register_plugin("xep_0199")
    work = asyncio.current_task()
    assert work is not None
    lost = False

    def end(_reason: object) -> None:
        nonlocal lost
        if not lost:
            lost = True
            work.cancel()

    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def answered(error: Any = None) -> None:
        if not answer.done():
            answer.set_result(error["condition"] if error else "")

    try:
        component.add_event_handler("session_start", answered)
        component.add_event_handler("stream_error", answered)
        component.connect()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                refused = await answer
        except TimeoutError as error:
            raise _NotDelivered("it did not accept the component") from error
        if refused == _CONFLICT:
            raise _ConnectionInUse
        if refused:
            raise _NotDelivered(f"it did not accept the component: {refused}")
        if work.cancelling():
            # Before Python 3.12, waiting with a time limit loses a cancellation in the moment in which it ends.
            raise asyncio.CancelledError
        component.add_event_handler("disconnected", end)
        log.info("events are delivered through the XMPP server %s", settings.host)
        yield component
    except asyncio.CancelledError as error:
        if not lost or work.uncancel() > 0:
            raise
        raise _NotDelivered("the connection was lost") from error
    finally:
        component.del_event_handler("disconnected", end)
        component.cancel_connection_attempt()
        component.abort()


async def _deliver(service: Service, component: slixmpp.ComponentXMPP) -> bool:
    """Send the oldest events and remove them when the server has handled them. False when there are none."""
    async with service.database.unit() as store:
        events = await store.events.log(limit=BATCH)
        ids = {event.user_id for event in events}
        users = (await store.users.find(In("id", ids))).documents if ids else []
    addresses = {str(user["id"]): str(user["jid_im"]) for user in users if user.get("jid_im")}
    await _send(component, events, addresses)
    async with service.database.unit() as store:
        if events:
            await store.events.remove([event.number for event in events])
    return bool(events)


async def _send(component: slixmpp.ComponentXMPP, events: Sequence[LoggedEvent], addresses: dict[str, str]) -> None:
    reached = [event for event in events if event.user_id in addresses]
    for event in reached:
        document = event.document
        stanza = message(
            document["name"],
            document["content"],
            id=document["id"],
            sender=component.boundjid.bare,
            recipient=addresses[event.user_id],
            namespace=component.default_ns,
        )
        component.send_raw(written(stanza))
    for domain in sorted({domain_of(addresses[event.user_id]) for event in reached}):
        await _confirmed(component, domain)


async def _confirmed(component: Any, domain: str) -> None:
    """Wait until the server has handled all stanzas: it answers a ping after them."""
    try:
        await component.plugin["xep_0199"].send_ping(domain, timeout=CONFIRM_SECONDS)
    except slixmpp.exceptions.IqError as error:
        if error.condition not in _HANDLED:
            raise _NotDelivered(f"{domain} answered {error.condition}") from error
    except slixmpp.exceptions.IqTimeout as error:
        raise _NotDelivered(f"{domain} did not answer") from error
