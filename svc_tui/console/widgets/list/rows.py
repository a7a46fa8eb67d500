"""The protocol of the rows of a list."""

from collections.abc import AsyncIterator, Callable, Mapping
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
