"""Writing very many records together, such as all demo data: indexes are built once, at the end."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from sqlalchemy import text
from sqlalchemy.schema import CreateIndex, DropIndex

from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import metadata
from svc_tui.server.store.text_indexes import sqlite_text_indexes

#: Memory for pages of an SQLite database during a bulk write, in KiB, so that few pages are written twice.
_PAGES = 256 * 1024


@asynccontextmanager
async def in_bulk(store: Store) -> AsyncIterator[None]:
    """Make writing cheap and searching expensive while the block runs: lists have no indexes before its end.

    This belongs to the unit of work: a rollback restores the indexes. PostgreSQL can serve other requests at the same
    time and keeps its indexes.
    """
    with _without_garbage_collection():
        if store.dialect != "sqlite":
            yield
            return
        await store.begin()
        [(pages,)] = await store.rows(text("PRAGMA cache_size"))
        await store.change(text(f"PRAGMA cache_size=-{_PAGES}"))
        try:
            async with _indexes_at_the_end(store):
                yield
        finally:
            await store.change(text(f"PRAGMA cache_size={pages}"))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Do not search the new records for garbage again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@asynccontextmanager
async def _indexes_at_the_end(store: Store) -> AsyncIterator[None]:
    # Unique indexes stay: they check the written rows.
    indexes = [index for table in metadata.sorted_tables for index in table.indexes if not index.unique]
    texts = sqlite_text_indexes()
    for index in indexes:
        await store.change(DropIndex(index))
    for name in texts:
        await store.change(text(f"DROP INDEX {name}"))
    yield
    for index in indexes:
        await store.change(CreateIndex(index))
    for statement in texts.values():
        await store.change(text(statement))
