"""Inspection of a directory file: its encoding and format, its columns, and the line that cannot be read."""

from __future__ import annotations

import itertools
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from svc_tui.interface.directory.csv.dialects import BYTE_ORDER_MARK
from svc_tui.interface.directory.csv.encodings import UTF8, UnknownEncoding, check_text, encoding_of
from svc_tui.interface.directory.csv.faults import BadFile, NoText, lines_of
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.directory.contact_files import contact_format, contact_headings, contact_rows
from svc_tui.workspace.files.saved_files import reason_of
from svc_tui.workspace.files.uploads import UnsuitableFile

#: First comment of a file with a part of a directory; a colon and the description of the part follow.
PART = _("part of a directory")
#: Characters of a line shown on each side of a fault.
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Inspection:
    """Size in bytes, encoding, format and columns of a file as far as they could be detected, and the problem.

    `bad` is the problem where a line of the file causes it; `part` describes the part of a directory in the file,
    where it is not a whole directory. Without an encoding one has to be chosen; `readings` has the likely ones.
    `headings` are the names of the columns in the file, `columns` those of the service.
    """

    size: int
    encoding: str
    csv_format: CsvFormat | None = None
    columns: tuple[str, ...] = ()
    error_message: str = ""
    bad: BadFile | None = None
    part: str = ""
    readings: tuple[tuple[str, str], ...] = ()
    headings: tuple[str, ...] = ()


def readable_file(path: Path) -> Path:
    """The path of a file. UnsuitableFile when it cannot be read."""
    path = expanded(path)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise UnsuitableFile(
                _("{path} is {kind}.").format(path=path, kind=_("a folder") if stat.S_ISDIR(mode) else _("not a file"))
            )
        with path.open("rb") as file:
            check_text(file)
    except NoText as workbook:
        raise UnsuitableFile(f"{path}: {workbook}.") from None
    except (OSError, ValueError) as error:
        raise UnsuitableFile(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    return path


def inspect(
    path: Path,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    synchronizing: bool = False,
    corrected: Mapping[int, str] | None = None,
    encoding: str = "",
    mapping: Mapping[str, str] | None = None,
) -> Inspection:
    """Inspect a file; what is not given is detected. OSError."""
    size, csv_format = path.stat().st_size, None
    with path.open("rb") as file:
        try:
            encoding = encoding or encoding_of(file)
        except UnknownEncoding as unknown:
            return Inspection(size, "", error_message=str(unknown), readings=unknown.readings)
        except NoText as workbook:
            return Inspection(size, "", error_message=str(workbook))
        names: tuple[str, ...] = ()
        try:
            csv_format = contact_format(
                file, delimiter, comment, encoding=encoding, mapping=mapping, corrected=corrected
            )
            names = contact_headings(file, csv_format)
            columns, *_rest = contact_rows(file, csv_format, synchronizing=synchronizing)
        except BadFile as bad:
            message = describe_fault(path, encoding, bad, corrected)
            return Inspection(size, encoding, csv_format, (), message, bad if csv_format else None, headings=names)
    return Inspection(
        size,
        encoding,
        csv_format,
        tuple(column.name for column in columns),
        part=part_of(path, csv_format),
        headings=names,
    )


def part_of(path: Path, csv_format: CsvFormat) -> str:
    """The part of a directory in a file, from its first comment; empty for a whole directory. OSError."""
    first = line_at(path, csv_format.encoding, 1)
    mark = f"{csv_format.comment} {PART}:"
    return first.removeprefix(mark).strip() if csv_format.comment and first.startswith(mark) else ""


def line_at(path: Path, encoding: str, number: int, corrected: Mapping[int, str] | None = None) -> str:
    """A line of a file without its line end; empty after the last line. OSError."""
    with path.open("r", encoding=encoding, errors="replace", newline="") as file:
        line = next(itertools.islice(lines_of(file, corrected or {}), number - 1, None), "").rstrip("\r\n")
    return line.lstrip(BYTE_ORDER_MARK)


def describe_fault(path: Path, encoding: str, bad: BadFile, corrected: Mapping[int, str] | None = None) -> str:
    """Line and reason of a fault, and below it the text of the line with a mark at the place. OSError."""
    line = line_at(path, encoding or UTF8, bad.line, corrected)
    first = max(bad.column - 1 - _AROUND, 0)
    before, after = line[first : bad.column - 1], line[bad.column - 1 : bad.column - 1 + _AROUND]
    front, end = "…" if first else "", "…" if bad.column - 1 + _AROUND < len(line) else ""
    return f"{bad}\n{front}{before}▸{after}{end}" if line else str(bad)
