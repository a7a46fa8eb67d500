"""Renewal of tokens: in the background before they expire, on demand, and once for concurrent requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from svc_tui.client.credentials import DecodedToken
from svc_tui.client.errors import Refused, ServiceError

T = TypeVar("T")

#: Pause after a failed renewal, in seconds.
RETRY_SECONDS = 30.0
#: Longest sleep of the background task: the time until a suspended machine notices the clock.
_LONGEST_SLEEP_SECONDS = 60.0


class SharedTask(Generic[T]):
    """A task that is shared by all callers while it runs. A cancelled caller does not cancel it."""

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def join(self) -> T:
        """The result of the running task, which is started if there is none. CancelledError only when this caller is
        cancelled, RuntimeError when `aclose` cancelled the task."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._work())
            self._task.add_done_callback(_retrieve)
        task = self._task
        await asyncio.wait({task})
        if task.cancelled():
            raise RuntimeError("closed while waiting")
        return task.result()

    async def aclose(self) -> None:
        await stop(self._task)


def _retrieve(task: asyncio.Task[T]) -> None:
    """Take note of an error: it is raised for the callers, and without a caller it is no error of the program."""
    if not task.cancelled():
        task.exception()


async def stop(task: asyncio.Task[T] | None) -> None:
    """Cancel a task and wait for its end."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


class Renewal:
    """The schedule of a session's renewals: half of the lifetime, plus a random part of up to an eighth of that half.

    `renew` performs the renewal. `clock` is in epoch seconds of this machine, as all times here; the clock of the
    service is not used.
    """

    def __init__(
        self,
        renew: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
        chance: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._renew, self._clock, self._chance, self._sleep = renew, clock, chance, sleep
        self._shared = SharedTask(self._once)
        self._ahead: asyncio.Task[None] | None = None
        self._at = 0.0
        self._ends = 0.0
        self.allowed = False

    def schedule(self, claims: DecodedToken, received: float) -> None:
        """Plan the renewal of a token received at this time. OAuth, limited and exhausted tokens are not renewed."""
        half = claims.lifetime / 2
        # Several consoles of one user should not renew in the same second.
        self._at = received + half + half / 8 * self._chance()
        self._ends = received + claims.lifetime
        self.allowed = half > 0 and claims.renewals_left > 0

    @property
    def ends(self) -> float:
        """When the current token expires, in epoch seconds."""
        return self._ends

    @property
    def due(self) -> bool:
        """Whether the renewal is due, and the token has not expired."""
        return self.allowed and self._at <= self._clock() < self._ends

    async def now(self) -> None:
        """Renew once for all concurrent callers. ServiceError when it fails."""
        await self._shared.join()

    async def _once(self) -> None:
        self._at = self._clock() + RETRY_SECONDS
        try:
            await self._renew()
        except Refused:
            self.allowed = False
            raise

    def ensure_running(self) -> None:
        """Start the background task, if there is something to renew and it is not running."""
        if self.allowed and (self._ahead is None or self._ahead.done()):
            self._ahead = asyncio.create_task(self._renew_ahead())

    async def _renew_ahead(self) -> None:
        while self.allowed:
            pause = self._at - self._clock()
            if pause > 0:
                await self._sleep(min(pause, _LONGEST_SLEEP_SECONDS))
                continue
            if not self.due:
                return
            try:
                await self.now()
            except ServiceError:
                # Refused ends the loop by `allowed`; other errors are retried after the pause set by _once.
                continue

    async def aclose(self) -> None:
        await stop(self._ahead)
        await self._shared.aclose()
