"""Counts of requests in the current minute, of all processes together."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, Table, case, delete

from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

REQUEST_RATES = Table(
    "request_rates",
    metadata,
    Column("name", TEXT, primary_key=True),
    #: Minutes since 1970.
    Column("minute", BigInteger, nullable=False),
    Column("count", Integer, nullable=False),
    Index("ix_request_rates_minute", "minute"),
)


class RateCounts:
    """How often each name was counted in a minute."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, name: str, minute: int, count: int) -> int:
        """Add to the count of a minute; the sum. A new minute begins at zero."""
        columns = REQUEST_RATES.c
        new = self._transaction.insert(REQUEST_RATES).values(name=name, minute=minute, count=count)
        total = case((columns.minute == new.excluded.minute, columns.count), else_=0) + new.excluded.count
        changed = new.on_conflict_do_update(
            index_elements=["name"], set_={"minute": new.excluded.minute, "count": total}
        )
        return int((await self._transaction.change(changed.returning(columns.count), brief=True)).scalar_one())

    async def remove_before(self, minute: int) -> None:
        """Remove the counts of earlier minutes."""
        await self._transaction.change(delete(REQUEST_RATES).where(REQUEST_RATES.c.minute < minute))
