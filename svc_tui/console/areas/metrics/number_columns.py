"""Columns for rows of numbers, titled with names of series, or with letters and a legend where space is short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

from svc_tui.console.terminal.text import safe_text
from svc_tui.console.terminal.text import width as cells
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import GAP, Column
from svc_tui.language import _, number_text
from svc_tui.workspace.metrics.series import NumberRows

DIFFERENCE, PERCENT, START_OF = "difference", "percent", _("start of ")
#: Rows that are measured for the width of a column of words.
_LOOKED_AT = 50
_NARROWEST, _WIDEST_WORDS, _WIDEST = 8, 26, 20


def columns_of(rows: NumberRows, room: int) -> tuple[list[Column], str]:
    """The columns of rows within a width, and the lines of the legend; empty without letters."""
    names = [name for name in rows.columns if not _is_words(rows, name) and name not in (DIFFERENCE, PERCENT)]
    columns = [_column(rows, name) for name in rows.columns]
    if len(names) < 2 or (_least(columns) <= room and all(cells(_drawn(name)) <= _WIDEST for name in names)):
        return columns, ""
    letters = dict(zip(names, ascii_uppercase, strict=False))
    key = _in_lines([f"{letter} {_drawn(name)}" for name, letter in letters.items()], room - 2)
    return [_column(rows, name, letters) for name in rows.columns], key


def _in_lines(parts: Sequence[str], room: int) -> str:
    """Parts joined into lines, as many per line as fit."""
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}   {part}" if lines[-1] else part
        if cells(longer) > room and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _drawn(name: str) -> str:
    return safe_text(name).text


def _is_words(rows: NumberRows, name: str) -> bool:
    return isinstance((rows.row(0) or {}).get(name), str)


def _least(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + GAP * len(columns)


def _column(rows: NumberRows, name: str, letters: Mapping[str, str] | None = None) -> Column:
    value = partial(_of, name)
    if _is_words(rows, name) and name != PERCENT:
        words = [str((rows.row(place) or {}).get(name)) for place in range(min(_LOOKED_AT, rows.total))]
        width = max(10, min(max(map(len, words)), _WIDEST_WORDS))
        return Column(field=name, title=_words_title(name, letters), width=width, of=value)
    written = _signed if name == DIFFERENCE else _counted
    longest = max((len(written((rows.row(place) or {}).get(name), {})) for place in range(rows.total)), default=1)
    title = (letters or {}).get(name, name)
    least = longest if letters else max(_NARROWEST, longest, min(cells(_drawn(name)), _WIDEST))
    width = max(least, cells(_drawn(title)) if name in (DIFFERENCE, PERCENT) else 1)
    return Column(field=name, title=title, width=width, flex=1, limit=_WIDEST, align="right", of=value, format=written)


def _words_title(name: str, letters: Mapping[str, str] | None) -> str:
    """The title of a column of start times: its position, or its letter, names the series."""
    if not name.startswith(START_OF):
        return name
    letter = (letters or {}).get(name.removeprefix(START_OF), "")
    return f"start {letter}".rstrip()


def _of(name: str, row: Mapping[str, Any]) -> Any:
    return row.get(name)


def _counted(value: Any, row: Mapping[str, Any]) -> str:
    return number_text(value) if isinstance(value, int) else str(value or NOTHING)


def _signed(value: Any, row: Mapping[str, Any]) -> str:
    return f"{value:+,}" if isinstance(value, int) else NOTHING
