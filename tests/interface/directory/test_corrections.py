"""Repairs of lines that prevent a file from being read: names of columns, and quotes taken as text."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.directory.csv.columns import nearest, suggested_columns
from svc_tui.interface.directory.csv.corrections import (
    can_be_corrected,
    correct_all_quotes,
    with_quotes_as_text,
    without_quotes,
)
from svc_tui.interface.directory.csv.faults import BadFile, BadQuote
from svc_tui.interface.directory.csv.reading import LONGEST_CELL, CsvFormat, CsvRow, format_of, rows

CSV_FORMAT = CsvFormat("utf-8", ";", "%")


def read(data: bytes, csv_format: CsvFormat) -> list[CsvRow]:
    return list(rows(io.BytesIO(data), csv_format)[2])


def bad_of(data: bytes) -> BadFile:
    with pytest.raises(BadFile) as caught:
        read(data, CSV_FORMAT)
    return caught.value


def corrected(text: str) -> list[list[str]]:
    """The rows of a file of two columns, once its broken quotes are taken as text."""
    data = b"lastName;custom1\n" + text.encode()
    lines = correct_all_quotes(io.BytesIO(data), CSV_FORMAT)
    return [row.cells for row in read(data, CsvFormat("utf-8", ";", "%", lines))]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Phone", "workPhoneNumber0"),
        ("phone 2", "workPhoneNumber0"),
        ("Mobile", "mobilePhoneNumber0"),
        ("Surname", "lastName"),
        ("Post code", "postalCode"),
        ("E-Mail", "eMail"),
        ("zzz", ""),
    ],
)
def test_column_names_of_other_programs_are_recognised(written: str, meant: str) -> None:
    assert nearest(written) == meant


def test_every_column_is_proposed_once() -> None:
    cells = ["Surname", "Phone", "Phone", "workPhoneNumber0", "city", "city", "zzz", "Last name"]
    assert suggested_columns(cells) == {
        0: "lastName",
        1: "workPhoneNumber1",
        2: "workPhoneNumber2",
        5: "",
        6: "",
        7: "",
    }
    assert suggested_columns(["lastName", "city"]) == {}


def test_columns_are_renamed_and_the_rows_stay() -> None:
    data = b'Surname;"Phone";city\nMiller;+351213456789;Porto\n'
    text = "lastName;workPhoneNumber0;city"
    columns, source, found = rows(io.BytesIO(data), CsvFormat("utf-8", ";", "%", {1: text}))
    assert [column.name for column in columns] == ["lastName", "workPhoneNumber0", "city"]
    assert (source, next(found).line) == (text, 2)


def test_the_delimiter_is_recognised_in_a_repaired_first_line() -> None:
    file = io.BytesIO(b"Surname,Phone\nMiller,1\n")
    assert format_of(file, corrected={1: "lastName,workPhoneNumber0"}).delimiter == ","


@pytest.mark.parametrize(
    ("line", "text", "without"),
    [
        ('A;"x', 'A;"""x"', "A;x"),
        ('A;"5 inch" pipe', 'A;"""5 inch"" pipe"', "A;5 inch pipe"),
        ('A;"a;b" c', 'A;"""a;b"" c"', 'A;"a;b c"'),
        ('"x;A', '"""x";A', "x;A"),
    ],
)
def test_a_broken_quote_becomes_text_or_is_removed(line: str, text: str, without: str) -> None:
    bad = bad_of(f"lastName;custom1\n{line}\n".encode())
    assert isinstance(bad, BadQuote) and can_be_corrected(bad)
    assert (with_quotes_as_text(line, bad, CSV_FORMAT), without_quotes(line, bad, CSV_FORMAT)) == (text, without)


def test_a_comment_after_a_broken_value_stays_a_comment() -> None:
    assert corrected('A;"5 inch" pipe% see below\nB;y\n') == [["A", '"5 inch" pipe'], ["B", "y"]]


def test_the_opening_quote_is_reported_when_another_line_seems_to_close_it() -> None:
    bad = bad_of(b'lastName;custom1\nA;"x\nB;y\nC;"5" z\n')
    assert (bad.line, bad.column) == (2, 3)
    assert "in line 4" in bad.sentence
    assert corrected('A;"x\nB;y\nC;"5" z\n') == [["A", '"x'], ["B", "y"], ["C", '"5" z']]


def test_an_unclosed_quote_in_a_long_file_is_reported_where_it_was_opened() -> None:
    rest = "B;y\n" * LONGEST_CELL
    bad = bad_of(f'lastName;custom1\nA;"x\n{rest}'.encode())
    assert isinstance(bad, BadQuote)
    assert (bad.line, bad.column) == (2, 3)
    assert "no closing quote within" in bad.sentence
    assert corrected(f'A;"x\n{rest}')[:2] == [["A", '"x'], ["B", "y"]]


def test_valid_quotes_stay_and_every_broken_one_is_found() -> None:
    assert corrected('A;"a;""b"\nB;"x\r\nC;"two\nlines"\nD;"z') == [
        ["A", 'a;"b'],
        ["B", '"x'],
        ["C", "two\nlines"],
        ["D", '"z'],
    ]


def test_earlier_repairs_stay() -> None:
    data = b'Surname;custom1\nA;"x\n'
    lines = correct_all_quotes(io.BytesIO(data), CsvFormat("utf-8", ";", "%", {1: "lastName;custom1"}))
    assert lines == {1: "lastName;custom1", 2: 'A;"""x"'}


def test_the_search_for_quotes_can_be_cancelled() -> None:
    assert correct_all_quotes(io.BytesIO(b'lastName\n"x\n"y'), CSV_FORMAT, lambda: False) == {}


@given(st.text('ab;"% \r\n', max_size=60))
def test_after_repairs_of_the_quotes_every_file_can_be_read(text: str) -> None:
    data = b"lastName;custom1\n" + text.encode()
    read(data, CsvFormat("utf-8", ";", "%", correct_all_quotes(io.BytesIO(data), CSV_FORMAT)))
