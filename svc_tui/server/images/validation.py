"""Validation of uploaded images: the type by content, the size, and whether the image is complete.

Neither the Content-Type header nor the size in the first bytes is trusted.
"""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image

from svc_tui.interface.images.records import IMAGE_TYPES

#: Another name of a type that clients send.
_ALIASES = {"image/jpg": "image/jpeg"}

#: The most pixels of an image: checked by its first bytes, before any pixel is decoded.
MOST_PIXELS = 16_777_216
_MILLIONS = MOST_PIXELS // 1_000_000
#: Longest side in pixels.
LONGEST_SIDE = 16_384
#: The most scans of a JPEG: each goes through all pixels, however few bytes it has. Programs write up to 20.
MOST_SCANS = 100
#: Where a scan begins. The bytes of scans cannot contain it, those of metadata only by chance.
_SCAN = b"\xff\xda"

#: The exceptions of Pillow for bytes that are not an image, or not a complete one.
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    OverflowError,
    MemoryError,
    struct.error,
    Image.DecompressionBombError,
)
#: Values of the EXIF orientation that swap the sides.
_SIDEWAYS = (5, 6, 7, 8)
_ORIENTATION = 0x0112

_FORMATS = ("JPEG", "PNG")
_TYPE_OF_FORMAT = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png"}


class InvalidImage(ValueError):
    """The bytes are refused. The message is the reason in one sentence."""


@dataclass(frozen=True, slots=True)
class ValidImage:
    """A valid image. Its sides in pixels are those of the upright image."""

    media_type: str
    width: int
    height: int


def accepted_type(content_type: str) -> str:
    """The image type of a Content-Type header; empty for a type that is not accepted."""
    found = content_type.partition(";")[0].strip().lower()
    found = _ALIASES.get(found, found)
    return found if found in IMAGE_TYPES else ""


def validated(content: bytes, declared_type: str) -> ValidImage:
    """The image of these bytes. InvalidImage for too large ones, or no complete JPEG or PNG of the declared type."""
    try:
        image = opened(content)
    except Image.DecompressionBombError as error:
        raise InvalidImage(f"the image is too large: at most {_MILLIONS} million pixels") from error
    except BROKEN as error:
        raise InvalidImage("the body is neither a JPEG nor a PNG image") from error
    with image, without_warnings():
        found = _TYPE_OF_FORMAT.get(image.format or "", "")
        if not found:
            raise InvalidImage("the body is neither a JPEG nor a PNG image")
        if found != declared_type:
            raise InvalidImage(f"the content type is {declared_type}, the body is {found}")
        width, height = image.size
        _check_size(width, height)
        if found == "image/jpeg" and content.count(_SCAN) > MOST_SCANS:
            raise InvalidImage(f"the image has too many scans: at most {MOST_SCANS}")
        try:
            _decode(image)
        except BROKEN as error:
            raise InvalidImage("the image is damaged or incomplete") from error
        if orientation(image) in _SIDEWAYS:
            width, height = height, width
    return ValidImage(found, width, height)


def opened(content: bytes) -> Image.Image:
    """The image of these bytes. Only its first bytes are read; no pixel is decoded."""
    # The lower limit of this module refuses large images.
    with without_warnings():
        return Image.open(io.BytesIO(content), formats=_FORMATS)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Metadata can make Pillow write a warning for each of its 65,535 entries, which would fill the log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def orientation(image: Image.Image) -> int:
    """The EXIF orientation; 1 (upright) when it cannot be read."""
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except BROKEN:
        return 1


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise InvalidImage("the image has no pixels")
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise InvalidImage(f"the image is too large: {width} x {height} pixels, at most {_MILLIONS} million")


def _decode(image: Image.Image) -> None:
    """Decode the whole image: only then it is known to be complete. A JPEG is decoded at an eighth of its size."""
    if image.format != "PNG":
        image.draft(image.mode, (1, 1))
    image.load()
