"""Background work continues when the database fails, and ends with its block."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.server.running.background import in_background, run_repeatedly


@pytest.mark.parametrize("error", [OSError("secret"), KeyError("secret")], ids=lambda error: type(error).__name__)
async def test_failed_work_is_retried_and_failures_are_logged(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    slept, acted, enough = list[float](), list[int](), asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            enough.set()
            await asyncio.Event().wait()

    async def act() -> None:
        acted.append(len(slept))
        if len(acted) == 1:
            raise error

    tasks = len(asyncio.all_tasks())
    async with asyncio.timeout(20), in_background(run_repeatedly(act, 7, "it could not be done", sleep=sleep)):
        await enough.wait()
    assert (slept, acted) == ([7, 7, 7], [1, 2])
    assert [record.getMessage() for record in caplog.records] == [f"it could not be done: {type(error).__name__}"]
    assert len(asyncio.all_tasks()) == tasks


async def test_immediate_work_runs_before_the_first_pause() -> None:
    acted = asyncio.Event()

    async def act() -> None:
        acted.set()

    async with asyncio.timeout(20), in_background(run_repeatedly(act, 3600, "", immediately=True)):
        await acted.wait()
