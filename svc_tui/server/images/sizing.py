"""A picture at the size that is asked for: within a square, never enlarged, of the same type."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from svc_tui.server.images.judging import BROKEN, opened, orientation

#: Sides in pixels (section 4.2).
DEFAULT_SIZE, LARGEST_SIZE = 80, 512

_QUALITY = 88


def size_meant(asked: int | None) -> int:
    """The size for what was asked: none, and one above the largest, is the default. At least 1."""
    if asked is None or asked > LARGEST_SIZE:
        return DEFAULT_SIZE
    return max(asked, 1)


def sized(content: bytes, media_type: str, size: int) -> bytes:
    """The picture within `size` x `size` pixels, without what its camera wrote into it.

    One that fits and is plain comes back byte by byte. Bytes that cannot be read any more come back as they are.
    """
    try:
        with opened(content) as image:
            # What reads JPEG can make it smaller while it unpacks; twice the size leaves enough to be sharp.
            if media_type == "image/jpeg":
                if max(image.size) <= size and not image.getexif():
                    return content
                image.draft(image.mode, (size * 2, size * 2))
            image.load()
            if media_type == "image/png" and max(image.size) <= size and not image.getexif():
                return content
            return _written(_within(image, size), media_type)
    except BROKEN:
        return content


def _within(image: Image.Image, size: int) -> Image.Image:
    upright = ImageOps.exif_transpose(image) if orientation(image) != 1 else image
    smaller = upright.convert(_mode(upright))
    # Comments and colour profiles would be written again.
    smaller.info = {}
    smaller.thumbnail((size, size), Image.Resampling.LANCZOS)
    return smaller


def _mode(image: Image.Image) -> str:
    """Modes that can be made smaller smoothly: palettes and single bits cannot."""
    if image.has_transparency_data:
        return "RGBA"
    return "L" if image.mode in ("1", "L", "I;16", "I", "F") else "RGB"


def _written(image: Image.Image, media_type: str) -> bytes:
    target = io.BytesIO()
    if media_type == "image/jpeg":
        image.save(target, "JPEG", quality=_QUALITY, optimize=True)
    else:
        image.save(target, "PNG", optimize=True)
    return target.getvalue()
