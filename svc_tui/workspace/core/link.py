"""The state of the connection as real requests find it: round trip, failure and recovery."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from svc_tui.workspace.core.events import LinkState, LinkStatus
from svc_tui.workspace.core.tasks import start_task

#: A round trip above this many seconds is slow.
SLOW_SECONDS = 0.4
#: The average round trip is shown again when it is this many times more or less than the one that is shown.
_VISIBLE_FACTOR = 1.6
#: Share of the newest round trip in the moving average.
_NEWEST = 0.3
#: Seconds after which a request without a response is shown; its age is then updated every second.
WAIT_SECONDS = 2.0
#: Seconds between probes while offline: the first pause, which doubles, and the longest.
PROBE_SECONDS = (2.0, 30.0)
#: Whether the requests of this context, and of the tasks that it starts, leave the average as it is.
_STEADY: ContextVar[bool] = ContextVar("_STEADY", default=False)


def differs_visibly(shown: float, now: float) -> bool:
    """Whether a round trip differs enough from the one that is shown to be shown in its place."""
    return not shown / _VISIBLE_FACTOR < now < shown * _VISIBLE_FACTOR


def in_steps(seconds: float) -> int:
    """A round trip in ms with few different values, so that a line with it is rarely drawn again."""
    ms = seconds * 1000
    step = 1 if ms < 10 else 5 if ms < 100 else 20
    return int(ms / step + 0.5) * step


class LinkMonitor:
    """Keeps the Link, counts the seconds of requests without a response, and probes the service while offline.

    `probe` asks the service, and itself reports a response through `answered`.
    """

    def __init__(
        self,
        verified: bool,
        notify: Callable[[LinkStatus], None],
        probe: Callable[[], Awaitable[None]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        tick: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.link = LinkStatus(verified=verified)
        self._notify, self._probe, self._pause = notify, probe, pause
        self._tick, self._clock = tick, clock
        #: The moving average of the round trips.
        self._average: float | None = None
        self._probing: asyncio.Task[None] | None = None
        #: Request without a response -> when it was sent.
        self._sent_at: dict[Hashable, float] = {}
        self._counting: asyncio.Task[None] | None = None
        #: The next request is sent even while offline.
        self.forced = False
        self._closed = False

    def answered(self, seconds: float | None = None) -> None:
        """The service responded, after this many seconds where they are known."""
        self.forced = False
        if seconds is not None and not _STEADY.get():
            before = self._average
            self._average = seconds if before is None else before + _NEWEST * (seconds - before)
        state: LinkState = "slow" if self._average is not None and self._average > SLOW_SECONDS else "live"
        shown, average = self.link.round_trip, self._average
        if shown and average and state == self.link.state and not differs_visibly(shown, average):
            average = shown
        self._set(state, average)

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Keep the round trip: requests that this block starts should not move numbers on the screen."""
        before = _STEADY.set(True)
        try:
            yield
        finally:
            _STEADY.reset(before)

    def lost(self) -> None:
        """A request got no response."""
        self.forced = False
        self._set("offline", None)
        if not self._closed and (self._probing is None or self._probing.done()):
            self._probing = start_task(self._probe_until_online())

    @property
    def busy(self) -> bool:
        """Whether a request is in progress."""
        return bool(self._sent_at)

    def begin(self, request: Hashable) -> None:
        """A request was sent; the seconds are counted when the response takes long."""
        self._sent_at[request] = self._clock()
        if not self._closed and self._counting is None:
            self._counting = start_task(self._count())

    def end(self, request: Hashable, *, answered: bool = True) -> None:
        """A request got a response or was cancelled. A cancellation after a long wait leaves a slow link."""
        waited = self._clock() - self._sent_at.pop(request, self._clock())
        if not answered and waited >= WAIT_SECONDS and self.link.state == "live":
            self._set("slow", None)
        if not self._sent_at and self._counting is not None:
            self._counting.cancel()
            self._counting = None
        self._set_waiting(self._age())

    def close(self) -> None:
        """Stop counting and probing, also for requests that end later."""
        self._closed = True
        for task in (self._probing, self._counting):
            if task is not None:
                task.cancel()

    def _set(self, state: LinkState, round_trip: float | None) -> None:
        if round_trip is None:
            self._average = None
        self._update(replace(self.link, state=state, round_trip=round_trip))

    def _update(self, new: LinkStatus) -> None:
        if new != self.link:
            self.link = new
            self._notify(new)

    def _age(self) -> float:
        """Seconds since the oldest request without a response was sent."""
        return self._clock() - min(self._sent_at.values()) if self._sent_at else 0.0

    def _set_waiting(self, seconds: float) -> None:
        self._update(replace(self.link, waiting=int(seconds) if seconds >= WAIT_SECONDS else 0))

    async def _count(self) -> None:
        while True:
            age = self._age()
            self._set_waiting(age)
            await self._tick(WAIT_SECONDS - age if age < WAIT_SECONDS else 1 - age % 1)

    async def _probe_until_online(self) -> None:
        wait, longest = PROBE_SECONDS
        while self.link.state == "offline":
            await self._pause(wait)
            wait = min(wait * 2, longest)
            if self.link.state == "offline":
                await self._probe()
