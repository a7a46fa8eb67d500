"""XMPP over WebSocket (RFC 7395) at `/websocket`, on the port of the server."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

from sqlalchemy.exc import SQLAlchemyError
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from svc_tui.interface.messaging import PATH, SUBPROTOCOL
from svc_tui.server.events.handshakes import note_login
from svc_tui.server.events.session import ConnectionClosed
from svc_tui.server.events.session_registry import SessionRegistry
from svc_tui.server.events.stream import ClientStream, StreamError
from svc_tui.server.http.responses import error_response
from svc_tui.server.log_lines import log
from svc_tui.server.service import Service

#: Seconds that a client has to authenticate and bind.
LOGIN_SECONDS = 30.0
#: Seconds that the last words may take.
CLOSE_SECONDS = 10.0


def events_over_websocket(service: Service) -> AbstractAsyncContextManager[None]:
    """Serve the event sessions while a block runs."""
    return service.part(SessionRegistry).running()


def websocket_routes(service: Service) -> list[WebSocketRoute]:
    """The route of the endpoint, and the refusal of all other addresses."""

    async def endpoint(websocket: WebSocket) -> None:
        if SUBPROTOCOL not in websocket.scope["subprotocols"]:
            sentence = f"The handshake must offer the subprotocol {SUBPROTOCOL}."
            await websocket.send_denial_response(error_response(400, sentence))
            return
        await websocket.accept(subprotocol=SUBPROTOCOL)
        await _serve(websocket, service)

    return [WebSocketRoute(PATH, endpoint), *no_websocket()]


def no_websocket() -> list[WebSocketRoute]:
    """The refusal of addresses without events."""

    async def refuse(websocket: WebSocket) -> None:
        await websocket.send_denial_response(error_response(404, "There are no events at this address."))

    return [WebSocketRoute("/{path:path}", refuse)]


async def _serve(websocket: WebSocket, service: Service) -> None:
    """Serve one connection to its end."""

    async def send(text: str) -> None:
        try:
            await websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError) as error:
            raise ConnectionClosed from error

    address = (websocket.scope.get("client") or ("",))[0]
    stream = ClientStream(service, service.part(SessionRegistry), send, address)
    reading = asyncio.create_task(_read(websocket, stream))
    try:
        await asyncio.wait({reading, stream.ended}, return_when=asyncio.FIRST_COMPLETED)
        condition = stream.ended.result() if stream.ended.done() else await reading
        async with asyncio.timeout(CLOSE_SECONDS):
            await stream.close(condition)
            await websocket.close()
    except (ConnectionClosed, WebSocketDisconnect, TimeoutError):
        # There is no connection for last words any more.
        pass
    finally:
        reading.cancel()
        await asyncio.wait({reading})
        await _end(stream)


async def _read(websocket: WebSocket, stream: ClientStream) -> str:
    """Handle the messages of the client until the stream must end. Returns the stream error."""
    try:
        async with asyncio.timeout(LOGIN_SECONDS) as limit:
            while True:
                await stream.take(await _received(websocket))
                if stream.bound:
                    limit.reschedule(None)
                    note_login(websocket)
    except StreamError as error:
        return error.condition
    except TimeoutError:
        return "connection-timeout"
    except (SQLAlchemyError, OSError) as error:
        log.error("an event session ended, the database does not respond: %s", type(error).__name__)
        return "internal-server-error"


async def _received(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise ConnectionClosed
    text: str | None = message.get("text")
    if text is None:
        raise StreamError("bad-format")
    return text


async def _end(stream: ClientStream) -> None:
    try:
        await stream.end()
    except (SQLAlchemyError, OSError) as error:
        # The session ends by itself with the silence of this process, or at its next check.
        log.error("an event session could not be closed: %s", type(error).__name__)
