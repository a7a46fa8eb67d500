"""An uploaded image shows others the same: all its bits, its transparency and colours, and nothing behind it."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image, ImageCms

from svc_tui.server.images.scaling import drawn_parts, scaled
from tests.support.pictures import picture, size_of, upright

JPEG, PNG = "image/jpeg", "image/png"
SIDE = 100
#: The left and the right half of a test image, after it was reduced to half its size.
LEFT, RIGHT = (10, 25), (40, 25)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def halves(depth: int, color: int, left: bytes, right: bytes, *more: bytes) -> bytes:
    """A PNG of one colour on the left and another on the right: each is the bytes of ten pixels."""
    header = struct.pack(">IIBBBBB", SIDE, SIDE, depth, color, 0, 0, 0)
    pixels = zlib.compress((b"\0" + left * 5 + right * 5) * SIDE)
    return b"\x89PNG\r\n\x1a\n" + b"".join((chunk(b"IHDR", header), *more, chunk(b"IDAT", pixels), chunk(b"IEND", b"")))


def clear(*values: int) -> bytes:
    """The chunk of a transparent colour."""
    return chunk(b"tRNS", struct.pack(f">{len(values)}H", *values))


def wide(*values: int) -> bytes:
    """Ten pixels of sixteen bits for each value."""
    return struct.pack(f">{len(values)}H", *values) * 10


def seen(content: bytes, at: tuple[int, int]) -> Any:
    with Image.open(io.BytesIO(content)) as image:
        return image.convert("RGBA").getpixel(at)


@pytest.mark.parametrize(
    ("content", "left", "right"),
    [
        # Sixteen bits of grey: half the light is 0x8000, which is not white.
        (halves(16, 0, wide(0x8000), wide(0x2000)), (128, 128, 128, 255), (32, 32, 32, 255)),
        (halves(16, 0, wide(0x8000), wide(0x8001), clear(0x8000)), (128, 128, 128, 0), (128, 128, 128, 255)),
        (halves(16, 2, wide(0x1234, 0x5678, 0x9ABC), wide(0xFFFF, 0, 0)), (18, 86, 154, 255), (255, 0, 0, 255)),
        (halves(16, 2, wide(0x1234, 0, 0), wide(0xFFFF, 0, 0), clear(0x1234, 0, 0)), (18, 0, 0, 0), (255, 0, 0, 255)),
        (halves(16, 4, wide(0x8000, 0x4000), wide(0, 0xFFFF)), (127, 127, 127, 64), (0, 0, 0, 255)),
        (halves(16, 6, wide(0xFFFF, 0, 0, 0x8000), wide(0, 0, 0, 0xFFFF)), (255, 0, 0, 128), (0, 0, 0, 255)),
        # Grey of eight and four bits, with a transparent value of these.
        (halves(8, 0, b"\x0a" * 10, b"\xc8" * 10, clear(10)), (0, 0, 0, 0), (200, 200, 200, 255)),
        (halves(4, 0, b"\x77" * 5, b"\xff" * 5, clear(7)), (119, 119, 119, 0), (255, 255, 255, 255)),
        (halves(8, 4, b"\x80\x40" * 10, b"\0\xff" * 10), (128, 128, 128, 64), (0, 0, 0, 255)),
    ],
)
def test_a_smaller_image_shows_the_same(content: bytes, left: Any, right: Any) -> None:
    made = scaled(content, PNG, SIDE // 2)
    for at, color in ((LEFT, left), (RIGHT, right)):
        found = seen(made, at)
        assert found[3] == color[3]
        # What is not seen has no colour.
        assert not color[3] or found == pytest.approx(color, abs=1)
    assert scaled(content, PNG, SIDE) == content, "one that fits keeps all its bits"


def test_grey_stays_grey() -> None:
    for mode, kept in (("L", "L"), ("LA", "LA"), ("1", "L"), ("I;16", "L")):
        with Image.open(io.BytesIO(scaled(picture("PNG", mode=mode), PNG, 50))) as image:
            assert image.mode == kept
    with Image.open(io.BytesIO(scaled(picture("JPEG", mode="L"), JPEG, 50))) as image:
        assert image.mode == "L"


@pytest.mark.parametrize(("format", "media"), [("JPEG", JPEG), ("PNG", PNG)])
@pytest.mark.parametrize("turned", range(1, 9))
def test_an_image_of_a_camera_is_shown_upright(format: str, media: str, turned: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = turned
    content = picture(format, (300, 100), exif=exif.tobytes())
    for size in (300, 60):
        made = scaled(content, media, size)
        assert size_of(made) == ((size, size // 3) if turned < 5 else (size // 3, size))
        with Image.open(io.BytesIO(made)) as image:
            assert not image.getexif()


def test_colours_of_a_profile_stay_when_it_is_left_out() -> None:
    # In this profile, red and green are exchanged.
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile = profile.replace(b"rXYZ", b"....").replace(b"gXYZ", b"rXYZ").replace(b"....", b"gXYZ")
    for format, media in (("PNG", PNG), ("JPEG", JPEG)):
        target = io.BytesIO()
        Image.new("RGB", (100, 100), (255, 0, 0)).save(target, format, icc_profile=bytes(profile))
        made = scaled(target.getvalue(), media, 50)
        red, green, *_ = seen(made, LEFT)
        assert red < 60 and green > 200
        with Image.open(io.BytesIO(made)) as image:
            assert "icc_profile" not in image.info
        assert scaled(target.getvalue(), media, 100) == target.getvalue()
    broken = io.BytesIO()
    Image.new("RGB", (100, 100), (255, 0, 0)).save(broken, "PNG", icc_profile=b"none at all")
    assert seen(scaled(broken.getvalue(), PNG, 50), LEFT) == (255, 0, 0, 255)


@pytest.mark.parametrize(("format", "media"), [("JPEG", JPEG), ("PNG", PNG)])
@pytest.mark.parametrize(
    "behind", [b"\0", b"PK\x03\x04 hidden", chunk(b"IDAT", b"hidden"), picture("PNG", (9, 9)), picture("JPEG", (9, 9))]
)
def test_bytes_behind_an_image_go(format: str, media: str, behind: bytes) -> None:
    content = picture(format)
    assert scaled(content + behind, media, 512) == content
    assert scaled(content + behind, media, 50) == scaled(content, media, 50)


def test_notes_in_an_image_go_and_its_pixels_stay() -> None:
    content = picture("PNG")
    noted = content[:33] + chunk(b"tEXt", b"Comment\0at home") + chunk(b"prVt", b"at home") + content[33:]
    assert scaled(noted, PNG, 512) == content
    plain, comment = picture("JPEG", progressive=True), picture("JPEG", progressive=True, comment=b"at home")
    located = b"http://ns.adobe.com/xap/1.0/\0<x>at home</x>"
    xmp = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(located) + 2) + located + plain[2:]
    assert scaled(comment, JPEG, 512) == scaled(xmp, JPEG, 512) == plain
    exif = Image.Exif()
    exif[0x010E] = "at home"
    assert b"at home" not in scaled(picture("JPEG", exif=exif.tobytes()), JPEG, 512)


def test_an_animation_is_its_first_picture() -> None:
    frames = [Image.new("RGB", (60, 60), color) for color in ("red", "lime", "blue")]
    target = io.BytesIO()
    frames[0].save(target, "PNG", save_all=True, append_images=frames[1:], duration=100)
    for size in (60, 30):
        made = scaled(target.getvalue(), PNG, size)
        with Image.open(io.BytesIO(made)) as image:
            assert getattr(image, "n_frames", 1) == 1
        assert b"acTL" not in made and b"fdAT" not in made
        assert seen(made, (5, 5)) == (255, 0, 0, 255)


def test_of_several_pictures_in_a_jpeg_the_first_stays() -> None:
    first, second = (Image.open(io.BytesIO(picture("JPEG", size))) for size in ((200, 120), (80, 50)))
    target = io.BytesIO()
    first.save(target, "MPO", save_all=True, append_images=[second])
    made = scaled(target.getvalue(), JPEG, 512)
    assert size_of(made) == (200, 120) and made.count(b"\xff\xd8") == 1
    with Image.open(io.BytesIO(made)) as image:
        assert image.format == "JPEG"


def test_what_an_image_is_drawn_from_is_all_of_a_plain_one() -> None:
    plain: list[bytes] = [picture("PNG", mode=mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")]
    plain += [picture("JPEG", mode=mode) for mode in ("L", "RGB", "CMYK")]
    plain += [picture("JPEG", progressive=True), picture("JPEG", (640, 480), optimize=True, restart_marker_rows=1)]
    assert [drawn_parts(each) == each for each in plain] == [True] * len(plain)
    assert b"taken at home" not in drawn_parts(upright())
