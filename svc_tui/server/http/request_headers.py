"""The headers of a request, as rules read them."""

from __future__ import annotations

from starlette.requests import Request

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
