"""A console at rest: all done until the next key. Textual only looks, for long, whether the processor idles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from unittest import mock

from textual._context import active_app

from svc_tui.client.in_flight import RawResponse
from svc_tui.client.transport import Transport

#: Work that takes longer than this, in seconds, is held up somewhere: from then on rest does not need its end.
_LONG = 2.0

_held: set[object] = set()


@contextmanager
def held_up() -> Iterator[None]:
    """A test keeps an answer back: a console that waits for it is at rest."""
    answer = object()
    _held.add(answer)
    try:
        yield
    finally:
        _held.discard(answer)


class _Work:
    """What happens beside the event loop: calls in threads, and requests that are not answered yet."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._unfinished: set[object] = set()

    def submitting(self, submit: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
        """The way into threads; every call is work until it has returned."""

        def submitted(threads: ThreadPoolExecutor, *words: Any, **named: Any) -> Future[Any]:
            future = submit(threads, *words, **named)
            self._unfinished.add(future)
            future.add_done_callback(self._unfinished.discard)
            return future

        return submitted

    def sending(self, exchange: Callable[..., Any]) -> Callable[..., Any]:
        """The way to the service; every request is work until it is answered."""

        async def exchanged(transport: Transport, *words: Any, **named: Any) -> RawResponse:
            request = object()
            self._unfinished.add(request)
            try:
                return await exchange(transport, *words, **named)
            finally:
                self._unfinished.discard(request)

        return exchanged

    async def rest(self, *_: float) -> None:
        """Wait until all is done and drawn that a key or an answer has set going; not for what timers will do."""
        for _ in range(2):
            await self._calm()
            if (app := active_app.get(None)) is not None and app.screen_stack:
                app.screen._on_timer_update()

    async def _calm(self) -> None:
        end = self._loop.time() + _LONG
        while self._loop.time() < end:
            busy = len(self._unfinished) > len(_held)
            await asyncio.sleep(0.001 if busy else 0)
            if not busy and not self._loop._ready:
                return
        self._unfinished.clear()


@asynccontextmanager
async def pilots_wait_for_rest() -> AsyncIterator[None]:
    """As long as this lasts, a pilot continues as soon as the console is at rest."""
    work = _Work()
    with (
        mock.patch("textual.app.wait_for_idle", work.rest),
        mock.patch("textual.pilot.wait_for_idle", work.rest),
        mock.patch.object(Transport, "exchange", work.sending(Transport.exchange)),
        mock.patch.object(ThreadPoolExecutor, "submit", work.submitting(ThreadPoolExecutor.submit)),
    ):
        yield
