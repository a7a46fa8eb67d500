"""The page, its files and its connection to a console, behind the gate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from svc_tui.web import page as texts
from svc_tui.web.console_process import Size
from svc_tui.web.consoles import Consoles
from svc_tui.web.page import Gate

_STATIC = Path(__file__).parent / "static"
#: The terminal of the page positions its rows with its own styles; scripts come from this address only.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; font-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def build(gate: Gate, consoles: Consoles) -> ASGIApp:
    """The application."""

    async def page(_: Request) -> Response:
        return HTMLResponse(texts.page())

    async def file(request: Request) -> Response:
        path = consoles.file(request.path_params["id"])
        if path is None or not path.is_file():
            return PlainTextResponse(f"{texts.FILE_MISSING}\n", 404)
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    async def console(socket: WebSocket) -> None:
        await _connect(socket, consoles)

    return _Guard(
        Starlette(
            routes=[
                Route("/", page),
                Route("/files/{id}", file),
                WebSocketRoute("/console", console),
                Mount("/static", StaticFiles(directory=_STATIC)),
            ]
        ),
        gate,
    )


async def _connect(socket: WebSocket, consoles: Consoles) -> None:
    """Connect a page with its console, until the page is gone."""
    await socket.accept()
    query = socket.query_params
    console = await consoles.show(socket, query.get("session", ""), _size(query) or Size())
    if console is None:
        return
    try:
        while True:
            match await socket.receive():
                case {"type": "websocket.disconnect"}:
                    break
                case {"bytes": bytes(typed)}:
                    await console.process.write(typed)
                case {"text": str(text)} if (size := size_in(text)) is not None:
                    console.process.resize(size)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # The console has ended, or the page is gone.
    finally:
        console.detach(socket)


def _size(values: Mapping[str, Any] | QueryParams) -> Size | None:
    try:
        return Size(int(values["columns"]), int(values["rows"]))
    except (KeyError, ValueError, TypeError, OverflowError):
        return None


def size_in(message: str) -> Size | None:
    """The size of the terminal in a message of the page; None in any other message."""
    return _size(_object(message))


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class _Guard:
    """Refuses every request that the gate does not admit, and adds the headers for security to each response."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            if self._gate.refused_socket(headers):
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await (self._refusal(scope, headers) or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """The response to a request that does not reach the application."""
        if reason := self._gate.wrong_site(headers):
            return PlainTextResponse(f"{reason}\n", 403)
        token = QueryParams(scope["query_string"]).get("token")
        if scope["path"] == "/" and scope["method"] == "GET" and token is not None:
            cookie = self._gate.redeem(token)
            if cookie is None:
                return PlainTextResponse(f"{texts.NOT_ADMITTED}\n", 403)
            if self._gate.own_request(headers):
                return RedirectResponse("/", 303, {"Set-Cookie": cookie})
            # A link of another site led here: with a redirect, the browser would not send the cookie.
            return HTMLResponse(texts.ADMITTED, headers={"Set-Cookie": cookie})
        return None if self._gate.admits(headers) else PlainTextResponse(f"{texts.NOT_ADMITTED}\n", 403)
