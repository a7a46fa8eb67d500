"""The inspection of a directory file: encoding, delimiter, columns, and the line that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.workspace.directory.doctor import scan
from svc_tui.workspace.directory.inspection import describe_fault, inspect, readable_file
from svc_tui.workspace.files.uploads import UnsuitableFile


def _file(folder: Path, data: bytes) -> Path:
    path = folder / "a.csv"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encoding_and_columns_are_recognised(tmp_path: Path, encoding: str) -> None:
    found = inspect(_file(tmp_path, "lastName,country\nMüller,DEU\n".encode(encoding)))
    assert (found.encoding, found.columns, found.error_message) == (encoding, ("lastName", "country"), "")
    assert found.csv_format is not None and found.csv_format.delimiter == ","


def test_a_wrong_header_is_shown(tmp_path: Path) -> None:
    found = inspect(_file(tmp_path, b"% my contacts\nlastname;country\nA;DEU\n"))
    assert found.error_message.split("\n") == [
        "line 2, column 1: lastname is not a column (did you mean lastName?)",
        "▸lastname;country",
    ]
    assert found.columns == ()


def test_a_line_is_marked_at_its_place_and_cut_around_it(tmp_path: Path) -> None:
    path = _file(tmp_path, b'lastName;country\n"' + b"x" * 300 + b'"y;DEU\n')
    with pytest.raises(BadFile) as bad:
        scan(path)
    line = describe_fault(path, "utf-8", bad.value).split("\n")[1]
    assert line == "…" + "x" * 60 + '▸"y;DEU'


@pytest.mark.parametrize("data", [b"", b"\n\n", b"% nothing\n", b"\xff\xfe\x00", b"\x00" * 40])
def test_any_bytes_can_be_inspected(tmp_path: Path, data: bytes) -> None:
    assert inspect(_file(tmp_path, data)).error_message.startswith("line ")


def test_a_path_that_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableFile, match="is a folder"):
        readable_file(tmp_path)
    with pytest.raises(UnsuitableFile, match=r"Cannot read .*: No such file"):
        readable_file(tmp_path / "missing.csv")
    with pytest.raises(UnsuitableFile, match="is not a file"):
        readable_file(Path("/dev/null"))
    assert readable_file(_file(tmp_path, b"a")) == tmp_path / "a.csv"
