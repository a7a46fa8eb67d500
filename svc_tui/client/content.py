"""A body that is no JSON: its bytes and their content type, told from the bytes themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

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


def type_of(beginning: bytes) -> str:
    """The content type that a file's first 16 bytes speak of; empty when they are none that is known here."""
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _BEGINNINGS if beginning.startswith(start)), "")
