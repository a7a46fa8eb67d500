"""Requests in progress, each in its own task, because a cancelled caller must not interrupt the connection pool; their
timeouts, and a response before anything is made of it.

The HTTP library loses a connection for good when a task is cancelled while it takes a connection from its pool or gives
it back. A request whose caller was cancelled therefore continues for a short time, and is interrupted only while bytes
are exchanged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from svc_tui.language import _

T = TypeVar("T")

#: Seconds in which an abandoned request can still complete, so that its connection can be used again.
GRACE_SECONDS = 2.0
_FIRST_BYTE, _LAST_BYTE = "http11.send_request_headers.started", "http11.response_closed.started"


class PendingRequest:
    """One request. `trace` takes the events of the HTTP library, which say when it can be interrupted."""

    def __init__(self, *, pooled: bool) -> None:
        self._interruptible = not pooled
        self._dropped = False
        self._task: asyncio.Task[Any] | None = None

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._task = task
        return task

    async def trace(self, event: str, info: dict[str, Any]) -> None:
        if event == _LAST_BYTE:
            self._interruptible = False
        elif event == _FIRST_BYTE and info["request"].method != b"CONNECT":
            if self._dropped:
                raise asyncio.CancelledError
            self._interruptible = True

    def drop(self) -> None:
        """Interrupt the request: now, or when it would send its first byte."""
        self._dropped = True
        if self._interruptible and self._task is not None:
            self._interruptible = False
            self._task.cancel()


class InFlight:
    """Runs requests. At most `most_abandoned` continue without a caller; the oldest is interrupted first.

    Without a pool there is no connection to keep: a request ends with its caller.
    """

    def __init__(self, most_abandoned: int, *, pooled: bool) -> None:
        self._most, self._pooled = most_abandoned, pooled
        self._abandoned: dict[PendingRequest, asyncio.TimerHandle] = {}
        #: Tasks without a caller. The event loop has only weak references.
        self._without_caller: set[asyncio.Task[Any]] = set()

    async def run(
        self,
        work: Callable[[PendingRequest], Coroutine[Any, Any, T]],
        *,
        seconds: float | None = None,
        completes: bool = True,
    ) -> T:
        """The result of the work, or TimeoutError after some seconds.

        When the caller is cancelled, work that `completes` may continue for GRACE_SECONDS, where there is a pool.
        """
        exchange = PendingRequest(pooled=self._pooled)
        task = exchange.start(work(exchange))
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({task})
        except TimeoutError:
            self._leave(exchange, task, completes=False)
            raise
        except asyncio.CancelledError:
            self._leave(exchange, task, completes=completes and self._pooled)
            raise
        return task.result()

    def _leave(self, exchange: PendingRequest, task: asyncio.Task[Any], *, completes: bool) -> None:
        self._without_caller.add(task)
        task.add_done_callback(self._end)
        if not completes:
            exchange.drop()
            return
        self._abandoned[exchange] = asyncio.get_running_loop().call_later(GRACE_SECONDS, self._drop, exchange)
        task.add_done_callback(lambda _: self._forget(exchange))
        if len(self._abandoned) > self._most:
            self._drop(next(iter(self._abandoned)))

    def _drop(self, exchange: PendingRequest) -> None:
        self._forget(exchange)
        exchange.drop()

    def _forget(self, exchange: PendingRequest) -> None:
        timer = self._abandoned.pop(exchange, None)
        if timer is not None:
            timer.cancel()

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._without_caller.discard(task)
        if not task.cancelled():
            # The error has no reader; it counts as retrieved.
            task.exception()

    async def aclose(self) -> None:
        """Cancel what has no caller. The pool is closed afterwards and can lose connections."""
        left = set(self._without_caller)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to connect, between two pieces of a response, and for a whole exchange.

    A request body adds time at the `slowest` bytes a second of a working connection.
    """

    connect: float = 6.0
    read: float = 30.0
    total: float = 120.0
    slowest: int = 32_000

    @classmethod
    def of(cls, limit: Timeouts | float) -> Timeouts:
        """Limits, or seconds for each of them. ValueError for a number that is not positive."""
        if isinstance(limit, Timeouts):
            return limit
        if isinstance(limit, bool) or not limit > 0:
            raise ValueError(_("A timeout must be a number of seconds above 0."))
        return cls(connect=min(cls().connect, limit), read=limit, total=limit)

    def whole(self, size: int) -> float:
        """Seconds for a whole exchange with a request body of this size."""
        return self.total + size / self.slowest


#: Longest response body that is read, in bytes after decompression.
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A raw response; names of headers are in lower case. `poured` is the size of a body in a sink; None when it is in
    `body`."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    poured: int | None = None
