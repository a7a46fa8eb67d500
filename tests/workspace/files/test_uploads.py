"""Files before they are uploaded: unsuitable files are refused in a sentence, without reading them into memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svc_tui.interface.images.operations import upload_company_avatar
from svc_tui.workspace.files.saved_files import size_text
from svc_tui.workspace.files.uploads import UnsuitableFile, accepted_files, checked, read_file

AVATAR = upload_company_avatar
SMALL = replace(AVATAR, most_bytes=100)
PNG = b"\x89PNG\r\n\x1a\n" + b"p" * 20


def test_the_type_of_a_picture_comes_from_its_bytes_and_not_from_its_name(tmp_path):
    path = tmp_path / "logo.jpg"
    path.write_bytes(PNG)
    content = read_file(path, SMALL)
    assert (content.type, content.data) == ("image/png", PNG)
    assert "ppp" not in repr(content)


def test_a_text_named_png_is_refused(tmp_path):
    path = tmp_path / "logo.png"
    path.write_text("hello")
    with pytest.raises(UnsuitableFile, match=r"logo\.png is not a JPEG or PNG picture\."):
        read_file(path, SMALL)


def test_another_kind_of_picture_is_named():
    with pytest.raises(UnsuitableFile, match=r"It is GIF, not JPEG or PNG\."):
        checked(b"GIF89a...", SMALL, "It")


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.write(PNG)
        file.truncate(50_000_000_000)
    monkeypatch.setattr("pathlib.Path.open", None)
    with pytest.raises(UnsuitableFile, match="too large: the limit is 100 bytes"):
        read_file(path, SMALL)


@pytest.mark.parametrize(("length", "fits"), [(100, True), (101, False)])
def test_the_limit_is_the_declared_one_to_the_byte(tmp_path, length, fits):
    path = tmp_path / "a.png"
    path.write_bytes(PNG.ljust(length, b"p"))
    if fits:
        assert len(read_file(path, SMALL).data) == length
    else:
        with pytest.raises(UnsuitableFile, match="too large"):
            read_file(path, SMALL)


def test_a_path_that_is_not_a_file_is_refused(tmp_path):
    (tmp_path / "empty.png").touch()
    for path, expected in (
        (tmp_path, "is a folder"),
        (tmp_path / "none", "Cannot read"),
        (tmp_path / "empty.png", "is empty"),
    ):
        with pytest.raises(UnsuitableFile, match=expected):
            read_file(path, SMALL)
    with pytest.raises(UnsuitableFile, match="Cannot read"):
        read_file(tmp_path / "a\0b", SMALL)


def test_the_accepted_files_as_text():
    assert accepted_files(AVATAR) == "JPEG or PNG, at most 4 MiB"
    assert [size_text(count) for count in (812, 12_300, 4_200_000)] == ["812 bytes", "12 kB", "4.2 MB"]


def test_bytes_of_any_source_are_checked_against_the_limit():
    with pytest.raises(UnsuitableFile, match=r"Standard input is too large: the limit is 100 bytes"):
        checked(PNG.ljust(101, b"p"), SMALL, "Standard input")
