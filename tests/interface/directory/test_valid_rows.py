"""Rows that are recognised as valid in the text: none has a fault, and a scan reports what a full check reports."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import phonenumbers
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.regions import region_of
from svc_tui.interface.directory.csv import lines, valid_rows
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import header
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import CsvFormat, record_of
from svc_tui.interface.directory.csv.valid_rows import ValidRows
from svc_tui.workspace.directory.doctor import Doctor, scan

_COLUMNS = "firstName;lastName;companyName;workPhoneNumber0;mobilePhoneNumber0;eMail;state;country;tag0;custom1"
_NUMBERS = (
    "+33 1 42 68 53 00",
    "01 42 68 53 00",
    "0142685300",
    "+4930123456",
    "2125550123",
    "030 123456",
    "+1 212 555 0123",
)
#: For each column cells that are often valid, and cells that are often not.
_CELLS = (
    ("Ana", "", " ", "x" * 255, "x" * 256, "O'Neil", '"Silva"', '"Silva;Costa"', "5% off"),
    ("Silva", "", " ", '"a ""b"""', "\u3000", "a\x00b"),
    ("Atlas", "", "\t"),
    (
        "",
        *_NUMBERS,
        "+330142685300",
        "+33014268530",
        "0033142685300",
        "01  42685300",
        "12",
        "+999123456",
        "+33 0 142685300",
        '"+33142685300"',
    ),
    ("", *_NUMBERS, "001 33 142685300", "-0142685300", "+", "٠١٤٢٦٨٥٣٠٠"),
    (
        "",
        "ana@firm.example",
        "ana@firm",
        "a b@firm.example",
        "a@b@c.example",
        '"ana@firm.example"',
        f"{'a' * 250}@b.example",
        "a@b.c.",
    ),
    ("", "Texas", " "),
    ("", "FRA", "USA", "DEU", "FR", "fra", " FRA"),
    ("", "vip", " vip", "x" * 64, "x" * 65),
    ("", "note", "x" * 256),
)
_ROWS = st.tuples(*(st.one_of(st.just(cells[0]), st.sampled_from(cells)) for cells in _CELLS)).map(";".join)
_FORMAT = CsvFormat("utf-8", ";", "%")


_TAUGHT = (
    "Ana;Silva;Atlas;+33 1 42 68 53 00;+4930123456;ana@firm.example;;FRA;vip;note",
    "Ana;Silva;Atlas;0142685300;;;;;vip;note",
    "Ana;Silva;Atlas;030 123456;;;;DEU;;",
    "Ana;Silva;Atlas;212 555 0123;+1 212 555 0123;;Texas;USA;;",
)


def _learnt(checker: Checker, *rows: str) -> ValidRows:
    valid = ValidRows(checker, ";", "%")
    for number in range(valid_rows.ROWS_TO_LEARN):
        valid.learn(record_of(rows[number % len(rows)], _FORMAT))
    return valid


def _checker(columns: str = _COLUMNS, country: str = "FRA") -> Checker:
    return Checker(header(columns.split(";"), 1), country=country)


def _accepts(valid: ValidRows, row: str) -> bool:
    assert valid.pattern is not None
    found = valid.pattern.match(f"{row}\n")
    return found is not None and found.end() == len(row) + 1


_CHECKER = _checker()
_VALID = _learnt(_CHECKER, *_TAUGHT)


def test_rows_like_those_that_were_learnt_are_accepted() -> None:
    assert all(_accepts(_VALID, row) for row in _TAUGHT)
    assert _accepts(_VALID, '"Ana";"Silva";;"0142685300";"";"ana@firm.example";;"FRA";"vip";')


@settings(max_examples=1_500, deadline=None)
@given(_ROWS)
def test_no_row_with_a_fault_is_accepted(row: str) -> None:
    accepted = _accepts(_VALID, row)
    event(f"accepted: {accepted}")
    if accepted:
        assert not _CHECKER.check(record_of(row, _FORMAT))


