"""One log line for each request, with the id by which a caller, a proxy and the operator find it."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svc_tui.interface.authentication.proof import REQUEST_ID
from svc_tui.server.http.measures import REQUEST_SECONDS, REQUESTS, Measures
from svc_tui.server.http.request_headers import PROXY_REQUEST_ID
from svc_tui.server.http.responses import error_response
from svc_tui.server.log_lines import begin, log, of_request

#: Addresses that are asked every few seconds.
_UNLOGGED = "/health/"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")


class RequestLog:
    """Middleware around the application: a request id and a log line for each request, no traceback in a response."""

    def __init__(self, app: ASGIApp, measures: Measures) -> None:
        self._app, self._measures = app, measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            begin(_id(scope["headers"]))
        if scope["type"] != "http" or scope["path"].startswith(_UNLOGGED):
            await self._app(scope, receive, send)
            return
        current_request = begin(_id(scope["headers"]))
        started = time.monotonic()
        status = size = 0

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                id = current_request.id.encode()
                ids = ((REQUEST_ID.encode(), id), (PROXY_REQUEST_ID.encode(), id))
                message["headers"] = [*message["headers"], *ids]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception:
            log.exception("a request failed")
            if not status:
                await error_response(500)(scope, receive, sent)
        finally:
            elapsed = time.monotonic() - started
            self._measures.add(REQUESTS, current_request.operation, str(status))
            self._measures.observe(REQUEST_SECONDS, elapsed, current_request.operation)
            log.info(
                "%s %s %s",
                scope["method"],
                _path(scope),
                status,
                extra=of_request(
                    operation=current_request.operation,
                    caller=current_request.caller,
                    application=current_request.application,
                    address=(scope.get("client") or ("",))[0],
                    ms=round(elapsed * 1000),
                    bytes=size,
                ),
            )


def _id(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The id that a trusted proxy gave the request, if it is well-formed, or a new one."""
    given = next((value for name, value in headers if name == PROXY_REQUEST_ID.encode()), b"")
    return given.decode() if _WELL_FORMED.fullmatch(given) else secrets.token_hex(12)


def _path(scope: Scope) -> str:
    """The path as it was sent, escapes included. Without its query string, which can hold tokens."""
    raw: bytes = scope.get("raw_path") or b""
    return raw.partition(b"?")[0].decode("latin-1") if raw else str(scope["path"])
