"""Upgrading an older database to the newest version, with Alembic."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from svc_tui.server.log_lines import log
from svc_tui.server.store import creation
from svc_tui.server.store.creation import check_version, newest_version


def upgraded(connection: Connection, version: str = "") -> None:
    """Run the migrations up to a version, without one to the newest, that the database does not have yet.

    NewerDatabase or OlderDatabase, and nothing is changed, if one of the two versions is unknown.
    """
    version = version or newest_version()
    check_version(version)
    present = _version_of(connection)
    if present is not None:
        check_version(present)
        if present < version:
            log.info("the tables are upgraded from version %s to %s; large tables take minutes", present, version)
    config = Config()
    config.set_main_option("script_location", str(creation.MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def is_newest(connection: Connection) -> bool:
    """Whether the database has the newest version."""
    return _version_of(connection) == newest_version()


def _version_of(connection: Connection) -> str | None:
    """The version of the database, None for one without tables."""
    return MigrationContext.configure(connection).get_current_revision()
