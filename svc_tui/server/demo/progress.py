"""How far the preparation of demo data is, in percent: by the rows that are written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import event

from svc_tui.server.demo.scale import Scale
from svc_tui.server.store.store import Store

#: Is called with a percentage.
Report = Callable[[int], None]
#: About how many rows the data has.
ROWS: dict[Scale, int] = {"small": 4_000, "hostile": 4_000, "large": 306_000}
#: The percentages at which writing begins, after the start of the server, and ends.
FIRST, LAST = 10, 95


@asynccontextmanager
async def rows_reported(store: Store, scale: Scale, report: Report) -> AsyncIterator[None]:
    """Report each percent of the rows that are written while the block runs."""
    written, reported = 0, FIRST

    def executed(_connection: Any, _cursor: Any, statement: str, rows: Any, _context: Any, many: bool) -> None:
        nonlocal written, reported
        if not statement.startswith("INSERT"):
            return
        written += len(rows) if many else 1
        percent = min(FIRST + (LAST - FIRST) * written // ROWS[scale], LAST)
        if percent > reported:
            reported = percent
            report(percent)

    connection = await store.changing()
    event.listen(connection, "after_cursor_execute", executed)
    try:
        yield
    finally:
        event.remove(connection, "after_cursor_execute", executed)
