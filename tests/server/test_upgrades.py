"""Upgrades from every earlier version: all records are there afterwards, with their columns, on both databases."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from svc_tui.server.store import migrations, tables, text_indexes
from svc_tui.server.store.database import Database
from tests.support.databases import Template
from tests.support.differences import differences
from tests.support.postgres import Postgres

#: Fields that migrations read. Dates are before those of new records.
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


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["connection"] = connection
    return config


SCRIPTS = ScriptDirectory(str(Path(migrations.__file__).parent))
EARLIER = [script.revision for script in SCRIPTS.walk_revisions()][:0:-1]


async def _nothing(_database: Database) -> None:
    """An empty database."""


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
    command.upgrade(_config(connection), version)
    found = sa.MetaData()
    found.reflect(connection)
    for table in found.sorted_tables:
        if table.name != "alembic_version":
            connection.execute(table.insert().values(**row_of(table)))
    return set(found.tables) - {"alembic_version"}


def _checked(connection: Connection, names: set[str]) -> None:
    assert differences(connection) == []
    for name in names:
        table = tables.metadata.tables[name]
        rows = [dict(each._mapping) for each in connection.execute(sa.select(table))]
        kind = tables.DOCUMENT_TABLES.get(name)
        if kind is None:
            assert len(rows) == 1, name
        else:
            assert [each for each in rows if each["id"] == "r1"] == [kind.row(DOCUMENT)], name


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("product", ["sqlite", "postgresql"])
async def test_servers_that_start_together_upgrade_the_records_of_any_version_once(
    tmp_path: Path, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture, product: str, version: str
) -> None:
    caplog.set_level(logging.INFO, "svc_tui.server")
    url = f"sqlite:///{tmp_path / 'svc.db'}"
    if product == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        url = await postgres.fresh(Template("empty", _nothing))
    database = Database(url)
    async with database.engine.begin() as connection:
        names = await connection.run_sync(older, version)
    if version < "0007":
        # The log of events has another form since then: before, no event was sent.
        names -= {"event_log"}
    # The database counts its records itself.
    names -= {"record_counts"}
    machines = [Database(url) for _ in range(2)]
    # Each with its own event loop, as processes have it.
    await asyncio.gather(*(asyncio.to_thread(asyncio.run, each.upgrade()) for each in machines))
    # One line in the log of all servers explains why a start takes minutes.
    assert caplog.text.count(f"the tables are upgraded from version {version} to {SCRIPTS.get_current_head()}") == 1
    async with database.engine.connect() as connection:
        await connection.run_sync(_checked, names)
    for each in (database, *machines):
        await each.close()


async def test_a_start_does_not_fail_because_text_indexes_cannot_be_created(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(await postgres.fresh())
    # As when pg_trgm is in a schema that the account does not see.
    statement = "CREATE INDEX tx_sites_name ON sites USING gin (name unseen_ops)"
    monkeypatch.setattr(text_indexes, "_are_creatable", lambda _: True)
    monkeypatch.setattr(text_indexes, "_has_trigrams", lambda _: True)
    monkeypatch.setattr(text_indexes, "_trigram_indexes", lambda: iter([("tx_sites_unseen", statement)]))
    await database.upgrade()
    async with database.unit() as store:
        assert await store.sites.count() == 0
    assert "search_path" in caplog.text
    await database.close()


async def test_a_database_without_trigrams_is_reported_with_a_remedy(
    postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(await postgres.fresh())
    async with database.engine.connect() as connection:
        available = sa.text("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'")
        has_trigrams = bool((await connection.execute(available)).scalar_one())
    await database.upgrade()
    await database.close()
    assert ("An administrator of the database can create it (CREATE EXTENSION pg_trgm)" in caplog.text) != has_trigrams


def test_invoices_of_earlier_versions_get_the_party_and_the_currency_of_their_partner(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'svc.db'}")
    partner = {"bpType": "VAD", "name": "Harbour", "city": "Porto", "country": "PRT", "currency": "USD"}
    issued = {"r1": {}, "r2": {"currency": "CNY", "billTo": {"name": "Cove"}}}
    with engine.begin() as connection:
        older(connection, "0025")
        companies, invoices = tables.COMPANIES.table, tables.INVOICES.table
        connection.execute(companies.update().values(document={**DOCUMENT, **partner}))
        for id, more in issued.items():
            connection.execute(invoices.delete().where(invoices.c.id == id))
            connection.execute(invoices.insert().values(tables.INVOICES.row({**DOCUMENT, **more, "id": id})))
        command.upgrade(_config(connection), "0026")
        rows = connection.execute(sa.select(invoices.c.document).order_by(invoices.c.id))
        found = [(row[0]["currency"], row[0]["billTo"]) for row in rows]
    engine.dispose()
    assert found == [("USD", {"name": "Harbour", "city": "Porto", "country": "PRT"}), ("CNY", {"name": "Cove"})]
