"""Pictures for tests: good ones of every kind, and bytes that are none."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def picture(format: str = "PNG", size: tuple[int, int] = (200, 120), mode: str = "RGB", **options: object) -> bytes:
    """A picture with a gradient, so that it is no single colour."""
    red = Image.linear_gradient("L").resize(size)
    image = Image.merge("RGB", (red, red.rotate(180), red.transpose(Image.Transpose.FLIP_LEFT_RIGHT)))
    target = io.BytesIO()
    image.convert(mode).save(target, format, **options)
    return target.getvalue()


def upright() -> bytes:
    """A JPEG of 300 x 100 pixels that its camera took upright: it is seen as 100 x 300."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "taken at home"
    return picture("JPEG", (300, 100), exif=exif.tobytes())


def bomb(width: int = 50_000, height: int = 50_000) -> bytes:
    """A small, valid PNG whose pixels would take gigabytes."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(b"\0" * 1_000_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def progressive(scans: int) -> bytes:
    """A grey JPEG of 64 x 64 pixels with this many scans without content: each costs a decoder all pixels."""

    def segment(marker: int, content: bytes) -> bytes:
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content

    def scan(first: int, last: int) -> bytes:
        # Nothing in each of the 64 blocks: a bit for each.
        return segment(0xDA, bytes([1, 1, 0, first, last, 0])) + bytes(8)

    quantisation = segment(0xDB, bytes([0]) + b"\1" * 64)
    frame = segment(0xC2, struct.pack(">BHHB", 8, 64, 64, 1) + b"\1\x11\0")
    # One code of one bit each: no difference to the block before, and the end of a block.
    codes = b"".join(segment(0xC4, bytes([table, 1, *[0] * 15, 0])) for table in (0, 0x10))
    return b"\xff\xd8" + quantisation + frame + codes + scan(0, 0) + scan(1, 63) * (scans - 1) + b"\xff\xd9"


def with_metadata(entries: int, size: int = 1000) -> bytes:
    """A PNG whose metadata has this many entries, none of which is complete."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    listed = b"".join(struct.pack("<HHII", tag + 1, 7, size, 8) for tag in range(entries))
    exif = b"II*\0" + struct.pack("<IH", 8, entries) + listed + bytes(4)
    content = picture("PNG", (8, 8))
    return content[:33] + chunk(b"eXIf", exif) + content[33:]


def size_of(content: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(content)) as image:
        return image.size


def kind_of(content: bytes) -> str:
    with Image.open(io.BytesIO(content)) as image:
        return f"image/{(image.format or '').lower()}"
