"""Logins from a CSV file or a workbook: from the column of logins, or from the only column."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

from svc_tui.interface.directory.csv.encodings import check_text
from svc_tui.interface.directory.csv.faults import NoText
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.saved_files import delimiter_of, reason_of, size_text

#: Names of the column of logins, in small letters, without other characters.
_NAMES = ("loginemail", "login", "email", "mail", "emailaddress", "user", "username")
#: Longest file that is read, and longest part of a workbook.
MOST_BYTES, _MOST_UNPACKED = 5_000_000, 50_000_000
#: Empty rows are counted up to this one.
_MOST_ROWS = 100_000
#: The names of elements in the parts of a workbook.
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class LoginFileError(Exception):
    """A file without readable logins; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Logins:
    """The logins of a file in its order, each once. `column` is their header, empty without one."""

    found: tuple[str, ...]
    column: str


def read_logins(path: Path) -> Logins:
    """The logins of a file; LoginFileError when it has none."""
    try:
        path = expanded(path)
        if path.stat().st_size > MOST_BYTES:
            raise LoginFileError(
                _("{path} is larger than {most_bytes}.").format(path=path, most_bytes=size_text(MOST_BYTES))
            )
        content = path.read_bytes()
        content = csv_of_workbook(content)
        check_text(io.BytesIO(content))
        text = text_of(content)
    except NoText as workbook:
        raise LoginFileError(f"{path}: {workbook}.") from None
    except NotUtf8 as error:
        raise LoginFileError(_("{path} is {found}.").format(path=path, found=error)) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise LoginFileError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter_of(text)) if any(map(str.strip, row))]
    except csv.Error as error:
        raise LoginFileError(_("{path} is not a CSV file: {error}.").format(path=path, error=error)) from None
    return _logins(rows, str(path))


def _logins(rows: Sequence[Sequence[str]], name: str) -> Logins:
    if not rows:
        raise LoginFileError(_("{name} is empty.").format(name=name))
    at, header = _column(rows[0], name)
    values = [row[at].strip() for row in (rows[1:] if header else rows) if len(row) > at and row[at].strip()]
    by_key = {value.casefold(): value for value in reversed(values)}
    found = tuple(by_key[key] for key in dict.fromkeys(value.casefold() for value in values))
    if not found:
        raise LoginFileError(_("{name} contains no logins.").format(name=name))
    return Logins(found, header)


def _column(first: Sequence[str], name: str) -> tuple[int, str]:
    """The column of the logins and its header, empty when the first line is already a login."""
    plain = ["".join(filter(str.isalpha, cell.lower())) for cell in first]
    for known in _NAMES:
        if known in plain:
            return plain.index(known), first[plain.index(known)].strip()
    with_at = [index for index, cell in enumerate(first) if "@" in cell]
    if len(with_at) == 1:
        return with_at[0], ""
    if len(first) == 1:
        return 0, "" if "@" in first[0] else first[0].strip()
    raise LoginFileError(_("{name} has several columns. Name the column of logins “loginEmail”.").format(name=name))


# --- workbooks ---------------------------------------------------------------------------------------------------


def csv_of_workbook(content: bytes) -> bytes:
    """The first sheet of a workbook (.xlsx) as CSV, a line for each row; other content as it is.

    NoText for a workbook that cannot be read.
    """
    if not content.startswith(b"PK\x03\x04"):
        return content
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            first = min(
                (name for name in names if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)),
                key=lambda name: (len(name), name),
            )
            shared: list[str] = []
            if "xl/sharedStrings.xml" in names:
                shared = [_text(each) for each in _part(archive, "xl/sharedStrings.xml").iter(f"{_SHEET}si")]
            rows = list(_rows(_part(archive, first), shared))
    except (BadZipFile, ParseError, ValueError, IndexError, KeyError, NotImplementedError, RuntimeError, OSError):
        raise NoText() from None
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _part(archive: ZipFile, name: str) -> Element:
    """A part of a workbook. ValueError for one that is too long, or declares entities."""
    if archive.getinfo(name).file_size > _MOST_UNPACKED:
        raise ValueError(name)
    content = archive.read(name)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ValueError(name)
    return fromstring(content)


def _text(element: Element) -> str:
    """The text of a cell in one line, without the pronunciation that some languages add."""
    own = (each.text or "" for part in element.iterfind(f"{_SHEET}r") for each in part.iterfind(f"{_SHEET}t"))
    plain = (each.text or "" for each in element.iterfind(f"{_SHEET}t"))
    return " ".join("".join((*plain, *own)).split())


def _rows(sheet: Element, shared: Sequence[str]) -> Iterator[list[str]]:
    """The rows as they are numbered, empty ones too."""
    line = 0
    for row in sheet.iter(f"{_SHEET}row"):
        number = int(row.get("r") or line + 1)
        yield from ([] for _empty in range(line + 1, min(number, _MOST_ROWS)))
        line = number
        cells: dict[int, str] = {}
        for at, cell in enumerate(row.iterfind(f"{_SHEET}c")):
            letters = re.sub(r"\d", "", cell.get("r") or "")
            place = 0
            for letter in letters:
                place = place * 26 + ord(letter) - ord("A") + 1
            cells[place - 1 if letters else at] = _value(cell, shared)
        yield [cells.get(place, "") for place in range(min(max(cells, default=-1) + 1, 1_000))]


def _value(cell: Element, shared: Sequence[str]) -> str:
    value, kind = cell.findtext(f"{_SHEET}v") or "", cell.get("t")
    if kind == "s":
        return shared[int(value)]
    inline = cell.find(f"{_SHEET}is")
    if inline is not None:
        return _text(inline)
    if kind in (None, "n") and value and not value.isdecimal() and float(value).is_integer():
        # A long number is kept as 3.51210992001E11.
        return str(int(float(value)))
    return value
