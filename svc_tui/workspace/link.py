"""The state of the connection, from real requests: how long they take, when they fail, when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from svc_tui.workspace.events import Link, LinkState

#: A round trip above this many seconds is slow.
SLOW_SECONDS = 0.4
#: Share of the newest round trip in the moving value.
_NEWEST = 0.3
#: Seconds between probes while the service is away, doubling from the first to the second.
PROBE_SECONDS = (2.0, 30.0)


class LinkWatch:
    """Keeps the Link and, while it is offline, asks now and then whether the service is back.

    `probe` returns whether the service answered; it reports the answer through `answered` itself.
    """

    def __init__(
        self,
        verified: bool,
        tell: Callable[[Link], None],
        probe: Callable[[], Awaitable[bool]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.link = Link(verified=verified)
        self._tell, self._probe, self._pause = tell, probe, pause
        self._probing: asyncio.Task[None] | None = None
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

    def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()

    def _set(self, state: LinkState, round_trip: float | None) -> None:
        new = Link(state, round_trip, self.link.verified)
        if new != self.link:
            self.link = new
            self._tell(new)

    async def _until_back(self) -> None:
        wait, longest = PROBE_SECONDS
        while self.link.state == "offline":
            await self._pause(wait)
            wait = min(wait * 2, longest)
            if self.link.state != "offline" or await self._probe():
                return
