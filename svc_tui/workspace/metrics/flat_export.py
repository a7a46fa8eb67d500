"""The flat export as a CSV file: read and written row by row, so that its length costs no memory (4.8)."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from svc_tui.workspace.files.downloads import NotSaved
from svc_tui.workspace.files.export import cell, csv_line, guarded

_PIECE = 64 * 1024
#: Longest company that is read, in characters; what is longer is no export.
_LONGEST = 4 * 1024 * 1024
#: What stands before the rows: plain values only, each read in one way, so that no answer takes long to be no export.
_BEGIN = re.compile(r'\s*\{\s*(?:"(?!data")\w*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,\s*)*"data"\s*:\s*\[')
_NOT_FLAT = "What the service answered is no export of statistics."


def as_csv(came: BinaryIO, file: BinaryIO, *, inward: Callable[[str], str] = str) -> int:
    """Write an export as CSV; its size in bytes. `inward` gives the name of a column. NotSaved when it is none."""
    columns = list(dict.fromkeys(name for row in rows(came) for name in row))
    size = file.write(_line([guarded(inward(name)) for name in columns]))
    for row in rows(came):
        size += file.write(_line([cell(row.get(name)) for name in columns]))
    return size


def _line(cells: Sequence[str]) -> bytes:
    # Half of a surrogate pair has no UTF-8 of its own; it is passed on as it is.
    return csv_line(cells).encode("utf-8", "surrogatepass")


def rows(came: BinaryIO) -> Iterator[dict[str, Any]]:
    """The rows of an export: `companyId` and what stands in each flat row of the company. NotSaved when it is none."""
    for company in _elements(came):
        found = company.get("stats") if isinstance(company, dict) else None
        if not isinstance(found, list):
            raise NotSaved(_NOT_FLAT)
        for row in found:
            if isinstance(row, dict):
                yield {"companyId": company.get("_id"), **row}


def _elements(came: BinaryIO) -> Iterator[Any]:
    """The elements of the list `data`, one at a time."""
    came.seek(0)
    decoder, pieces = json.JSONDecoder(), _pieces(came)
    text = next(pieces, "")
    begin = _BEGIN.match(text)
    if begin is None:
        raise NotSaved(_NOT_FLAT)
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
                raise NotSaved(_NOT_FLAT) from None
            text += more
            continue
        yield element
        text = text[end:]


def _pieces(came: BinaryIO) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while piece := came.read(_PIECE):
        yield decoder.decode(piece)
