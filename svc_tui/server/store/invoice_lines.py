"""Lines of invoicing files in the store: compressed blocks of many lines, read one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Column, Integer, LargeBinary, PrimaryKeyConstraint, Table, delete, insert, select

from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

#: Lines of invoicing files, in compressed blocks of many lines that are read one at a time.
INVOICE_LINES = Table(
    "invoice_lines",
    metadata,
    Column("file_id", TEXT, nullable=False),
    Column("number", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("file_id", "number"),
)


class InvoiceLines:
    """The blocks of each invoicing file, numbered from 0. The caller compresses their content."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def block(self, file_id: str, number: int) -> bytes | None:
        """A block. None after the last one."""
        query = select(INVOICE_LINES.c.content).where(
            INVOICE_LINES.c.file_id == file_id, INVOICE_LINES.c.number == number
        )
        row = await self._transaction.first(query)
        return None if row is None else bytes(row[0])

    async def put(self, file_id: str, blocks: Iterable[bytes]) -> None:
        """Store the blocks of a file in place of the previous ones."""
        await self.put_all({file_id: blocks})

    async def put_all(self, files: Mapping[str, Iterable[bytes]]) -> None:
        """Store the blocks of many files in place of the previous ones."""
        await self._transaction.change(delete(INVOICE_LINES).where(INVOICE_LINES.c.file_id.in_(files)))
        rows = [
            {"file_id": file_id, "number": number, "content": content}
            for file_id, blocks in files.items()
            for number, content in enumerate(blocks)
        ]
        if rows:
            await self._transaction.change(insert(INVOICE_LINES), rows)

    async def remove_all(self) -> None:
        """Remove all blocks."""
        await self._transaction.change(delete(INVOICE_LINES))
