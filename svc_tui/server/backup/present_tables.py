"""The tables that a database has at the moment, of whatever version: names and types of their columns, no more."""

from __future__ import annotations

from sqlalchemy import Column, Connection, MetaData, Table, inspect

VERSION_TABLE = "alembic_version"


def present_tables(connection: Connection) -> dict[str, Table]:
    """The tables of the service by name."""
    metadata = MetaData()
    for (_, name), columns in sorted(inspect(connection).get_multi_columns().items()):
        Table(name, metadata, *(Column(column["name"], column["type"]) for column in columns))
    return dict(metadata.tables)
