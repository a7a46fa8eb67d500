"""Bytes beside the records, which are read separately: images, files of imports, and the lines of invoicing files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Column, Integer, LargeBinary, PrimaryKeyConstraint, Table, and_, delete, insert, select

from svc_tui.interface.dates import stamp
from svc_tui.server.store.tables import TEXT, metadata
from svc_tui.server.store.transaction import Transaction

#: Images, one for each purpose (`avatar`, `splashscreen`) of an entity. Properties are read without the content.
IMAGES = Table(
    "images",
    metadata,
    Column("purpose", TEXT, nullable=False),
    Column("entity_id", TEXT, nullable=False),
    Column("media_type", TEXT, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("hash", TEXT, nullable=False),
    Column("date", TEXT, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("purpose", "entity_id"),
)

ImagePurpose = Literal["avatar", "splashscreen"]


@dataclass(frozen=True, slots=True)
class Image:
    """The properties of an image. Sides in pixels, `size` in bytes, `hash` SHA-256 in hex, `date` as on the wire."""

    purpose: ImagePurpose
    entity_id: str
    media_type: str
    width: int
    height: int
    size: int
    hash: str
    date: str


_PROPERTIES = tuple(column for column in IMAGES.c if column.name != "content")


class Images:
    """One image for each purpose of an entity (company, user, bot)."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def get(self, purpose: ImagePurpose, entity_id: str) -> Image | None:
        """The properties of an image, without its content."""
        query = select(*_PROPERTIES).where(_is(purpose, entity_id))
        row = await self._transaction.first(query)
        return None if row is None else Image(**row._mapping)

    async def content(self, image: Image) -> bytes:
        """The content of an image. Empty when it was removed since its properties were read."""
        query = select(IMAGES.c.content).where(_is(image.purpose, image.entity_id), IMAGES.c.hash == image.hash)
        row = await self._transaction.first(query)
        return b"" if row is None else bytes(row[0])

    async def put(self, image: Image, content: bytes) -> None:
        """Store an image in place of the previous one."""
        await self.put_all([(image, content)])

    async def put_all(self, pictures: Iterable[tuple[Image, bytes]]) -> None:
        """Store many images."""
        for image, content in pictures:
            await self._transaction.change(delete(IMAGES).where(_is(image.purpose, image.entity_id)))
            row = {column.name: getattr(image, column.name) for column in _PROPERTIES}
            await self._transaction.change(insert(IMAGES), [{**row, "content": content}])

    async def remove(self, purpose: ImagePurpose, entity_id: str) -> bool:
        """Remove an image. False when there was none."""
        gone = await self._transaction.change(delete(IMAGES).where(_is(purpose, entity_id)))
        return bool(gone.rowcount)

    async def remove_all(self) -> None:
        """Remove all images."""
        await self._transaction.change(delete(IMAGES))


def _is(purpose: str, entity_id: str) -> Any:
    return and_(IMAGES.c.purpose == purpose, IMAGES.c.entity_id == entity_id)


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
