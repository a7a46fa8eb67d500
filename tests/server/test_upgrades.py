"""Upgrades from every version: all records are there afterwards, with their columns, on both databases."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from svc_tui.server.store import creation, tables, text_indexes
from svc_tui.server.store.database import Database
from tests.support.databases import Template
from tests.support.differences import differences
from tests.support.postgres import Postgres
from tests.support.versions import DOCUMENT, LATER, become_later, older

EARLIER = creation.versions()


async def _nothing(_database: Database) -> None:
    """An empty database."""


def _checked(connection: Connection, names: set[str]) -> None:
    assert differences(connection) == []
    for name in names:
        table = tables.metadata.tables[name]
        rows = [dict(each._mapping) for each in connection.execute(sa.select(table))]
        kind = tables.DOCUMENT_TABLES.get(name)
        if kind is None:
            assert len(rows) == 1, name
        else:
            document = {**DOCUMENT, "upgrades": 1} if name == "companies" else DOCUMENT
            assert rows == [kind.row(document)], name


@pytest.mark.parametrize("version", EARLIER)
@pytest.mark.parametrize("product", ["sqlite", "postgresql"])
async def test_servers_that_start_together_upgrade_the_records_of_any_version_once(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    product: str,
    version: str,
) -> None:
    caplog.set_level(logging.INFO, "svc_tui.server")
    url = f"sqlite:///{tmp_path / 'svc.db'}"
    if product == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        url = await postgres.fresh(Template("empty", _nothing))
    database = Database(url)
    async with database.engine.begin() as connection:
        names = await connection.run_sync(older, version)
    become_later(monkeypatch, tmp_path / "migrations")
    machines = [Database(url) for _ in range(2)]
    # Each with its own event loop, as processes have it.
    await asyncio.gather(*(asyncio.to_thread(asyncio.run, each.upgrade()) for each in machines))
    # One line in the log of all servers explains why a start takes minutes.
    assert caplog.text.count(f"the tables are upgraded from version {version} to {LATER}") == 1
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
