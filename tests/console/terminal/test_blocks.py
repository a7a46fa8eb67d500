"""Pictures as half blocks: proportions, no enlargement, errors for damaged and huge ones."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from svc_tui.console.terminal.blocks import NotDrawn, draw
from tests.support.pictures import bomb, picture, upright

RED, BLUE = (255, 0, 0), (0, 0, 255)


def png(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


def test_one_cell_shows_two_pixels() -> None:
    image = Image.new("RGB", (1, 3), RED)
    image.putpixel((0, 1), BLUE)
    assert draw(png(image), 10, 10).rows == (((RED, BLUE),), ((RED, None),))


@pytest.mark.parametrize(
    ("size", "room", "cells"),
    [((400, 400), (38, 14), (28, 14)), ((1280, 720), (38, 14), (38, 11)), ((3, 4), (38, 14), (3, 2))],
)
def test_a_picture_keeps_its_shape_and_is_never_enlarged(
    size: tuple[int, int], room: tuple[int, int], cells: tuple[int, int]
) -> None:
    drawn = draw(picture("JPEG", size), *room)
    assert (drawn.columns, len(drawn.rows)) == cells
    assert (drawn.width, drawn.height) == size


def test_a_picture_is_turned_upright_by_its_camera_orientation() -> None:
    drawn = draw(upright(), 30, 15)
    assert (drawn.width, drawn.height) == (100, 300)
    assert drawn.columns < 2 * len(drawn.rows)


def test_transparent_pixels_are_checked_in_two_greys() -> None:
    drawn = draw(png(Image.new("RGBA", (4, 4), (0, 0, 0, 0))), 4, 2)
    assert len({colour for row in drawn.rows for pair in row for colour in pair}) == 2


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_is_drawn(mode: str) -> None:
    assert draw(png(Image.new("RGB", (4, 4), RED).convert(mode)), 4, 2).columns == 4


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_truncated_file_has_an_error(format: str, part: float) -> None:
    whole = picture(format, (300, 200))
    with pytest.raises(NotDrawn, match="damaged"):
        draw(whole[: int(len(whole) * part)], 30, 10)


def test_a_file_that_is_not_a_picture_has_an_error() -> None:
    for data in (b"", b"hello", b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(NotDrawn, match="damaged"):
            draw(data, 30, 10)


@pytest.mark.parametrize("side", [6_000, 9_500, 50_000])
def test_a_decompression_bomb_is_refused_without_being_decoded(side: int) -> None:
    with pytest.raises(NotDrawn, match="too large"):
        draw(bomb(side, side), 30, 10)


def test_a_large_jpeg_is_drawn_at_a_reduced_size() -> None:
    assert draw(picture("JPEG", (6_500, 6_500)), 30, 10).width == 6_500
