"""Usage counters: how often each group of operations was used, by application and hour (UTC)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, select
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from svc_tui.server.store.tables import TEXT, metadata

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store

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
    """What was counted, of all processes together."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, counts: Mapping[Counted, int]) -> None:
        """Count on."""
        await self._store.begin()
        columns = USAGE_COUNTERS.c
        for (application, hour, group), count in sorted(counts.items()):
            row = {"application_id": application, "hour": hour, "group_name": group, "count": count}
            key = ["application_id", "hour", "group_name"]
            if self._store.dialect == "postgresql":
                made = postgres_insert(USAGE_COUNTERS).values(row)
                query = made.on_conflict_do_update(
                    index_elements=key, set_={"count": columns.count + made.excluded.count}
                )
                await self._store.connection.execute(query)
            else:
                new = sqlite_insert(USAGE_COUNTERS).values(row)
                change = new.on_conflict_do_update(
                    index_elements=key, set_={"count": columns.count + new.excluded.count}
                )
                await self._store.connection.execute(change)

    async def between(self, applications: Sequence[str], first: str, last: str) -> list[tuple[str, str, int]]:
        """Hour, group and count of these applications, from the first hour up to the one before the last."""
        columns = USAGE_COUNTERS.c
        query = select(columns.hour, columns.group_name, columns.count).where(
            columns.application_id.in_(applications), columns.hour >= first, columns.hour < last
        )
        return [(row[0], row[1], int(row[2])) for row in await self._store.connection.execute(query)]
