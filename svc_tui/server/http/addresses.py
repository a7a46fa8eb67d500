"""Addresses of clients: as trusted proxies name them, and as limits count them."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

#: The name of the id that proxies use: taken from a request, and in each response beside the one of the interface.
PROXY_REQUEST_ID = "x-request-id"


def group_of(address: str) -> str:
    """The address as limits count it: of IPv6 the network of 64 bits, within which a client is free."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False))


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
