"""Polling: what is on the screen, while it is wanted, less often after failures, and nothing at rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import pytest

from svc_tui.workspace.changes.polling import LONGEST, SECONDS, Polling


class Rows:
    """Rows that are read at once."""

    def __init__(self) -> None:
        self.read = 0
        self.refreshing = False
        self.error_message = ""

    def refresh_quietly(self) -> None:
        self.read += 1

    async def wait_until_idle(self) -> None:
        """Nothing is in progress."""


class Desk:
    """A polling whose pauses are ended by a test; time passes with them."""

    def __init__(self) -> None:
        self.rows: Rows | None = Rows()
        self.wanted = True
        self.changes = 0
        self.steady = False
        self.pauses: list[float] = []
        self.time = 1000.0
        self._over = asyncio.Event()
        self.polling = Polling(
            lambda: self.rows, lambda: self.wanted, self._changed, self._steady, lambda: self.time, self._pause
        )
        self.task = asyncio.create_task(self.polling.run())

    def _changed(self) -> None:
        self.changes += 1

    @contextmanager
    def _steady(self) -> Iterator[None]:
        self.steady = True
        yield
        self.steady = False

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._over.clear()
        await self._over.wait()
        self.time += seconds

    async def pass_on(self) -> None:
        """End the pause."""
        await self.settle()
        self._over.set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    made = Desk()
    yield made
    made.task.cancel()
    await asyncio.wait([made.task])


async def test_the_visible_data_is_read_each_time(desk: Desk) -> None:
    await desk.settle()
    assert desk.rows is not None
    assert (desk.rows.read, desk.pauses) == (0, [SECONDS])
    await desk.pass_on()
    await desk.pass_on()
    assert (desk.rows.read, desk.pauses) == (2, [SECONDS] * 3)
    desk.rows = None
    await desk.pass_on()
    assert desk.changes == 0


async def test_nothing_runs_while_polling_is_off_and_stale_rows_are_read_right_after(desk: Desk) -> None:
    await desk.settle()
    desk.wanted = False
    await desk.pass_on()
    assert desk.rows is not None
    assert (desk.rows.read, desk.pauses, desk.changes) == (0, [SECONDS], 1)
    desk.polling.wake()
    await desk.settle()
    assert (desk.rows.read, desk.pauses, desk.changes) == (0, [SECONDS], 1)
    desk.wanted = True
    desk.polling.wake()
    await desk.settle()
    assert (desk.rows.read, desk.changes) == (1, 2)


async def test_a_short_pause_of_the_user_does_not_send_more_requests(desk: Desk) -> None:
    await desk.settle()
    await desk.pass_on()
    assert desk.rows is not None and desk.rows.read == 1
    desk.wanted = False
    desk.polling.wake()
    await desk.settle()
    desk.wanted = True
    desk.polling.wake()
    await desk.settle()
    assert desk.rows.read == 1


async def test_failures_make_it_slower_and_a_success_makes_it_fast_again(desk: Desk) -> None:
    assert desk.rows is not None
    desk.rows.error_message = "The service does not respond."
    for _ in range(6):
        await desk.pass_on()
    assert desk.pauses[:6] == [30.0, 60.0, 120.0, 240.0, LONGEST, LONGEST]
    desk.rows.error_message = ""
    changes = desk.changes
    await desk.pass_on()
    assert (desk.polling.seconds, desk.changes) == (SECONDS, changes + 1)


async def test_a_refresh_of_the_user_is_left_alone(desk: Desk) -> None:
    assert desk.rows is not None
    desk.rows.refreshing = True
    await desk.pass_on()
    assert desk.rows.read == 0


async def test_its_requests_are_sent_inside_steady(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.rows is not None
    seen: list[bool] = []
    monkeypatch.setattr(desk.rows, "refresh_quietly", lambda: seen.append(desk.steady))
    await desk.pass_on()
    assert (seen, desk.steady) == ([True], False)
