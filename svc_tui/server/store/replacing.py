"""Rows of SQLite that are replaced by their ids: only the columns that differ are written.

SQLite writes each index of a column that an UPDATE names, also if its value stays the same. PostgreSQL compares them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from svc_tui.server.store.queries import assignment, stored_rows
from svc_tui.server.store.statements import Statements
from svc_tui.server.store.tables import DocumentTable, PreparedRow
from svc_tui.server.store.writing import SqliteWriter


async def replace_rows(
    writer: SqliteWriter, statements: Statements, kind: DocumentTable, rows: Sequence[PreparedRow]
) -> dict[str, str]:
    """Replace those of these rows that exist. Returns their documents before, as text, by their ids."""
    reading = statements.of(("rows", kind.name), lambda: stored_rows(kind))
    ids = json.dumps([row[0] for row in rows])
    before = {row[0]: row for row in await writer.selected_of(reading.text, reading.parameters({"ids": ids}))}
    changes: dict[tuple[str, ...], list[PreparedRow]] = defaultdict(list)
    for row in rows:
        old = before.get(row[0])
        if old is None:
            continue
        values = {name: new for name, was, new in zip(kind.names, old, row, strict=True) if was != new}
        if values:
            changes[tuple(values)].append((*values.values(), row[0]))
    for names, changed in changes.items():
        statement = statements.of(("assign", kind.name, names), partial(assignment, kind, names))
        await writer.change_rows(statement.text, changed)
    return {id: row[-1] for id, row in before.items()}
