"""The encoding of a file is recognised where it is certain, and chosen by the user where it is not."""

from __future__ import annotations

import io

import pytest

from svc_tui.interface.directory.csv.encodings import UnknownEncoding, chosen_encoding, encoding_of


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
