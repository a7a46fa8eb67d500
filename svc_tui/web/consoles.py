"""The consoles of all tabs: a tab that is loaded again finds its console, and a console ends soon after its tab."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from svc_tui.web.console_process import ConsoleProcess, Size

#: Consoles at the same time. Each is a process of some 100 MB.
MOST_CONSOLES = 8
#: Seconds that a console waits for its tab, for example while the page is loaded again.
GRACE_SECONDS = 30.0
#: Saved files of one console that can be downloaded.
_MOST_FILES = 50
#: Seconds for the last output after the end of a console.
_LAST_OUTPUT_SECONDS = 1.0
#: Reasons for the end of a connection, in the range for applications.
ENDED, TAKEN_OVER, TOO_MANY = 4000, 4001, 4002


class TabConnection(Protocol):
    """The connection to the page of a tab."""

    async def send_bytes(self, data: bytes) -> None: ...
    async def send_json(self, data: Any) -> None: ...
    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


class BrowserConsole:
    """One console and the page that shows it, if any."""

    def __init__(self, process: ConsoleProcess, grace: float) -> None:
        self.id = secrets.token_urlsafe(16)
        self.process = process
        self._grace = grace
        self._page: TabConnection | None = None
        self._files: dict[str, Path] = {}
        self._leaving: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    async def attach(self, page: TabConnection, size: Size) -> None:
        """Show the console on a page; another page that shows it is closed."""
        previous, self._page = self._page, page
        if self._leaving is not None:
            self._leaving.cancel()
        if previous is not None:
            await _close(previous, TAKEN_OVER)
        await self._tell(session=self.id)
        await self._send(self.process.modes)
        self.process.resize(size)
        self.process.repaint()

    def detach(self, page: TabConnection) -> None:
        """The page is gone. The console ends after a time without another one."""
        if self._page is page:
            self._page = None
            self._leaving = asyncio.get_running_loop().call_later(self._grace, self._end_soon)

    def _end_soon(self) -> None:
        self._ending = asyncio.create_task(self.process.end())

    def file(self, id: str) -> Path | None:
        """A saved file by the ID that the page was given."""
        return self._files.get(id)

    async def run(self) -> None:
        """Send the output to the page until the console ends."""
        sending = asyncio.create_task(self._send_output())
        offering = asyncio.create_task(self._offer_files())
        try:
            code = await self.process.wait()
            await asyncio.wait([sending], timeout=_LAST_OUTPUT_SECONDS)
        finally:
            for task in (sending, offering):
                task.cancel()
            await asyncio.gather(sending, offering, return_exceptions=True)
            self.process.close()
            if self._leaving is not None:
                self._leaving.cancel()
        await self._tell(ended=code)
        if self._page is not None:
            await _close(self._page, ENDED)

    async def _send_output(self) -> None:
        while data := await self.process.output():
            await self._send(data)

    async def _offer_files(self) -> None:
        while (path := await self.process.saved_file()) is not None:
            if len(self._files) == _MOST_FILES:
                del self._files[next(iter(self._files))]
            id = secrets.token_urlsafe(16)
            self._files[id] = path
            await self._tell(file=id, name=path.name)

    async def _send(self, data: bytes) -> None:
        if self._page is not None and data:
            with contextlib.suppress(RuntimeError, OSError):
                await self._page.send_bytes(data)

    async def _tell(self, **message: Any) -> None:
        if self._page is not None:
            with contextlib.suppress(RuntimeError, OSError):
                await self._page.send_json(message)


async def _close(page: TabConnection, code: int) -> None:
    with contextlib.suppress(RuntimeError, OSError):
        await page.close(code)


class Consoles:
    """All consoles. `words` are the arguments of the command that each of them runs."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        most: int = MOST_CONSOLES,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._words, self._environment, self._most, self._grace = words, environment, most, grace
        self._running: dict[str, tuple[BrowserConsole, asyncio.Task[None]]] = {}
        self._starting = 0

    async def show(self, page: TabConnection, id: str, size: Size) -> BrowserConsole | None:
        """Show a running console, or a new one; None, after the page was closed, when there are too many."""
        console = self.find(id)
        if console is None:
            if len(self._running) + self._starting >= self._most:
                await _close(page, TOO_MANY)
                return None
            console = await self._start(size)
        await console.attach(page, size)
        return console

    def find(self, id: str) -> BrowserConsole | None:
        found = self._running.get(id)
        return found[0] if found else None

    def file(self, id: str) -> Path | None:
        """A saved file of any console."""
        return next((path for console, _ in self._running.values() if (path := console.file(id))), None)

    async def end(self) -> None:
        """End all consoles."""
        running = list(self._running.values())
        await asyncio.gather(*(console.process.end() for console, _ in running), return_exceptions=True)
        await asyncio.gather(*(task for _, task in running), return_exceptions=True)

    async def _start(self, size: Size) -> BrowserConsole:
        self._starting += 1
        try:
            process = await ConsoleProcess.start(self._words, self._environment, size)
        finally:
            self._starting -= 1
        console = BrowserConsole(process, self._grace)
        self._running[console.id] = (console, asyncio.create_task(self._run(console)))
        return console

    async def _run(self, console: BrowserConsole) -> None:
        try:
            await console.run()
        finally:
            self._running.pop(console.id, None)
