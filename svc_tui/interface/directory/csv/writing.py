"""Writing entries as a directory file: the used columns, in the order of the interface."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from svc_tui.interface.directory.csv.columns import ACTION, CsvColumn, all_columns


def cells_of(entry: Mapping[str, Any], columns: Sequence[CsvColumn]) -> list[str]:
    """The cells of an entry. The action of each row is `sync`."""
    taken: dict[str, int] = {}
    cells = []
    for column in columns:
        if column.name == ACTION:
            cells.append("sync")
            continue
        value = entry.get(column.field)
        if column.several:
            place = taken.get(column.field, 0)
            taken[column.field] = place + 1
            value = value[place] if value and place < len(value) else None
        cells.append("" if value is None else str(value))
    return cells


def used_columns(entries: Iterable[Mapping[str, Any]]) -> tuple[CsvColumn, ...]:
    """The columns with values in these entries, and the action."""
    most: dict[str, int] = {}
    for entry in entries:
        for field, value in entry.items():
            if value not in (None, "", []):
                most[field] = max(most.get(field, 0), len(value) if isinstance(value, list) else 1)
    found, seen = [], dict[str, int]()
    for column in all_columns().values():
        seen[column.field] = seen.get(column.field, 0) + 1
        if column.name == ACTION or seen[column.field] <= most.get(column.field, 0):
            found.append(column)
    return tuple(found)


def written(entries: Sequence[Mapping[str, Any]], delimiter: str = ";", comment: str = "%") -> str:
    """A complete file. Rows with a comment character are quoted, so that they can be read again."""
    columns = used_columns(entries)
    return lines(
        [column.name for column in columns], (cells_of(entry, columns) for entry in entries), delimiter, comment
    )


def lines(header: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str = ";", comment: str = "%") -> str:
    """A header and rows as text."""
    return "".join(line(row, delimiter, comment) + "\n" for row in (header, *rows))


def line(cells: Sequence[str], delimiter: str = ";", comment: str = "%") -> str:
    """A row as text, without a line end."""
    text = io.StringIO(newline="")
    # The CSV writer does not know comments, and quotes line ends only if it writes line ends itself.
    signs = {"\r", "\n", comment} - {""}
    special = any(sign in cell for cell in cells for sign in signs)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if special else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator="", quoting=quoting).writerow(cells)
    return text.getvalue()
