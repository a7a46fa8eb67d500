"""The service and a foreign site on sockets that a browser can reach."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import uvicorn

from tests.support.world import World


@asynccontextmanager
async def reachable(world: World) -> AsyncIterator[str]:
    """The origin of a world on a socket."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(world.app, lifespan="off", log_level="warning")
    server = uvicorn.Server(config)
    # Browsers that connect before the server runs wait in the backlog of the socket.
    running = asyncio.create_task(server.serve([listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


@dataclass
class Site:
    """The site of an application, or of an attacker: pages by path, and the addresses that browsers asked for."""

    port: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    visits: list[str] = field(default_factory=list)

    def address(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def arrived(self, path: str) -> dict[str, str]:
        """The query of the last visit of a path."""
        found = [each for each in self.visits if urlsplit(each).path == path]
        return dict(parse_qsl(urlsplit(found[-1]).query))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ")[1].decode()
            self.visits.append(path)
            body = self.pages.get(urlsplit(path).path, "<!doctype html><title>Application</title>arrived").encode()
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n" + body)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def site() -> AsyncIterator[Site]:
    """A site on a socket."""
    found = Site()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found
