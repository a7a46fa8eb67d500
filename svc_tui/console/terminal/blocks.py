"""Pictures as half blocks: two pixels a cell. Drawn in a thread; Pillow is loaded with the first picture."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svc_tui.late import late

if TYPE_CHECKING:
    from PIL import Image as image_module
    from PIL import ImageOps as image_operations
    from PIL.Image import Image
else:
    image_module = late("PIL.Image")
    image_operations = late("PIL.ImageOps")

#: Pixels of a picture that is unpacked at all; a larger one is told by its size only.
MOST_PIXELS = 32_000_000
#: What shines through transparent pixels: two greys in squares, as picture editors show it.
_CHECKS = (0x66, 0x99)
_CHECK_SIDE = 2

_TOO_MANY = "The picture has too many pixels to be drawn here."

Colour = tuple[int, int, int]
Row = tuple[tuple[Colour, Colour | None], ...]


class NotDrawn(Exception):
    """Bytes that cannot be drawn; the text is the sentence that says why."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture in cells: each row holds (upper, lower) colours; `width` and `height` are the pixels it really has.

    Below the last row of an odd number of pixels there is nothing: None.
    """

    rows: tuple[Row, ...]
    width: int
    height: int

    @property
    def columns(self) -> int:
        return len(self.rows[0]) if self.rows else 0


def draw(data: bytes, columns: int, rows: int) -> Drawn:
    """The picture within so many cells, its shape kept, not enlarged. NotDrawn when the bytes are no picture."""
    columns, rows = max(1, columns), max(1, rows)
    try:
        with warnings.catch_warnings():
            # The limit is our own, and told in a sentence.
            warnings.simplefilter("ignore", image_module.DecompressionBombWarning)
            image: Image = image_module.open(io.BytesIO(data), formats=("PNG", "JPEG"))
        with image:
            size = image.size
            # A JPEG is unpacked no larger than needed.
            image.draft("RGB", (columns * 2, rows * 4))
            if image.width * image.height > MOST_PIXELS:
                raise NotDrawn(_TOO_MANY)
            shown = image_operations.exif_transpose(image)
            small = _within(shown.convert("RGBA"), columns, rows * 2)
    except NotDrawn:
        raise
    except image_module.DecompressionBombError as error:
        raise NotDrawn(_TOO_MANY) from error
    # Pillow's readers raise nearly anything over damaged bytes.
    except Exception as error:
        raise NotDrawn("The file is damaged: it cannot be drawn.") from error
    turned = (shown.width > shown.height) != (image.width > image.height)
    return Drawn(_cells(small), *(reversed(size) if turned else size))


def _within(image: Image, width: int, height: int) -> Image:
    """The picture on checks, within so many pixels."""
    image.thumbnail((width, height), image_module.Resampling.LANCZOS)
    checks = bytes(_check(x, y) for y in range(image.height) for x in range(image.width))
    ground = image_module.frombytes("L", image.size, checks).convert("RGBA")
    ground.alpha_composite(image)
    return ground.convert("RGB")


def _check(x: int, y: int) -> int:
    return _CHECKS[(x // _CHECK_SIDE + y // _CHECK_SIDE) % 2]


def _cells(image: Image) -> tuple[Row, ...]:
    data, width = image.tobytes(), image.width
    pixels: list[Colour] = [(data[n], data[n + 1], data[n + 2]) for n in range(0, len(data), 3)]
    lines = [pixels[n : n + width] for n in range(0, len(pixels), width)]
    return tuple(_row(lines[n], lines[n + 1] if n + 1 < len(lines) else None) for n in range(0, len(lines), 2))


def _row(upper: list[Colour], lower: list[Colour] | None) -> Row:
    return tuple((over, lower[x] if lower else None) for x, over in enumerate(upper))
