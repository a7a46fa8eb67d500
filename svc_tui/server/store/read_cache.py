"""A cache of reads that is valid until the database changes.

Both databases report cheaply whether anything was committed since: SQLite by its data version, PostgreSQL by its
snapshot. Most requests read the records of their caller again, and consoles repeat their lists.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

R = TypeVar("R")

#: Memory of the cache, in bytes, and an estimate of what each entry takes besides.
_MOST, _ENTRY = 32 * 1024 * 1024, 400


class ReadCache:
    """Results of reads in one state of the database; forgotten with the next state, or when they are too many.

    A state is a number that grows with the commits. It is read before the result that is kept for it. What was
    committed between the two is in the result, and the state never returns, so a result is never older than its state.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._reading: dict[Hashable, asyncio.Future[Any]] = {}
        self.clear()

    def clear(self) -> None:
        """Forget everything: the states of another connection begin again."""
        self._state = -1
        self._found: dict[Hashable, Any] = {}
        self._size = 0

    async def read(
        self, state: int | None, key: Hashable, read: Callable[[], Awaitable[R]], size: Callable[[R], int]
    ) -> R:
        """The kept value, or the one that `read` reads now, of this size in bytes. A state of None is that of a
        transaction with changes.

        Who wants the same of the same state while it is read waits for it: after each change, all requests need the
        records of their callers at once. No unit of work waits here with a connection that the one who reads could
        need.
        """
        if state is None:
            return await read()
        found: R | None = self.find(state, key)
        if found is not None:
            return found
        named = (state, key)
        if (reading := self._reading.get(named)) is not None:
            found = await asyncio.shield(reading)
            if found is not None:
                return found
        # Nothing was found, or the one who read failed: that is not for all.
        self._reading[named] = done = asyncio.get_running_loop().create_future()
        try:
            found = await read()
            self.keep(state, key, found, size(found))
            return found
        finally:
            if self._reading.get(named) is done:
                del self._reading[named]
            done.set_result(found)

    def find(self, state: int, key: Hashable) -> Any:
        """The kept value; None without one."""
        return self._found.get(key) if state == self._state else None

    def keep(self, state: int, key: Hashable, result: Any, size: int) -> None:
        """Keep the result of a read. Nothing large is kept, because everything is forgotten together, and nothing of a
        state that is over."""
        # The key has what the caller filtered by, which can be longer than what was found.
        size += len(repr(key))
        if state < self._state or size > self._most // 16:
            return
        if state != self._state or self._size > self._most:
            self._state, self._found, self._size = state, {}, 0
        self._found[key] = result
        self._size += size + _ENTRY
