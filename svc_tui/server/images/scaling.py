"""Images at a requested size: within a square, never enlarged, of the same type."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from svc_tui.interface.images.records import DEFAULT_SIZE, LARGEST_SIZE
from svc_tui.server.images.validation import BROKEN, opened, orientation, without_warnings

_QUALITY = 88


def effective_size(requested: int) -> int:
    """The size of an answer (4.2): the default when the requested size is above the largest; at least 1."""
    return DEFAULT_SIZE if requested > LARGEST_SIZE else max(requested, 1)


def scaled(content: bytes, media_type: str, size: int) -> bytes:
    """The image within `size` x `size` pixels, without the metadata of its camera.

    An image that fits and has no metadata is returned unchanged, and so are bytes that can no longer be read.
    """
    try:
        with opened(content) as image, without_warnings():
            # The JPEG decoder can reduce the size itself; twice the requested size keeps the result sharp.
            if media_type == "image/jpeg":
                if max(image.size) <= size and not image.getexif():
                    return content
                image.draft(image.mode, (size * 2, size * 2))
            image.load()
            if media_type == "image/png" and max(image.size) <= size and not image.getexif():
                return content
            return _encoded(_reduced(image, size), media_type)
    except BROKEN:
        return content


def _reduced(image: Image.Image, size: int) -> Image.Image:
    upright = ImageOps.exif_transpose(image) if orientation(image) != 1 else image
    smaller = upright.convert(_mode(upright))
    # Without this, comments and colour profiles are written again.
    smaller.info = {}
    smaller.thumbnail((size, size), Image.Resampling.LANCZOS)
    return smaller


def _mode(image: Image.Image) -> str:
    """A mode that can be reduced smoothly: palettes and single bits cannot."""
    if image.has_transparency_data:
        return "RGBA"
    return "L" if image.mode in ("1", "L", "I;16", "I", "F") else "RGB"


def _encoded(image: Image.Image, media_type: str) -> bytes:
    target = io.BytesIO()
    if media_type == "image/jpeg":
        image.save(target, "JPEG", quality=_QUALITY, optimize=True)
    else:
        image.save(target, "PNG", optimize=True)
    return target.getvalue()
