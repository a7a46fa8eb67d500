"""Data on standard output: tables for people, JSON and CSV for programs.

A terminal never receives an escape from data; a program receives the data as they are.
"""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from svc_tui.console.terminal.text import fit, shown, width
from svc_tui.workspace.files.export import guarded

Format = Literal["table", "json", "csv"]
WIDEST_COLUMN = 60


@cache
def is_terminal() -> bool:
    """Whether a person looks at standard output; also makes sure that every text can be written."""
    if sys.stdout.isatty():
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        return True
    # Programs get UTF-8 in any locale; half a surrogate pair becomes \udxxx, which JSON understands.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    return False


def unicode() -> bool:
    """Whether the terminal has more than ASCII."""
    return not is_terminal() or (sys.stdout.encoding or "").lower().startswith("utf")


def line(text: str = "") -> None:
    """One line (or several) as it is drawn: marks in the place of dangerous characters."""
    is_terminal()
    sys.stdout.write("\n".join(shown(part, unicode()).text for part in text.split("\n")) + "\n")


def raw(text: str) -> None:
    """Text for a program, byte for byte; for a person, its lines made safe to draw."""
    if is_terminal():
        line(text.removesuffix("\n"))
    else:
        sys.stdout.write(text)


def data(content: bytes) -> None:
    """Bytes for a program or a file; a terminal never gets them."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def json_text(value: Any, indent: int | None = 2) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def json_document(value: Any) -> None:
    """One whole JSON document."""
    raw(json_text(value) + "\n")


def cell(value: Any) -> str:
    """A value in one cell: text as it is, nothing for null, the rest as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json_text(value, None)


class Table:
    """Rows in columns, the heading first. The width of a column is that of the rows that are known at the start."""

    def __init__(self, columns: Sequence[str], first: Sequence[Mapping[str, Any]], *, heading: bool = True) -> None:
        self.columns = columns
        self._sizes = _sizes(first, columns, heading)
        if heading:
            line(_line([name.upper() for name in columns], self._sizes))

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            line(_line([_safe(row.get(name)) for name in self.columns], self._sizes))


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, heading: bool = True) -> None:
    """A whole table."""
    Table(columns, rows, heading=heading).write(rows)


def pairs(record: Mapping[str, Any]) -> None:
    """One record, a field a line."""
    size = max((width(_safe(name)) for name in record), default=0)
    for name, value in record.items():
        line(f"{fit(_safe(name), size)}  {_safe(value)}")


def guarded_cell(value: Any) -> Any:
    """A CSV cell that no spreadsheet takes for a formula."""
    if isinstance(value, bool) or value is None:
        return cell(value)
    if isinstance(value, int | float):
        return value
    return guarded(cell(value))


class Csv:
    """Records as CSV, one after the other. `left_out`: fields that came after the heading was written."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = list(columns)
        self.left_out: set[str] = set()
        self._plain = csv.writer(_Raw(), lineterminator="\n")
        self._quoting = csv.writer(_Raw(), lineterminator="\n", quoting=csv.QUOTE_ALL)
        self._row([guarded_cell(name) for name in self.columns])

    def write(self, records: Iterable[Mapping[str, Any]]) -> None:
        for record in records:
            self.left_out |= record.keys() - set(self.columns)
            self._row([guarded_cell(record.get(name)) for name in self.columns])

    def _row(self, cells: list[Any]) -> None:
        # A lone carriage return ends a row for many readers; the writer only quotes its own line ends.
        split = any(isinstance(text, str) and "\r" in text for text in cells)
        (self._quoting if split else self._plain).writerow(cells)


class _Raw:
    """What the csv module writes to."""

    def write(self, text: str) -> None:
        raw(text)


def _safe(value: Any) -> str:
    return shown(cell(value), unicode()).text


def _sizes(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], heading: bool) -> list[int]:
    widest = [max([len(name) if heading else 0, *(width(_safe(row.get(name))) for row in rows)]) for name in columns]
    if not is_terminal():
        return widest
    left = shutil.get_terminal_size().columns
    sizes = []
    for size in widest:
        given = max(0, min(size, WIDEST_COLUMN, left))
        sizes.append(given)
        left -= given + 2
    return sizes


def _line(cells: Sequence[str], sizes: Sequence[int]) -> str:
    shown_cells = [fit(text, size) for text, size in zip(cells, sizes, strict=True) if size]
    return "  ".join(shown_cells).rstrip()
