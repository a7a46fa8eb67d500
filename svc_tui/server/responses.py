"""HTTP responses: JSON, error bodies (section 7), and a request id on every response."""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svc_tui.interface.authentication.proof import REQUEST_ID
from svc_tui.interface.errors import MESSAGES

#: Addresses that are asked every few seconds.
_UNLOGGED = "/health/"

log = logging.getLogger("svc_tui.server")


def json_response(body: Any, status: int = 200) -> Response:
    """A JSON response."""
    return json_text_response(to_json(body), status)


def json_text_response(content: bytes, status: int = 200) -> Response:
    """A response whose body is JSON already."""
    return Response(content, status, media_type="application/json; charset=utf-8")


def error_response(status: int, details: str = "") -> Response:
    """An error without an errorDetailsCode: 404 of a path, 405, 500, 503."""
    return json_response(
        {"errorCode": status, "errorMsg": MESSAGES.get(status, "Error"), "errorDetails": details}, status
    )


class RequestLog:
    """Middleware around the application: a request id and a log line for each request, no traceback in a response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_UNLOGGED):
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(12)
        started = time.monotonic()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (REQUEST_ID.encode(), request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception:
            log.exception("request %s failed", request_id)
            if not status:
                await error_response(500)(scope, receive, sent)
        finally:
            # The path only: a query string can hold tokens.
            elapsed = round((time.monotonic() - started) * 1000)
            log.info("%s %s %s %s ms %s", scope["method"], scope["path"], status, elapsed, request_id)
