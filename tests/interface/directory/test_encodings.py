"""The encoding of a file is recognised where it is certain, and chosen by the user where it is not."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

from svc_tui.interface.directory.csv.encodings import UnknownEncoding, chosen_encoding, encoding_of
from svc_tui.interface.directory.csv.faults import NoText
from svc_tui.interface.directory.csv.reading import format_of, records
from svc_tui.workspace.directory.contact_files import contact_format
from svc_tui.workspace.directory.inspection import inspect, readable_file
from svc_tui.workspace.files.login_column import LoginFileError, read_logins
from svc_tui.workspace.files.uploads import UnsuitableFile
from svc_tui.workspace.users.file import KnownUsers, read_users


def _encoding(text: str, encoding: str) -> str:
    return encoding_of(io.BytesIO(text.encode(encoding)))


@pytest.mark.parametrize(
    "text", ["Zoé;Müller", "d’Angelo;L’Oréal", "Rua, n° 5;2º", "MÜLLER;Éric", "Marcel·lí;Peña", "“9”;5 €"]
)
def test_windows_1252_is_assumed_where_nothing_speaks_against_it(text: str) -> None:
    assert _encoding(f"firstName;lastName\n{text}\n", "cp1252") == "cp1252"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("mac_roman", "André;Bürgi"),
        ("mac_roman", "Martínez;Ana"),
        ("cp850", "Müller;Zoë"),
        ("cp850", "González;Ana"),
        ("cp437", "Björn;Strøm"[:5]),
        ("cp1250", "Wałęsa;Łódź"),
        ("cp1251", "Иван;Петров"),
        ("koi8_r", "Анна;Каренина"),
        ("cp866", "Иван;Петров"),
        ("cp1253", "Γιώργος;Παπαδόπουλος"),
        ("shift_jis", "山田;太郎"),
        ("gb18030", "张;伟\n李;娜"),
        ("big5", "陳;大文"),
    ],
)
def test_another_encoding_is_proposed_with_its_reading(encoding: str, text: str) -> None:
    with pytest.raises(UnknownEncoding) as caught:
        _encoding(f"firstName;lastName\n{text}\n", encoding)
    assert (encoding, text.split("\n")[0]) in caught.value.readings
    assert caught.value.line == 2 and len(caught.value.readings) <= 5


def test_utf_8_with_a_few_foreign_bytes_stays_utf_8() -> None:
    assert encoding_of(io.BytesIO("Zoë;Müller\n".encode() + b"Jos\xe9;B\n")) == "utf-8"


@pytest.mark.parametrize("data", [b"", b"\xff", bytes(range(256)), b"a;b\nc\x81;d", b"\x80" * 70_000, b"\xfe\xff\x00"])
def test_any_bytes_have_an_encoding_or_a_message(data: bytes) -> None:
    file = io.BytesIO(data)
    try:
        assert encoding_of(file)
    except UnknownEncoding as unknown:
        assert unknown.readings and all(text.isprintable() for _name, text in unknown.readings)
    assert file.tell() == 0


def test_an_encoding_is_chosen_by_its_name() -> None:
    assert chosen_encoding("MacRoman") == "mac-roman"
    for name in ("nonsense", "base64", "idna", "a\0b"):
        with pytest.raises(ValueError, match="is not the name of an encoding"):
            chosen_encoding(name)


WORKBOOKS = [b"PK\x03\x04\x14\x00\x06\x00\xb3\xfe", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00"]


@pytest.mark.parametrize("start", WORKBOOKS)
def test_a_workbook_is_refused_with_what_to_do_instead_of_an_encoding(start: bytes, tmp_path: Path) -> None:
    sentence = "the file is a workbook (such as .xlsx): save it as CSV (UTF-8) in the spreadsheet program"
    content = start + bytes(range(256)) * 8
    with pytest.raises(NoText, match="is a workbook") as caught:
        encoding_of(io.BytesIO(content))
    assert str(pickle.loads(pickle.dumps(caught.value))) == sentence
    # Also where the encoding is chosen, for contacts, users and logins, and in the service, which reads UTF-8 only.
    for read in (
        lambda file: contact_format(file, encoding="cp1252"),
        lambda file: read_users(file, KnownUsers(), encoding="cp1252"),
        lambda file: next(records(file, format_of(file, only_utf8=True))),
    ):
        with pytest.raises(NoText):
            read(io.BytesIO(content))
    path = tmp_path / "staff.xlsx"
    path.write_bytes(content)
    for refuse, error in ((readable_file, UnsuitableFile), (read_logins, LoginFileError)):
        with pytest.raises(error) as told:
            refuse(path)
        assert str(told.value) == f"{path}: {sentence}."
    assert inspect(path).error_message == sentence