def test_every_single_cell_that_is_accepted_is_valid() -> None:
    accepted = 0
    for place, cells in enumerate(_CELLS):
        for cell, other in product(cells, (("FRA", ""), ("USA", ""), ("DEU", ""), ("", ""))):
            row = ["Ana", "", "", "", "", "", "", other[0], "", ""]
            row[place] = cell
            if _accepts(_VALID, ";".join(row)):
                accepted += 1
                assert not _CHECKER.check(record_of(";".join(row), _FORMAT)), row
    assert accepted > 100


def test_an_address_does_not_extend_over_two_cells() -> None:
    row = "Ana;Silva;;;;ana@firm;x.example;;FRA;vip;note"
    assert _CHECKER.check(record_of(row, _FORMAT)) and not _accepts(_VALID, row)


def _example(country: str) -> str:
    number = phonenumbers.example_number(region_of(country))
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL) if number else ""


def test_accepted_numbers_of_every_country_are_valid() -> None:
    dice, accepted, refused = random.Random(7), 0, 0
    for country in sorted(COUNTRIES):
        national = _example(country)
        checker = _checker("lastName;workPhoneNumber0", country)
        if not national or checker.check(["Silva", national]):
            continue
        valid = _learnt(checker, f"Silva;{national}")
        accepted += _accepts(valid, f"Silva;{national}")
        for _ in range(20):
            digits = [sign for sign in national if sign in "0123456789 "]
            digits[dice.randrange(len(digits))] = dice.choice("0123456789 -.")
            digits.insert(0, dice.choice(("", "0", "00", "1", "+", "+33")))
            digits = digits[: dice.choice((-1, None, None))]
            number = "".join(digits)
            if _accepts(valid, f"Silva;{number}"):
                assert not checker.check(["Silva", number]), (country, number)
            else:
                refused += 1
    assert accepted > 120 and refused > 500


_LINES = (
    *_TAUGHT,
    "% a comment",
    "Ana;Silva;Atlas;;;;;FR;;",
    ";;;;;;;;;",
    '"Ana";"Silva;\nCosta";"Atlas";;;;;;;',
    f'Ana;"Silva\n{_TAUGHT[1]}\nCosta";Atlas;;;;;;;',
    "Ana;Silva;Atlas;;;ana@firm.example;;;;5% % a comment",
    "Ana;Silva",
    "",
)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("chunk", [7, 64, 4096])
def test_a_scan_has_the_same_result_as_the_full_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, encoding: str, chunk: int
) -> None:
    dice = random.Random(3)
    rows = [dice.choice(_LINES if dice.random() < 0.2 else _TAUGHT) for _ in range(300)]
    path = tmp_path / "contacts.csv"
    path.write_bytes(end.join([_COLUMNS, *rows]).encode(encoding))
    monkeypatch.setattr(valid_rows, "ROWS_TO_LEARN", 10_000)
    whole = scan(path, country="FRA")
    monkeypatch.setattr(valid_rows, "ROWS_TO_LEARN", 10)
    monkeypatch.setattr(lines, "_CHUNK", chunk)
    checked: list[int] = []
    check = Checker.check
    monkeypatch.setattr(Checker, "check", lambda self, cells: checked.append(1) or check(self, cells))
    assert _findings(scan(path, country="FRA")) == _findings(whole)
    assert whole.left and (end == "\r" or len(checked) < whole.total / 2)


def _findings(doctor: Doctor) -> list[object]:
    return [doctor.total, *((each.row, each.faults) for each in doctor.rows)]


def test_a_line_that_cannot_be_read_has_its_place_behind_skipped_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valid_rows, "ROWS_TO_LEARN", 10)
    path = tmp_path / "contacts.csv"
    path.write_text("\n".join([_COLUMNS, *_TAUGHT * 100, '"Ana"x;Silva']), encoding="utf-8")
    with pytest.raises(BadFile, match="line 402, column 5"):
        scan(path, country="FRA")


@pytest.mark.parametrize("delimiter", ["+", "0", " ", "."])
def test_signs_of_numbers_as_delimiters_are_left_to_the_full_check(delimiter: str) -> None:
    valid = ValidRows(_checker(), delimiter, "%")
    for _ in range(valid_rows.ROWS_TO_LEARN):
        valid.learn(record_of(_TAUGHT[0], _FORMAT))
    assert valid.pattern is None
