"""Logins out of a CSV file: the column that holds them, or the only one there is."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: What the column of the logins may be called, small and without anything but letters.
_NAMES = ("loginemail", "login", "email", "mail", "emailaddress", "user", "username")
#: More is no list of logins.
MOST_BYTES = 5_000_000


class NoLogins(Exception):
    """A file that no logins can be read from; its text is the sentence that says why."""


@dataclass(frozen=True, slots=True)
class Logins:
    """The logins of a file in its order, each once. `column` is what they stood under, empty without a heading."""

    found: tuple[str, ...]
    column: str
    repeated: int = 0


def read_logins(path: Path) -> Logins:
    """The logins of a file; NoLogins when there are none."""
    try:
        path = path.expanduser()
        if path.stat().st_size > MOST_BYTES:
            raise NoLogins(f"{path} is too long for a list of logins: at most {MOST_BYTES // 1_000_000} MB.")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoLogins(f"{path} is not a text in UTF-8.") from None
    except (OSError, ValueError, RuntimeError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise NoLogins(f"{path} cannot be read: {said}.") from None
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter_of(text)) if any(map(str.strip, row))]
    except csv.Error as error:
        raise NoLogins(f"{path} is no CSV file: {error}.") from None
    return _logins(rows, str(path))


def delimiter_of(text: str) -> str:
    """What separates the columns in the first line: a semicolon, a comma or a tab."""
    first = text.partition("\n")[0]
    return max(";,\t", key=first.count)


def _logins(rows: Sequence[Sequence[str]], name: str) -> Logins:
    if not rows:
        raise NoLogins(f"{name} is empty.")
    at, heading = _column(rows[0], name)
    values = [row[at].strip() for row in (rows[1:] if heading else rows) if len(row) > at and row[at].strip()]
    once = {value.casefold(): value for value in reversed(values)}
    found = tuple(once[key] for key in dict.fromkeys(value.casefold() for value in values))
    if not found:
        raise NoLogins(f"{name} holds no logins.")
    return Logins(found, heading, len(values) - len(found))


def _column(first: Sequence[str], name: str) -> tuple[int, str]:
    """The column of the logins and its heading, empty when the first line holds a login already."""
    plain = ["".join(filter(str.isalpha, cell.lower())) for cell in first]
    for wanted in _NAMES:
        if wanted in plain:
            return plain.index(wanted), first[plain.index(wanted)].strip()
    with_at = [index for index, cell in enumerate(first) if "@" in cell]
    if len(with_at) == 1:
        return with_at[0], ""
    if len(first) == 1:
        return 0, "" if "@" in first[0] else first[0].strip()
    raise NoLogins(f"{name} has no column loginEmail, and more than one that it could be.")
