"""Bytes that are judged and made smaller, without a server around them."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from svc_tui.server.images.validation import MOST_PIXELS, ValidImage, InvalidImage, validated, accepted_type
from svc_tui.server.images.scaling import effective_size, scaled
from tests.support.pictures import bomb, kind_of, picture, size_of, upright

JPEG, PNG = "image/jpeg", "image/png"


def test_a_picture_is_known_by_its_bytes() -> None:
    assert validated(picture("PNG"), PNG) == ValidImage(PNG, 200, 120)
    assert validated(picture("JPEG"), JPEG) == ValidImage(JPEG, 200, 120)
    assert validated(picture("JPEG", progressive=True), JPEG).media_type == JPEG
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        assert validated(picture("PNG", mode=mode), PNG).width == 200
    assert validated(picture("JPEG", mode="CMYK"), JPEG).width == 200


def test_one_taken_upright_is_told_as_it_is_seen() -> None:
    assert validated(upright(), JPEG) == ValidImage(JPEG, 100, 300)


def test_the_types_that_are_taken() -> None:
    assert [accepted_type(each) for each in (PNG, "IMAGE/PNG", "image/jpg; q=1", JPEG)] == [PNG, PNG, JPEG, JPEG]
    assert [accepted_type(each) for each in ("", "image/gif", "image/webp", "text/plain", "image/svg+xml")] == [""] * 5


@pytest.mark.parametrize("format", ["GIF", "WEBP", "BMP", "TIFF", "ICO", "PDF", "PPM"])
def test_other_formats_are_refused_whatever_they_say(format: str) -> None:
    for said in (PNG, JPEG):
        with pytest.raises(InvalidImage, match="neither a JPEG nor a PNG"):
            validated(picture(format, (64, 64)), said)


def test_a_lie_about_the_type_is_told() -> None:
    with pytest.raises(InvalidImage, match="says image/png and is image/jpeg"):
        validated(picture("JPEG"), PNG)
    with pytest.raises(InvalidImage, match="says image/jpeg and is image/png"):
        validated(picture("PNG"), JPEG)


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    content = bomb()
    assert len(content) < 5_000
    tracemalloc.start()
    with pytest.raises(InvalidImage, match="too large: at most 16 million"):
        validated(content, PNG)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_the_limit_is_of_pixels_and_of_the_longest_side() -> None:
    for width, height in ((4097, 4096), (1, 16_385), (20_000, 100), (2**31 - 1, 2**31 - 1)):
        with pytest.raises(InvalidImage, match="too large"):
            validated(bomb(width, height), PNG)
    assert MOST_PIXELS == 4096 * 4096


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_what_is_not_whole_is_refused(format: str) -> None:
    content = picture(format)
    for part in (0.1, 0.3, 0.5, 0.9):
        with pytest.raises(InvalidImage):
            validated(content[: int(len(content) * part)], f"image/{format.lower()}")


def test_a_damaged_middle_is_refused() -> None:
    content = bytearray(picture("PNG"))
    middle = len(content) // 2
    content[middle : middle + 40] = b"\xff" * 40
    with pytest.raises(InvalidImage, match="damaged or not whole"):
        validated(bytes(content), PNG)


@given(st.binary(max_size=300), st.sampled_from([b"", picture("PNG")[:40], picture("JPEG")[:40], bomb()[:60]]))
def test_no_bytes_at_all_make_it_fall(content: bytes, beginning: bytes) -> None:
    for said in (PNG, JPEG):
        with pytest.raises(InvalidImage):
            validated(beginning + content, said)


@given(st.data())
def test_flipped_bytes_are_judged_or_refused_and_never_make_it_fall(data: st.DataObject) -> None:
    format = data.draw(st.sampled_from(["PNG", "JPEG"]))
    content = bytearray(picture(format, (40, 30)))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        validated(bytes(content), f"image/{format.lower()}")
    except InvalidImage:
        return
    scaled(bytes(content), f"image/{format.lower()}", 20)


@pytest.mark.parametrize(("format", "type_"), [("PNG", PNG), ("JPEG", JPEG)])
def test_it_is_made_smaller_keeps_its_shape_and_its_type_and_is_never_enlarged(format: str, type_: str) -> None:
    content = picture(format, (400, 200))
    for size, expected in ((80, (80, 40)), (1, (1, 1)), (399, (399, 200)), (400, (400, 200)), (512, (400, 200))):
        made = scaled(content, type_, size)
        assert (size_of(made), kind_of(made)) == (expected, type_)
    assert scaled(content, type_, 512) == content


def test_every_kind_of_picture_can_be_made_smaller() -> None:
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        assert size_of(scaled(picture("PNG", mode=mode), PNG, 50)) == (50, 30)
    assert size_of(scaled(picture("JPEG", mode="CMYK"), JPEG, 50)) == (50, 30)


def test_transparency_survives() -> None:
    image = Image.new("RGBA", (100, 100), (255, 0, 0, 0))
    target = io.BytesIO()
    image.save(target, "PNG")
    with Image.open(io.BytesIO(scaled(target.getvalue(), PNG, 20))) as made:
        assert made.convert("RGBA").getpixel((10, 10))[3] == 0  # type: ignore[index]


def test_what_the_camera_wrote_stays_with_us_and_the_picture_stands_upright() -> None:
    for size, expected in ((80, (27, 80)), (512, (100, 300))):
        made = scaled(upright(), JPEG, size)
        assert size_of(made) == expected
        assert b"taken at home" not in made
        with Image.open(io.BytesIO(made)) as image:
            assert not image.getexif()


def test_the_size_meant() -> None:
    asked = (None, 1, 80, 512, 513, 2048, 10**9, 0, -5)
    assert [effective_size(each) for each in asked] == [80, 1, 80, 512, 80, 80, 80, 1, 1]
