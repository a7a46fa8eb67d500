"""Small helpers for files: the delimiter of a CSV file, sizes as text, and reasons of failed accesses."""

from __future__ import annotations

from svc_tui.language import _, number_text


def delimiter_of(text: str) -> str:
    """The delimiter of the columns in the first line: a semicolon, a comma or a tab."""
    first = text.partition("\n")[0]
    return max(";,\t", key=first.count)


def size_text(count: int) -> str:
    """A number of bytes as text: `812 bytes`, `12 kB`, `4.2 MB`."""
    if count < 1000:
        return _("{count} bytes").format(count=count)
    if count < 1_000_000:
        return _("{count:.0f} kB").format(count=count / 1000)
    return _("{size} MB").format(size=number_text(count / 1_000_000, ".1f"))


def reason_of(error: Exception) -> str:
    """The reason of a failed file access, without its number and path."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
