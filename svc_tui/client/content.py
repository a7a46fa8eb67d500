"""Bodies that are no JSON: their bytes and content type, told from the bytes themselves, and where long ones go."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol

#: How files begin, and what they are then. What comes first is looked for first.
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
    """Bytes and what they are. Not shown where the value is printed: it may be long."""

    type: str
    data: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{self.type}, {len(self.data)} bytes"


@dataclass(frozen=True, slots=True)
class Stream:
    """A body that may be longer than the memory: `pieces` begins it anew each time it is called.

    `size` in bytes; None where it is not known beforehand.
    """

    type: str
    pieces: Callable[[], AsyncIterator[bytes]]
    size: int | None = None

    def __str__(self) -> str:
        return self.type if self.size is None else f"{self.type}, {self.size} bytes"


class Sink(Protocol):
    """Takes the body of an answer piece by piece, so that it may be longer than the memory.

    What it raises ends the request and is raised by the call: an OSError of a full disk, for one.
    """

    def begin(self, size: int | None) -> None:
        """A body of so many bytes (None: nobody said) begins; what was taken before belongs to a broken attempt."""

    def take(self, piece: bytes) -> None:
        """The next bytes."""


def type_of(beginning: bytes) -> str:
    """The content type that a file's first 16 bytes speak of; empty when they are none that is known here."""
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _BEGINNINGS if beginning.startswith(start)), "")
