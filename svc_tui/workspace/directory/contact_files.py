"""Contact files: their format, and their rows in the columns of the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn
from svc_tui.interface.directory.csv.reading import CsvFormat, CsvRow
from svc_tui.interface.directory.csv.sources import source_format, source_rows


def contact_format(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    encoding: str = "",
    mapping: Mapping[str, str] | None = None,
    corrected: Mapping[int, str] | None = None,
) -> CsvFormat:
    """The format of a file, as `source_format` finds it. BadFile."""
    return source_format(file, delimiter, comment, encoding=encoding, mapping=mapping, corrected=corrected)


def contact_rows(
    file: BinaryIO, csv_format: CsvFormat, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns of the service in a file, its first line, and its rows. BadFile where it cannot be read."""
    return source_rows(file, csv_format, synchronizing=synchronizing)
