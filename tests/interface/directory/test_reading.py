"""Bytes become rows, or a fault with its place and reason."""

from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.faults import LONGEST_LINE, BadFile
from svc_tui.interface.directory.csv.reading import LONGEST_CELL, CsvFormat, CsvRow, format_of, rows
from svc_tui.interface.errors import Code


def read(data: bytes, delimiter: str | None = None, comment: str = "%", *, only_utf8: bool = False) -> list[CsvRow]:
    file = io.BytesIO(data)
    csv_format = format_of(file, delimiter, comment, only_utf8=only_utf8)
    return list(rows(file, csv_format)[2])


def csv_format(text: str, encoding: str = "utf-8") -> CsvFormat:
    return format_of(io.BytesIO(text.encode(encoding)))


def refused(data: bytes, *, only_utf8: bool = False) -> BadFile:
    with pytest.raises(BadFile) as caught:
        read(data, only_utf8=only_utf8)
    return caught.value


@pytest.mark.parametrize("sign", [";", ",", "\t", "|"])
def test_the_delimiter_is_recognised_by_the_names_of_the_columns(sign: str) -> None:
    assert csv_format(f"firstName{sign}lastName\nAnn;B,C|D\tE{sign}x").delimiter == sign


def test_a_first_line_with_one_name_may_have_any_delimiter_in_its_rows() -> None:
    assert [row.cells for row in read(b"lastName\nMiller\n")] == [["Miller"]]


def test_a_given_delimiter_is_used_though_another_would_fit_better() -> None:
    with pytest.raises(BadFile, match="not a column"):
        read(b"firstName;lastName\nA;B", ",")


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_an_encoding_is_recognised_and_read(encoding: str, named: str) -> None:
    data = "firstName;lastName\nJosé;Müller\n".encode(encoding)
    assert format_of(io.BytesIO(data)).encoding == named
    assert [row.cells for row in read(data)] == [["José", "Müller"]]


def test_invalid_utf_8_is_reported_with_its_place() -> None:
    bad = refused("firstName;lastName\nA;B\nC;é\n".encode("cp1252"), only_utf8=True)
    assert (bad.code, bad.line, bad.column) == (Code.BAD_FILE, 3, 3)
    assert "0xE9" in bad.sentence


def test_comments_are_skipped_to_the_end_of_their_line() -> None:
    data = b"% made by hand\nfirstName;lastName % the names\n%\nAnn;Miller % new\n  % more\nBob;100\n"
    assert [row.cells for row in read(data)] == [["Ann", "Miller"], ["Bob", "100"]]


def test_a_quoted_comment_character_is_a_character() -> None:
    data = b'firstName;lastName\n"100% Ann";Miller\nBob;"50%\n% more"\n'
    assert [row.cells for row in read(data)] == [["100% Ann", "Miller"], ["Bob", "50%\n% more"]]


def test_a_quote_within_a_value_opens_nothing() -> None:
    assert [row.cells for row in read(b'firstName;lastName\nAnn "A";Miller % x\n')] == [['Ann "A"', "Miller"]]


def test_without_a_comment_character_nothing_is_a_comment() -> None:
    assert [row.cells for row in read(b"firstName\n100%\n", comment="")] == [["100%"]]


def test_rows_know_their_number_their_line_and_their_text() -> None:
    data = b'firstName;lastName\r\nAnn;Miller\r\n\r\n;\r\n"B\r\nob";"Smith ""x"""\r\n'
    first, second = read(data)
    assert (first.number, first.line, first.source) == (1, 2, "Ann;Miller")
    assert (second.number, second.line, second.cells) == (2, 5, ["B\r\nob", 'Smith "x"'])
    assert second.source == '"B\r\nob";"Smith ""x"""'


def test_an_unclosed_quote_is_reported_where_it_was_opened() -> None:
    bad = refused(b'firstName;lastName\nA;B\nC;"D\nE;F\n')
    assert (bad.line, bad.column) == (3, 3)
    assert "no closing quote" in bad.sentence


def test_text_after_a_closing_quote_is_reported_where_it_closes() -> None:
    bad = refused(b'firstName;lastName\nA;"B"x\n')
    assert (bad.line, bad.column) == (2, 5)


def test_a_too_long_value_is_refused() -> None:
    assert "more than" in refused(b"firstName\n" + b"x" * (LONGEST_CELL + 1)).sentence


def test_a_too_long_line_is_refused_before_it_is_read_whole() -> None:
    assert "more than" in refused(b"firstName\n" + b"x" * (LONGEST_LINE + 10)).sentence


@pytest.mark.parametrize("data", [b"", b"\n\n", b"% nothing\n", b";;;\n"])
def test_an_empty_file_has_no_data(data: bytes) -> None:
    assert refused(data).code is Code.NO_DATA


@pytest.mark.parametrize("signs", [(";;", "%"), ('"', "%"), ("\n", "%"), (";", '"'), (";", ";")])
def test_signs_that_contradict_each_other_are_refused(signs: tuple[str, str]) -> None:
    with pytest.raises(BadFile):
        format_of(io.BytesIO(b"firstName\nA"), *signs)


@given(st.binary(max_size=400))
def test_any_bytes_give_rows_or_a_fault_with_its_place(data: bytes) -> None:
    _read_or_refused(data)


@given(
    st.text(alphabet='"%;,\t|\r\n aé\0\ufeff', max_size=80),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252"]),
)
def test_any_text_after_a_valid_first_line(text: str, encoding: str) -> None:
    _read_or_refused(("firstName;lastName\n" + text).encode(encoding, "replace"))


def _read_or_refused(data: bytes) -> None:
    for only_utf8 in (False, True):
        file = io.BytesIO(data)
        try:
            columns, _, found = rows(file, format_of(file, only_utf8=only_utf8))
            for row in found:
                Checker(columns).check(row.cells)
        except BadFile as bad:
            assert bad.line >= 1 and bad.column >= 1 and bad.sentence
        assert not file.closed


@given(st.lists(st.lists(st.text(alphabet='ab";%\n ', max_size=6), min_size=2, max_size=2), max_size=8))
def test_the_output_of_a_csv_writer_is_read_back(table: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";", quoting=csv.QUOTE_ALL).writerows([["firstName", "lastName"], *table])
    assert [row.cells for row in read(text.getvalue().encode(), ";")] == [row for row in table if any(row)]


class Endless(io.RawIOBase):
    """This many rows, made as they are read."""

    def __init__(self, count: int) -> None:
        self._count, self._left, self._rest = count, count, b"firstName;lastName;workPhoneNumber0\n"

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.__init__(self._count)  # type: ignore[misc]
        return 0

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while self._left and len(self._rest) < len(buffer):
            self._rest += b"Ann;Miller %d;+33612345678\n" % self._left
            self._left -= 1
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _most_memory(count: int) -> int:
    file = io.BufferedReader(Endless(count))
    tracemalloc.start()
    try:
        columns, _, found = rows(file, CsvFormat("utf-8", ";", "%"))
        checker = Checker(columns)
        assert sum(not checker.check(row.cells) for row in found) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    small, large = _most_memory(5_000), _most_memory(50_000)
    assert large < small + 200_000


def test_reading_begins_before_all_is_read() -> None:
    file = io.BufferedReader(Endless(10**9))
    found: Iterator[CsvRow] = rows(file, CsvFormat("utf-8", ";", "%"))[2]
    assert next(found).cells[0] == "Ann"
