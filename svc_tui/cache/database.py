"""The tables of the cache, read and written in SQL on one connection, in the thread that holds it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence

from svc_tui.cache.cached import PAGE, CachedList, CachedPage, CachedRecord, RecordDict

#: Version of the tables. A file with another version is set aside.
VERSION = 1
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lists (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, form TEXT NOT NULL,
    total INTEGER NOT NULL);
CREATE TABLE windows (list INTEGER NOT NULL, page INTEGER NOT NULL, ids TEXT NOT NULL, fetched REAL NOT NULL,
    stale INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (list, page)) WITHOUT ROWID;
CREATE TABLE records (kind TEXT NOT NULL, form TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    fetched REAL NOT NULL, stale INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX records_by_id ON records (kind, id, form);
CREATE INDEX records_by_age ON records (fetched);
"""
#: The body of a deleted record, which lists skip.
_DELETED = ""
#: Times of responses, in seconds since 1970, are before the year 9900.
_END_OF_TIME = 250_000_000_000
#: A time that is this many seconds ahead of a newer response comes from a wrong clock.
_WRONG_CLOCK = 3600
_PUT_RECORD = f"""
INSERT INTO records (kind, form, id, body, fetched) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (kind, id, form) DO UPDATE SET body = excluded.body, fetched = excluded.fetched, stale = 0
WHERE excluded.fetched >= records.fetched OR records.fetched > excluded.fetched + {_WRONG_CLOCK}
"""
_PAGES = """
SELECT page, ids, fetched, stale FROM windows WHERE list = ? AND page IN (SELECT value FROM json_each(?)) ORDER BY page
"""
_ROWS = """
SELECT id, body FROM records WHERE kind = ? AND form = ? AND id IN (SELECT value FROM json_each(?))
"""
_ANY_FORM = """
SELECT id, body FROM records WHERE kind = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY fetched
"""


