"""A console at rest: all done until the next key. Textual only looks, for long, whether the processor idles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any
from unittest import mock

from textual._context import active_app

from svc_tui.client.transport import Reply, Transport

#: Work that takes longer than this, in seconds, is held up by the test: from then on rest does not need its end.
_HELD_UP = 2.0


class _Work(ThreadPoolExecutor):
    """What goes on beside the event loop: calls in threads, and requests that are not answered yet."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._exchange = Transport.exchange
        self._going_on: set[object] = set()

    def submit(self, call: Callable[..., Any], /, *words: Any, **named: Any) -> Future[Any]:
        future = super().submit(call, *words, **named)
        self._going_on.add(future)
        future.add_done_callback(lambda done: self._loop.call_soon_threadsafe(self._going_on.discard, done))
        return future

    def counted(self) -> Callable[..., Any]:
        """A transport's way to send requests, which are work until they are answered."""

        async def exchange(transport: Transport, *words: Any, **named: Any) -> Reply:
            request = object()
            self._going_on.add(request)
            try:
                return await self._exchange(transport, *words, **named)
            finally:
                self._going_on.discard(request)

        return exchange

    async def rest(self, *_: float) -> None:
        """Wait until all is done and drawn that a key or an answer has set going; not for what timers will do."""
        for _ in range(2):
            await self._calm()
            if (app := active_app.get(None)) is not None and app.screen_stack:
                app.screen._on_timer_update()

    async def _calm(self) -> None:
        end = self._loop.time() + _HELD_UP
        while True:
            await asyncio.sleep(0.001 if self._going_on else 0)
            if not self._going_on and not self._loop._ready:
                return
            if self._loop.time() > end:
                self._going_on.clear()
                return


@asynccontextmanager
async def pilots_wait_for_rest() -> AsyncIterator[None]:
    """As long as this lasts, a pilot goes on as soon as the console is at rest."""
    work = _Work()
    asyncio.get_running_loop().set_default_executor(work)
    with (
        mock.patch("textual.app.wait_for_idle", work.rest),
        mock.patch("textual.pilot.wait_for_idle", work.rest),
        mock.patch.object(Transport, "exchange", work.counted()),
    ):
        yield
