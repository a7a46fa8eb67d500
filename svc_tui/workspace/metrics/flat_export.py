"""The flat export as a CSV file: read and written row by row, for exports of any length."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from svc_tui.language import _
from svc_tui.workspace.files.downloads import SaveError
from svc_tui.workspace.files.export import cell, csv_line, escaped

_PIECE = 64 * 1024
#: Longest company in characters; a longer one is not an export.
_LONGEST = 4 * 1024 * 1024
#: The text before the rows: plain values only. The pattern does not backtrack, so that a wrong response fails quickly.
_BEGIN = re.compile(r'\s*\{\s*(?:"(?!data")\w*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,\s*)*"data"\s*:\s*\[')
_NOT_FLAT = _("Unexpected response: not an export of statistics.")


def as_csv(export: BinaryIO, file: BinaryIO, *, declared_name: Callable[[str], str] = str) -> int:
    """Write an export as CSV; its size in bytes. `declared_name` returns the declared name of a column.

    SaveError when it is not an export.
    """
    columns = list(dict.fromkeys(name for row in rows(export) for name in row))
    size = file.write(_line([escaped(declared_name(name)) for name in columns]))
    for row in rows(export):
        size += file.write(_line([cell(row.get(name)) for name in columns]))
    return size


def _line(cells: Sequence[str]) -> bytes:
    # Half of a surrogate pair has no UTF-8 encoding; it is written unchanged.
    return csv_line(cells).encode("utf-8", "surrogatepass")


def rows(export: BinaryIO) -> Iterator[dict[str, Any]]:
    """The rows of an export: `companyId` and the fields of each flat row. SaveError when it is not an export."""
    for company in _elements(export):
        found = company.get("stats") if isinstance(company, dict) else None
        if not isinstance(found, list):
            raise SaveError(_NOT_FLAT)
        for row in found:
            if isinstance(row, dict):
                yield {"companyId": company.get("_id"), **row}


def _elements(export: BinaryIO) -> Iterator[Any]:
    """The elements of the list `data`, one at a time."""
    export.seek(0)
    decoder, pieces = json.JSONDecoder(), _pieces(export)
    text = next(pieces, "")
    begin = _BEGIN.match(text)
    if begin is None:
        raise SaveError(_NOT_FLAT)
    text = text[begin.end() :]
    while True:
        text = text.lstrip(" \t\r\n,")
        if text.startswith("]"):
            return
        try:
            element, end = decoder.raw_decode(text)
        except ValueError:
            more = next(pieces, "")
            if not more or len(text) > _LONGEST:
                raise SaveError(_NOT_FLAT) from None
            text += more
            continue
        yield element
        text = text[end:]


def _pieces(export: BinaryIO) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while piece := export.read(_PIECE):
        yield decoder.decode(piece)
