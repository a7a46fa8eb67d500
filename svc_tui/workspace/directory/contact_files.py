"""Contact files: their format, and their rows in the columns of the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn
from svc_tui.interface.directory.csv.encodings import encoding_of
from svc_tui.interface.directory.csv.reading import DELIMITERS, CsvFormat, CsvRow
from svc_tui.interface.directory.csv.sources import headings, source_format, source_rows
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.workspace.directory import vcards
else:
    vcards = lazy_import("svc_tui.workspace.directory.vcards")


def contact_format(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    encoding: str = "",
    mapping: Mapping[str, str] | None = None,
    corrected: Mapping[int, str] | None = None,
) -> CsvFormat:
    """The format of a file, as `source_format` finds it, or of vCards. BadFile."""
    encoding = encoding or encoding_of(file)
    if vcards.is_vcard(file, encoding):
        return CsvFormat(encoding, DELIMITERS[0], comment, mapping=vcards.card_mapping())
    return source_format(file, delimiter, comment, encoding=encoding, mapping=mapping, corrected=corrected)


def contact_headings(file: BinaryIO, csv_format: CsvFormat) -> tuple[str, ...]:
    """The names of the columns as the file has them; none of cards. BadFile when they cannot be read."""
    mapping = csv_format.mapping
    if mapping is not None and mapping.program == vcards.PROGRAM:
        return ()
    return tuple(headings(file, csv_format))


def contact_rows(
    file: BinaryIO, csv_format: CsvFormat, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns of the service in a file, its first line, and its rows. BadFile where it cannot be read."""
    mapping = csv_format.mapping
    if mapping is not None and mapping.program == vcards.PROGRAM:
        return vcards.card_rows(file, csv_format.encoding, mapping, synchronizing=synchronizing)
    return source_rows(file, csv_format, synchronizing=synchronizing)
