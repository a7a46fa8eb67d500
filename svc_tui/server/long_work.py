"""Work that takes long, such as reading files: beside the event loop, in turns.

It has threads of its own, so that logins never wait for it, and one of them works at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TypeVar

from svc_tui.server.service import Service

T = TypeVar("T")
Pause = Callable[[], None]

#: Threads; further work waits.
_MOST_AT_ONCE = 16
#: Seconds between two looks whether long work is still wanted.
_LOOK_SECONDS = 0.5


class Ended(Exception):
    """The result of this work is not wanted any more."""


class _Turn:
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
        self._turn = _Turn()

    async def run(self, work: Callable[[Pause], T], wanted: Callable[[], Awaitable[None]] | None = None) -> T:
        """Work in a thread. It calls the function that it gets now and then, where others have their turn or it ends.

        `wanted` raises when its result is not wanted any more.
        """
        ended = Event()
        future = asyncio.get_running_loop().run_in_executor(self._executor, self._in_turns, work, ended)
        try:
            while wanted is not None and not future.done():
                await asyncio.wait({future}, timeout=_LOOK_SECONDS)
                await wanted()
            return await future
        finally:
            ended.set()
            future.cancel()

    def _in_turns(self, work: Callable[[Pause], T], ended: Event) -> T:
        def pause() -> None:
            self._turn.__exit__()
            self._turn.__enter__()
            if ended.is_set():
                raise Ended

        with self._turn:
            return work(pause)
