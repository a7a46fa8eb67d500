"""The WebSocket protocol of uvicorn, whose refused handshakes have an error body (section 7)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.http11 import Response

from svc_tui.server.responses import error_response
from svc_tui.server.security_headers import OF_DATA


class EventProtocol(WebSocketsSansIOProtocol):
    """Connections that became WebSockets."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.reject = _rejection  # type: ignore[method-assign]


def _rejection(status: HTTPStatus | int, text: str) -> Response:
    body = error_response(int(status), text.partition("\n")[0])
    names = {"connection": "close", **OF_DATA, **body.headers}
    return Response(int(status), HTTPStatus(status).phrase, Headers(names), bytes(body.body))
