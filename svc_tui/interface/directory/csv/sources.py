"""The rows of a contact file in the columns of the service, with the faults of its text.

What the service takes is read by `reading`. A client reads its files with this module, and converts them.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn, all_columns, header
from svc_tui.interface.directory.csv.dialects import (
    plain_value,
    separator_in,
    spans_rows,
    surplus,
    visible,
)
from svc_tui.interface.directory.csv.encodings import (
    encoding_of,
    error_handler,
    escapes_in,
    name_of,
    with_signs_for_escapes,
)
from svc_tui.interface.directory.csv.faults import BadFile, Fault
from svc_tui.interface.directory.csv.mapping import ColumnMapping, Source, mapping_of, target_of
from svc_tui.interface.directory.csv.programs import generic_target, heading_of, recognised
from svc_tui.interface.directory.csv.reading import DELIMITERS, CsvFormat, CsvRow, check_signs, headed, records
from svc_tui.interface.errors import Code
from svc_tui.language import _

#: In a mapping of a user: all columns that it does not name.
ALL_OTHERS = "*"
#: Lines at the start of a file in which a `sep=` line is looked for.
_FIRST_LINES = 5


def source_format(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    encoding: str = "",
    mapping: Mapping[str, str] | None = None,
    corrected: Mapping[int, str] | None = None,
) -> CsvFormat:
    """The format of a contact file. What is not named is detected, the mapping by the headings.

    `mapping`: heading -> column of the service, or empty to leave it out. BadFile for a file that cannot be read, or
    whose encoding the user has to choose.
    """
    check_signs(delimiter, comment)
    encoding = encoding or encoding_of(file)
    plain = CsvFormat(encoding, delimiter or DELIMITERS[0], comment, corrected or {}, dialects=True)
    if not delimiter:
        plain = replace(
            plain, delimiter=named_separator(file, encoding) or detected(file, plain, partial(_known, mapping or {}))
        )
    return replace(plain, mapping=_mapping(file, plain, mapping))


def source_rows(
    file: BinaryIO, csv_format: CsvFormat, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns of the service in a file, its first line, and its rows. BadFile where it cannot be read."""
    (line, source, cells, _lines), read = headed(file, csv_format)
    mapping = csv_format.mapping
    if mapping is None:
        columns = header(names_of(cells), line, synchronizing=synchronizing)
    else:
        columns = mapping.columns
        if synchronizing:
            header([column.name for column in columns], line, synchronizing=True)
    return columns, source, (_row(number, record, csv_format, columns) for number, record in enumerate(read, 1))


def headings(file: BinaryIO, csv_format: CsvFormat) -> list[str]:
    """The names in the first line of a file. BadFile when it cannot be read."""
    first = next(records(file, csv_format), None)
    return names_of(first[2]) if first else []


def names_of(cells: Sequence[str]) -> list[str]:
    """The headings of a first line, without what is not seen."""
    return [visible(plain_value(cell)).strip() for cell in cells]


# --- the format --------------------------------------------------------------------------------------------------


