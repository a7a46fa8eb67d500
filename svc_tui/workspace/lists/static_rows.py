"""Rows that are all in memory and never change, for a list and for a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any


class StaticRows:
    """Rows with their identifier under `id`."""

    refreshing = False

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = [dict(row) for row in rows]
        self._places = {str(row["id"]): place for place, row in enumerate(self._rows)}

    @property
    def total(self) -> int:
        return len(self._rows)

    def row(self, index: int) -> dict[str, Any] | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def request(self, first: int, last: int) -> None:
        """Nothing to load."""

    def index_of(self, record_id: str) -> int | None:
        return self._places.get(record_id)

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Static rows never change."""
        return lambda: None

    async def ids(self) -> AsyncIterator[str]:
        for record_id in self._places:
            yield record_id

    async def rows(self) -> AsyncIterator[dict[str, Any]]:
        """All rows, for an export."""
        for row in self._rows:
            yield row
