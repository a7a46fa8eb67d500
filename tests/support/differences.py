"""How the tables of a database differ from those that are declared."""

from __future__ import annotations

from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from svc_tui.server.store import tables, text_indexes


def differences(connection: Connection) -> Any:
    """What Alembic would have to change, apart from indexes of texts, which each database has of its own kind."""
    return compare_metadata(MigrationContext.configure(connection, opts={"include_object": _declared}), tables.metadata)


def _declared(_object: Any, name: str | None, kind: str, _reflected: bool, _other: Any) -> bool:
    return not (kind == "index" and (name or "").startswith(text_indexes.PREFIX))
