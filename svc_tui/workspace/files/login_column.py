"""Logins from a CSV file: from the column of logins, or from the only column."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from svc_tui.interface.directory.csv.encodings import check_text
from svc_tui.interface.directory.csv.faults import NoText
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.saved_files import delimiter_of, reason_of, size_text

#: Names of the column of logins, in small letters, without other characters.
_NAMES = ("loginemail", "login", "email", "mail", "emailaddress", "user", "username")
#: Longest file that is read.
MOST_BYTES = 5_000_000


class LoginFileError(Exception):
    """A file without readable logins; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Logins:
    """The logins of a file in its order, each once. `column` is their header, empty without one."""

    found: tuple[str, ...]
    column: str


def read_logins(path: Path) -> Logins:
    """The logins of a file; LoginFileError when it has none."""
    try:
        path = expanded(path)
        if path.stat().st_size > MOST_BYTES:
            raise LoginFileError(
                _("{path} is larger than {most_bytes}.").format(path=path, most_bytes=size_text(MOST_BYTES))
            )
        content = path.read_bytes()
        check_text(io.BytesIO(content))
        text = text_of(content)
    except NoText as workbook:
        raise LoginFileError(f"{path}: {workbook}.") from None
    except NotUtf8 as error:
        raise LoginFileError(_("{path} is {found}.").format(path=path, found=error)) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise LoginFileError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter_of(text)) if any(map(str.strip, row))]
    except csv.Error as error:
        raise LoginFileError(_("{path} is not a CSV file: {error}.").format(path=path, error=error)) from None
    return _logins(rows, str(path))


def _logins(rows: Sequence[Sequence[str]], name: str) -> Logins:
    if not rows:
        raise LoginFileError(_("{name} is empty.").format(name=name))
    at, header = _column(rows[0], name)
    values = [row[at].strip() for row in (rows[1:] if header else rows) if len(row) > at and row[at].strip()]
    by_key = {value.casefold(): value for value in reversed(values)}
    found = tuple(by_key[key] for key in dict.fromkeys(value.casefold() for value in values))
    if not found:
        raise LoginFileError(_("{name} contains no logins.").format(name=name))
    return Logins(found, header)


def _column(first: Sequence[str], name: str) -> tuple[int, str]:
    """The column of the logins and its header, empty when the first line is already a login."""
    plain = ["".join(filter(str.isalpha, cell.lower())) for cell in first]
    for known in _NAMES:
        if known in plain:
            return plain.index(known), first[plain.index(known)].strip()
    with_at = [index for index, cell in enumerate(first) if "@" in cell]
    if len(with_at) == 1:
        return with_at[0], ""
    if len(first) == 1:
        return 0, "" if "@" in first[0] else first[0].strip()
    raise LoginFileError(_("{name} has several columns. Name the column of logins “loginEmail”.").format(name=name))
