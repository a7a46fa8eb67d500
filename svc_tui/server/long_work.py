"""Work that takes long, such as reading files: beside the event loop, in turns, and bounded for users and companies.

It has threads of its own, so that logins never wait for it, and one of them works at a time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Lock
from typing import TypeVar

from svc_tui.interface.access import Caller
from svc_tui.server.refusal import TooManyRequests
from svc_tui.server.service import Service

T = TypeVar("T")
Pause = Callable[[], None]

#: Threads; further work waits.
_MOST_AT_ONCE = 16
#: Seconds between two looks whether long work is still wanted.
_LOOK_SECONDS = 0.5
#: Seconds after which a refused client may send its file again.
_RETRY_SECONDS = 10


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
    """The long work of one process, and the uploads that are in progress."""

    def __init__(self, service: Service) -> None:
        self._executor = ThreadPoolExecutor(_MOST_AT_ONCE, "long-work")
        self._turn = _Turn()
        self._settings = service.settings
        self._uploads: Counter[tuple[str, str]] = Counter()

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

    @contextmanager
    def upload_of(self, caller: Caller | None) -> Iterator[None]:
        """An upload, from its first byte to the end of the work on it. Refusal 429000 with too many at once."""
        counted: dict[tuple[str, str], int] = {}
        if caller is not None:
            counted["user", caller.user_id] = self._settings.user_uploads
            counted["company", caller.company_id] = self._settings.company_uploads
        for (owner, id), most in counted.items():
            if self._uploads[owner, id] >= most:
                sentence = f"This {owner} has {most} uploads in progress. Wait for one of them to end."
                raise TooManyRequests(_RETRY_SECONDS, sentence)
        self._uploads.update(counted.keys())
        try:
            yield
        finally:
            self._uploads.subtract(counted.keys())
            # Only those in progress stay.
            self._uploads = +self._uploads
