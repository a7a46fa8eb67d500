"""Lists page by page: as long as there is something, and never without end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from svc_tui.interface.envelopes import DEFAULT_LIMIT, Page

T = TypeVar("T")

#: More pages than any list of the service has; behind them stands a service that never says "end".
MOST_PAGES = 20_000


async def follow(fetch: Callable[[int], Awaitable[Page[T]]], offset: int, limit: int | None) -> AsyncIterator[Page[T]]:
    """The pages from `offset` on; `fetch` gets the page at an offset, `limit` is what was asked for (None: default).

    Each answer's own total counts, so a list that grows or shrinks on the way is read to its present end. A page
    that is shorter than asked for is followed on as long as the total says that there is more; an empty page ends.
    """
    before: Page[T] | None = None
    for _ in range(MOST_PAGES):
        page = await fetch(offset)
        # A service that does not know `offset` answers the first page for ever.
        if not page.data or (before is not None and page.data == before.data and page.offset != offset):
            return
        yield page
        offset += len(page.data)
        short = len(page.data) < min(limit or DEFAULT_LIMIT, page.limit or DEFAULT_LIMIT)
        if offset >= page.total if page.total else short:
            return
        before = page
