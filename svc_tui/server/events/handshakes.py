"""The WebSocket protocol of uvicorn, whose refused handshakes have an error body (section 7), under the guard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from svc_tui.interface.errors import MESSAGES
from svc_tui.server.connections import STALLED_SECONDS, Connections, Phase, address_of
from svc_tui.server.responses import error_response
from svc_tui.server.security_headers import OF_DATA

#: Where a connection says in its scope how it learns of the login.
_LOGGED_IN = "svc_tui.logged_in"
#: The close code for a text that is no UTF-8 (RFC 6455, 7.4.1).
_NO_TEXT = 1007


def note_login(websocket: WebSocket) -> None:
    """The client of an event session has logged in: its connection is not closed any more to make room for others."""
    noted: Callable[[], None] | None = websocket.scope.get("state", {}).get(_LOGGED_IN)
    if noted is not None:
        noted()


def guarded_events(guard: Connections) -> type[EventProtocol]:
    """The protocol of WebSockets with the guard over all connections of this process."""
    return type("GuardedEventProtocol", (EventProtocol,), {"guard": guard})


class EventProtocol(WebSocketsSansIOProtocol):
    """Connections that became WebSockets. They wait for their client until it has logged in."""

    guard: Connections
    phase = Phase.HEAD
    since = 0.0
    address = ""
    held = 0
    #: What is not sent after the end, and since when.
    _unsent, _progressed = 0, 0.0

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.reject = _rejection  # type: ignore[method-assign]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address, self.since = address_of(transport.get_extra_info("peername")), self.loop.time()
        self.guard.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated and not self.close_sent:
            # The library could not read the head, which arrives as a whole: uvicorn does not answer.
            self._refuse_handshake()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["state"][_LOGGED_IN] = self._logged_in
            # Nothing reads it, and the log must not contain it.
            self.scope["query_string"] = b""

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            # Uvicorn would write a traceback for it.
            self.conn.fail(_NO_TEXT)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response and self.close_sent:
            # Otherwise uvicorn reports that there was no response.
            self.handshake_complete = True

    def abort(self) -> None:
        """Close without waiting for the client."""
        self.transport.abort()

    def check(self, now: float, seconds: float) -> None:
        """Close it when its client does not take what is left after the end. Before it, the session has time limits."""
        unsent = self.transport.get_write_buffer_size() if self.transport.is_closing() else 0
        if unsent != self._unsent:
            self._unsent, self._progressed = unsent, now
        elif unsent and now - self._progressed > STALLED_SECONDS:
            self.abort()

    def refuse(self, status: int) -> None:
        """It holds no bytes of a request."""

    def _logged_in(self) -> None:
        self.phase = Phase.RESPONSE

    def _refuse_handshake(self) -> None:
        output = b"".join(self.conn.data_to_send())
        if not output:
            output = self.conn.reject(HTTPStatus.BAD_REQUEST, "This is not a WebSocket handshake.").serialize()
        self.handshake_complete = self.close_sent = True
        self.transport.write(output)
        self.transport.close()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _rejection(status: HTTPStatus | int, text: str) -> Response:
    # Section 7 has no 414, for a long address.
    status = status if status in MESSAGES else HTTPStatus.BAD_REQUEST
    # A handshake that no route takes is refused by the framework without a text.
    body = error_response(int(status), text.partition("\n")[0] or "There are no events at this address.")
    names = {"connection": "close", **OF_DATA, **body.headers}
    return Response(int(status), HTTPStatus(status).phrase, Headers(names), bytes(body.body))
