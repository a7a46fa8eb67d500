"""The state of the connection, from real requests: how long they take, when they fail, when it is back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace

from svc_tui.workspace.core.events import Link, LinkState

#: A round trip above this many seconds is slow.
SLOW_SECONDS = 0.4
#: Share of the newest round trip in the moving value.
_NEWEST = 0.3
#: A request without an answer is told after so many seconds, and then once a second.
WAIT_SECONDS = 2.0
#: Seconds between probes while the service is away, doubling from the first to the second.
PROBE_SECONDS = (2.0, 30.0)


class LinkWatch:
    """Keeps the Link, counts how long an answer is awaited, and while offline asks now and then whether the service is
    back.

    `probe` returns whether the service answered; it reports the answer through `answered` itself.
    """

    def __init__(
        self,
        verified: bool,
        tell: Callable[[Link], None],
        probe: Callable[[], Awaitable[bool]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        tick: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.link = Link(verified=verified)
        self._tell, self._probe, self._pause = tell, probe, pause
        self._tick, self._clock = tick, clock
        self._probing: asyncio.Task[None] | None = None
        #: When each request went out that has no answer yet.
        self._asked: dict[Hashable, float] = {}
        self._counting: asyncio.Task[None] | None = None
        #: The next request should try, whatever was found before.
        self.insisted = False

    def answered(self, seconds: float | None = None) -> None:
        """The service answered, after so many seconds where that is known."""
        self.insisted = False
        before = self.link.round_trip
        if seconds is None:
            moving = before
        else:
            moving = seconds if before is None else before + _NEWEST * (seconds - before)
        self._set("slow" if moving is not None and moving > SLOW_SECONDS else "live", moving)

    def lost(self) -> None:
        """No answer came."""
        self.insisted = False
        self._set("offline", None)
        if self._probing is None or self._probing.done():
            self._probing = asyncio.get_running_loop().create_task(self._until_back())

    @property
    def asks(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._asked)

    def begins(self, request: Hashable) -> None:
        """A request goes out; while its answer is awaited for long, the seconds are counted."""
        self._asked[request] = self._clock()
        if self._counting is None:
            self._counting = asyncio.get_running_loop().create_task(self._count())

    def ends(self, request: Hashable, *, answered: bool = True) -> None:
        """It has an answer, or there will be none. What was given up after a long wait leaves a slow link behind."""
        waited = self._clock() - self._asked.pop(request, self._clock())
        if not answered and waited >= WAIT_SECONDS and self.link.state == "live":
            self._set("slow", None)
        if not self._asked and self._counting is not None:
            self._counting.cancel()
            self._counting = None
        self._waits(self._age())

    def close(self) -> None:
        for task in (self._probing, self._counting):
            if task is not None:
                task.cancel()

    def _set(self, state: LinkState, round_trip: float | None) -> None:
        self._become(replace(self.link, state=state, round_trip=round_trip))

    def _become(self, new: Link) -> None:
        if new != self.link:
            self.link = new
            self._tell(new)

    def _age(self) -> float:
        """Seconds since the oldest request went out that has no answer."""
        return self._clock() - min(self._asked.values()) if self._asked else 0.0

    def _waits(self, seconds: float) -> None:
        self._become(replace(self.link, waiting=int(seconds) if seconds >= WAIT_SECONDS else 0))

    async def _count(self) -> None:
        while True:
            age = self._age()
            self._waits(age)
            await self._tick(WAIT_SECONDS - age if age < WAIT_SECONDS else 1 - age % 1)

    async def _until_back(self) -> None:
        wait, longest = PROBE_SECONDS
        while self.link.state == "offline":
            await self._pause(wait)
            wait = min(wait * 2, longest)
            if self.link.state != "offline" or await self._probe():
                return
