"""A first look at a directory file: how it is written, what its columns are, and the line where it cannot be read."""

from __future__ import annotations

import itertools
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from svc_tui.interface.directory.csv.encodings import encoding_of
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import Shape, lines_of, rows, shape_of
from svc_tui.workspace.files.uploads import Unfit

#: A file that begins with a comment of these words holds a part of a directory; what part stands behind a colon.
PART = "part of a directory"
#: Characters of a line that are shown on each side of a place.
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen: size in bytes, encoding, shape and columns as far as they could be found out, and the trouble.

    `bad` is the trouble where a line of the file is to blame; `part` says which part of a directory the file holds,
    where it holds no whole one.
    """

    size: int
    encoding: str
    shape: Shape | None = None
    columns: tuple[str, ...] = ()
    trouble: str = ""
    bad: BadFile | None = None
    part: str = ""


def readable(path: Path) -> Path:
    """The file itself. Unfit when it is none that can be read."""
    path = path.expanduser()
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise Unfit(f"{path} is {'a folder' if stat.S_ISDIR(mode) else 'not a file'}.")
        with path.open("rb") as file:
            file.read(1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unfit(f"{path} cannot be read: {said}.") from None
    return path


def look(
    path: Path,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    synchronizing: bool = False,
    mended: Mapping[int, str] | None = None,
) -> Look:
    """How a file is written; what is not given is recognised. OSError."""
    size = path.stat().st_size
    with path.open("rb") as file:
        encoding, shape = encoding_of(file), None
        try:
            shape = shape_of(file, delimiter, comment, mended=mended)
            columns, _, _ = rows(file, shape, synchronizing=synchronizing)
        except BadFile as bad:
            return Look(size, encoding, shape, (), told(path, encoding, bad, mended), bad if shape else None)
    return Look(size, encoding, shape, tuple(column.name for column in columns), part=part_of(path, shape))


def part_of(path: Path, shape: Shape) -> str:
    """Which part of a directory a file holds, by the comment that it begins with; empty for a whole one. OSError."""
    first = line_at(path, shape.encoding, 1)
    mark = f"{shape.comment} {PART}:"
    return first.removeprefix(mark).strip() if shape.comment and first.startswith(mark) else ""


def line_at(path: Path, encoding: str, number: int, mended: Mapping[int, str] | None = None) -> str:
    """A line of a file as it is read, without its end; empty behind the last one. OSError."""
    with path.open("r", encoding=encoding, errors="replace", newline="") as file:
        return next(itertools.islice(lines_of(file, mended or {}), number - 1, None), "").rstrip("\r\n")


def told(path: Path, encoding: str, bad: BadFile, mended: Mapping[int, str] | None = None) -> str:
    """Where and why a file cannot be read, and below it the line itself, marked at the place. OSError."""
    line = line_at(path, encoding, bad.line, mended)
    first = max(bad.column - 1 - _AROUND, 0)
    before, behind = line[first : bad.column - 1], line[bad.column - 1 : bad.column - 1 + _AROUND]
    front, end = "…" if first else "", "…" if bad.column - 1 + _AROUND < len(line) else ""
    return f"{bad}\n{front}{before}▸{behind}{end}" if line else str(bad)
