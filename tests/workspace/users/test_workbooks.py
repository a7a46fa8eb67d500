"""Files of users that are workbooks: the first worksheet, as spreadsheet programs write it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

import pytest
import xlsxwriter

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.workspace.users.file import KnownUsers, UserFile, read_users
from svc_tui.workspace.users.workbook import workbook_rows

HEADINGS = ["loginEmail", "firstName", "lastName", "mobilePhone0", "isActive"]


def book(rows: Sequence[Sequence[object]]) -> bytes:
    """A workbook; None leaves a cell out."""
    target = io.BytesIO()
    made = xlsxwriter.Workbook(target)
    sheet = made.add_worksheet("Staff")
    for line, row in enumerate(rows):
        for place, value in enumerate(row):
            if value is not None:
                sheet.write(line, place, value)
    made.add_worksheet("Other").write(0, 0, "nothing")
    made.close()
    return target.getvalue()


def read(content: bytes) -> UserFile:
    return read_users(io.BytesIO(content), KnownUsers(country="PRT"))


def parts(sheet: str, *, strings: str = "", **more: str) -> bytes:
    """A workbook by its parts, as other programs write them."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(
            "xl/workbook.xml", '<workbook xmlns:r="x"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'
        )
        links = '<Relationship Id="r1" Type="x/worksheet" Target="/xl/worksheets/one.xml"/>'
        if strings:
            links += '<Relationship Id="r2" Type="x/sharedStrings" Target="texts.xml"/>'
            archive.writestr("xl/texts.xml", strings)
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        archive.writestr("xl/worksheets/one.xml", sheet)
    return target.getvalue()


def test_rows_are_read_with_their_lines_and_numbers_with_their_digits() -> None:
    found = read(book([HEADINGS, [], ["a@b.example", "Ana", "Alves", 351912345678, True], ["x@b.example", "X", None]]))
    assert [(row.line, row.login) for row in found.rows] == [(3, "a@b.example"), (4, "x@b.example")]
    first, second = found.rows
    assert first.body["isActive"] is True and first.cells[3] == "351912345678"
    assert not second.faults


def test_a_fault_has_the_line_of_the_worksheet() -> None:
    found = read(
        book(
            [HEADINGS, ["a@b.example", "A", "B"], [], ["no login", "A", "B"], ["c@b.example", "A", "B", None, None, 5]]
        )
    )
    assert [(row.line, row.faults[0].column) for row in found.left] == [(4, "loginEmail"), (5, "")]


def test_texts_with_formats_formulas_and_inline_texts_are_read() -> None:
    sheet = (
        "<worksheet><sheetData><row><c t='s'><v>0</v></c><c t='inlineStr'><is><t>in</t></is></c></row>"
        "<row r='4'><c r='AB4' t='str'><f>1+1</f><v>two</v></c><c><v>3.5E+2</v></c><c><v>2.5</v></c></row>"
        "</sheetData></worksheet>"
    )
    strings = "<sst><si><r><t>lo</t></r><r><t>gin\nEmail</t></r><rPh><t>no</t></rPh></si></sst>"
    (one, two) = workbook_rows(io.BytesIO(parts(sheet, strings=strings)))
    assert one == (1, ["login Email", "in"])
    assert two == (4, [*[""] * 27, "two", "350", "2.5"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04 and nothing", "is a damaged or protected workbook"),
        (book([HEADINGS])[:-200], "is a damaged or protected workbook"),
        (parts("<worksheet><row><c t='s'><v>0</v></c></row></worksheet>"), "is a damaged or protected workbook"),
        (parts("<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet/>"), "is a damaged or protected workbook"),
        (parts("<worksheet><row><c r='ZZZ1'><v>0</v></c></row></worksheet>"), "has more than 1000 columns"),
        (parts("<worksheet/>"), "the file is empty"),
        (book([HEADINGS]), "the file has no rows after its first line"),
        (book([["firstName"], ["A"]]), "loginEmail is missing"),
    ],
)
def test_what_is_no_workbook_of_users_is_refused_in_a_sentence(content: bytes, reason: str) -> None:
    with pytest.raises(BadFile) as found:
        read(content)
    assert reason in found.value.sentence
