"""Bodies that are not JSON: bytes, content types by first bytes, streams of long bodies, and downloads to files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from svc_tui.language import _

#: Bytes of a file that are read at a time.
PIECE = 64 * 1024

#: First bytes of files, and their content types, in the order of checks.
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes and their content type. The bytes can be long and are not in the repr."""

    type: str
    data: bytes = field(repr=False)

    def __str__(self) -> str:
        return _("{type}, {data} bytes").format(type=self.type, data=len(self.data))


@dataclass(frozen=True, slots=True)
class Stream:
    """A body that can be larger than memory: each call of `pieces` starts it again.

    `size` in bytes; None when it is unknown.
    """

    type: str
    pieces: Callable[[], AsyncIterator[bytes]]
    size: int | None = None

    def __str__(self) -> str:
        return self.type if self.size is None else _("{type}, {size} bytes").format(type=self.type, size=self.size)

    @classmethod
    def of_file(cls, path: Path, type: str) -> Stream:
        """A file as it is when it is sent. OSError when it does not exist, or later when it cannot be read."""

        async def pieces() -> AsyncIterator[bytes]:
            with path.open("rb") as file:
                while piece := await asyncio.to_thread(file.read, PIECE):
                    yield piece

        return cls(type, pieces, path.stat().st_size)


class Sink(Protocol):
    """Takes the body of a response piece by piece, so that it can be larger than memory.

    An exception, such as an OSError of a full disk, ends the request and is raised by the call.
    """

    def begin(self, size: int | None) -> None:
        """A body of this size (None: unknown) begins. Earlier bytes belong to an interrupted attempt."""

    def take(self, piece: bytes) -> None:
        """The next bytes."""


class FileSink:
    """Writes a download to a file: `received` bytes of `size` (None: unknown) since the last start."""

    def __init__(self, file: IO[bytes]) -> None:
        self.received = 0
        self.size: int | None = None
        self._file = file

    def begin(self, size: int | None) -> None:
        """A body starts; bytes of an interrupted attempt are dropped."""
        self._file.seek(0)
        self._file.truncate()
        self.received, self.size = 0, size

    def take(self, piece: bytes) -> None:
        """Write the next bytes. OSError when they cannot be written."""
        self._file.write(piece)
        self.received += len(piece)


def type_of(beginning: bytes) -> str:
    """The content type by the first 16 bytes of a file. Empty when it is unknown."""
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _BEGINNINGS if beginning.startswith(start)), "")
