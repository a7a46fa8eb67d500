"""Plans of queries: how a database reads one page of a list, and whether it sorts or reads everything for that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from svc_tui.server.store.database import Database
from tests.support.statements import Statement


async def faults(database: Database, statement: Statement) -> list[str]:
    """What a statement does that becomes slower with each record: sorting, or reading a table from end to end."""
    explained = _sqlite if database.engine.dialect.name == "sqlite" else _postgresql
    return await explained(database, statement)


async def planned(database: Database, statement: Statement) -> list[str]:
    """The steps in which SQLite executes a statement."""
    async with database.engine.connect() as connection:
        rows = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement.sql}", statement.values)).all()
    return [str(row[3]) for row in rows]


async def _sqlite(database: Database, statement: Statement) -> list[str]:
    lines = await planned(database, statement)
    # The last terms of an order are sorted in groups with the same value of the first.
    sorts = [line for line in lines if line == "USE TEMP B-TREE FOR ORDER BY"]
    return sorts + [line for line in lines if line.startswith("SCAN ") and " INDEX " not in line]


async def _postgresql(database: Database, statement: Statement) -> list[str]:
    async with database.engine.connect() as connection:
        # Of few records a database reads all, and sorts them. Here it must not, if there is another way.
        for name in ("enable_seqscan", "enable_sort", "enable_bitmapscan"):
            await connection.execute(sa.text(f"SET LOCAL {name} = off"))
        rows = await connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values)
        found = rows.scalar_one()
    plan = json.loads(found) if isinstance(found, str) else found
    steps = [(step["Node Type"], step.get("Relation Name", "")) for step in _steps(plan[0]["Plan"])]
    return [f"{kind} {table}".strip() for kind, table in steps if kind in ("Sort", "Seq Scan")]


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _steps(part)
