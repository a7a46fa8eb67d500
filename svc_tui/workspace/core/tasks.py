"""Tasks that nothing waits for. Their errors are reported to the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


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
