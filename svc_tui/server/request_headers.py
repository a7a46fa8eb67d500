"""The headers of a request, as rules read them."""

from __future__ import annotations

from functools import lru_cache

from starlette.requests import Request
from starlette.types import Scope

from svc_tui.interface.authentication import proof
from svc_tui.server.rules import Headers
from svc_tui.server.settings import Settings

#: Links the end of a single sign-on to the browser that started it.
BROWSER_COOKIE = "svc-sso"


def headers_of(request: Request, settings: Settings) -> Headers:
    """The headers of a request, with the addresses of its client and of this server."""
    # Once through all of them: each look-up of the framework's headers goes through them again.
    sent: dict[bytes, bytes] = {}
    for name, value in request.scope["headers"]:
        sent.setdefault(name, value)

    def of(name: str) -> str:
        return sent[key].decode("latin-1") if (key := name.lower().encode()) in sent else ""

    return Headers(
        authorization=of("authorization"),
        app_auth=of(proof.APP_AUTH),
        api_key=of(proof.API_KEY),
        challenge=of(proof.CHALLENGE),
        client=of(proof.CLIENT),
        client_version=of(proof.CLIENT_VERSION),
        resource=of(proof.RESOURCE),
        trusted_app=of(proof.TRUSTED_APP),
        correlation=of(proof.CORRELATION),
        application_token=of(proof.APPLICATION_TOKEN),
        cookie=_cookie(of("cookie")),
        user_agent=of("user-agent")[:255],
        address=request.client.host if request.client else "",
        content_type=of("content-type")[:255],
        accept=of("accept"),
        if_none_match=of("if-none-match")[:1024],
        origin=settings.public_url.rstrip("/") or _origin(request.scope, sent.get(b"host")),
    )


def _cookie(header: str) -> str:
    """Our cookie. It is never quoted: the standard library takes a second of processor time for 8 KB of quoted text."""
    for part in header.split(";"):
        name, _, value = part.partition("=")
        if name.strip() == BROWSER_COOKIE:
            return value.strip()
    return ""


def _origin(scope: Scope, host: bytes | None) -> str:
    return _origin_of(scope["scheme"], host, tuple(scope.get("server") or ()), scope.get("root_path", ""))


@lru_cache(64)
def _origin_of(scheme: str, host: bytes | None, server: tuple[str, int] | tuple[()], root: str) -> str:
    """The address of this server in a request, as the framework puts it together."""
    headers = [] if host is None else [(b"host", host)]
    scope = {"type": "http", "scheme": scheme, "server": server or None, "headers": headers, "root_path": root}
    return str(Request(scope).base_url).rstrip("/")
