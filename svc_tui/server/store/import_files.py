"""Files of running imports in the store, so that any process can continue an import whose process is gone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Column, Integer, LargeBinary, PrimaryKeyConstraint, Table, delete, insert, select

from svc_tui.interface.timestamps import stamp
from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

IMPORT_FILES = Table(
    "import_files",
    metadata,
    Column("file_id", TEXT, nullable=False),
    Column("number", Integer, nullable=False),
    Column("created", TEXT, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("file_id", "number"),
)


class ImportFiles:
    """The blocks of each file, numbered from 0. The caller compresses their content."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def block(self, file_id: str, number: int) -> bytes | None:
        """A block. None after the last one."""
        columns = IMPORT_FILES.c
        query = select(columns.content).where(columns.file_id == file_id, columns.number == number)
        row = await self._transaction.first(query)
        return None if row is None else bytes(row[0])

    async def add(self, file_id: str, number: int, content: bytes, *, now: datetime) -> None:
        """Store a block."""
        row = {"file_id": file_id, "number": number, "created": stamp(now), "content": content}
        await self._transaction.change(insert(IMPORT_FILES), [row])

    async def remove(self, file_id: str) -> None:
        """Remove a file."""
        await self._transaction.change(delete(IMPORT_FILES).where(IMPORT_FILES.c.file_id == file_id))

    async def remove_before(self, before: datetime, *, but: Collection[str]) -> None:
        """Remove files that were begun before this time, except some."""
        columns = IMPORT_FILES.c
        old = columns.created < stamp(before), columns.file_id.not_in(but)
        await self._transaction.change(delete(IMPORT_FILES).where(*old))
