"""What uploaded bytes really are: the type by content, the sides, and whether the picture is whole.

Nothing is believed: neither the type that the sender names, nor the sides that the first bytes name.
"""

from __future__ import annotations

import io
import struct
import warnings
from dataclasses import dataclass

from PIL import Image

#: Content types that are taken, as clients name them, and the one that is meant.
TYPES = {"image/jpeg": "image/jpeg", "image/jpg": "image/jpeg", "image/png": "image/png"}

#: Most pixels of a picture: judged by its first bytes, before a single pixel is unpacked.
MOST_PIXELS = 16_777_216
_MILLIONS = MOST_PIXELS // 1_000_000
#: Longest side in pixels.
LONGEST_SIDE = 16_384

#: What Pillow raises over bytes that are no picture, or no whole one.
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
#: Values of EXIF's orientation that swap the sides.
_LYING = (5, 6, 7, 8)
_ORIENTATION = 0x0112

_FORMATS = ("JPEG", "PNG")
_MEANT = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png"}


class NoPicture(ValueError):
    """The bytes are refused; the text says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A picture that is what it says. Sides in pixels as it is seen, turned as its camera was held."""

    media_type: str
    width: int
    height: int


def meant(content_type: str) -> str:
    """The type behind a Content-Type header; empty when it is none that is taken."""
    return TYPES.get(content_type.partition(";")[0].strip().lower(), "")


def judge(content: bytes, said: str) -> Judged:
    """What the bytes are. NoPicture when they are no whole JPEG or PNG, are too large, or `said` is another type."""
    try:
        image = opened(content)
    except Image.DecompressionBombError as error:
        raise NoPicture(f"the image is too large: at most {_MILLIONS} million pixels") from error
    except BROKEN as error:
        raise NoPicture("the body is neither a JPEG nor a PNG image") from error
    with image:
        found = _MEANT.get(image.format or "", "")
        if not found:
            raise NoPicture("the body is neither a JPEG nor a PNG image")
        if found != said:
            raise NoPicture(f"the body says {said} and is {found}")
        width, height = image.size
        _check_sides(width, height)
        try:
            _unpack(image)
        except BROKEN as error:
            raise NoPicture("the image is damaged or not whole") from error
        if orientation(image) in _LYING:
            width, height = height, width
    return Judged(found, width, height)


def opened(content: bytes) -> Image.Image:
    """The picture behind the bytes: its first ones are read, no pixel is unpacked."""
    with warnings.catch_warnings():
        # Large sides are refused by our own, lower limit.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(io.BytesIO(content), formats=_FORMATS)


def orientation(image: Image.Image) -> int:
    """How the camera was held, as EXIF numbers it; 1 is upright, and what is meant where nothing can be read."""
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except BROKEN:
        return 1


def _check_sides(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise NoPicture("the image has no pixels")
    if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
        raise NoPicture(
            f"the image is too large: {width} x {height} pixels, at most {MOST_PIXELS // 1_000_000} million"
        )


def _unpack(image: Image.Image) -> None:
    """Read all of it: only then it is known to be whole. A JPEG is unpacked at an eighth of its sides."""
    if image.format != "PNG":
        image.draft(image.mode, (1, 1))
    image.load()
