"""The marked records by ID, independent of scrolling, sorting and refreshing."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator


class Marks:
    """The marked IDs in the order of marking, and the start of a range."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        #: The record that was marked last, where a range starts.
        self.anchor: str | None = None

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def toggle(self, record_id: str) -> bool:
        """Mark or unmark a record; returns whether it is marked now."""
        if record_id in self._ids:
            del self._ids[record_id]
        else:
            self._ids[record_id] = None
        self.anchor = record_id
        return record_id in self._ids

    def add(self, record_ids: Iterable[str]) -> None:
        """Mark further records."""
        self._ids.update(dict.fromkeys(record_ids))

    def replace(self, record_ids: Iterable[str]) -> None:
        """Mark exactly these records."""
        self._ids = dict.fromkeys(record_ids)
        self.anchor = None

    def clear(self) -> None:
        """Clear all marks."""
        self.replace(())


#: The IDs between two reports of the progress.
_REPORT_EVERY = 100


async def ids_between(ids: AsyncIterator[str], first: int, last: int, report: Callable[[int], None]) -> list[str]:
    """The IDs at positions `first` to `last`, both included; `report` is called with the number read so far."""
    found: list[str] = []
    position = 0
    try:
        async for record_id in ids:
            if position >= first:
                found.append(record_id)
            position += 1
            if position > last:
                break
            if position % _REPORT_EVERY == 0:
                report(position)
    finally:
        if isinstance(ids, AsyncGenerator):
            await ids.aclose()
    return found
