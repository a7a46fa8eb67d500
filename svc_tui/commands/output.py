"""Data on standard output: tables for terminals, JSON and CSV for programs.

Escape sequences in data never reach a terminal; a program receives the data unchanged.
"""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast

from svc_tui.commands.styles import NO, YES, Style, painted
from svc_tui.console.terminal.text import fit, safe_text_of_any_length, width
from svc_tui.interface.texts import cell_text
from svc_tui.language import _
from svc_tui.workspace.files.export import escaped

Format = Literal["table", "json", "jsonl", "csv"]
#: The fewest cells to which a column is cut; columns that do not fit then are left out.
_LEAST = 8
_PLAIN: Style = ""
#: The styles of the signs of true and false.
_MARKS: dict[str, Style] = {YES: "ok", NO: "dim"}
#: The same for a program, except for the last column, which widens no other row.
MAX_PIPED_WIDTH = 110


@cache
def is_terminal() -> bool:
    """Whether standard output is a terminal. The first call also makes sure that every text can be written."""
    if sys.stdout.isatty():
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        return True
    # Programs get UTF-8 in any locale; half a surrogate pair becomes \udxxx, which is valid in JSON.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    return False


def format_or_default(asked: Format | None) -> Format:
    """The format that was asked for, or the default for a terminal or a program."""
    return asked or ("table" if is_terminal() else "json")


def can_show_unicode() -> bool:
    """Whether standard output can show more than ASCII."""
    return not is_terminal() or (sys.stdout.encoding or "").lower().startswith("utf")


def write_line(text: str = "", style: Style = "") -> None:
    """One or more lines, with visible marks instead of control characters."""
    for part in text.split("\n"):
        write_parts([(part, style)])


def write_parts(parts: Sequence[tuple[str, Style]]) -> None:
    """A line of texts with their styles, with visible marks instead of control characters."""
    is_terminal()
    drawn = (painted(safe_text_of_any_length(text, can_show_unicode()).text, style) for text, style in parts)
    sys.stdout.write("".join(drawn) + "\n")


def write_text(text: str) -> None:
    """Text, unchanged for a program and made safe for a terminal."""
    if is_terminal():
        write_line(text.removesuffix("\n"))
    else:
        sys.stdout.write(text)


