"""Indexes for filters by a part of a text. Each database has its own kind, so they are not declared with the tables.

PostgreSQL finds a part anywhere in a text with trigrams, if it has the extension pg_trgm; otherwise it reads the texts
of the list. SQLite reads the texts too, but from an index in the order of the list, which is many times faster than
from the records. Columns hold texts without case (`str.casefold`), so both find them in any case, also beyond ASCII.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from svc_tui.server.log_lines import log

#: The names of all these indexes begin so.
PREFIX = "tx_"
_OWN_INDEXES = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"
#: Whether the extension is there, or this account can create it: it may do so in its databases.
_CREATABLE = """
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
    OR EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')
    AND has_database_privilege(current_database(), 'CREATE')
"""
_NO_EXTENSION = (
    "filters by a part of a text are slow in large lists: the database has no extension pg_trgm. "
    "An administrator of the database can create it (CREATE EXTENSION pg_trgm); the next start then uses it"
)

#: SQLite: table, name, and the columns: those of the order of a list, then what its filters read.
_IN_ORDER = (
    ("directory_entries", "directory", "directory last_name first_name id type search"),
    ("recordings", "company_id", "company_id date id recorded_name recorded_number other_number"),
    ("recordings", "system_id", "system_id date id recorded_name recorded_number other_number"),
    ("users", "company_id", "company_id display_name id roles admin_type is_terminated login_email company_name"),
    ("users", "display_name", "display_name id roles admin_type is_terminated login_email company_name"),
)
#: PostgreSQL: columns that are filtered by a part, of tables that grow.
_TRIGRAMS = (
    ("applications", "name"),
    ("companies", "name"),
    ("devices", "description"),
    ("directory_entries", "search"),
    ("recordings", "recorded_name"),
    ("recordings", "recorded_number"),
    ("recordings", "other_number"),
    ("sites", "name"),
    ("subscribers", "device_name"),
    ("users", "display_name"),
    ("users", "login_email"),
    ("users", "company_name"),
)


def sqlite_text_indexes() -> dict[str, str]:
    """The statements that create the indexes of SQLite, by their names."""
    return {
        f"{PREFIX}{table}_{name}": f"CREATE INDEX {PREFIX}{table}_{name} ON {table} ({', '.join(columns.split())})"
        for table, name, columns in _IN_ORDER
    }


def create_trigram_indexes(connection: Connection) -> None:
    """Create the indexes that a PostgreSQL database does not have. Without the extension and the right to create it,
    log how an administrator of the database can do that."""
    missing = _missing(connection)
    if missing and _has_trigrams(connection):
        try:
            with connection.begin_nested():
                for statement in missing.values():
                    connection.execute(text(statement))
        except ProgrammingError:
            # Nothing that a server needs. The account does not own the tables, or does not see the extension.
            log.warning(
                "filters by a part of a text are slow in large lists: their indexes cannot be created. The account of "
                "the database must own the tables, and the schema of the extension pg_trgm must be in its search_path"
            )


def lacks_trigram_indexes(connection: Connection) -> bool:
    """Whether `create_trigram_indexes` has something to create. Indexes that it cannot create are logged as there."""
    if not _missing(connection):
        return False
    if _are_creatable(connection):
        return True
    log.warning(_NO_EXTENSION)
    return False


def _are_creatable(connection: Connection) -> bool:
    return bool(connection.execute(text(_CREATABLE)).scalar_one())


def _missing(connection: Connection) -> dict[str, str]:
    """The statements of the indexes that the database does not have, by their names."""
    known = {str(row[0]) for row in connection.execute(text(_OWN_INDEXES))}
    return {name: statement for name, statement in _trigram_indexes() if name not in known}


def _trigram_indexes() -> Iterator[tuple[str, str]]:
    for table, column in _TRIGRAMS:
        name = f"{PREFIX}{table}_{column}"
        yield name, f"CREATE INDEX {name} ON {table} USING gin ({column} gin_trgm_ops)"


def _has_trigrams(connection: Connection) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
    except DBAPIError:
        log.warning(_NO_EXTENSION)
        return False
    return True
