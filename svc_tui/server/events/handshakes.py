"""The WebSocket protocol of uvicorn under the guard: refused handshakes have an error body (section 7), and messages of
clients are taken in turns.

A client can send thousands of frames at once. They are parsed a few at a time, and a message is handled by itself: all
connections of the process take turns, at most one each millisecond, so that the processor is free for requests most of
the time. Of a client that continues to send after the end, only the first bytes are parsed.
"""

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
from svc_tui.server.http.connections import STALLED_SECONDS, Connection, Connections, Phase, longest_waiting
from svc_tui.server.http.responses import OF_DATA, error_response
from svc_tui.server.log_lines import ThrottledLog, log

#: Where a connection says in its scope how it learns of the login.
_LOGGED_IN = "svc_tui.logged_in"
#: Bytes that are parsed in one turn: a stanza, or at most some hundred empty frames.
PIECE = 1024
#: Seconds of a turn in which nothing is done for event connections. A turn itself takes some 0.2 ms.
PACE = 0.001
#: Bytes that are parsed after the end, where the client confirms it. Nothing is read behind them.
FAREWELL = 16 * PIECE
#: Most connections without a login in a process. A usual login takes a moment.
MOST_STRANGERS = 256
#: The close code for a text that is no UTF-8 (RFC 6455, 7.4.1).
_NO_TEXT = 1007


def note_login(websocket: WebSocket) -> None:
    """The client of an event session has logged in: its connection is not closed any more to make room for others."""
    noted: Callable[[], None] | None = websocket.scope.get("state", {}).get(_LOGGED_IN)
    if noted is not None:
        noted()


class EventConnections:
    """What the event connections of a process share: their turns, and the limit on those without a login."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._strangers: dict[EventProtocol, None] = {}
        self._crowded = ThrottledLog(log)

    async def turn(self) -> None:
        """Wait for a turn, behind those who wait already."""
        async with self._turn:
            await asyncio.sleep(PACE)

    def add(self, connection: EventProtocol) -> None:
        """A connection without a login. Beyond MOST_STRANGERS the one that has waited longest is closed, first those of
        the address with most of them."""
        self._strangers[connection] = None
        if len(self._strangers) > MOST_STRANGERS and (victim := longest_waiting(self._strangers)) is not None:
            self._crowded.warning("%s event connections have not logged in: the oldest of them end", MOST_STRANGERS)
            self.remove(victim)
            victim.abort()

    def remove(self, connection: EventProtocol) -> None:
        """A connection that has logged in, or ended."""
        self._strangers.pop(connection, None)


class EventProtocol(Connection, WebSocketsSansIOProtocol):
    """Connections that became WebSockets. They wait for their client until it has logged in."""

    #: What is not sent after the end, and since when.
    _unsent, _progressed = 0, 0.0

    def __init__(self, guard: Connections, others: EventConnections, **named: Any) -> None:
        super().__init__(**named)
        self.guard, self.others = guard, others
        self._is_stranger = True
        self.conn.reject = _rejection  # type: ignore[method-assign]
        #: What was received and not parsed yet, and the task that parses it.
        self._unread = bytearray()
        self._parsing: asyncio.Task[None] | None = None
        #: How many bytes are still parsed after the end.
        self._farewell = FAREWELL
        #: Set while no message waits for the session.
        self._taken = asyncio.Event()
        # Reading is paused and resumed here.
        self.read_paused = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.enter(transport.get_extra_info("peername"))
        self.others.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        self.others.remove(self)
        if self._parsing is not None:
            self._parsing.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated and not self.close_sent:
                # The library could not read the head, which arrives as a whole: uvicorn does not answer.
                self._refuse_handshake()
            return
        self._unread += data
        self.transport.pause_reading()
        if self._parsing is None:
            self._parsing = self.loop.create_task(self._parse())

    async def _parse(self) -> None:
        """Parse what was received, piece by piece: the next one when the session has taken the messages of the last."""
        while self._unread and self._farewell > 0 and not self.transport.is_closing():
            await self.writable.wait()
            await self.others.turn()
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            if self.close_sent:
                self._farewell -= len(piece)
            self._taken.clear()
            super().data_received(piece)
            if not self.queue.empty() and not self.close_sent:
                await self._taken.wait()
        self._parsing = None
        self._unread.clear()
        if self._farewell > 0 and not self.transport.is_closing():
            # Otherwise uvicorn closes the connection some seconds after the end.
            self.transport.resume_reading()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.queue.empty():
            self._taken.set()
        await self.others.turn()
        return message

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
        if self.close_sent:
            # No message is taken any more; the answer to the close frame is read.
            self._taken.set()

    @property
    def phase(self) -> Phase:
        return Phase.HEAD if self._is_stranger else Phase.RESPONSE

    def check(self, now: float) -> None:
        """Close it when its client does not take what is left after the end. Before it, the session has time limits."""
        unsent = self.transport.get_write_buffer_size() if self.transport.is_closing() else 0
        if unsent != self._unsent:
            self._unsent, self._progressed = unsent, now
        elif unsent and now - self._progressed > STALLED_SECONDS:
            self.abort()

    def _logged_in(self) -> None:
        self.others.remove(self)
        self._is_stranger = False

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
