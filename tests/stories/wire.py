"""A connection between console and service that can be cut, can lose an answer, and can be slow with some."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.client.support import listening
from tests.support.rest import held_up


class Wire:
    """Carries bytes to the service on a port, as cables do."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[asyncio.StreamWriter] = set()
        #: The first lines of requests, in the order in which they came.
        self.requests: list[str] = []
        #: The next request that begins so reaches the service, and its answer does not come back.
        self.swallow = b""
        #: The connection of a request that is swallowed breaks as soon as this is set.
        self.breaks = asyncio.Event()
        self.breaks.set()
        #: The next request that begins so does not reach the service.
        self.drop = b""
        #: With the next one that is swallowed, nothing passes any more.
        self.away_after = False
        #: The answer to the next request that begins so waits until `released`.
        self.hold = b""
        self.held = asyncio.Event()
        self.released = asyncio.Event()
        self.away = False
        #: Seconds that each answer takes longer.
        self.answers_after = 0.0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.away:
            writer.transport.abort()
            return
        there, onward = await asyncio.open_connection("127.0.0.1", self._to)
        self._open |= {writer, onward}
        gates: list[asyncio.Event] = []
        await asyncio.gather(self._asks(reader, onward, writer, gates), self._answers(there, writer, gates))

    async def _asks(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
        gates: list[asyncio.Event],
    ) -> None:
        while data := await source.read(65536):
            if (line := data.partition(b"\r\n")[0]).endswith(b" HTTP/1.1"):
                self.requests.append(line.decode("ascii", "replace"))
            if self.hold and data.startswith(self.hold):
                self.hold = b""
                gates.append(self.released)
                self.held.set()
            swallowed = bool(self.swallow) and data.startswith(self.swallow)
            if swallowed:
                self.swallow = b""
                gates.append(self.breaks)
            if self.drop and data.startswith(self.drop):
                self.drop = b""
                back.transport.abort()
                break
            target.write(data)
            await target.drain()
            if swallowed:
                await self.breaks.wait()
                back.transport.abort()
                if self.away_after:
                    self.away = True
                    self.cut()
        target.close()

    async def _answers(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, gates: list[asyncio.Event]
    ) -> None:
        while data := await source.read(65536):
            for gate in gates:
                with held_up():
                    await gate.wait()
            if self.answers_after:
                with held_up():
                    await asyncio.sleep(self.answers_after)
            target.write(data)
            await target.drain()
        target.close()

    def leads_to(self, port: int) -> None:
        """From now on to the service on another port."""
        self._to = port

    def cut(self) -> None:
        """Every connection that is open now ends in the middle of whatever it carries."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()


@contextlib.asynccontextmanager
async def wired(url: str, *, answers_after: float = 0.0) -> AsyncIterator[tuple[Wire, str]]:
    """A wire to the service at a URL, and the URL of its near end. Each answer takes so many seconds longer."""
    wire = Wire(int(url.rpartition(":")[2]))
    wire.answers_after = answers_after
    async with listening(wire) as port:
        yield wire, f"http://127.0.0.1:{port}"
