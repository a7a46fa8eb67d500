"""The file of a backup: gzip with one JSON value in each line, the same for SQLite and PostgreSQL.

The first line describes the backup, a line with a table is followed by its rows, and the last line has their number and
the SHA-256 of all lines before it. So a file that was cut or changed is recognised before anything is restored.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic_core import from_json

_FORMAT, _VERSION = "svc-tui backup", 1
#: Levels above save little and take several times as long.
_COMPRESSION = 3
#: The window of zlib (15), in the format of gzip (16 more).
_GZIP = 31
#: Rows that are read at a time.
_BATCH = 500

#: Bytes that no line has: a row has at most a report on 10,000 rows of a file. Longer lines would fill the memory.
_LONGEST_LINE = 1 << 28

#: A version of the tables: Alembic takes other texts for a place relative to a version.
_REVISION = re.compile(r"[0-9]{4,8}")

Row = tuple[Any, ...]


class DamagedBackup(Exception):
    """The file is not a complete backup. The text is the reason, which continues `FILE is …`."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a backup: version of the tables (a migration), UTC time, and number of rows."""

    revision: str
    created: str
    rows: int = 0


@dataclass(frozen=True, slots=True)
class TableHead:
    """A table, its columns in the order of the values of each row, and those of them that hold bytes."""

    name: str
    columns: tuple[str, ...]
    binary: tuple[str, ...] = ()


class BackupWriter:
    """Writes a backup to an open file."""

    def __init__(self, file: BinaryIO, contents: Contents) -> None:
        # The format of gzip, without the time of the file: the same records give the same bytes. An object of `gzip`
        # would write once more when it is freed, also after an error and to a closed file.
        self._file, self._packing = file, zlib.compressobj(_COMPRESSION, zlib.DEFLATED, _GZIP)
        self._hash = hashlib.sha256()
        self._binary: list[int] = []
        self.rows = 0
        self._write({_FORMAT: _VERSION, "revision": contents.revision, "created": contents.created})

    def table(self, head: TableHead) -> None:
        """Begin a table."""
        self._binary = [head.columns.index(name) for name in head.binary]
        self._write({"table": head.name, "columns": head.columns, "binary": head.binary})

    def row(self, values: Sequence[Any]) -> None:
        """A row of the current table."""
        packed = list(values)
        for place in self._binary:
            if packed[place] is not None:
                packed[place] = b64encode(packed[place]).decode("ascii")
        self._write(packed)
        self.rows += 1

    def end(self) -> None:
        """Write the last line. Without it, the file is not a backup."""
        self._write({"rows": self.rows, "sha256": self._hash.hexdigest()})
        self._file.write(self._packing.flush())

    def _write(self, value: object) -> None:
        line = json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
        self._hash.update(line)
        self._file.write(self._packing.compress(line))


def inspect(path: Path) -> Contents:
    """Read a whole backup and check it. DamagedBackup with the reason, OSError."""
    reader = _BackupReader(path)
    for _ in reader.batches():
        pass
    return Contents(reader.contents.revision, reader.contents.created, reader.rows)


def batches(path: Path) -> Iterator[tuple[TableHead, list[Row]]]:
    """The rows of a backup in the order of the file, some hundred of one table at a time.

    DamagedBackup, at the latest after the last rows; OSError.
    """
    return _BackupReader(path).batches()


class _BackupReader:
    """Reads a backup once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hash = hashlib.sha256()
        self.rows = 0
        self.contents = Contents("", "")

    def batches(self) -> Iterator[tuple[TableHead, list[Row]]]:
        try:
            yield from self._batches()
        except EOFError:
            raise DamagedBackup("cut: its end is missing") from None
        except (gzip.BadGzipFile, zlib.error):
            raise DamagedBackup("damaged, or not a backup of svc-tui") from None
        except (ValueError, TypeError, KeyError, AttributeError, IndexError):
            raise DamagedBackup("damaged: a line cannot be read") from None

    def _batches(self) -> Iterator[tuple[TableHead, list[Row]]]:
        head, rows, ended = None, list[Row](), False
        with gzip.open(self._path, "rb") as file:
            first = file.readline(1000)
            self._begin(first)
            while line := file.readline(_LONGEST_LINE):
                if len(line) == _LONGEST_LINE:
                    raise DamagedBackup("damaged: a line is too long")
                if ended:
                    raise DamagedBackup("damaged: it continues after its end")
                value = from_json(line)
                if isinstance(value, dict):
                    if head is not None and rows:
                        yield head, rows
                    rows = []
                    if "sha256" in value:
                        self._end(value)
                        ended = True
                        continue
                    head = _head(value)
                    binary = [head.columns.index(name) for name in head.binary]
                elif head is not None:
                    rows.append(_row(value, binary, len(head.columns)))
                    self.rows += 1
                    if len(rows) == _BATCH:
                        yield head, rows
                        rows = []
                self._hash.update(line)
        if not ended:
            raise DamagedBackup("cut: its end is missing")

    def _begin(self, line: bytes) -> None:
        value = from_json(line)
        if value.get(_FORMAT) != _VERSION:
            raise DamagedBackup("no backup that this version of svc-tui can read")
        self._hash.update(line)
        if not _REVISION.fullmatch(value["revision"]):
            raise DamagedBackup("damaged: the version of its tables cannot be read")
        self.contents = Contents(value["revision"], str(value["created"]))

    def _end(self, value: dict[str, Any]) -> None:
        if value["rows"] != self.rows or value["sha256"] != self._hash.hexdigest():
            raise DamagedBackup("damaged: its checksum does not fit its content")


def _head(value: dict[str, Any]) -> TableHead:
    columns, binary = value["columns"], value["binary"]
    if not isinstance(value["table"], str) or not columns or len(set(columns)) != len(columns):
        raise ValueError("not the head of a table")
    return TableHead(value["table"], tuple(columns), tuple(binary))


def _row(values: list[Any], binary: Sequence[int], columns: int) -> Row:
    if len(values) != columns:
        raise ValueError("the number of values is wrong")
    for place in binary:
        if values[place] is not None:
            values[place] = b64decode(values[place], validate=True)
    return tuple(values)
