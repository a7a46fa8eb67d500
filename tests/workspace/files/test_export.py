"""Export: the original text in full, and no formulas for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.export import cell, export
from svc_tui.workspace.files.saved_files import write_private
from svc_tui.workspace.lists.held_rows import StaticRows
from tests.workspace.conftest import Desk
from tests.workspace.line import Script

#: First characters that make a spreadsheet calculate.
FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


@pytest.mark.parametrize(
    "number", ["+34915633281", "+34 915 633 281", "+1 (415) 555-0100", "+49/30.123", "+34915633281, +34915633282"]
)
def test_a_telephone_number_is_written_as_it_is(number: str) -> None:
    assert cell(number) == number


@pytest.mark.parametrize(
    "formula",
    ["+1+cmd|' /C calc'!A0", "+A1", "+", "+ 1", "+1*2", "+SUM(1)", "-34915633281", "+34915633281\n=1", "+3, =1", "+١"],
)
def test_what_is_more_than_a_number_is_escaped(formula: str) -> None:
    assert cell(formula) == f"'{formula}"


@pytest.mark.parametrize("first", FORMULA)
def test_a_formula_gets_an_apostrophe(first: str) -> None:
    assert cell(f"{first}1+1") == f"'{first}1+1"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (-5, "-5"),
        (0.5, "0.5"),
        ("a=b", "a=b"),
        (["=a"], '["=a"]'),
        ({"a": "é"}, '{"a": "é"}'),
    ],
)
def test_other_values_stay_as_they_are(value: object, text: str) -> None:
    assert cell(value) == text


@given(st.text())
def test_any_text_is_exact_except_for_its_escape(text: str) -> None:
    written = cell(text)
    evaluated = text.startswith(FORMULA) and (text[0] != "+" or not set(text[1:]) <= set("0123456789 ().-/\u00a0+,"))
    assert written == "'" + text or (written == text and not evaluated)


async def test_a_list_becomes_csv_with_all_its_rows(desk: Desk, script: Script, tmp_path: Path) -> None:
    script.total = 2_300
    hostile = '=cmd|" /C calc"!A0,\r\n\x1b]52;c;x\x07\u202e'
    script.row = lambda number: {"id": f"a{number}", "name": hostile if number == 7 else f"App {number}"}
    listing, _ = desk.list()
    count = await export(listing, tmp_path / "list.csv", "csv", ["id", "name", "missing"])
    text = (tmp_path / "list.csv").read_bytes().decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert (count, len(rows), rows[0]) == (2_300, 2_301, ["id", "name", "missing"])
    assert rows[8] == ["a7", "'" + hostile, ""]
    assert text.endswith("\r\n")
    assert (tmp_path / "list.csv").stat().st_mode & 0o777 == 0o600


async def test_a_filtered_list_exports_the_matching_rows(desk: Desk, tmp_path: Path) -> None:
    listing, _ = desk.list(local=lambda row: row["name"].endswith("99"))
    assert await export(listing, tmp_path / "list.json", "json", []) == 10
    assert json.loads((tmp_path / "list.json").read_text())[0] == {"id": "a99", "name": "App 99"}


async def test_an_incomplete_character_is_exported_too(desk: Desk, script: Script, tmp_path: Path) -> None:
    script.total, script.row = 1, lambda number: {"id": "a", "name": "\ud83d"}
    listing, _ = desk.list()
    for form in ("csv", "json"):
        assert await export(listing, tmp_path / form, form, ["name"]) == 1  # type: ignore[arg-type]
        assert b"\xed\xa0\xbd" in (tmp_path / form).read_bytes()


async def test_an_export_that_fails_leaves_the_old_file(desk: Desk, script: Script, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("old")
    listing, _ = desk.list()
    desk.line.cut = True
    with pytest.raises(ReadError):
        await export(listing, tmp_path / "list.csv", "csv", ["id"])
    assert (tmp_path / "list.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if "list.csv" in path.name] == ["list.csv"]


async def test_an_empty_list_is_an_empty_document(desk: Desk, script: Script, tmp_path: Path) -> None:
    script.total = 0
    listing, _ = desk.list()
    assert await export(listing, tmp_path / "list.json", "json", []) == 0
    assert json.loads((tmp_path / "list.json").read_text()) == []


async def test_a_workbook_keeps_telephone_numbers_leading_zeros_and_formulas_as_texts(tmp_path: Path) -> None:
    rows = StaticRows(
        [
            {
                "id": "0001",
                "number": "+351210000000",
                "long": "12345678901234567890",
                "formula": "=1+1",
                "link": "https://example.com",
                "half": "a\ud800b",
                "control": "a\x00\x1bb",
                "count": 7,
                "exact": 2**60,
                "share": 0.25,
                "yes": True,
                "none": None,
                "seen": datetime(2026, 11, 20, 8, 30),
                "day": date(2026, 11, 20),
                "old": date(1066, 1, 1),
                "list": ["a", "b"],
            }
        ]
    )
    file = tmp_path / "rows.xlsx"
    columns = [*(rows.row(0) or {})]
    assert await export(rows, file, "xlsx", columns) == 1
    sheet = openpyxl.load_workbook(file).active
    assert [cell.value for cell in sheet[1]] == columns
    found = {name: (cell.value, cell.data_type) for name, cell in zip(columns, sheet[2], strict=True)}
    for name in ("id", "number", "long", "formula", "link"):
        assert found[name] == ((rows.row(0) or {})[name], "s"), name
    assert (found["count"], found["share"], found["yes"]) == ((7, "n"), (0.25, "n"), (True, "b"))
    assert (found["exact"], found["list"]) == ((str(2**60), "s"), ('["a", "b"]', "s"))
    assert (found["seen"], found["old"]) == ((datetime(2026, 11, 20, 8, 30), "d"), ("1066-01-01", "s"))
    assert found["day"][0] == datetime(2026, 11, 20)
    assert found["half"][0] == "a\ufffdb"
    assert not any(cell.hyperlink for cell in sheet[2])
    assert file.stat().st_mode & 0o077 == 0


def test_a_pipe_gets_what_is_written_and_is_never_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Also one that has no name of its own, as `/dev/stdout` leads to.
    reading, writing = os.pipe()
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_private(pipe, "Ada\n")
        write_private(Path(f"/dev/fd/{writing}"), "Bob\n")
        assert reader.communicate(timeout=60)[0] == b"Ada\n"
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        assert file.read() == b"Bob\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode) and list(tmp_path.iterdir()) == [pipe]
