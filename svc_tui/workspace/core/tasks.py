"""Tasks that nothing waits for. Their errors are reported to the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def start_task(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start work in the background. If it fails, the exception handler of the event loop gets the error immediately.

    RuntimeError before the event loop runs.
    """
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(_report_error)
    return task


def _report_error(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        context = {"message": f"{task.get_name()} failed", "exception": error, "task": task}
        task.get_loop().call_exception_handler(context)


async def in_parallel(items: Iterable[T], work: Callable[[T], Awaitable[R]], at_once: int = 8) -> list[R]:
    """The results of the same work on each item, in their order; at most so many at once. The first error is raised."""
    slots = asyncio.Semaphore(at_once)

    async def one(item: T) -> R:
        async with slots:
            return await work(item)

    return await asyncio.gather(*(one(item) for item in items))
