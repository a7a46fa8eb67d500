"""The moment when several requests have read and wait to write, made on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import asyncpg

#: Wait until this number of statements wait for locks, or a task has ended.
Waiting = Callable[..., Awaitable[None]]


def writes_held(database: str, table: str, *, reads: bool = False) -> AbstractAsyncContextManager[Waiting]:
    """Let all writes to a table, and reads if chosen, wait during the block, which gets a way to wait for them."""
    return change_held(database, f"LOCK TABLE {table} IN {'ACCESS ' if reads else ''}EXCLUSIVE MODE")


@asynccontextmanager
async def change_held(database: str, statement: str) -> AsyncIterator[Waiting]:
    """Execute a statement, and commit it at the end of the block: until then, writes of the same rows wait."""
    connection = await asyncpg.connect(database.replace("+asyncpg", ""))
    watch = await asyncpg.connect(database.replace("+asyncpg", ""))
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

    async def waiting(count: int, *ended: asyncio.Task[Any]) -> None:
        # PostgreSQL sends no message when another session waits.
        while not any(each.done() for each in ended) and await watch.fetchval(blocked) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    try:
        async with connection.transaction(), asyncio.timeout(20):
            await connection.execute(statement)
            yield waiting
    finally:
        await connection.close()
        await watch.close()
