"""HTTP responses: JSON, error bodies (section 7), and the headers of every response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svc_tui.interface.errors import MESSAGES

#: For responses that are data and no page. Records of a tenant are stored by no cache.
OF_DATA = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_OF_DATA = [(name.encode(), value.encode()) for name, value in OF_DATA.items()]
#: With TLS, browsers keep to it for a year.
_OF_TLS = [*_OF_DATA, (b"strict-transport-security", b"max-age=31536000")]


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response."""
    return json_text_response(to_json(body), status, headers)


def json_text_response(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response whose body is JSON already."""
    return Response(content, status, headers, media_type="application/json; charset=utf-8")


def error_response(status: int, details: str = "") -> Response:
    """An error before any rule: 400, 404 of a path, 405; 500 and 503 have no errorDetailsCode."""
    body = {"errorCode": status, "errorMsg": MESSAGES.get(status, "Error"), "errorDetails": details}
    return json_response(body if status >= 500 else {**body, "errorDetailsCode": status * 1000}, status)


class SecurityHeaders:
    """Middleware that adds the headers which a response does not have. `secure`: clients come by TLS always."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app, self._secure = app, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = _OF_TLS if self._secure or scope["scheme"] == "https" else _OF_DATA

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.get("headers", ())
                named = {name.lower() for name, _ in headers}
                message["headers"] = [*headers, *(each for each in added if each[0] not in named)]
            await send(message)

        await self._app(scope, receive, sent)
