"""What proxies say about a request: address and scheme of its client, and its id. Only trusted ones are believed."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

#: The name of the id that proxies use: taken from a request, and in each response beside the one of the interface.
PROXY_REQUEST_ID = "x-request-id"


class TrustedProxies:
    """Middleware: from other addresses the headers of proxies count as not sent."""

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app = app
        self._believing = ProxyHeadersMiddleware(app, list(trusted)) if trusted else None  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = (scope.get("client") or ("",))[0]
        if self._believing is not None and peer in self._believing.trusted_hosts:
            await self._believing(scope, receive, send)  # type: ignore[arg-type]
            return
        if scope["type"] in ("http", "websocket"):
            name = PROXY_REQUEST_ID.encode()
            scope["headers"] = [header for header in scope["headers"] if header[0] != name]
        await self._app(scope, receive, send)
