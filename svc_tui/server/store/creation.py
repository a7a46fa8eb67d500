"""A new SQLite database: its tables as they are declared, without the migrations that led to them.

Alembic takes longer to import than all tables take to create, so it is loaded for older databases only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from svc_tui.server.store.tables import metadata
from svc_tui.server.store.text_indexes import sqlite_text_indexes

#: The folder of the migrations.
MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = "SELECT version_num FROM alembic_version"


class NewerDatabase(Exception):
    """The tables were written by a newer version of this program."""


class OlderDatabase(Exception):
    """The tables were written by a version before the first release, which no migration upgrades."""


def versions() -> list[str]:
    """The versions of the tables in their order: each is the number of a migration."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def newest_version() -> str:
    """The version of the last migration."""
    return versions()[-1]


def check_version(version: str) -> None:
    """NewerDatabase or OlderDatabase if a version is unknown."""
    if version < versions()[0]:
        raise OlderDatabase
    if version not in versions():
        raise NewerDatabase


def create_if_empty(path: Path, lock_seconds: float) -> bool:
    """Create all tables in an empty database. Whether it has the newest version now.

    Several servers can do this at the same time. A file that cannot be read is left to the engine, which reports it.
    """
    # It holds secrets that the interface needs in plain text. SQLite gives its other files the same mode.
    path.touch(mode=0o600)
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=lock_seconds)) as connection:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        # A database with tables is not locked: its server can be writing.
        if _is_empty(connection):
            connection.execute("BEGIN IMMEDIATE")
            if _is_empty(connection):
                for statement in statements():
                    connection.execute(statement)
            connection.execute("COMMIT")
        return connection.execute(_VERSION).fetchall() == [(newest_version(),)]
    return False


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def statements() -> Iterator[str]:
    """The statements that create all tables of the newest version in SQLite."""
    dialect = sqlite.dialect()
    for table in metadata.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            yield str(CreateIndex(index).compile(dialect=dialect))
    yield from sqlite_text_indexes().values()
    # As Alembic creates it.
    yield "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, PRIMARY KEY (version_num))"
    yield f"INSERT INTO alembic_version VALUES ('{newest_version()}')"
