"""A file as the body of an upload: its type and size are held against the declaration before anything is sent."""

from __future__ import annotations

import stat
from pathlib import Path

from svc_tui.client.content import Content, type_of
from svc_tui.interface.operations import AnyOperation

#: Most bytes of an upload whose operation declares no limit.
_MOST = 64 * 2**20
#: A directory file, and how it is sent.
CSV = "text/csv"
CSV_TYPE = "text/csv; charset=utf-8"
_NAMES = {
    "text/csv": "CSV",
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WebP",
    "image/bmp": "BMP",
}


class Unfit(Exception):
    """A file that the operation would not take; its text is the sentence that says why."""


def type_name(content_type: str) -> str:
    """A content type as people call it: `PNG`."""
    return _NAMES.get(content_type, content_type)


def size_name(count: int) -> str:
    """A number of bytes for people: `812 bytes`, `12 kB`, `4.2 MB`."""
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def most_of(operation: AnyOperation) -> int:
    """Most bytes that the operation takes; without a limit of its own, what a console can hold in memory."""
    return operation.most_bytes or _MOST


def accepted(operation: AnyOperation) -> str:
    """What may be uploaded, in a few words."""
    most = most_of(operation)
    return f"{' or '.join(map(type_name, operation.takes))}, at most {most} bytes ({most / 2**20:g} MiB)"


def read_file(path: Path, operation: AnyOperation) -> Content:
    """The file as a body; Unfit when it cannot be read or would be refused. A large file is not read."""
    path = path.expanduser()
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise Unfit(f"{path} is {'a folder' if stat.S_ISDIR(found.st_mode) else 'not a file'}.")
        if found.st_size > most_of(operation):
            raise Unfit(_too_large(str(path), found.st_size, operation))
        with path.open("rb") as file:
            data = file.read(most_of(operation) + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unfit(f"{path} cannot be read: {said}.") from None
    return fit(data, operation, str(path))


def fit(data: bytes, operation: AnyOperation, name: str) -> Content:
    """The bytes as a body; Unfit when their own beginning or their length says that they would be refused."""
    if not data:
        raise Unfit(f"{name} is empty.")
    if len(data) > most_of(operation):
        raise Unfit(_too_large(name, len(data), operation))
    if CSV in operation.takes:
        return Content(CSV_TYPE, data)
    found = type_of(data[:16])
    if found not in operation.takes:
        wanted = " or ".join(map(type_name, operation.takes))
        what = f"is {type_name(found)}, not {wanted}" if found else f"is no {wanted} picture, whatever its name says"
        raise Unfit(f"{name} {what}.")
    return Content(found, data)


def _too_large(name: str, size: int, operation: AnyOperation) -> str:
    return f"{name} is too large: {size} bytes or more, at most {most_of(operation)} are accepted."
