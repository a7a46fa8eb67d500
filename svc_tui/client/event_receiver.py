"""Live events of the service: received over XMPP, checked, each once; the connection is restored when it breaks.

async for event in receiver.events():
    print(event.name, event.content)
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from websockets import exceptions
from websockets.asyncio import client as websockets

from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.client.messaging_login import LONGEST, ChannelRefused, MessagingAccount, XmppStream, log_in
from svc_tui.client.profile import Profile
from svc_tui.client.proxies import proxy_for
from svc_tui.client.session import Session
from svc_tui.client.trust import trust
from svc_tui.interface.messaging import (
    CLIENT,
    PATH,
    PING,
    STANZA_ERRORS,
    SUBPROTOCOL,
    BadXml,
    content_of,
    domain_of,
    is_element,
    node,
)
from svc_tui.interface.records import Record
from svc_tui.language import _

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from xml.etree.ElementTree import Element

    from websockets.typing import Subprotocol

#: off: the login has no address for messages; waiting: until the next attempt.
ChannelState = Literal["off", "connecting", "live", "waiting"]

#: Ids that are remembered, to drop events that arrive again.
REMEMBERED = 10_000
#: Seconds before the second attempt; each further one waits twice as long, up to the longest.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
#: Seconds that connecting and authenticating may take.
_LOGIN_SECONDS = 20.0
#: The reason of a service that does not accept a password.
_REFUSED = "not-authorized"
#: The reasons of a service that has too many sessions or logins of a user, and the pauses then, in seconds: each
#: attempt counts as a login, and with many clients there would soon be none left for the user.
_CROWDED = frozenset({"resource-constraint", "temporary-auth-failure"})
CROWDED_PAUSE, LONGEST_CROWDED_PAUSE = 60.0, 3600.0


@dataclass(frozen=True, slots=True)
class ServiceEvent:
    """An event of section 6: the name of its element and its content. `id` is the same when it arrives again."""

    id: str
    name: str
    content: Record


class EventReceiver:
    """Receives the events of the user who is logged in. The connection of one who logged out is closed.

    `state` says whether events arrive, `reason` why not, in a word of the service or a sentence. `changed` is called
    when they change. The password of the account is never logged.
    """

    def __init__(
        self,
        profile: Profile,
        session: Session,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.state: ChannelState = "off"
        self.reason = ""
        self.changed: Callable[[], None] = lambda: None
        self._profile, self._session, self._sleep, self._chance = profile, session, sleep, chance
        self._was_live = False
        self._seen: OrderedDict[str, None] = OrderedDict()

    async def events(self) -> AsyncGenerator[ServiceEvent, None]:
        """The events, until the caller stops. An event is confirmed when the caller asks for the next one."""
        failures, renewed_for = 0, ""
        while True:
            account = await self._account()
            user_id, reason = self._session.user_id, ""
            self._note("connecting")
            try:
                async with aclosing(self._received(account)) as received:
                    async for event in received:
                        yield event
            except (ChannelRefused, Unreachable, BadXml) as error:
                reason = str(error)
            except (OSError, TimeoutError, exceptions.WebSocketException) as error:
                # Its text can contain an address with a login of a proxy.
                reason = _("no connection ({name})").format(name=type(error).__name__)
            if self._was_live:
                failures, self._was_live = 0, False
            if self._session.user_id != user_id:
                # Nothing failed: it is the turn of another user.
                continue
            self._note("waiting", reason)
            if reason == _REFUSED and account.password != renewed_for:
                # The service has renewed the password. The renewal of the token returns the present one.
                renewed_for = account.password
                # RuntimeError: the session was closed while it waited.
                with suppress(ServiceError, RuntimeError):
                    await self._session.renew()
            first, longest = (
                (CROWDED_PAUSE, LONGEST_CROWDED_PAUSE) if reason in _CROWDED else (FIRST_PAUSE, LONGEST_PAUSE)
            )
            pause = min(longest, first * 2.0 ** min(failures, 10))
            failures += 1
            await self._sleep(pause * (0.5 + self._chance() / 2))

    async def _account(self) -> MessagingAccount:
        """The account of the login, as soon as there is one."""
        while True:
            user = self._session.user or {}
            address, password = str(user.get("jid_im") or ""), str(user.get("jid_password") or "")
            if "@" in address and password and self._session.state == "full":
                return MessagingAccount(address, password)
            self._note("off", _("The login has no address for messages."))
            await self._next_change()

    async def _next_change(self) -> None:
        """Wait until the login changes."""
        changed = asyncio.Event()
        unsubscribe = self._session.subscribe(changed.set)
        try:
            await changed.wait()
        finally:
            unsubscribe()

    async def _close_after(self, user_id: str, connection: websockets.ClientConnection) -> None:
        """Close the connection of a user when they are no longer logged in."""
        while self._session.user_id == user_id:
            await self._next_change()
        await connection.close()

    async def _received(self, account: MessagingAccount) -> AsyncGenerator[ServiceEvent, None]:
        """The events of one connection."""
        user_id = self._session.user_id
        async with self._connected(account) as stream:
            while True:
                stanza = await stream.receive_element()
                if self._session.user_id != user_id:
                    return
                if is_element(stanza, CLIENT, "iq"):
                    await _answer_request(stream, stanza)
                elif is_element(stanza, CLIENT, "message") and _is_trusted(stanza, account):
                    event = self._new_event(stanza)
                    if event is not None:
                        yield event

    @asynccontextmanager
    async def _connected(self, account: MessagingAccount) -> AsyncIterator[XmppStream]:
        """A connection that is authenticated, bound and available."""
        url, user_id = address_of(self._profile), self._session.user_id
        encrypted = url.startswith("wss:")
        context = await asyncio.to_thread(trust, self._profile) if encrypted else None
        on_loopback = self._profile.on_loopback and not self._profile.xmpp_host
        proxy = proxy_for(url)
        options: dict[str, Any] = (
            {"proxy_ssl": context} if proxy is not None and context and proxy.url.startswith("https:") else {}
        )
        async with websockets.connect(
            url,
            subprotocols=[_SUBPROTOCOL],
            ssl=context,
            proxy=None if proxy is None else proxy.url,
            max_size=LONGEST,
            max_queue=4,
            open_timeout=_LOGIN_SECONDS,
            logger=_silent(),
            **options,
        ) as connection:

            async def receive() -> str:
                text = await connection.recv()
                if not isinstance(text, str):
                    raise ChannelRefused(_("a message that is not text"))
                return text

            stream = XmppStream(connection.send, receive, may_be_read=not encrypted and not on_loopback)
            closing = asyncio.create_task(self._close_after(user_id, connection))
            try:
                async with asyncio.timeout(_LOGIN_SECONDS):
                    await log_in(stream, account, f"svc-tui-{secrets.token_hex(4)}")
                    await stream.send_element(node("presence", CLIENT))
                self._was_live = True
                self._note("live")
                yield stream
            finally:
                closing.cancel()

    def _new_event(self, stanza: Element) -> ServiceEvent | None:
        """The event of a message. None when it is no known event, or was received before."""
        found = content_of(stanza)
        id = stanza.get("id", "")
        if found is None or id in self._seen:
            return None
        if id:
            self._seen[id] = None
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        return ServiceEvent(id, *found)

    def _note(self, state: ChannelState, reason: str = "") -> None:
        if (state, reason) != (self.state, self.reason):
            self.state, self.reason = state, reason
            self.changed()


_SUBPROTOCOL: Subprotocol = SUBPROTOCOL  # type: ignore[assignment]


def address_of(profile: Profile) -> str:
    """The WebSocket address of the events: on the host of the service, or at `xmpp_host` (a host, or an address)."""
    host = profile.xmpp_host
    if host.startswith(("ws://", "wss://")):
        return host if urlsplit(host).path.strip("/") else host.rstrip("/") + PATH
    return f"{'wss' if profile.encrypted else 'ws'}://{host or profile.host}{PATH}"


def _is_trusted(stanza: Element, account: MessagingAccount) -> bool:
    """Whether a message is from the service: from the user's domain itself or a part of it, never from a user.

    Servers put the true sender into each message, so that another user always has a name before the `@`.
    """
    sender, own = stanza.get("from", ""), domain_of(account.address)
    domain = domain_of(sender)
    return "@" not in sender and "/" not in sender and (domain == own or domain.endswith(f".{own}"))


async def _answer_request(stream: XmppStream, stanza: Element) -> None:
    """Answer a ping: the service learns that the events before it have arrived. Every request needs an answer."""
    if stanza.get("type") not in ("get", "set"):
        return
    back = {"id": stanza.get("id"), "to": stanza.get("from")}
    if stanza.get("type") == "get" and [child.tag for child in stanza] == [f"{{{PING}}}ping"]:
        await stream.send_element(node("iq", CLIENT, {"type": "result", **back}))
        return
    error = node("error", "", {"type": "cancel"}, [node("service-unavailable", STANZA_ERRORS)])
    await stream.send_element(node("iq", CLIENT, {"type": "error", **back}, [error]))


def _silent() -> logging.Logger:
    """A logger that writes nothing: the library would log each message, and the first ones prove the password."""
    logger = logging.getLogger("svc_tui.client.event_receiver")
    logger.disabled = True
    return logger
