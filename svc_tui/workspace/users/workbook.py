"""Workbooks of spreadsheet programs (.xlsx): the texts of the first worksheet, with their lines.

Numbers have the digits that are stored, not those that a format shows; formulas have their last results.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from posixpath import join, normpath
from typing import BinaryIO
from xml.etree import ElementTree

from svc_tui.interface.directory.csv.faults import BadFile, NoText
from svc_tui.interface.errors import Code
from svc_tui.language import _

_BOOK = "xl/workbook.xml"
_BEGINS = b"PK\x03\x04"
#: Most bytes of a part of a workbook, unpacked, and most columns of a worksheet.
_MOST_BYTES, _MOST_COLUMNS = 128 * 2**20, 1000
#: What reading a file raises that is no workbook, is damaged, or needs a password.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ElementTree.ParseError),
    *(LookupError, ValueError),
)
_CELL = re.compile(r"([A-Z]{1,3})[0-9]+")
_WHOLE = re.compile(r"-?[0-9]+\.0+|-?[0-9](\.[0-9]+)?E\+?[0-9]{1,2}")


def is_workbook(file: BinaryIO) -> bool:
    """Whether a file is a workbook. Its position is then its start."""
    file.seek(0)
    start = file.read(len(_BEGINS))
    file.seek(0)
    return start == _BEGINS


def workbook_rows(file: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """Line and texts of each row of the first worksheet that is not empty. BadFile."""
    try:
        with zipfile.ZipFile(file) as archive:
            sheet, strings = _parts(archive)
            shared = [_text(item) for item in _ended(archive, strings, "si")] if strings else []
            last = 0
            for row in _ended(archive, sheet, "row"):
                last = int(row.get("r") or last + 1)
                if any(cells := _cells(row, shared)):
                    yield last, cells
    except _DAMAGE as error:
        raise _unreadable() from error


def _unreadable() -> BadFile:
    return NoText(_("the file is a damaged or protected workbook: save it again, or as CSV (UTF-8)"))


def _parts(archive: zipfile.ZipFile) -> tuple[str, str]:
    """The names of the parts with the first worksheet and with the texts of cells, empty without any."""
    places, strings = {}, ""
    for link in _ended(archive, "xl/_rels/workbook.xml.rels", "Relationship"):
        places[link.get("Id")] = place = normpath(join("xl", link.get("Target") or "")).lstrip("/")
        if (link.get("Type") or "").endswith("/sharedStrings"):
            strings = place
    first = next(_ended(archive, _BOOK, "sheet"), ElementTree.Element("sheet"))
    id = next((value for name, value in first.items() if _local(name) == "id"), None)
    return places[id], strings


def _local(name: str) -> str:
    """A name without its namespace: the two editions of the format differ in nothing else that is read."""
    return name.rpartition("}")[2]


def _ended(archive: zipfile.ZipFile, part: str, name: str) -> Iterator[ElementTree.Element]:
    """The elements of a part with a name, each complete, and forgotten afterwards."""
    with archive.open(part) as packed:
        content = packed.read(_MOST_BYTES + 1)
    # A workbook declares nothing: a declaration of entities is an attempt to make much of little.
    if len(content) > _MOST_BYTES or b"<!DOCTYPE" in content:
        raise _unreadable()
    for _event, element in ElementTree.iterparse(io.BytesIO(content), events=("end",)):
        if _local(element.tag) == name:
            yield element
            element.clear()


def _cells(row: ElementTree.Element, shared: list[str]) -> list[str]:
    """The texts of a row, each at the place of its column."""
    texts: list[str] = []
    for cell in row:
        found = _CELL.fullmatch(cell.get("r") or "")
        place = _column(found[1]) if found else len(texts)
        if place >= _MOST_COLUMNS:
            raise BadFile(Code.BAD_FILE, _("the worksheet has more than {most} columns").format(most=_MOST_COLUMNS))
        texts += [""] * (place + 1 - len(texts))
        texts[place] = _value(cell, shared)
    return texts


def _column(letters: str) -> int:
    """The place of a column from 0: A is 0, AA is 26."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: ElementTree.Element, shared: list[str]) -> str:
    inner = {_local(each.tag): each for each in cell}
    if cell.get("t") == "inlineStr":
        return _text(inner["is"]) if "is" in inner else ""
    text = (inner["v"].text or "").strip() if "v" in inner else ""
    match cell.get("t"):
        case "s":
            return shared[int(text)]
        case "b":
            return "true" if text == "1" else "false"
        case "str" | "d":
            return text
        case "e":
            return ""
    return str(int(float(text))) if _WHOLE.fullmatch(text) and float(text).is_integer() else text


def _text(element: ElementTree.Element) -> str:
    """The text of a cell without its formats and its phonetic reading, in one line."""
    parts = [element] + [each for each in element if _local(each.tag) == "r"]
    return " ".join("".join(each.text or "" for part in parts for each in part if _local(each.tag) == "t").split())
