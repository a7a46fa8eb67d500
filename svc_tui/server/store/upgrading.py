"""Upgrading an older database to the newest version, with Alembic."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from svc_tui.server.log_lines import log


def upgraded(connection: Connection, version: str = "head") -> bool:
    """Run the migrations up to a version that the database does not have yet. False if one of the two is unknown."""
    config = _config()
    config.attributes["connection"] = connection
    present, newest = _versions(connection)
    if present and newest and present < newest and version == "head":
        log.info("the tables are upgraded from version %s to %s; large tables take minutes", present, newest)
    try:
        command.upgrade(config, version)
    except CommandError:
        return False
    return True


def is_newest(connection: Connection) -> bool:
    """Whether the database has the newest version."""
    present, newest = _versions(connection)
    return present == newest


def _versions(connection: Connection) -> tuple[str | None, str | None]:
    """The version of the database, None for one without tables, and the newest one."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    return MigrationContext.configure(connection).get_current_revision(), newest


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config
