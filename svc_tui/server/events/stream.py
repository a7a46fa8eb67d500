"""One XMPP stream of a client: open, authenticate, bind, then presence and pings. Only the server sends messages."""

from __future__ import annotations

import asyncio
import base64
import secrets
from contextlib import suppress
from enum import Enum
from xml.etree.ElementTree import Element

from svc_tui.interface.messaging import (
    BIND,
    CLIENT,
    FRAMING,
    PING,
    SASL,
    SESSION,
    STANZA_ERRORS,
    STREAM,
    STREAM_ERRORS,
    BadXml,
    bare,
    domain_of,
    is_element,
    node,
    parse,
    split_tag,
    written,
)
from svc_tui.interface.typed_access import all_typed
from svc_tui.server.auditing import RefusedAttempts
from svc_tui.server.events.sasl import MECHANISMS, SaslError, SaslExchange, Success, XmppUser, decoded
from svc_tui.server.events.session import EventSession, Send
from svc_tui.server.events.session_registry import SessionRegistry
from svc_tui.server.log_lines import current_request, log, of_request
from svc_tui.server.refusal import Refusal, TooManyRequests
from svc_tui.server.security.callers import check_state
from svc_tui.server.security.rate_limits import RateLimits
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, originating
from svc_tui.server.store.conditions import Is
from svc_tui.server.stored import StoredUser

#: What the audit log has in place of an operation.
OPERATION = "event_session"
#: Logins that a connection can begin before it is closed, and messages that it can send until it has an address.
_ATTEMPTS, _MESSAGES = 3, 30
_LONGEST_RESOURCE = 255
_INFO, _ROSTER = "http://jabber.org/protocol/disco#info", "jabber:iq:roster"


class StreamError(Exception):
    """The stream must end. `condition` is its element in RFC 6120 section 4.9; empty after an orderly close."""

    def __init__(self, condition: str = "") -> None:
        super().__init__(condition)
        self.condition = condition


class _State(Enum):
    OPENING, AUTHENTICATING, REOPENING, BINDING, BOUND = range(5)


