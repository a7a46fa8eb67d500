"""A list of records in memory that follows the protocol, with what a real one does: pages that come, refreshes."""

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Changed:
    """What came or went."""

    rows: range | frozenset[int] | None = None
    status: bool = False


class MemoryRows:
    """Records that are loaded at once, or only by `bring`."""

    def __init__(self, records: Iterable[dict[str, Any]], *, here: bool = True) -> None:
        self.records = list(records)
        self.total: int | None = len(self.records) if here else None
        self.refreshing = False
        self.wanted: list[tuple[int, int]] = []
        self.failure: Exception | None = None
        self._here = set(range(len(self.records))) if here else set[int]()
        self._callbacks: list[Callable[[Any], None]] = []

    def row(self, index: int) -> dict[str, Any] | None:
        return self.records[index] if index in self._here and index < len(self.records) else None

    def request(self, first: int, last: int) -> None:
        self.wanted.append((first, last))

    def index_of(self, record_id: str) -> int | None:
        found = (index for index in self._here if index < len(self.records) and self.records[index]["id"] == record_id)
        return next(found, None)

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    @property
    def subscribers(self) -> int:
        return len(self._callbacks)

    async def ids(self) -> AsyncIterator[str]:
        for record in self.records:
            if self.failure is not None:
                raise self.failure
            yield record["id"]

    def bring(self, first: int, last: int) -> None:
        """These records arrive."""
        self.total = len(self.records)
        self._here |= set(range(first, last + 1))
        self.tell(range(first, last + 1))

    def replace(self, records: Iterable[dict[str, Any]]) -> None:
        """A refresh: these are the records now."""
        self.records = list(records)
        self.total = len(self.records)
        self._here = set(range(len(self.records)))
        self.tell(None)

    def tell(self, rows: range | frozenset[int] | None) -> None:
        for callback in list(self._callbacks):
            callback(Changed(rows))


def people(count: int, start: int = 0) -> list[dict[str, Any]]:
    """Records with an id, a name and a state."""
    return [
        {"id": f"id{i}", "name": f"Name {i}", "state": ["active", "failed", "new"][i % 3], "seats": {"used": i}}
        for i in range(start, start + count)
    ]
