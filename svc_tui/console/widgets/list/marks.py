"""Which records are marked: by id, so that scrolling, sorting and refreshing change nothing about it."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator


class Marks:
    """The marked ids in the order they were marked, and where a range would begin."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        #: The record marked last by hand: a range begins there.
        self.anchor: str | None = None

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def toggle(self, record_id: str) -> bool:
        """Mark or unmark one; answers whether it is marked now."""
        if record_id in self._ids:
            del self._ids[record_id]
        else:
            self._ids[record_id] = None
        self.anchor = record_id
        return record_id in self._ids

    def add(self, record_ids: Iterable[str]) -> None:
        """Mark these too."""
        self._ids.update(dict.fromkeys(record_ids))

    def replace(self, record_ids: Iterable[str]) -> None:
        """Mark exactly these."""
        self._ids = dict.fromkeys(record_ids)
        self.anchor = None

    def clear(self) -> None:
        """Mark nothing."""
        self.replace(())


#: Ids that are read before it is told again how many there are.
_TOLD_EVERY = 100


async def ids_between(ids: AsyncIterator[str], first: int, last: int, tell: Callable[[int], None]) -> list[str]:
    """The ids at positions `first` to `last`, both included, read page by page; `tell` hears how many were read."""
    found: list[str] = []
    position = 0
    try:
        async for record_id in ids:
            if position >= first:
                found.append(record_id)
            position += 1
            if position > last:
                break
            if position % _TOLD_EVERY == 0:
                tell(position)
    finally:
        if isinstance(ids, AsyncGenerator):
            await ids.aclose()
    return found
