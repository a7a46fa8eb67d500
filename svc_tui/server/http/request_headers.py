"""The headers of a request, as rules read them."""

from __future__ import annotations

from functools import lru_cache

from starlette.requests import Request
from starlette.types import Scope

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
    host: bytes | None = None
    found: dict[str, str] = {}
    # Once through all of them: each look-up of the framework's headers goes through them again.
    for name, value in request.scope["headers"]:
        if (field := _FIELDS.get(name)) is not None:
            if field not in found:
                found[field] = value.decode("latin-1")[: _MOST.get(field)]
        elif name == b"host" and host is None:
            host = value
    return Headers(
        **found,
        address=(request.scope.get("client") or ("",))[0],
        origin=settings.public_url.rstrip("/") or _origin(request.scope, host),
    )


def _origin(scope: Scope, host: bytes | None) -> str:
    return _origin_of(scope["scheme"], host, tuple(scope.get("server") or ()), scope.get("root_path", ""))


@lru_cache(64)
def _origin_of(scheme: str, host: bytes | None, server: tuple[str, int] | tuple[()], root: str) -> str:
    """The address of this server in a request, as the framework puts it together."""
    headers = [] if host is None else [(b"host", host)]
    scope = {"type": "http", "scheme": scheme, "server": server or None, "headers": headers, "root_path": root}
    return str(Request(scope).base_url).rstrip("/")
