"""What was read from a database, kept for as long as nothing in the database changes.

Both databases say cheaply whether anything was committed since: SQLite by its data version, PostgreSQL by its snapshot.
Most requests read the records of their caller again, and consoles repeat their lists.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

#: Memory for what is kept, in bytes, and an estimate of what each entry takes besides.
_MOST, _ENTRY = 32 * 1024 * 1024, 400


class Kept:
    """Results of reads in one state of the database; forgotten with the next state, or when they are too many.

    A state is read before the result that is kept for it. What was committed between the two is in the result, and the
    state never returns, so a result is never older than its state.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._state: object = None
        self._found: dict[Hashable, Any] = {}
        self._size = 0

    def find(self, state: object, key: Hashable) -> Any:
        """What was kept; None without it."""
        return self._found.get(key) if state is not None and state == self._state else None

    def keep(self, state: object, key: Hashable, result: Any, size: int) -> None:
        """Keep the result of a read, of this size in bytes. A state of None is that of a transaction with
        changes. Nothing large is kept, because everything is forgotten together."""
        # The key has what the caller filtered by, which can be longer than what was found.
        size += len(repr(key))
        if state is None or size > self._most // 16:
            return
        if state != self._state or self._size > self._most:
            self._state, self._found, self._size = state, {}, 0
        self._found[key] = result
        self._size += size + _ENTRY
