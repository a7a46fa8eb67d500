"""A page of this machine that receives the result of an authorization in a browser (RFC 8252, 7.3)."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qsl, urlsplit

from svc_tui.language import _, current

#: A request of a browser without a body; a longer one is refused.
_MOST_BYTES, _MOST_SECONDS = 16_384, 10.0
_HEADERS = (
    "content-type: text/html; charset=utf-8\r\ncache-control: no-store\r\nreferrer-policy: no-referrer\r\n"
    "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\nx-content-type-options: nosniff\r\n"
    "connection: close\r\n"
)
_ARRIVED = _("The response has arrived. Close this page and continue in the console.")
_FOREIGN = _("This is not the response that the console waits for.")


class Loopback:
    """Waits for one request with the `state` of an authorization; all others get an error page."""

    def __init__(self, address: str, state: str) -> None:
        self._path, self._state = urlsplit(address).path or "/", state
        self._arrived: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()

    async def wait(self) -> Mapping[str, str]:
        """The values in the address that the browser was redirected to, such as `code` or `error`."""
        return await self._arrived

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close the connection."""
        with suppress(OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _MOST_SECONDS)
            method, target, *_ = head.partition(b"\r\n")[0].decode("ascii").split(" ")
            status, sentence = self._take(target) if method == "GET" else ("405 Method Not Allowed", _FOREIGN)
            body = f"<!doctype html><html lang={current()}><title>svc-tui</title><p>{sentence}</p></html>".encode()
            writer.write(f"HTTP/1.1 {status}\r\n{_HEADERS}content-length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
        writer.close()

    def _take(self, target: str) -> tuple[str, str]:
        """Status and sentence for a request; the right one ends the wait."""
        parts = urlsplit(target)
        if parts.path != self._path:
            return "404 Not Found", _FOREIGN
        values = dict(parse_qsl(parts.query))
        if not hmac.compare_digest(values.get("state", "").encode(), self._state.encode()):
            return "400 Bad Request", _FOREIGN
        if not self._arrived.done():
            self._arrived.set_result(values)
        return "200 OK", _ARRIVED


@asynccontextmanager
async def listening(address: str, state: str) -> AsyncIterator[Loopback]:
    """Listen on the port of a loopback address. OSError when that is not possible, for example because it is used."""
    parts = urlsplit(address)
    loopback = Loopback(address, state)
    server = await asyncio.start_server(loopback.handle, parts.hostname, parts.port, limit=_MOST_BYTES)
    try:
        yield loopback
    finally:
        server.close()
