"""Images at a requested size: within a square, never enlarged, of the same type, and with the same picture; and the
parts of a file that an image is drawn from: what comes behind it, other pictures and notes are left out.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

from PIL import Image, ImageCms, ImageMath, ImageOps

from svc_tui.interface.images.records import DEFAULT_SIZE, LARGEST_SIZE
from svc_tui.server.images.validation import BROKEN, opened, orientation, without_warnings

_QUALITY = 88
#: Where a PNG has the bits of each colour, and their number in the images of Pillow.
_DEPTH_AT, _BITS = 24, 8


@cache
def _srgb() -> ImageCms.ImageCmsProfile:
    """The profile of screens."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


def effective_size(requested: int) -> int:
    """The size of an answer (4.2): the default when the requested size is above the largest; at least 1."""
    return DEFAULT_SIZE if requested > LARGEST_SIZE else max(requested, 1)


def scaled(content: bytes, media_type: str, size: int) -> bytes:
    """The image within `size` x `size` pixels, of an animation its first picture, without metadata and bytes behind it.

    The pixels of an upright image that fits are unchanged. Bytes that can no longer be read are returned as they are.
    """
    try:
        with opened(content) as image, without_warnings():
            # The JPEG decoder can reduce the size itself; twice the requested size keeps the result sharp.
            if media_type == "image/jpeg":
                if max(image.size) <= size and orientation(image) == 1:
                    return drawn_parts(content)
                image.draft(image.mode, (size * 2, size * 2))
            image.load()
            if media_type == "image/png" and max(image.size) <= size and orientation(image) == 1:
                return drawn_parts(content)
            depth = content[_DEPTH_AT] if media_type == "image/png" else _BITS
            return _encoded(_reduced(image, size, depth), media_type)
    except BROKEN:
        return content


def _reduced(image: Image.Image, size: int, depth: int) -> Image.Image:
    upright = ImageOps.exif_transpose(image) if orientation(image) != 1 else image
    smaller = _in_srgb(_smooth(upright, depth))
    # Without this, comments and colour profiles are written again.
    smaller.info = {}
    smaller.thumbnail((size, size), Image.Resampling.LANCZOS)
    return smaller


def _smooth(image: Image.Image, depth: int) -> Image.Image:
    """The image with eight bits for each colour and for its transparency: palettes and single bits are not reduced
    smoothly, and Pillow cuts sixteen bits off."""
    info, clear = image.info, image.info.get("transparency")
    if image.mode.startswith("I"):
        whole = image.convert("I")
        grey = whole.point(lambda value: value * (1 / 256)).convert("L")
        if isinstance(clear, int):
            opaque = ImageMath.lambda_eval(lambda found: (found["whole"] != clear) * 255, whole=whole)
            grey.putalpha(opaque.convert("L"))
        found = grey
    elif image.mode in ("L", "RGB") and clear is not None and depth != _BITS:
        eight = image.copy()
        eight.info["transparency"] = _in_eight_bits(clear, depth)
        found = eight.convert("RGBA")
    elif image.has_transparency_data:
        found = image.convert("LA" if image.mode == "LA" else "RGBA")
    elif image.mode == "CMYK" and "icc_profile" in info:
        found = image.copy()
    else:
        found = image.convert("L" if image.mode in ("1", "L") else "RGB")
    found.info = dict(info)
    return found


def _in_eight_bits(clear: Any, depth: int) -> Any:
    """A transparent colour of a PNG as Pillow decodes it: from fewer or from sixteen bits."""
    if isinstance(clear, tuple):
        return tuple(_in_eight_bits(each, depth) for each in clear)
    return clear >> 8 if depth > _BITS else clear * 255 // (2**depth - 1)


def _in_srgb(image: Image.Image) -> Image.Image:
    """The image in the colours of screens, if it has a colour profile: its colours stay the same without it."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK"):
        return image
    try:
        colours = image.convert("RGB") if image.mode == "RGBA" else image
        found = ImageCms.profileToProfile(colours, io.BytesIO(profile), _srgb(), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        # A profile that cannot be read, or is for other colours, does not describe them.
        return image.convert("RGB") if image.mode == "CMYK" else image
    assert found is not None
    if image.mode == "RGBA":
        found.putalpha(image.getchannel("A"))
    return found


def _encoded(image: Image.Image, media_type: str) -> bytes:
    target = io.BytesIO()
    if media_type == "image/jpeg":
        image.save(target, "JPEG", quality=_QUALITY, optimize=True)
    else:
        image.save(target, "PNG", optimize=True)
    return target.getvalue()


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
