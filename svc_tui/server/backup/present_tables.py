"""The tables that a database has at the moment, of whatever version: names and types of their columns, no more."""

from __future__ import annotations

from sqlalchemy import Column, Connection, MetaData, Table, inspect

from svc_tui.server.store.tables import metadata

VERSION_TABLE = "alembic_version"


def present_tables(connection: Connection) -> dict[str, Table]:
    """The tables of the service by name, without those of other programs in the same schema."""
    present, own = MetaData(), [*metadata.tables, VERSION_TABLE]
    for (_, name), columns in sorted(inspect(connection).get_multi_columns(filter_names=own).items()):
        Table(name, present, *(Column(column["name"], column["type"]) for column in columns))
    return dict(present.tables)
