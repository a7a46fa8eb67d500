"""Records of the cache by a part of their text: a scan in slices, so that other reads are not kept waiting."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.cache.cached import RecordDict

#: Records in one slice.
SLICE = 2000
#: Most records that are scanned, the newest rows of the table first.
MOST_SCANNED = 100_000
_SCAN = """
SELECT kind, form, id, body FROM records WHERE rowid > ? AND rowid <= ? AND kind IN (SELECT value FROM json_each(?))
AND EXISTS (SELECT 1 FROM json_each(?) WHERE body LIKE value ESCAPE '!') ORDER BY rowid DESC
"""
_LIST_OF = """
SELECT lists.key FROM lists JOIN windows ON windows.list = lists.number
WHERE lists.kind = ? AND lists.form = ? AND instr(windows.ids, ?) LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A cached record, and the path of a list that contains it."""

    kind: str
    id: str
    record: RecordDict
    path: Mapping[str, str]


def last_row(connection: sqlite3.Connection) -> int:
    """The number of the newest row."""
    return int(connection.execute("SELECT coalesce(max(rowid), 0) FROM records").fetchone()[0])


def found(
    connection: sqlite3.Connection, kinds: Collection[str], parts: Sequence[str], first: int, last: int
) -> list[FoundRecord]:
    """The records of these kinds, among the rows after `first` up to `last`, whose JSON contains one of the parts."""
    patterns = [f"%{_escaped(part)}%" for part in parts]
    rows = connection.execute(_SCAN, (first, last, json.dumps(list(kinds)), json.dumps(patterns))).fetchall()
    return [
        FoundRecord(kind, record_id, record, _path(connection, kind, form, record_id))
        for kind, form, record_id, body in rows
        if isinstance(record_id, str) and (record := _object(body)) is not None
    ]


def _escaped(part: str) -> str:
    """A text as it is written in JSON and as LIKE takes it."""
    written = json.dumps(part)[1:-1]
    return "".join(f"!{character}" if character in "!%_" else character for character in written)


def _path(connection: sqlite3.Connection, kind: str, form: str, record_id: str) -> dict[str, str]:
    row = connection.execute(_LIST_OF, (kind, form, json.dumps(record_id))).fetchone()
    try:
        path = json.loads(row[0])[1] if row else {}
    except (ValueError, TypeError, LookupError):
        return {}
    return {str(name): str(value) for name, value in path.items()} if isinstance(path, dict) else {}


def _object(body: object) -> dict[str, Any] | None:
    """The record; None for a deleted or damaged one."""
    try:
        record = json.loads(body) if isinstance(body, str) and body else None
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
