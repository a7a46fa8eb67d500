"""The end of a command: its exit code, and the message of an error (`failures` has the words)."""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from typing import TYPE_CHECKING

from svc_tui.commands.styles import NO, YES, painted
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.console.terminal import text
else:
    text = lazy_import("svc_tui.console.terminal.text")


class Exit(IntEnum):
    """The exit codes that scripts can rely on."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_LOGGED_IN = 3
    UNREACHABLE = 4
    #: What `svc-tui wait` waits for did not happen in time.
    TIMED_OUT = 5
    #: What `svc-tui plan` compares differs.
    CHANGES = 10
    #: A failure of this machine or a fault in the program.
    FAILED = 70
    INTERRUPTED = 130


class CommandError(Exception):
    """A command failed. The text is the message: what happened and what to do."""

    code = Exit.FAILED


class UsageError(CommandError):
    code = Exit.USAGE


class NotLoggedIn(CommandError):
    code = Exit.NOT_LOGGED_IN


class ServiceUnreachable(CommandError):
    code = Exit.UNREACHABLE


class CommandExit(Exception):
    """Ends a command whose message is already printed."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def print_message(message: str, *, succeeded: bool | None = None) -> None:
    """A message on standard error, made safe for a terminal, where a result has its sign and colour in front."""
    try:
        unicode = (sys.stderr.encoding or "").lower().startswith("utf")
        safe = "\n".join(text.safe_text(line, unicode).text for line in message.split("\n"))
        if succeeded is not None and unicode and sys.stderr.isatty():
            sign = painted(YES, "ok", sys.stderr) if succeeded else painted(NO, "bad", sys.stderr)
            safe = f"{sign} {safe}"
        print(safe, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass  # Standard error is closed; the exit code remains.


def discard_output() -> None:
    """Continue without standard output: it has no reader, and Python would try again when it ends."""
    sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