def write_bytes(content: bytes) -> None:
    """Bytes for a program or a file; never for a terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def json_text(value: Any, indent: int | None = 2) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def write_json(value: Any) -> None:
    """A complete JSON document."""
    write_text(json_text(value) + "\n")


class Table:
    """A table that is written row by row. The first rows and the heading determine the width of each column.

    Numbers are aligned to the right. Where some have decimals, such as amounts, all have the same number of them.
    """

    def __init__(
        self,
        columns: Sequence[str],
        first: Sequence[Mapping[str, Any]],
        *,
        heading: bool = True,
        styles: Mapping[str, Style] | None = None,
        right: Collection[str] = (),
    ) -> None:
        self.columns = columns
        self._right = right
        self._styles = styles or {}
        self._decimals = {name: _decimals([row.get(name) for row in first]) for name in columns}
        cells = [self._cells(row) for row in first]
        self._sizes = _sizes(cells, columns, heading)
        if heading:
            self._write([name.upper() for name in columns], "heading")

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            self._write(self._cells(row))

    def _cells(self, row: Mapping[str, Any]) -> list[str]:
        return [_number(row.get(name), self._decimals[name]) or _shown(row.get(name)) for name in self.columns]

    def _write(self, cells: Sequence[str], style: Style = "") -> None:
        # A number that needs more room than the first rows is never cut: it would be another one.
        shown: list[tuple[str, Style]] = [
            (
                text.rjust(size) if name in self._right or self._decimals[name] is not None else fit(text, size),
                style or _MARKS.get(text) or self._styles.get(name, ""),
            )
            for name, text, size in zip(self.columns, cells, self._sizes, strict=True)
            if size
        ]
        while shown and not shown[-1][0].strip():
            shown.pop()
        if shown:
            shown[-1] = (shown[-1][0].rstrip(), shown[-1][1])
        parts = [(gap, part) for place, part in enumerate(shown) for gap in [("  " if place else "", _PLAIN)]]
        write_parts([each for pair in parts for each in pair])


def _decimals(values: Sequence[Any]) -> int | None:
    """The digits after the point of a column of numbers: at least two if one has any; None for a column of texts."""
    given = [value for value in values if value is not None and value != ""]
    if not given or any(isinstance(value, bool) or not isinstance(value, int | float) for value in given):
        return None
    fractions = [_fraction(value) for value in given if isinstance(value, float)]
    return max([2, *fractions]) if fractions else 0


def _fraction(value: float) -> int:
    """The digits after the point of a number; 0 for one that is too large or small to be written with them."""
    text = json_text(value)
    return 0 if "e" in text or "n" in text else len(text.partition(".")[2].rstrip("0"))


def _number(value: Any, decimals: int | None) -> str:
    """A number with the decimals of its column, or with all of its own; empty for another value."""
    if not decimals or isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if isinstance(value, float) and json_text(value).strip("-0123456789."):
        return ""
    return f"{value:.{max(decimals, _fraction(value) if isinstance(value, float) else 0)}f}"


def write_table(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    *,
    heading: bool = True,
    styles: Mapping[str, Style] | None = None,
    right: Collection[str] = (),
) -> None:
    """A complete table; `styles` are those of columns, and texts in `right`, such as `12 %`, are aligned as numbers."""
    Table(columns, rows, heading=heading, styles=styles, right=right).write(rows)


def write_fields(record: Mapping[str, Any], *, bad: Collection[str] = ()) -> None:
    """One record with one field per line. On a terminal, what is so has a sign, and what is not has another one;
    fields in `bad` are failures."""
    size = max((width(_safe(name)) for name in record), default=0)
    for name, value in record.items():
        text, style = _marked(_shown(value))
        if name in bad and is_terminal():
            text, style = f"{NO} {text}" if can_show_unicode() else text, "bad"
        write_parts([(fit(_safe(name), size), "dim"), ("  ", ""), (text, style)])


def _shown(value: Any) -> str:
    """The text of a cell; on a terminal, true and false are signs."""
    if isinstance(value, bool) and is_terminal() and can_show_unicode():
        return YES if value else NO
    return _safe(value)


def _marked(text: str) -> tuple[str, Style]:
    """A text that begins with yes or no with its sign in front, and its style, on a terminal."""
    if not is_terminal() or not can_show_unicode():
        return text, ""
    for word, sign, style in ((_("yes"), YES, "ok"), (_("no"), NO, "dim")):
        if text == word or text.startswith((f"{word}:", f"{word} (")):
            return f"{sign} {text}", cast(Style, style)
    return text, _MARKS.get(text, "")


def csv_cell(value: Any) -> Any:
    """A CSV cell that a spreadsheet does not treat as a formula."""
    if isinstance(value, bool) or value is None:
        return cell_text(value)
    if isinstance(value, int | float):
        return value
    return escaped(cell_text(value))


class Csv:
    """Records as CSV. `omitted`: fields that first appeared after the header was written."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = list(columns)
        self.omitted: set[str] = set()
        self._plain = csv.writer(_Unbuffered(), lineterminator="\n")
        self._quoting = csv.writer(_Unbuffered(), lineterminator="\n", quoting=csv.QUOTE_ALL)
        self._row([csv_cell(name) for name in self.columns])

    def write(self, records: Iterable[Mapping[str, Any]]) -> None:
        for record in records:
            self.omitted |= record.keys() - set(self.columns)
            self._row([csv_cell(record.get(name)) for name in self.columns])

    def _row(self, cells: list[Any]) -> None:
        # Many readers end a row at a lone carriage return; the writer only quotes its own line terminator.
        split = any(isinstance(text, str) and "\r" in text for text in cells)
        (self._quoting if split else self._plain).writerow(cells)


class _Unbuffered:
    """The file that the csv module writes to."""

    def write(self, text: str) -> None:
        write_text(text)


def _safe(value: Any) -> str:
    return safe_text_of_any_length(cell_text(value), can_show_unicode()).text


def _sizes(rows: Sequence[Sequence[str]], columns: Sequence[str], heading: bool) -> list[int]:
    widest = [max([len(name) if heading else 0, *(width(row[at]) for row in rows)]) for at, name in enumerate(columns)]
    if not is_terminal():
        *others, last = widest or [0]
        return [*(min(size, MAX_PIPED_WIDTH) for size in others), last]
    room = shutil.get_terminal_size().columns
    most = max(widest, default=0)
    # Only what does not fit is cut, the widest columns first.
    while most > _LEAST and sum(min(size, most) for size in widest) + 2 * (len(widest) - 1) > room:
        most -= 1
    sizes = []
    for size in widest:
        given = max(0, min(size, most, room))
        sizes.append(given)
        room -= given + 2
    return sizes
