"""What several client tests need: clocks, tokens, services that misbehave on a real socket."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

NOW = 1_800_000_000.0


class FakeClock:
    """Epoch seconds that stand still until a test moves them."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


async def at_once(_: float) -> None:
    """A pause that takes no time, but lets other tasks continue."""
    await asyncio.sleep(0)


class Pauses:
    """Notes how long it was asked to wait, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def jwt(user: str = "u1", *, renewed: int = 0, most: int = 5, life: float = 7200, **claims: Any) -> str:
    """A token that says these things; its signature says nothing."""
    payload = {
        "countRenewed": renewed,
        "maxTokenRenew": most,
        "user": {"id": user, "loginEmail": f"{user}@example.com"},
        "app": {"id": "app", "name": "App"},
        "iat": int(NOW),
        "exp": int(NOW + life),
        **claims,
    }
    parts = [{"alg": "RS256", "typ": "JWT"}, payload]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, "c2lnbmF0dXJl"])


Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def listening(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server on a free loopback port, for as long as the block lasts; yields the port."""

    async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await handler(reader, writer)
        writer.close()

    server = await asyncio.start_server(quiet, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def request_of(reader: asyncio.StreamReader) -> bytes:
    """The head of one request, and its body by its content-length."""
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            await reader.readexactly(int(line.partition(b":")[2]))
    return head


def json_reply(body: Any, status: str = "200 OK") -> bytes:
    """A whole HTTP answer."""
    content = json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    return head.encode() + content
