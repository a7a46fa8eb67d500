"""Where a list gets its records: the protocol that `RecordList` draws from, whoever keeps it."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol

Row = Mapping[str, Any]
Unsubscribe = Callable[[], None]


class RowsChange(Protocol):
    """What a rows source says when something came or went.

    `rows`: the positions that changed, or None when any may have and the total too; `status`: only ages, sources or
    troubles changed, which concern the status line.
    """

    @property
    def rows(self) -> range | frozenset[int] | None: ...

    @property
    def status(self) -> bool: ...


class Rows(Protocol):
    """A list of any length, read by position; nothing here waits."""

    @property
    def total(self) -> int | None:
        """How many there are; None while nobody knows."""

    @property
    def refreshing(self) -> bool:
        """Whether an answer is awaited."""

    def row(self, index: int) -> Row | None:
        """The record at a position, None while it is not here."""

    def request(self, first: int, last: int) -> None:
        """These positions, both included, are about to be drawn."""

    def index_of(self, record_id: str) -> int | None:
        """Where a record stands, None when it is not among the rows at hand."""

    def subscribe(self, callback: Callable[[Any], None]) -> Unsubscribe:
        """Call back with a `RowsChange` whenever something came or went."""

    def ids(self) -> AsyncIterator[str]:
        """The ids of all records, in order, page by page."""
