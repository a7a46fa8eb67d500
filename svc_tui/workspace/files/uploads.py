"""A file as the body of an upload: its type and size are checked against the declaration before it is sent."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from svc_tui.client.content import Content, type_of
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.saved_files import reason_of

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation

#: Most bytes of an upload without a declared limit.
_DEFAULT_LIMIT = 64 * 2**20
#: The content type of directory files, and as it is sent.
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


class UnsuitableFile(Exception):
    """A file that the operation does not accept; the message is a sentence."""


def type_name(content_type: str) -> str:
    """The usual name of a content type: `PNG`."""
    return _NAMES.get(content_type, content_type)


def size_limit(operation: AnyOperation) -> int:
    """Most bytes that the operation accepts; without a declared limit, what a console can hold in memory."""
    return operation.most_bytes or _DEFAULT_LIMIT


def accepted_files(operation: AnyOperation) -> str:
    """Types and size of the files that the operation accepts: `JPEG or PNG, at most 4 MiB`."""
    return _("{types}, at most {limit}").format(
        types=_(" or ").join(map(type_name, operation.takes)), limit=_limit_text(operation)
    )


def read_file(path: Path, operation: AnyOperation) -> Content:
    """The file as a body; UnsuitableFile when it cannot be read or is not accepted.

    A file above the limit is not read.
    """
    path = expanded(path)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UnsuitableFile(
                _("{path} is {kind}.").format(
                    path=path, kind=_("a folder") if stat.S_ISDIR(found.st_mode) else _("not a file")
                )
            )
        if found.st_size > size_limit(operation):
            raise UnsuitableFile(_too_large(str(path), operation))
        with path.open("rb") as file:
            data = file.read(size_limit(operation) + 1)
    except (OSError, ValueError) as error:
        raise UnsuitableFile(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    return checked(data, operation, str(path))


def checked(data: bytes, operation: AnyOperation, name: str) -> Content:
    """The bytes as a body; UnsuitableFile when their type or their length is not accepted."""
    if not data:
        raise UnsuitableFile(_("{name} is empty.").format(name=name))
    if len(data) > size_limit(operation):
        raise UnsuitableFile(_too_large(name, operation))
    if CSV in operation.takes:
        return Content(CSV_TYPE, data)
    found = type_of(data[:16])
    if found not in operation.takes:
        accepted = _(" or ").join(map(type_name, operation.takes))
        problem = (
            _("is {type_name}, not {accepted}").format(type_name=type_name(found), accepted=accepted)
            if found
            else _("is not a {accepted} picture").format(accepted=accepted)
        )
        raise UnsuitableFile(f"{name} {problem}.")
    return Content(found, data)


def _too_large(name: str, operation: AnyOperation) -> str:
    return _("{name} is too large: the limit is {limit}.").format(name=name, limit=_limit_text(operation))


def _limit_text(operation: AnyOperation) -> str:
    limit = size_limit(operation)
    return (
        _("{limit} MiB").format(limit=limit // 2**20) if limit % 2**20 == 0 else _("{limit} bytes").format(limit=limit)
    )
