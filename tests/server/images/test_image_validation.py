"""Validation and scaling of images, without a server."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from svc_tui.server.images.scaling import effective_size, scaled
from svc_tui.server.images.validation import MOST_PIXELS, MOST_SCANS, InvalidImage, ValidImage, accepted_type, validated
from tests.support.pictures import bomb, kind_of, picture, progressive, size_of, upright, with_metadata

JPEG, PNG = "image/jpeg", "image/png"


def test_the_type_of_an_image_comes_from_its_bytes() -> None:
    assert validated(picture("PNG"), PNG) == ValidImage(PNG, 200, 120)
    assert validated(picture("JPEG"), JPEG) == ValidImage(JPEG, 200, 120)
    assert validated(picture("JPEG", progressive=True), JPEG).media_type == JPEG
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        assert validated(picture("PNG", mode=mode), PNG).width == 200
    assert validated(picture("JPEG", mode="CMYK"), JPEG).width == 200


def test_the_size_of_a_turned_image_is_that_of_the_upright_one() -> None:
    assert validated(upright(), JPEG) == ValidImage(JPEG, 100, 300)


def test_accepted_content_types() -> None:
    assert [accepted_type(each) for each in (PNG, "IMAGE/PNG", "image/jpg; q=1", JPEG)] == [PNG, PNG, JPEG, JPEG]
    assert [accepted_type(each) for each in ("", "image/gif", "image/webp", "text/plain", "image/svg+xml")] == [""] * 5


@pytest.mark.parametrize("format", ["GIF", "WEBP", "BMP", "TIFF", "ICO", "PDF", "PPM"])
def test_other_formats_are_refused_under_any_declared_type(format: str) -> None:
    for declared in (PNG, JPEG):
        with pytest.raises(InvalidImage, match="neither a JPEG nor a PNG"):
            validated(picture(format, (64, 64)), declared)


def test_a_wrong_declared_type_is_refused() -> None:
    with pytest.raises(InvalidImage, match="content type is image/png, the body is image/jpeg"):
        validated(picture("JPEG"), PNG)
    with pytest.raises(InvalidImage, match="content type is image/jpeg, the body is image/png"):
        validated(picture("PNG"), JPEG)


def test_a_decompression_bomb_is_refused_before_it_is_decoded() -> None:
    content = bomb()
    assert len(content) < 5_000
    tracemalloc.start()
    with pytest.raises(InvalidImage, match="too large: at most 16 million"):
        validated(content, PNG)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_pixels_and_the_longest_side_are_limited() -> None:
    for width, height in ((4097, 4096), (1, 16_385), (20_000, 100), (2**31 - 1, 2**31 - 1)):
        with pytest.raises(InvalidImage, match="too large"):
            validated(bomb(width, height), PNG)
    assert MOST_PIXELS == 4096 * 4096


def test_an_image_with_more_scans_than_any_program_writes_is_refused() -> None:
    assert validated(progressive(MOST_SCANS), JPEG) == ValidImage(JPEG, 64, 64)
    with pytest.raises(InvalidImage, match="too many scans: at most 100"):
        validated(progressive(MOST_SCANS + 1), JPEG)


def test_metadata_writes_no_warnings_into_the_log(recwarn: pytest.WarningsRecorder) -> None:
    content = with_metadata(200)
    assert validated(content, PNG) == ValidImage(PNG, 8, 8)
    assert size_of(scaled(content, PNG, 4)) == (4, 4)
    assert not recwarn.list


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_incomplete_images_are_refused(format: str) -> None:
    content = picture(format)
    for part in (0.1, 0.3, 0.5, 0.9):
        with pytest.raises(InvalidImage):
            validated(content[: int(len(content) * part)], f"image/{format.lower()}")


def test_images_damaged_in_the_middle_are_refused() -> None:
    content = bytearray(picture("PNG"))
    middle = len(content) // 2
    content[middle : middle + 40] = b"\xff" * 40
    with pytest.raises(InvalidImage, match="damaged or incomplete"):
        validated(bytes(content), PNG)


@given(st.binary(max_size=300), st.sampled_from([b"", picture("PNG")[:40], picture("JPEG")[:40], bomb()[:60]]))
def test_arbitrary_bytes_are_refused_without_another_error(content: bytes, beginning: bytes) -> None:
    for declared in (PNG, JPEG):
        with pytest.raises(InvalidImage):
            validated(beginning + content, declared)


@given(st.data())
def test_changed_bytes_are_validated_or_refused_without_another_error(data: st.DataObject) -> None:
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
def test_scaling_keeps_shape_and_type_and_never_enlarges(format: str, type_: str) -> None:
    content = picture(format, (400, 200))
    for size, expected in ((80, (80, 40)), (1, (1, 1)), (399, (399, 200)), (400, (400, 200)), (512, (400, 200))):
        made = scaled(content, type_, size)
        assert (size_of(made), kind_of(made)) == (expected, type_)
    assert scaled(content, type_, 512) == content


def test_every_mode_can_be_scaled() -> None:
    for mode in ("1", "L", "LA", "P", "RGBA", "I;16"):
        assert size_of(scaled(picture("PNG", mode=mode), PNG, 50)) == (50, 30)
    assert size_of(scaled(picture("JPEG", mode="CMYK"), JPEG, 50)) == (50, 30)


def test_scaling_keeps_transparency() -> None:
    image = Image.new("RGBA", (100, 100), (255, 0, 0, 0))
    target = io.BytesIO()
    image.save(target, "PNG")
    with Image.open(io.BytesIO(scaled(target.getvalue(), PNG, 20))) as made:
        assert made.convert("RGBA").getpixel((10, 10))[3] == 0  # type: ignore[index]


def test_scaling_removes_metadata_and_turns_the_image_upright() -> None:
    for size, expected in ((80, (27, 80)), (512, (100, 300))):
        made = scaled(upright(), JPEG, size)
        assert size_of(made) == expected
        assert b"taken at home" not in made
        with Image.open(io.BytesIO(made)) as image:
            assert not image.getexif()


def test_a_size_above_the_largest_is_the_default() -> None:
    requested = (1, 80, 512, 513, 2048, 10**9, 0, -5)
    assert [effective_size(each) for each in requested] == [1, 80, 512, 80, 80, 80, 1, 1]
