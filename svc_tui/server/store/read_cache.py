"""What was read, kept until the database changes, and the JSON of documents as callers see them.

Both databases report cheaply whether anything was committed since: SQLite by its data version, PostgreSQL by its
snapshot. Most requests read the records of their caller again, and consoles repeat their lists.

The JSON is kept by the text of the document, so it can never be outdated. Callers who may see the same of a document
get the same bytes: a list joins them, and decodes, filters and encodes only what was changed since.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Any, TypeVar

from pydantic_core import from_json, to_json

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.tables import Document

#: What readers share: none of them can change it.
Kept = str | bytes | bool | int | tuple["Kept", ...] | None
R = TypeVar("R", bound=Kept)

#: Memory of the cache, in bytes, and an estimate of what each entry takes besides.
_MOST, _ENTRY = 32 * 1024 * 1024, 400


def record_key(table: str, id: str) -> Hashable:
    """The key of one record."""
    return (table, "record", id)


def caller_key(user_id: str) -> Hashable:
    """The key of having read the records of a caller, which are kept one by one: only the number of statements depends
    on it. With another application, one statement reads that."""
    return ("caller", user_id)


def window_key(
    table: str,
    where: tuple[Condition, ...],
    sort: Hashable,
    limit: int | None,
    offset: int,
    show: Show | None = None,
) -> Hashable:
    """The key of a window of a list, and with `show` of its JSON as one kind of caller sees it.

    Everything must be in it that the window depends on, beside the state of the database. `test_read_cache.py` has a
    case for each part, which fails if the part is left out. What is kept cannot be changed by those who read it: texts,
    bytes, and tuples of them.
    """
    return (table, "window", where, sort, limit, offset, show)


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
        try:
            hash(key)
        except TypeError:
            # A condition with a list or a set.
            return await read()
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


#: What a caller sees of a stored document. A pure function, the same object each time: it is a key.
Show = Callable[[Document], Document]

#: Memory of the cache, in bytes, and an estimate of what each entry takes besides its texts.
_MOST_JSON, _ENTRY_JSON = 32 * 1024 * 1024, 200


class Encoded:
    """The JSON of documents in one database. Entries that were not used for a long time are dropped."""

    def __init__(self, most: int = _MOST_JSON) -> None:
        self._most = most // 2
        self._recent: dict[Show, dict[str, bytes]] = {}
        self._older: dict[Show, dict[str, bytes]] = {}
        self._size = 0

    def of(self, texts: Iterable[str], show: Show) -> list[bytes]:
        """The JSON of what `show` makes of each of these documents."""
        recent, older = self._recent.setdefault(show, {}), self._older.get(show, {})
        found = []
        for text in texts:
            encoded = recent.get(text)
            if encoded is None:
                encoded = recent[text] = older.get(text) or to_json(show(from_json(text)))
                self._size += len(text) + len(encoded) + _ENTRY_JSON
            found.append(encoded)
        if self._size > self._most:
            self._recent, self._older, self._size = {}, self._recent, 0
        return found
