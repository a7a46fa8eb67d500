"""Headers by which browsers do nothing with a response that it does not name itself."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
