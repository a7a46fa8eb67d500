"""How far the preparation of demo data is, in percent: by the rows that are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from svc_tui.server.demo.repeatable import Scale
from svc_tui.server.store.store import Store

#: Is called with a percentage.
Report = Callable[[int], None]
#: About how many rows the data has.
ROWS: dict[Scale, int] = {"small": 4_000, "hostile": 4_000, "large": 306_000}
#: The percentages at which writing begins, after the start of the server, and ends.
FIRST, LAST = 10, 95


@contextmanager
def rows_reported(store: Store, scale: Scale, report: Report) -> Iterator[None]:
    """Report each percent of the rows that are written while the block runs."""
    written, reported = 0, FIRST

    def inserted(rows: int) -> None:
        nonlocal written, reported
        written += rows
        percent = min(FIRST + (LAST - FIRST) * written // ROWS[scale], LAST)
        if percent > reported:
            reported = percent
            report(percent)

    store.inserted.append(inserted)
    try:
        yield
    finally:
        store.inserted.remove(inserted)
