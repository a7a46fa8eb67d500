"""Plans of queries: how a database reads one page of a list, and whether it sorts or reads everything for that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from svc_tui.server.store.database import Database
from tests.support.statements import Statement


async def faults(database: Database, statement: Statement) -> list[str]:
    """The parts of a statement that become slower with each record: sorting, or reading a table from end to end."""
    explained = _sqlite if database.engine.dialect.name == "sqlite" else _postgresql
    return await explained(database, statement)


async def planned(database: Database, statement: Statement) -> list[str]:
    """The steps in which SQLite executes a statement."""
    return [step for _, step in await _planned(database, statement)]


async def _planned(database: Database, statement: Statement) -> list[tuple[int, str]]:
    """The same, each with the number of the step that it is a part of, 0 for the whole statement."""
    async with database.engine.connect() as connection:
        rows = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement.sql}", statement.values)).all()
    return [(int(row[1]), str(row[3])) for row in rows]


async def _sqlite(database: Database, statement: Statement) -> list[str]:
    steps = await _planned(database, statement)
    # Of each list that is merged a window is sorted, of which the limit is known: not the lists.
    merges = any(step == "SCAN merged" for _, step in steps)
    # The last terms of an order are sorted in groups with the same value of the first.
    sorts = [step for part, step in steps if step == "USE TEMP B-TREE FOR ORDER BY" and not (merges and not part)]
    found = [step for _, step in steps if step.startswith("SCAN ") and " INDEX " not in step]
    return sorts + [step for step in found if not re.fullmatch("SCAN (merged|anon_[0-9]+)", step)]


async def _postgresql(database: Database, statement: Statement) -> list[str]:
    return [
        _named(step)
        for step in await _steps_of(database, statement)
        # What was limited before is sorted whatever the size of the list.
        if step["Node Type"] == "Seq Scan" or (step["Node Type"] == "Sort" and not _limits(step))
    ]


async def scans(database: Database, statement: Statement) -> list[str]:
    """How PostgreSQL reads each table of a statement."""
    return [_named(step) for step in await _steps_of(database, statement) if "Relation Name" in step]


def _named(step: dict[str, Any]) -> str:
    return f"{step['Node Type']} {step.get('Relation Name', '')}".strip()


async def _steps_of(database: Database, statement: Statement) -> list[dict[str, Any]]:
    async with database.engine.connect() as connection:
        # Of few records a database reads all, and sorts them. Here it must not, if there is another way.
        for name in ("enable_seqscan", "enable_sort", "enable_bitmapscan"):
            await connection.execute(sa.text(f"SET LOCAL {name} = off"))
        rows = await connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values)
        found = rows.scalar_one()
    plan = json.loads(found) if isinstance(found, str) else found
    return [*_steps(plan[0]["Plan"])]


def _limits(step: dict[str, Any]) -> bool:
    """Whether all that a step reads was limited before."""
    parts = step.get("Plans", ())
    return step["Node Type"] == "Limit" or (bool(parts) and all(_limits(part) for part in parts))


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _steps(part)
