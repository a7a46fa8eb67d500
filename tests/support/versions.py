"""Versions of the tables: databases of earlier ones, and a later one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from svc_tui.server.store import creation, tables, upgrading

#: A record with the fields of most tables.
DOCUMENT = {
    "id": "r1",
    "mfaId": "r1",
    "name": "Old",
    "companyId": "r1",
    "systemId": "r1",
    "shortNumber": "10",
    "userId": "r1",
    "isDefault": True,
    "roles": ["user"],
    "city": "Lyon",
    "externalReference": "CRM-1",
    "bpType": "IR",
    "expirationDate": "2026-11-20T23:59:59.999Z",
    "startTime": "2026-11-20T10:00:00.000Z",
}
#: A later version, which writes into each company.
LATER = "9998"
_MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{creation.newest_version()}"


def upgrade() -> None:
    companies = sa.table("companies", sa.column("id"), sa.column("document", sa.JSON))
    rows = op.get_bind().execute(sa.select(companies.c.id, companies.c.document)).all()
    for id, document in rows:
        # Twice would be seen.
        number = document.get("upgrades", 0) + 1
        changed = companies.update().where(companies.c.id == id).values(document={{**document, "upgrades": number}})
        op.get_bind().execute(changed)
'''


def row_of(table: sa.Table) -> dict[str, Any]:
    """A record of a table as an earlier version wrote it."""
    kind = tables.DOCUMENT_TABLES.get(table.name)
    known = kind.row(DOCUMENT) if kind else {}

    def value(column: sa.Column[Any]) -> object:
        if isinstance(column.type, sa.JSON):
            return {**DOCUMENT, "recipients": []}
        if isinstance(column.type, sa.Integer):
            return 1
        return b"content" if isinstance(column.type, sa.LargeBinary) else "r1"

    return {each.name: known[each.name] if each.name in known else value(each) for each in table.columns}


def older(connection: Connection, version: str) -> set[str]:
    """Make the tables of a version with one record in each of them. Returns their names."""
    upgrading.upgraded(connection, version)
    found = sa.MetaData()
    found.reflect(connection)
    for table in found.sorted_tables:
        if table.name != "alembic_version":
            connection.execute(table.insert().values(**row_of(table)))
    return set(found.tables) - {"alembic_version"}


def become_later(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let this program be one with the version `LATER`, whose migrations are in a folder."""
    shutil.copytree(creation.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"{LATER}_upgrades_of_companies.py").write_text(_MIGRATION)
    monkeypatch.setattr(creation, "MIGRATIONS", folder)
