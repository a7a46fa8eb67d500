"""Polling of the visible data, where the service sends no events: gentle, and nothing while it is not wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Protocol

#: Seconds between two requests, and at most after failures, each of which doubles them.
SECONDS, LONGEST = 30.0, 300.0


class Pollable(Protocol):
    """Rows or a record on the screen that can be read again with a few requests."""

    @property
    def refreshing(self) -> bool: ...
    @property
    def error_message(self) -> str: ...
    def refresh_quietly(self) -> None: ...
    async def wait_until_idle(self) -> None: ...


class Polling:
    """Reads the visible data again, every `seconds`, while `wanted` holds.

    While it does not, nothing runs until `wake`, and what has become old by then is read at once. `on_screen` is
    what is read, None for nothing; `changed` is called when polling pauses, continues, or takes another time. Requests
    are sent inside `steady`.
    """

    def __init__(
        self,
        on_screen: Callable[[], Pollable | None],
        wanted: Callable[[], bool],
        changed: Callable[[], None],
        steady: Callable[[], AbstractContextManager[None]],
        now: Callable[[], float],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.seconds = SECONDS
        self._on_screen, self._wanted, self._changed, self._steady = on_screen, wanted, changed, steady
        self._now, self._pause = now, pause
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """It may be wanted now."""
        self._woken.set()

    async def run(self) -> None:
        """Poll until cancelled."""
        last = self._now()
        while True:
            if not self._wanted():
                self._changed()
                while not self._wanted():
                    self._woken.clear()
                    await self._woken.wait()
                self._changed()
            left = last + self.seconds - self._now()
            if left > 0:
                await self._pause(left)
                continue
            await self._poll()
            last = self._now()

    async def _poll(self) -> None:
        polled = self._on_screen()
        if polled is None or polled.refreshing:
            return
        with self._steady():
            polled.refresh_quietly()
            await polled.wait_until_idle()
        before, self.seconds = self.seconds, min(self.seconds * 2, LONGEST) if polled.error_message else SECONDS
        if self.seconds != before:
            self._changed()