class ClientStream:
    """The stream of one connection from an address. `send` writes one message to it and waits while the client does not
    read."""

    def __init__(self, service: Service, session_registry: SessionRegistry, send: Send, address: str) -> None:
        self._service, self._registry, self._send = service, session_registry, send
        self._origin = Origin(service.clock.now, OPERATION, address=address, request=current_request().id)
        self._state = _State.OPENING
        self._messages = 0
        self._domain = ""
        self._exchange: SaslExchange | None = None
        self._attempts = 0
        self._account: XmppUser | None = None
        #: The user that the current login is for, if there is one.
        self._tried = ""
        self._session: EventSession | None = None
        #: Done, with the stream error, when the session must end.
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def bound(self) -> bool:
        """Whether the client is authenticated and has an address."""
        return self._state is _State.BOUND

    async def take(self, text: str) -> None:
        """Handle one message of the client. StreamError when the stream must end."""
        self._messages += 1
        if self._messages > _MESSAGES and not self.bound:
            raise StreamError("policy-violation")
        try:
            element = parse(text)
        except BadXml as error:
            raise StreamError(error.condition) from error
        if is_element(element, FRAMING, "close"):
            raise StreamError
        if is_element(element, FRAMING, "open"):
            await self._open(element)
        elif self._state is _State.AUTHENTICATING and split_tag(element)[0] == SASL:
            await self._authenticate(element)
        elif self._state is _State.BINDING:
            await self._bind(element)
        elif self._state is _State.BOUND:
            await self._take_stanza(element)
        else:
            raise StreamError("not-authorized")

    async def close(self, condition: str = "") -> None:
        """Say the last words of the stream."""
        if condition:
            if self._state is _State.OPENING:
                await self._send_open()
            error = node(condition, STREAM_ERRORS)
            await self._send(written(node("stream:error", "", {"xmlns:stream": STREAM}, [error])))
        await self._send(written(node("close", FRAMING)))

    async def end(self) -> None:
        """End the session after the connection."""
        if self._session is not None and self._account is not None:
            log.info("an event session ended", extra=of_request(caller=self._account.user_id))
            await self._session.close()

    async def _open(self, element: Element) -> None:
        if self._state not in (_State.OPENING, _State.REOPENING):
            raise StreamError("invalid-xml")
        domain = element.get("to", "").casefold()
        if not domain or len(domain) > 255 or (self._domain and domain != self._domain):
            raise StreamError("host-unknown")
        self._domain = domain
        await self._send_open()
        if self._state is _State.OPENING:
            offered = node("mechanisms", SASL, children=[node("mechanism", text=name) for name in MECHANISMS])
            self._state = _State.AUTHENTICATING
        else:
            offered = node("bind", BIND)
            self._state = _State.BINDING
        await self._send(written(node("stream:features", "", {"xmlns:stream": STREAM}, [offered])))

    async def _send_open(self) -> None:
        attributes = {"from": self._domain or None, "id": secrets.token_hex(8), "version": "1.0", "xml:lang": "en"}
        await self._send(written(node("open", FRAMING, attributes)))

    async def _authenticate(self, element: Element) -> None:
        if split_tag(element)[1] == "auth" or self._exchange is None:
            # A login that the client begins again is another attempt.
            self._attempts += 1
        if self._attempts > _ATTEMPTS:
            raise StreamError("policy-violation")
        try:
            answer = await self._next(element)
        except SaslError as error:
            await self._fail(error.condition)
            return
        except TooManyRequests as error:
            await self._fail("temporary-auth-failure")
            raise StreamError("policy-violation") from error
        if isinstance(answer, Success):
            self._account, self._exchange = answer.account, None
            self._state = _State.REOPENING
            await self._send(written(node("success", SASL, text=_encoded(answer.data))))
        else:
            await self._send(written(node("challenge", SASL, text=_encoded(answer) or "=")))

    async def _fail(self, condition: str) -> None:
        """End a login without success. StreamError after the last attempt."""
        self._exchange = None
        if condition == "not-authorized":
            with originating(self._origin):
                self._service.part(RefusedAttempts).wrong_secret("users", self._tried)
        failed = of_request(caller=self._tried, address=self._origin.address, reason=condition)
        log.info("a login for events failed", extra=failed)
        await self._send(written(node("failure", SASL, children=[node(condition)])))
        if self._attempts >= _ATTEMPTS:
            raise StreamError("policy-violation")

    async def _next(self, element: Element) -> bytes | Success:
        match split_tag(element)[1]:
            case "auth":
                mechanism = MECHANISMS.get(element.get("mechanism", ""))
                if mechanism is None:
                    raise SaslError("invalid-mechanism")
                self._tried = ""
                await self._service.part(RateLimits).count("login", address=self._origin.address)
                self._exchange = mechanism(self._find)
                # Without a first message, the client waits for an empty challenge.
                return await self._exchange.answer(decoded(element.text)) if element.text else b""
            case "response" if self._exchange is not None:
                return await self._exchange.answer(decoded(element.text))
            case "abort":
                raise SaslError("aborted")
            case _:
                raise SaslError("malformed-request")

    async def _find(self, name: str) -> XmppUser | None:
        """The account with this name. TooManyRequests after many logins of it."""
        address = f"{bare(name)}@{self._domain}"
        await self._service.part(RateLimits).count("login", account=address)
        async with self._service.database.unit() as store:
            found = (await store.users.find(Is("jid_im", address))).documents
            for stored, user in zip(found, all_typed(StoredUser, found), strict=True):
                with suppress(Refusal):
                    await check_state(store, stored, self._service)
                    if user.jid_im and user.jid_password:
                        self._tried = user.id
                        return XmppUser(user.id, user.jid_im.casefold(), user.jid_password)
        return None

    async def _bind(self, element: Element) -> None:
        request = element.find(f"{{{BIND}}}bind")
        if not is_element(element, CLIENT, "iq") or element.get("type") != "set" or request is None:
            raise StreamError("not-authorized")
        resource = (request.findtext(f"{{{BIND}}}resource") or "").strip() or secrets.token_hex(8)
        if len(resource) > _LONGEST_RESOURCE or not resource.isprintable():
            await self._refuse(element, "modify", "bad-request")
            return
        account = self._account
        assert account is not None
        address = f"{account.address}/{resource}"
        session = EventSession(
            self._service, self._registry, account.user_id, account.password, address, self._send, self._end
        )
        if not await session.open(resource):
            await self._refuse(element, "wait", "resource-constraint")
            return
        self._session, self._state = session, _State.BOUND
        opened = of_request(caller=account.user_id, address=self._origin.address)
        log.info("an event session was opened", extra=opened)
        bound = node("bind", BIND, children=[node("jid", text=address)])
        await self._answer(element, bound)

    def _end(self, condition: str) -> None:
        if not self.ended.done():
            self.ended.set_result(condition)

    async def _take_stanza(self, element: Element) -> None:
        namespace, name = split_tag(element)
        if namespace != CLIENT or name not in ("iq", "presence", "message"):
            raise StreamError("unsupported-stanza-type")
        if name == "presence":
            await self._take_presence(element)
        elif name == "iq":
            await self._take_request(element)
        elif element.get("type") != "error":
            await self._refuse(element, "cancel", "not-allowed")

    async def _take_presence(self, element: Element) -> None:
        assert self._session is not None
        kind = element.get("type")
        if element.get("to") or kind not in (None, "unavailable"):
            return
        priority = (element.findtext(f"{{{CLIENT}}}priority") or "").strip()
        if kind is None and not priority.startswith("-"):
            address = self._session.address
            await self._send(written(node("presence", CLIENT, {"from": address, "to": address})))
            await self._session.make_available()
        else:
            await self._session.make_unavailable()

    async def _take_request(self, element: Element) -> None:
        assert self._session is not None
        kind = element.get("type")
        if kind in ("result", "error"):
            self._session.confirm(element.get("id", ""))
            return
        own = bare(self._session.address)
        asked = [split_tag(child) for child in element]
        if element.get("to", own).casefold() not in (own, domain_of(own)) or kind not in ("get", "set"):
            await self._refuse(element, "cancel", "service-unavailable")
        elif asked in ([("urn:xmpp:ping", "ping")], [(SESSION, "session")]):
            await self._answer(element)
        elif asked == [(_INFO, "query")] and kind == "get":
            identity = node("identity", "", {"category": "server", "type": "im", "name": "events"})
            features = [node("feature", "", {"var": each}) for each in (_INFO, PING)]
            await self._answer(element, node("query", _INFO, children=[identity, *features]))
        elif asked == [(_ROSTER, "query")] and kind == "get":
            await self._answer(element, node("query", _ROSTER))
        else:
            await self._refuse(element, "cancel", "service-unavailable")

    async def _answer(self, request: Element, *content: Element) -> None:
        await self._send(written(node("iq", CLIENT, self._back(request, "result"), content)))

    async def _refuse(self, stanza: Element, kind: str, condition: str) -> None:
        error = node("error", "", {"type": kind}, [node(condition, STANZA_ERRORS)])
        name = split_tag(stanza)[1]
        await self._send(written(node(name, CLIENT, self._back(stanza, "error"), [error])))

    def _back(self, stanza: Element, kind: str) -> dict[str, str | None]:
        """The attributes of the answer to a stanza."""
        to = self._session.address if self._session else None
        return {"type": kind, "id": stanza.get("id"), "from": stanza.get("to"), "to": to}


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
