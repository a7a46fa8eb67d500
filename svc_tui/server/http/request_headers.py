"""The headers of a request, as rules read them, and the address of its client, as trusted proxies name it and as limits
count it.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from svc_tui.interface.authentication import proof
from svc_tui.server.rules import Headers
from svc_tui.server.settings import Settings

#: The fields of `Headers` by the names of headers.
_FIELDS = {
    name.lower().encode(): field
    for name, field in (
        ("authorization", "authorization"),
        (proof.APP_AUTH, "app_auth"),
        (proof.API_KEY, "api_key"),
        (proof.CHALLENGE, "challenge"),
        (proof.CLIENT, "client"),
        (proof.CLIENT_VERSION, "client_version"),
        (proof.RESOURCE, "resource"),
        (proof.TRUSTED_APP, "trusted_app"),
        (proof.CORRELATION, "correlation"),
        (proof.APPLICATION_TOKEN, "application_token"),
        ("cookie", "cookie"),
        ("user-agent", "user_agent"),
        ("content-type", "content_type"),
        ("accept", "accept"),
        ("if-none-match", "if_none_match"),
    )
}
#: Characters of a header that are read.
_MOST = {"user_agent": 255, "content_type": 255, "if_none_match": 1024}


def headers_of(request: Request, settings: Settings) -> Headers:
    """The headers of a request, with the addresses of its client and of this server. Of a repeated one, the first."""
    found: dict[str, str] = {}
    for name, value in request.scope["headers"]:
        if (field := _FIELDS.get(name)) is not None and field not in found:
            found[field] = value.decode("latin-1")[: _MOST.get(field)]
    return Headers(
        **found,
        address=(request.scope.get("client") or ("",))[0],
        origin=(settings.public_url or str(request.base_url)).rstrip("/"),
    )


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
