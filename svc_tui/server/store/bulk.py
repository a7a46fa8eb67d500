"""Writing very many records at once, such as all of the demo data: what can wait is done once, at the end."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from sqlalchemy import text
from sqlalchemy.schema import CreateIndex, DropIndex

from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import metadata

#: Memory for the pages of an SQLite database meanwhile, in KiB: few of them are written more than once then.
_PAGES = 256 * 1024


@asynccontextmanager
async def in_bulk(store: Store) -> AsyncIterator[None]:
    """Inside, what is added costs little, and what is looked for much: lists have no indexes before the end.

    All of it belongs to the unit of work: when that is undone, the indexes are as they were. PostgreSQL may serve
    others meanwhile and keeps them.
    """
    with _nothing_thrown_away():
        if store.dialect != "sqlite":
            yield
            return
        pages = (await store.connection.execute(text("PRAGMA cache_size"))).scalar_one()
        await store.connection.execute(text(f"PRAGMA cache_size=-{_PAGES}"))
        try:
            async with _indexes_at_the_end(store):
                yield
        finally:
            await store.connection.execute(text(f"PRAGMA cache_size={pages}"))


@contextmanager
def _nothing_thrown_away() -> Iterator[None]:
    """Records that are made to be written are no garbage: they are not looked through for it again and again."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


@asynccontextmanager
async def _indexes_at_the_end(store: Store) -> AsyncIterator[None]:
    await store.begin()
    # Those that let no two records share a value guard what is written.
    indexes = [index for table in metadata.sorted_tables for index in table.indexes if not index.unique]
    for index in indexes:
        await store.connection.execute(DropIndex(index))
    yield
    for index in indexes:
        await store.connection.execute(CreateIndex(index))
