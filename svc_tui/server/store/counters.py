"""Usage counters: how often each group of operations was used, by application and hour (UTC)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, delete, select

from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

#: Application, hour (`2026-11-20T10`), group.
Counted = tuple[str, str, str]

USAGE_COUNTERS = Table(
    "usage_counters",
    metadata,
    Column("application_id", TEXT, nullable=False),
    Column("hour", TEXT, nullable=False),
    Column("group_name", TEXT, nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("application_id", "hour", "group_name"),
    Index("ix_usage_counters_hour", "hour"),
)


class Counters:
    """The counters of all processes together."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def add(self, counts: Mapping[Counted, int]) -> None:
        """Add to the counters."""
        columns = USAGE_COUNTERS.c
        for (application, hour, group), count in sorted(counts.items()):
            row = {"application_id": application, "hour": hour, "group_name": group, "count": count}
            key = ["application_id", "hour", "group_name"]
            new = self._transaction.insert(USAGE_COUNTERS).values(row)
            added = {"count": columns.count + new.excluded.count}
            await self._transaction.change(new.on_conflict_do_update(index_elements=key, set_=added))

    async def remove_before(self, moment: datetime) -> int:
        """Remove the counters of earlier hours. Returns how many there were."""
        query = delete(USAGE_COUNTERS).where(USAGE_COUNTERS.c.hour < f"{moment:%Y-%m-%dT%H}")
        return int((await self._transaction.change(query)).rowcount)

    async def between(self, applications: Sequence[str], first: str, last: str) -> list[tuple[str, str, int]]:
        """Hour, group and count of these applications, from the first hour to the hour before the last."""
        columns = USAGE_COUNTERS.c
        query = select(columns.hour, columns.group_name, columns.count).where(
            columns.application_id.in_(applications), columns.hour >= first, columns.hour < last
        )
        return [(row[0], row[1], int(row[2])) for row in await self._transaction.rows(query)]
