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


def size_of(content: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(content)) as image:
        return image.size


def kind_of(content: bytes) -> str:
    with Image.open(io.BytesIO(content)) as image:
        return f"image/{(image.format or '').lower()}"
