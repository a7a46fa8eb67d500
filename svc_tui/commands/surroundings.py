"""What a process is given at its start: standard streams that can be closed, and bytes that can be no text."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.commands.exits import UsageError
from svc_tui.language import _

#: Variables of this program begin so; those of proxies end so.
_OWN, _PROXY = "SVC_TUI_", "_PROXY"


class _ClosedOutput(io.FileIO):
    """Stands for a closed standard output: what is written to it is lost, and the command reports that."""

    def write(self, _data: object) -> int:
        raise OSError(errno.EBADF, _("standard output is closed"))


def open_closed_streams() -> None:
    """Open the standard streams that the process was started without, so that no other file gets their numbers.

    Input is empty, messages are lost, and data that is written ends the command with an error.
    """
    # The lowest free number is opened first: that of the closed stream.
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null(os.O_RDONLY), encoding="utf-8", closefd=False)
    if sys.stdout is None:
        # Without a buffer, what could not be written is not tried again at the end.
        raw: Any = _ClosedOutput(_null(os.O_WRONLY), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(os.O_WRONLY), "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def _null(mode: int) -> int:
    handle = os.open(os.devnull, mode)
    os.set_inheritable(handle, True)
    return handle


def check_text(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """UsageError that names an argument, or a variable of this program, with bytes that are not UTF-8."""
    for place, word in enumerate(arguments):
        if not _is_text(word):
            # A body can have secrets.
            of_body = word.startswith("--body=") or arguments[place - 1 : place] == ["--body"]
            shown = word.removeprefix("--body=").partition("=")[0] + "=…" if of_body else word
            raise UsageError(
                _('The argument "{word}" has bytes that are not UTF-8 text. Nothing was sent.').format(
                    word=_with_bytes(shown)
                )
            )
    for name, value in environ.items():
        if (name.startswith(_OWN) or name.upper().endswith(_PROXY)) and not _is_text(value):
            raise UsageError(
                _("The variable {name} has bytes that are not UTF-8 text. Nothing was sent.").format(
                    name=_with_bytes(name)
                )
            )


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _with_bytes(text: str) -> str:
    """The text with its bytes that are not UTF-8 as they are written in a shell: `\\xff`."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")
