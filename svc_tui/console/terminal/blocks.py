"""Pictures as half blocks, two pixels per cell. Runs in a thread."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

from PIL import Image as image_module
from PIL import ImageOps as image_operations
from PIL.Image import Image

from svc_tui.language import _

#: The most pixels of a picture that is drawn.
MOST_PIXELS = 32_000_000
#: The background of transparent pixels: squares of two greys, as in picture editors.
_CHECKS = (0x66, 0x99)
_CHECK_SIDE = 2

_TOO_MANY = _("The picture is too large to be shown.")

Colour = tuple[int, int, int]
ColourRow = tuple[tuple[Colour, Colour | None], ...]


class NotDrawn(Exception):
    """The picture cannot be drawn; the message is the reason."""


@dataclass(frozen=True, slots=True)
class BlockImage:
    """A picture in cells: rows of (upper, lower) colours; `width` and `height` are its pixels.

    The lower colour of the last row is None for an odd number of pixels.
    """

    rows: tuple[ColourRow, ...]
    width: int
    height: int

    @property
    def columns(self) -> int:
        return len(self.rows[0]) if self.rows else 0


def draw(data: bytes, columns: int, rows: int) -> BlockImage:
    """The picture within a number of cells, not enlarged. NotDrawn when the bytes are not a picture."""
    columns, rows = max(1, columns), max(1, rows)
    try:
        with warnings.catch_warnings():
            # The limit above replaces that of Pillow.
            warnings.simplefilter("ignore", image_module.DecompressionBombWarning)
            image: Image = image_module.open(io.BytesIO(data), formats=("PNG", "JPEG"))
        with image:
            size = image.size
            # A JPEG is decoded no larger than needed.
            image.draft("RGB", (columns * 2, rows * 4))
            if image.width * image.height > MOST_PIXELS:
                raise NotDrawn(_TOO_MANY)
            shown = image_operations.exif_transpose(image)
            small = _within(shown.convert("RGBA"), columns, rows * 2)
    except NotDrawn:
        raise
    except image_module.DecompressionBombError as error:
        raise NotDrawn(_TOO_MANY) from error
    # Pillow raises many kinds of exceptions for damaged files.
    except Exception as error:
        raise NotDrawn(_("The file is damaged and cannot be shown.")) from error
    turned = (shown.width > shown.height) != (image.width > image.height)
    return BlockImage(_cells(small), *(reversed(size) if turned else size))


def _within(image: Image, width: int, height: int) -> Image:
    """The picture on squares, within a number of pixels."""
    image.thumbnail((width, height), image_module.Resampling.LANCZOS)
    checks = bytes(_check(x, y) for y in range(image.height) for x in range(image.width))
    ground = image_module.frombytes("L", image.size, checks).convert("RGBA")
    ground.alpha_composite(image)
    return ground.convert("RGB")


def _check(x: int, y: int) -> int:
    return _CHECKS[(x // _CHECK_SIDE + y // _CHECK_SIDE) % 2]


def _cells(image: Image) -> tuple[ColourRow, ...]:
    data, width = image.tobytes(), image.width
    pixels: list[Colour] = [(data[n], data[n + 1], data[n + 2]) for n in range(0, len(data), 3)]
    lines = [pixels[n : n + width] for n in range(0, len(pixels), width)]
    return tuple(_row(lines[n], lines[n + 1] if n + 1 < len(lines) else None) for n in range(0, len(lines), 2))


def _row(upper: list[Colour], lower: list[Colour] | None) -> ColourRow:
    return tuple((over, lower[x] if lower else None) for x, over in enumerate(upper))
