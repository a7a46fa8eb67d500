"""The parts of an image file that it is drawn from: what comes behind it, other pictures and notes are left out.

Nothing is decoded: what is left has the same pixels, with all their bits.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

_PNG = b"\x89PNG\r\n\x1a\n"
#: Chunks of a PNG that its pixels and colours depend on. Frames of an animation, texts and EXIF are none of them.
_DRAWN_CHUNKS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT cICP mDCV cLLI".split()
)
#: Markers of a JPEG: its end, the start of a scan, and those without content.
_END, _SCAN, _ALONE = 0xD9, 0xDA, frozenset((0x01, *range(0xD0, 0xD9)))
#: Segments for applications (EXIF, XMP, other pictures) and comments.
_NOTES = frozenset((*range(0xE0, 0xF0), 0xFE))
#: Those of them that the colours depend on, by marker and beginning: JFIF, the colour profile, Adobe's kind of colours.
_DRAWN_NOTES = ((0xE0, b"JFIF\0"), (0xE2, b"ICC_PROFILE\0"), (0xEE, b"Adobe"))
#: A marker within the bits of a scan: there, a byte of ones is followed by zero or a restart.
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def drawn_parts(content: bytes) -> bytes:
    """What a complete PNG or JPEG is drawn from; the same bytes where it has nothing else."""
    parts = _png_parts(content) if content.startswith(_PNG) else _jpeg_parts(content)
    return b"".join(parts)


def _png_parts(content: bytes) -> Iterator[bytes]:
    yield _PNG
    at = len(_PNG)
    while at + 12 <= len(content):
        (length,), kind = struct.unpack_from(">I", content, at), content[at + 4 : at + 8]
        after = at + 12 + length
        if kind in _DRAWN_CHUNKS:
            yield content[at:after]
        if kind == b"IEND":
            return
        at = after


def _jpeg_parts(content: bytes) -> Iterator[bytes]:
    yield content[:2]
    at = 2
    while found := _MARKER.search(content, at):
        marker, at = content[found.start() + 1], found.start()
        if marker == _END:
            break
        (length,) = (0,) if marker in _ALONE else struct.unpack_from(">H", content.ljust(at + 4, b"\0"), at + 2)
        after = at + 2 + length
        if marker == _SCAN:
            end = _MARKER.search(content, after)
            after = end.start() if end else len(content)
        body = content[at + 4 : at + 4 + 16]
        if marker not in _NOTES or any(marker == kind and body.startswith(start) for kind, start in _DRAWN_NOTES):
            yield content[at:after]
        at = after
    yield bytes((0xFF, _END))
