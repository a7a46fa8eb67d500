"""How far the preparation of the demo data is."""

from __future__ import annotations

from datetime import date

from svc_tui.server.demo import seed
from svc_tui.server.demo.progress import LAST, rows_reported
from svc_tui.server.store.database import Database


async def test_the_percentages_rise_from_the_first_rows_to_the_last(database: Database) -> None:
    reported: list[int] = []
    async with database.unit() as store:
        with rows_reported(store, "small", reported.append):
            await seed(store, "small", date(2026, 11, 20))
        await store.users.count()
    assert reported == sorted(set(reported))
    assert len(reported) >= 15
    assert reported[0] < 40
    # More records than the constant says would stay at the end, fewer would not reach it.
    assert LAST - 5 < reported[-1] <= LAST
    assert reported.count(LAST) <= 1
