"""When a token is renewed: ahead of time in the background, on demand, and once for all that ask together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.client.tokens import DecodedToken

T = TypeVar("T")

#: After a renewal that found no service: the pause before the next one, in seconds.
AGAIN_SECONDS = 30.0
#: Longest sleep of the background task: a machine that was suspended notices within this time.
_LONGEST_SLEEP_SECONDS = 60.0


class Shared(Generic[T]):
    """Work that is done once for all who ask while it is under way; one who stops waiting does not stop it."""

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None

    @property
    def under_way(self) -> bool:
        return self._task is not None and not self._task.done()

    async def join(self) -> T:
        """The result of the present work, begun if there is none. CancelledError only when this caller is cancelled;
        work that was cancelled by `aclose` is a RuntimeError."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())
        task = self._task
        await asyncio.wait({task})
        if task.cancelled():
            raise RuntimeError("closed while waiting")
        return task.result()

    async def _run(self) -> T:
        return await self._work()

    async def aclose(self) -> None:
        await stop(self._task)


async def stop(task: asyncio.Task[T] | None) -> None:
    """Cancel a task and wait for its end."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


class Renewal:
    """The schedule of one session's renewals: half of the lifetime, plus by chance up to an eighth of that half.

    `renew` does the renewal itself. `clock` gives epoch seconds of this machine, with which all times here are
    compared; the service's clock is not asked.
    """

    def __init__(
        self,
        renew: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
        chance: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._renew, self._clock, self._chance, self._sleep = renew, clock, chance, sleep
        self._shared = Shared(self._once)
        self._ahead: asyncio.Task[None] | None = None
        self._at = 0.0
        self._ends = 0.0
        self.allowed = False

    def schedule(self, claims: DecodedToken, received: float) -> None:
        """A token came at `received`. OAuth and limited tokens, and those renewed to their limit, never are."""
        half = claims.lifetime / 2
        # Several consoles of one user should not renew in the same second.
        self._at = received + half + half / 8 * self._chance()
        self._ends = received + claims.lifetime
        self.allowed = half > 0 and claims.renewals_left > 0

    @property
    def ends(self) -> float:
        """When the present token expires, epoch seconds."""
        return self._ends

    @property
    def due(self) -> bool:
        """Whether it is time, and not too late."""
        return self.allowed and self._at <= self._clock() < self._ends

    async def now(self) -> None:
        """Renew, together with everybody who asks meanwhile. ServiceError when it fails."""
        await self._shared.join()

    async def _once(self) -> None:
        self._at = self._clock() + AGAIN_SECONDS
        try:
            await self._renew()
        except Refused:
            self.allowed = False
            raise

    def keep_up(self) -> None:
        """See to it that the background task runs while there is something to renew."""
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
                # Refused ends the loop by `allowed`; anything else is tried again after the pause set by _once.
                continue

    async def aclose(self) -> None:
        await stop(self._ahead)
        await self._shared.aclose()
