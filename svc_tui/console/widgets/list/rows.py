"""The protocol of the rows of a list, and the part of them that is visible."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Row = Mapping[str, Any]
Unsubscribe = Callable[[], None]


class RowsChange(Protocol):
    """Messages of a rows source about added or removed rows.

    `rows` are the changed positions, None when all of them and the total may have changed; `status` is true when only
    age, source or errors changed.
    """

    @property
    def rows(self) -> range | frozenset[int] | None: ...

    @property
    def status(self) -> bool: ...


class Rows(Protocol):
    """A list of any length, read by position without waiting."""

    @property
    def total(self) -> int | None:
        """The number of rows; None while it is unknown."""

    @property
    def refreshing(self) -> bool:
        """Whether rows are being read."""

    def row(self, index: int) -> Row | None:
        """The record at a position, None while it is not read."""

    def request(self, first: int, last: int) -> None:
        """Announce that these positions, both included, will be drawn."""

    def index_of(self, record_id: str) -> int | None:
        """The position of a record, None when it is not among the read rows."""

    def subscribe(self, callback: Callable[[Any], None]) -> Unsubscribe:
        """Call back with a `RowsChange` whenever something came or went."""

    def ids(self) -> AsyncIterator[str]:
        """The IDs of all records in order."""


@dataclass(slots=True)
class Window:
    """Positions in a list of `count` records, of which `seen` fit on the screen from `top`."""

    cursor: int = 0
    top: int = 0
    count: int = 0
    seen: int = 0

    def go(self, index: int, leap: int = 0) -> None:
        """Move the cursor to a position, or the nearest one; scroll as little as needed, and `leap` rows more."""
        self.cursor = max(0, min(index, self.count - 1))
        self.keep_cursor_in_sight(leap)

    def page(self, by: int) -> None:
        """Move by pages that overlap by one line."""
        step = max(self.seen - 1, 1) * by
        self.top = self._clamp(self.top + step)
        self.go(self.cursor + step)

    def scroll(self, by: int) -> None:
        """Scroll; the cursor stays inside the visible rows."""
        self.top = self._clamp(self.top + by)
        self.go(max(self.top, min(self.cursor, self.top + self.seen - 1)))

    def follow(self, index: int) -> None:
        """Follow the selected record to another position, on the same line of the screen."""
        self.top = self._clamp(self.top + index - self.cursor)
        self.go(index)

    def keep_cursor_in_sight(self, leap: int = 0) -> None:
        """Scroll as little as needed to show the cursor, and `leap` rows more if anything is scrolled."""
        if self.seen and self.cursor < self.top:
            self.top = self.cursor - leap
        elif self.seen and self.cursor >= self.top + self.seen:
            self.top = self.cursor - self.seen + 1 + leap
        self.top = self._clamp(self.top)

    def stay(self) -> None:
        """Keep the cursor at a position that may have no record, and the window inside the list."""
        self.top = self._clamp(self.top)

    def near(self) -> tuple[int, int]:
        """The positions on the screen and one screen around it, both included; empty when the second is smaller."""
        return max(self.top - self.seen, 0), min(self.top + 2 * self.seen, self.count) - 1

    def _clamp(self, top: int) -> int:
        return max(0, min(top, self.count - self.seen))
