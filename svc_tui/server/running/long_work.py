"""Work that takes long, such as reading files: beside the event loop.

What reads a file on the disk has its own process, which ends when its results are not wanted any more. Everything
else has threads, of which one works at a time, so that logins never wait for it.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Event, Lock
from typing import IO, Any, Protocol, TypeVar

from svc_tui.server.http.uploads import IN_MEMORY
from svc_tui.server.running.long_process import LENGTH, FileWork, Pause, command_for
from svc_tui.server.service import Service

T = TypeVar("T")
#: Raises when a result is not wanted any more.
Wanted = Callable[[], Awaitable[None]]

#: Threads; further work waits.
_MOST_AT_ONCE = 16
#: Processes; further files wait. One takes 50 MB, and the processors are shared by all of them.
_MOST_PROCESSES = 8
#: Seconds between two checks whether long work is still wanted.
_LOOK_SECONDS = 0.5


class WorkCancelled(Exception):
    """The result of this work is not wanted any more."""


class WorkLost(Exception):
    """The process of this work has ended without a result: the system or an operator ended it."""


class Results(Protocol):
    """The results of work on a file."""

    async def next(self, wanted: Wanted | None = None) -> Any:
        """The next result; None after the last one. Errors are those of the work, or WorkLost."""


class _FairLock:
    """Held by the thread that works. One that waits is next."""

    def __init__(self) -> None:
        self._held, self._next = Lock(), Lock()

    def __enter__(self) -> None:
        with self._next:
            self._held.acquire()

    def __exit__(self, *_: object) -> None:
        self._held.release()


class LongWork:
    """The long work of one process."""

    def __init__(self, _service: Service) -> None:
        self._executor = ThreadPoolExecutor(_MOST_AT_ONCE, "long-work")
        self._turn = _FairLock()
        self._processes = asyncio.Semaphore(_MOST_PROCESSES)

    async def run(self, work: Callable[[Pause], T], wanted: Wanted | None = None) -> T:
        """Work in a thread. It calls the function that it gets now and then, where others have their turn or it ends.

        `wanted` raises when its result is not wanted any more.
        """
        ended = Event()
        future = asyncio.get_running_loop().run_in_executor(self._executor, self._in_turns, work, ended)
        try:
            return await _while_wanted(future, wanted)
        finally:
            ended.set()

    def _in_turns(self, work: Callable[[Pause], T], ended: Event) -> T:
        def pause() -> None:
            self._turn.__exit__()
            self._turn.__enter__()
            if ended.is_set():
                raise WorkCancelled

        with self._turn:
            return work(pause)

    @asynccontextmanager
    async def on_file(self, work: FileWork, file: IO[bytes], **arguments: Any) -> AsyncIterator[Results]:
        """The results of work on a file, which ends with the block. The place in the file is not kept.

        What is in memory is short, and has a thread. The process of other files starts with the first result.
        """
        if file.seek(0, os.SEEK_END) > IN_MEMORY:
            results = _ProcessResults(self._processes, work, file, arguments)
            try:
                yield results
            finally:
                await results.close()
        else:
            yield _ThreadResults(self, work, file, arguments)


class _ThreadResults:
    """Results of a generator that continues in a thread for each of them."""

    def __init__(self, own: LongWork, work: FileWork, file: IO[bytes], arguments: dict[str, Any]) -> None:
        self._own = own
        self._pause: Pause = lambda: None
        self._results = work(file, lambda: self._pause(), **arguments)

    async def next(self, wanted: Wanted | None = None) -> Any:
        return await self._own.run(self._step, wanted)

    def _step(self, pause: Pause) -> Any:
        self._pause = pause
        return next(self._results, None)


class _ProcessResults:
    """Results of a process."""

    def __init__(
        self, processes: asyncio.Semaphore, work: FileWork, file: IO[bytes], arguments: dict[str, Any]
    ) -> None:
        self._processes, self._work, self._file, self._arguments = processes, work, file, arguments
        self._counted = False
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: asyncio.BaseTransport | None = None
        self._output = asyncio.StreamReader()

    async def next(self, wanted: Wanted | None = None) -> Any:
        reading = asyncio.ensure_future(self._next())
        try:
            return await _while_wanted(reading, wanted)
        finally:
            await asyncio.wait({reading})

    async def _next(self) -> Any:
        if self._pipe is None:
            await self._start()
        try:
            [length] = LENGTH.unpack(await self._output.readexactly(LENGTH.size))
            result, error = pickle.loads(await self._output.readexactly(length))
        except asyncio.IncompleteReadError as lost:
            raise WorkLost from lost
        if error is not None:
            raise error
        return result

    async def _start(self) -> None:
        await self._processes.acquire()
        self._counted = True
        self._process = self._launched()
        protocol = asyncio.StreamReaderProtocol(self._output)
        self._pipe, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, self._process.stdout)

    def _launched(self) -> subprocess.Popen[bytes]:
        self._file.flush()
        command = command_for(self._work, self._arguments)
        return subprocess.Popen(command, stdin=self._file, stdout=subprocess.PIPE, process_group=0)

    async def close(self) -> None:
        """End the process."""
        try:
            if self._process is not None:
                self._process.kill()
                await asyncio.shield(asyncio.to_thread(self._process.wait))
        finally:
            if self._pipe is not None:
                self._pipe.close()
            elif self._process is not None and self._process.stdout is not None:
                self._process.stdout.close()
            if self._counted:
                self._processes.release()


async def _while_wanted(future: asyncio.Future[T], wanted: Wanted | None) -> T:
    """The result of a future, which is cancelled when it is not wanted any more."""
    try:
        while wanted is not None and not future.done():
            await asyncio.wait({future}, timeout=_LOOK_SECONDS)
            await wanted()
        return await future
    finally:
        future.cancel()