def named_separator(file: BinaryIO, encoding: str) -> str:
    """The delimiter that a line at the start of the file names. Empty when there is none."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, errors=error_handler(encoding), newline="")
    try:
        lines = [text.readline(200) for _place in range(_FIRST_LINES)]
        return next((sign for line in lines if (sign := separator_in(line))), "")
    except UnicodeError:
        return ""
    finally:
        with suppress(ValueError):
            text.detach()


def detected(file: BinaryIO, csv_format: CsvFormat, known: Callable[[Sequence[str]], int]) -> str:
    """The delimiter with which the first line has the most known names; by default a semicolon."""
    best, most = DELIMITERS[0], (0, 0)
    for sign in DELIMITERS:
        if sign == csv_format.comment:
            continue
        try:
            record = next(records(file, replace(csv_format, delimiter=sign)), None)
        except BadFile:
            continue
        names = names_of(record[2]) if record else [""]
        if (found := (known(names), len(names))) > most:
            best, most = sign, found
    return best


def _known(mapping: Mapping[str, str], names: Sequence[str]) -> int:
    """How many of these names are columns of the service, of a program, or of the mapping of a user."""
    named = {heading_of(heading) for heading in mapping}
    texts = [heading_of(name) for name in names]
    return sum(
        name in all_columns() or text in named or generic_target(text)[0] != ""
        for name, text in zip(names, texts, strict=True)
    )


def _mapping(file: BinaryIO, csv_format: CsvFormat, chosen: Mapping[str, str] | None) -> ColumnMapping | None:
    """What the columns are; None where they have the names of the service, or are unknown."""
    found = records(file, csv_format)
    first = next(found, None)
    if first is None:
        return None
    line, _source, cells, _lines = first
    names = names_of(cells)
    mapping = recognised(names) if chosen is None else chosen_mapping(names, chosen, line)
    extra, empty = _surplus(found, names)
    if mapping is None and (extra or not all(names)) and _is_own(names, empty):
        mapping = mapping_of([Source(name, *_placed(name)) for name in names])
    if mapping is None or not extra:
        return mapping
    return mapping_of((*mapping.sources, *[Source("")] * extra), mapping.program)


def _surplus(rows: Iterator[tuple[int, str, list[str], int]], names: Sequence[str]) -> tuple[int, Container[int]]:
    """How many empty values each row has behind its columns, and the nameless columns without any value."""
    try:
        first = next(rows, None)
        if first is None or (all(names) and len(first[2]) <= len(names)):
            return 0, range(len(names))
        return surplus((record[2] for record in itertools.chain([first], rows)), names)
    except BadFile:
        # The place is reported when the rows are read.
        return 0, frozenset()


def _is_own(names: Sequence[str], empty: Container[int]) -> bool:
    """Whether all columns have names of the service, once each, except those without any value."""
    named = [name for place, name in enumerate(names) if name or place not in empty]
    return all(name in all_columns() for name in named) and len(set(named)) == len(named)


def _placed(name: str) -> tuple[str, int, None, int | None]:
    target, place = target_of(name) if name else ("", None)
    return target, 0, None, place


def chosen_mapping(names: Sequence[str], chosen: Mapping[str, str], line: int = 1) -> ColumnMapping:
    """The mapping of a user for these headings. Columns that it does not name keep what they are, or are left out.

    BadFile for a target that is no column of the service.
    """
    by_heading = {heading_of(heading): target for heading, target in chosen.items()}
    known = recognised(names)
    sources: list[Source] = []
    try:
        for place, name in enumerate(names):
            target = chosen.get(name, by_heading.get(heading_of(name)) if name else "")
            if target is not None:
                base, number = target_of(target) if target else ("", None)
                sources.append(Source(name, base, place=number))
            elif ALL_OTHERS in chosen or known is None:
                sources.append(
                    Source(name, *_placed(name if name in all_columns() and ALL_OTHERS not in chosen else ""))
                )
            else:
                sources.append(known.sources[place])
        return mapping_of(sources)
    except ValueError as error:
        raise BadFile(Code.BAD_COLUMN, str(error), line=line) from error


# --- rows --------------------------------------------------------------------------------------------------------


def _row(
    number: int, record: tuple[int, str, list[str], int], csv_format: CsvFormat, columns: Sequence[CsvColumn]
) -> CsvRow:
    """A row in the columns of the service, with the faults of its text."""
    line, _source, _cells, lines = record
    mapping = csv_format.mapping
    source, raw, faults = text_faults(record, csv_format, columns)
    if mapping is None:
        return CsvRow(number, line, source, [visible(cell) for cell in raw], lines, tuple(faults))
    if fault := _wrong_number(raw, mapping):
        faults.append(fault)
    return CsvRow(number, line, source, mapping.row(raw), lines, tuple(faults))


def text_faults(
    record: tuple[int, str, list[str], int], csv_format: CsvFormat, columns: Sequence[CsvColumn]
) -> tuple[str, list[str], list[Fault]]:
    """The text of a row and its values as they can be shown, and the faults of its text."""
    line, source, cells, lines = record
    raw = [plain_value(cell) for cell in cells]
    faults: list[Fault] = []
    if not source.isascii():
        faults += _foreign_bytes(line, source, raw, csv_format, columns)
        source, raw = with_signs_for_escapes(source), [with_signs_for_escapes(cell) for cell in raw]
    if lines > 1:
        faults += _spanning(raw, lines, csv_format, columns)
    return source, raw, faults


def _column_at(place: int, csv_format: CsvFormat, columns: Sequence[CsvColumn]) -> str:
    """The column of the service that has the value of a column of the file. Empty when it is left out."""
    if csv_format.mapping is None:
        return columns[place].name if place < len(columns) else ""
    sources = csv_format.mapping.sources
    target = sources[place].target if place < len(sources) else ""
    return next((column.name for column in columns if target and target_of(column.name)[0] == target), "")


def _foreign_bytes(
    line: int, source: str, cells: Sequence[str], csv_format: CsvFormat, columns: Sequence[CsvColumn]
) -> Iterator[Fault]:
    """The faults of values with bytes that the encoding does not have. Values that are left out have none."""
    places = escapes_in(source)
    if not places:
        return
    message = _("contains the byte 0x{byte:02X}, which is not {encoding} (line {line}, column {column})")
    for place, cell in enumerate(cells):
        for _position, byte in escapes_in(cell)[:1]:
            at = next(position for position, found in places if found == byte)
            column = _column_at(place, csv_format, columns)
            if column or csv_format.mapping is None:
                before = source[:at]
                text = message.format(
                    byte=byte,
                    encoding=name_of(csv_format.encoding),
                    line=line + before.count("\n"),
                    column=at - before.rfind("\n"),
                )
                yield Fault(column, text, with_signs_for_escapes(cell), rule=_("invalid character"))


def _spanning(cells: Sequence[str], lines: int, csv_format: CsvFormat, columns: Sequence[CsvColumn]) -> Iterator[Fault]:
    """The faults of values that may contain other rows."""
    for place in spans_rows(cells, csv_format.delimiter):
        message = _("spans {lines} lines and contains {delimiter!r}: its closing quote may be missing").format(
            lines=lines, delimiter=csv_format.delimiter
        )
        yield Fault(
            _column_at(place, csv_format, columns),
            message,
            cells[place],
            rule=_("value over several lines"),
            suggestion=" ".join(cells[place].split()),
            doubtful=True,
        )


def _wrong_number(cells: Sequence[str], mapping: ColumnMapping) -> Fault | None:
    """The fault of a row with too few or too many values. Nameless columns at the end may be missing."""
    sources = mapping.sources
    while sources and not sources[-1].heading:
        sources = sources[:-1]
    if len(sources) <= len(cells) <= len(mapping.sources) and not any(cells[len(sources) :]):
        return None
    message = _("has {cells} values, but the file has {columns} columns").format(cells=len(cells), columns=len(sources))
    return Fault("", message, rule=_("wrong number of values"))
