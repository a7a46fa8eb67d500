"""Lists page by page, never endless."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from svc_tui.interface.envelopes import DEFAULT_LIMIT, Page

T = TypeVar("T")

#: More pages than any list has; the limit for a service that never ends a list.
MOST_PAGES = 20_000


async def follow(fetch: Callable[[int], Awaitable[Page[T]]], offset: int, limit: int | None) -> AsyncIterator[Page[T]]:
    """The pages from `offset` on. `fetch` gets the page at an offset, `limit` is the requested one (None: default).

    The total of each response counts, so that a growing or shrinking list is read to its present end. After a short
    page reading continues while the total is larger. An empty page is the end.
    """
    before: Page[T] | None = None
    for _ in range(MOST_PAGES):
        page = await fetch(offset)
        # A service that ignores `offset` always responds with the first page.
        if not page.data or (before is not None and page.data == before.data and page.offset != offset):
            return
        yield page
        offset += len(page.data)
        short = len(page.data) < min(limit or DEFAULT_LIMIT, page.limit or DEFAULT_LIMIT)
        if offset >= page.total if page.total else short:
            return
        before = page
