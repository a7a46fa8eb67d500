"""Files before they are uploaded: what would be refused is refused here, in a sentence, and costs no memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svc_tui.interface.images import upload_company_avatar
from svc_tui.workspace.files.uploads import Unfit, accepted, fit, read_file, size_name

AVATAR = upload_company_avatar
SMALL = replace(AVATAR, most_bytes=100)
PNG = b"\x89PNG\r\n\x1a\n" + b"p" * 20


def test_a_picture_is_what_its_bytes_say_whatever_its_name(tmp_path):
    path = tmp_path / "logo.jpg"
    path.write_bytes(PNG)
    content = read_file(path, SMALL)
    assert (content.type, content.data) == ("image/png", PNG)
    assert "ppp" not in repr(content)


def test_a_text_named_png_is_refused(tmp_path):
    path = tmp_path / "logo.png"
    path.write_text("hello")
    with pytest.raises(Unfit, match=r"logo\.png is no JPEG or PNG picture, whatever its name says\."):
        read_file(path, SMALL)


def test_another_kind_of_picture_is_named():
    with pytest.raises(Unfit, match=r"It is GIF, not JPEG or PNG\."):
        fit(b"GIF89a...", SMALL, "It")


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.write(PNG)
        file.truncate(50_000_000_000)
    monkeypatch.setattr("pathlib.Path.open", None)
    with pytest.raises(Unfit, match="50000000000 bytes or more, at most 100 are accepted"):
        read_file(path, SMALL)


@pytest.mark.parametrize(("length", "fits"), [(100, True), (101, False)])
def test_the_limit_is_the_declared_one_to_the_byte(tmp_path, length, fits):
    path = tmp_path / "a.png"
    path.write_bytes(PNG.ljust(length, b"p"))
    if fits:
        assert len(read_file(path, SMALL).data) == length
    else:
        with pytest.raises(Unfit, match="too large"):
            read_file(path, SMALL)


def test_what_is_no_file_is_told(tmp_path):
    (tmp_path / "empty.png").touch()
    for path, said in (
        (tmp_path, "is a folder"),
        (tmp_path / "none", "cannot be read"),
        (tmp_path / "empty.png", "is empty"),
    ):
        with pytest.raises(Unfit, match=said):
            read_file(path, SMALL)
    with pytest.raises(Unfit, match="cannot be read"):
        read_file(tmp_path / "a\0b", SMALL)


def test_the_limits_in_words():
    assert accepted(AVATAR) == "JPEG or PNG, at most 4194304 bytes (4 MiB)"
    assert [size_name(count) for count in (812, 12_300, 4_200_000)] == ["812 bytes", "12 kB", "4.2 MB"]


def test_bytes_from_anywhere_are_held_against_the_limit():
    with pytest.raises(Unfit, match=r"Standard input is too large: 101 bytes or more"):
        fit(PNG.ljust(101, b"p"), SMALL, "Standard input")
