"""Bodies that are not JSON: bytes, content types detected from bytes, and streams of long bodies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol

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
        return f"{self.type}, {len(self.data)} bytes"


@dataclass(frozen=True, slots=True)
class Stream:
    """A body that can be larger than memory: each call of `pieces` starts it again.

    `size` in bytes; None when it is unknown.
    """

    type: str
    pieces: Callable[[], AsyncIterator[bytes]]
    size: int | None = None

    def __str__(self) -> str:
        return self.type if self.size is None else f"{self.type}, {self.size} bytes"


class Sink(Protocol):
    """Takes the body of a response piece by piece, so that it can be larger than memory.

    An exception, such as an OSError of a full disk, ends the request and is raised by the call.
    """

    def begin(self, size: int | None) -> None:
        """A body of this size (None: unknown) begins. Earlier bytes belong to an interrupted attempt."""

    def take(self, piece: bytes) -> None:
        """The next bytes."""


def type_of(beginning: bytes) -> str:
    """The content type by the first 16 bytes of a file. Empty when it is unknown."""
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _BEGINNINGS if beginning.startswith(start)), "")
