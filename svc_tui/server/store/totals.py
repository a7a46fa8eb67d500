"""Totals of lists of SQLite, kept until a record of their tables changes: counting takes longer than reading a page.

The state of the database is its data version, as in `read_cache.py`. A commit of this process names the tables that it
changed, so the other totals are those of the next state too. After a commit of another process all are forgotten.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Not, ReferencedBy, Related

#: Totals that are kept, and the longest filter of one.
_MOST, _LONGEST = 1000, 2000


class Totals:
    """The totals of one state of the database."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all totals: the states of another connection begin again."""
        self._state = -1
        self._kept: dict[Hashable, tuple[int, frozenset[str]]] = {}
        #: What reader and writer saw after the last commit of this process.
        self._seen: tuple[int | None, int | None] = (None, None)

    def find(self, state: int, key: Hashable) -> int | None:
        """The total of a list in this state, if it is known."""
        found = self._kept.get(key) if state == self._state else None
        return None if found is None else found[0]

    def keep(self, state: int, key: Hashable, total: int, tables: frozenset[str]) -> None:
        """Keep the total of a list, which depends on these tables. Nothing else may have been committed since the
        state."""
        if state < self._state or len(repr(key)) > _LONGEST:
            return
        if state != self._state or len(self._kept) >= _MOST:
            self._state, self._kept = state, {}
        self._kept[key] = (total, tables)

    def committed(self, read: int | None, written: int | None, changed: set[str] | None) -> None:
        """Keep the totals of other tables after a commit of this process. `changed` are its tables, None if they are
        not known; `read` is the state that a reader sees now, and `written` the one that the writer sees after that.

        The writer does not see its own commits: if its state is the one after the last of them, no other process has
        committed since. Then the totals of the state that was read after the last one lack this commit only.
        """
        if changed is None or read is None or self._seen != (self._state, written):
            self._kept = {}
        else:
            self._kept = {key: kept for key, kept in self._kept.items() if kept[1].isdisjoint(changed)}
        self._state = -1 if read is None else read
        self._seen = (read, written)


def tables_of(where: Sequence[Condition]) -> Iterator[str]:
    """The other tables that conditions depend on."""
    for part in where:
        match part:
            case AllOf(parts) | AnyOf(parts):
                yield from tables_of(parts)
            case Not(of):
                yield from tables_of((of,))
            case Related(_, kind, of) | ReferencedBy(kind, _, of):
                yield kind
                yield from tables_of((of,))
            case _:
                continue