class CacheDatabase:
    """An open database. Every method can raise sqlite3.Error, which the caller handles.

    Damaged rows are deleted when they are read, and count as rows that were never stored.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        # Damaged text has characters that no stored text has.
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")

    @property
    def version(self) -> int:
        """Version of the tables; 0: no tables."""
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])

    def create(self, service: str) -> None:
        """Create all tables, or none."""
        with self.writing():
            for statement in _statements():
                self.connection.execute(statement)
            self.connection.execute("INSERT INTO meta VALUES ('service', ?)", (service,))
            self.connection.execute(f"PRAGMA user_version = {VERSION}")

    @property
    def has_all_tables(self) -> bool:
        """Whether the file has exactly the tables and indexes of this version."""
        found = self.connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        return sorted(text for (text,) in found) == sorted(_statements())

    @property
    def service(self) -> str:
        """The address of the service of these records."""
        found = self.connection.execute("SELECT value FROM meta WHERE name = 'service'").fetchone()
        return str(found[0]) if found else ""

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction. It waits for another process that writes."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def pages(self, key: str, pages: Sequence[int]) -> CachedList:
        """The requested pages that are stored with all their rows."""
        found = self.connection.execute("SELECT number, kind, form, total FROM lists WHERE key = ?", (key,)).fetchone()
        if found is None:
            return CachedList()
        number, kind, form, total = found
        if not isinstance(total, int) or total < 0:
            self._drop("DELETE FROM windows WHERE list = ?", number)
            self._drop("DELETE FROM lists WHERE number = ?", number)
            return CachedList()
        found_list = CachedList(total)
        for page, ids, fetched, stale in self.connection.execute(_PAGES, (number, json.dumps(list(pages)))).fetchall():
            listed = _ids(ids)
            if listed is None or not _is_time(fetched):
                self._drop("DELETE FROM windows WHERE list = ? AND page = ?", number, page)
            elif (rows := self._rows(kind, form, listed)) is not None:
                found_list.pages[page] = CachedPage(rows, fetched, bool(stale))
        return found_list

    def _rows(self, kind: str, form: str, listed: list[str]) -> list[RecordDict] | None:
        """The records of a page without the deleted ones. None when one is not stored."""
        bodies = dict(self.connection.execute(_ROWS, (kind, form, json.dumps(listed))).fetchall())
        if not all(record_id in bodies for record_id in listed):
            return None
        rows = {record_id: _row(bodies[record_id]) for record_id in listed if bodies[record_id] != _DELETED}
        for record_id, row in rows.items():
            if row is None:
                self._drop_record(kind, record_id, form)
        kept = [rows[record_id] for record_id in listed if record_id in rows]
        complete = [row for row in kept if row is not None]
        return complete if len(complete) == len(kept) else None

    def _drop(self, statement: str, *values: object) -> None:
        """Delete a damaged row. Where that is impossible, it is skipped again the next time."""
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute(statement, values)

    def _drop_record(self, kind: str, record_id: str, form: str) -> None:
        self._drop("DELETE FROM records WHERE kind = ? AND id = ? AND form = ?", kind, record_id, form)

    def store_rows(
        self,
        key: str,
        *,
        kind: str,
        form: str,
        first_page: int,
        ids: Sequence[str],
        rows: Sequence[RecordDict],
        total: int,
        fetched: float,
    ) -> None:
        """Store rows from the start of a page on, and the present length of the list."""
        with self.writing():
            number = self._list(key, kind, form, total)
            self.connection.executemany(
                _PUT_RECORD,
                [(kind, form, record_id, _text(row), fetched) for record_id, row in zip(ids, rows, strict=True)],
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO windows (list, page, ids, fetched) VALUES (?, ?, ?, ?)",
                [
                    (number, first_page + start // PAGE, json.dumps(list(ids[start : start + PAGE])), fetched)
                    # A list without records has an empty page, which says when that was.
                    for start in range(0, max(len(ids), total == 0), PAGE)
                ],
            )

    def _list(self, key: str, kind: str, form: str, total: int) -> int:
        self.connection.execute(
            "INSERT INTO lists (key, kind, form, total) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET total = excluded.total",
            (key, kind, form, total),
        )
        number = int(self.connection.execute("SELECT number FROM lists WHERE key = ?", (key,)).fetchone()[0])
        self.connection.execute("DELETE FROM windows WHERE list = ? AND page * ? >= ?", (number, PAGE, total))
        return number

    def record(self, kind: str, record_id: str, form: str) -> CachedRecord | None:
        found = self.connection.execute(
            "SELECT body, fetched, stale FROM records WHERE kind = ? AND id = ? AND form = ?", (kind, record_id, form)
        ).fetchone()
        if found is None or found[0] == _DELETED:
            return None
        body, fetched, stale = found
        row = _row(body)
        if row is None or not _is_time(fetched):
            self._drop_record(kind, record_id, form)
            return None
        return CachedRecord(row, fetched, bool(stale))

    def records(self, kind: str, record_ids: Collection[str]) -> dict[str, RecordDict]:
        """Records by their ids, the newest of their formats."""
        listed = json.dumps(list(record_ids))
        bodies = self.connection.execute(_ANY_FORM, (kind, listed)).fetchall()
        return {record_id: row for record_id, body in bodies if (row := _row(body)) is not None}

    def store_record(self, kind: str, record_id: str, form: str, row: RecordDict, fetched: float) -> None:
        with self.writing():
            self.connection.execute(_PUT_RECORD, (kind, form, record_id, _text(row), fetched))

    def update_record(self, kind: str, record_id: str, forms: Mapping[str, RecordDict], fetched: float) -> None:
        """Merge new values into the stored formats of a record. The full format is always stored."""
        with self.writing():
            for form, row in forms.items():
                kept = self.record(kind, record_id, form)
                if kept is not None or form == "full":
                    merged = {**(kept.data if kept else {}), **row}
                    self.connection.execute(_PUT_RECORD, (kind, form, record_id, _text(merged), fetched))

    def mark_record_stale(self, kind: str, record_id: str) -> None:
        with self.writing():
            self.connection.execute("UPDATE records SET stale = 1 WHERE kind = ? AND id = ?", (kind, record_id))

    def mark_lists_stale(self, kind: str) -> None:
        with self.writing():
            self.connection.execute(
                "UPDATE windows SET stale = 1 WHERE list IN (SELECT number FROM lists WHERE kind = ?)", (kind,)
            )

    def remove_record(self, kind: str, record_id: str) -> None:
        with self.writing():
            self.connection.execute(
                "UPDATE records SET body = ? WHERE kind = ? AND id = ?", (_DELETED, kind, record_id)
            )

    @property
    def size(self) -> int:
        """Bytes in use."""
        pages, free, size = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def counts(self) -> tuple[int, int, float | None]:
        """Number of records and lists, and the time of the newest record."""
        records, newest = self.connection.execute(
            "SELECT count(*), max(fetched) FILTER (WHERE fetched BETWEEN 0 AND ?) FROM records", (_END_OF_TIME,)
        ).fetchone()
        return records, self.connection.execute("SELECT count(*) FROM lists").fetchone()[0], newest

    def prune(self, goal: int) -> None:
        """Drop the oldest content, an eighth at a time, until at most `goal` bytes are in use."""
        if self.size > goal:
            for table in ("windows", "records"):
                self._drop(f"DELETE FROM {table} WHERE fetched NOT BETWEEN 0 AND ?", _END_OF_TIME)
        while self.size > goal and (oldest := self._oldest_eighth()) is not None:
            with self.writing():
                self.connection.execute("DELETE FROM windows WHERE fetched <= ?", (oldest,))
                self.connection.execute("DELETE FROM records WHERE fetched <= ?", (oldest,))
                self.connection.execute("DELETE FROM lists WHERE number NOT IN (SELECT list FROM windows)")
        # `execute` would free one page only; a script frees all.
        self.connection.executescript("PRAGMA incremental_vacuum")

    def _oldest_eighth(self) -> float | None:
        found = self.connection.execute(
            "SELECT fetched FROM records ORDER BY fetched LIMIT 1 OFFSET (SELECT count(*) / 8 FROM records)"
        ).fetchone()
        return float(found[0]) if found else None

    def close(self) -> None:
        self.connection.close()


def _statements() -> list[str]:
    return [statement.strip() for statement in _SCHEMA.split(";") if statement.strip()]


def _row(body: object) -> RecordDict | None:
    """A stored record. None when it is damaged."""
    found = _parsed(body)
    return found if isinstance(found, dict) else None


def _ids(text: object) -> list[str] | None:
    """The stored IDs of a page. None when they are damaged."""
    found = _parsed(text)
    if not isinstance(found, list) or len(found) > PAGE or not all(isinstance(each, str) for each in found):
        return None
    return found


def _parsed(text: object) -> object:
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_time(fetched: object) -> bool:
    return isinstance(fetched, float) and 0 <= fetched <= _END_OF_TIME


def _text(row: RecordDict) -> str:
    """ASCII: half of a surrogate pair is valid in JSON but not in a database."""
    return json.dumps(row, separators=(",", ":"))
