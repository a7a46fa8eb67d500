"""Records the output of the console as an asciicast (version 2), which terminals and web pages play.

Only pictures are recorded, with masked secrets: no key, no clipboard, no question to the terminal. When a recording
cannot be written, it ends, and the console continues.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from svc_tui.language import _

#: The picture before the first one.
_CLEAR = "\x1b[0m\x1b[2J\x1b[H"


class ScreenRecording:
    """A file with a header, and one line for each change: seconds since the first picture, kind and text.

    `error_message` is a sentence if the file is incomplete. FileExistsError when it exists, OSError when it cannot be
    created: then nothing has changed. Only this user can read it.
    """

    def __init__(self, path: Path, seconds: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.error_message = ""
        self._seconds, self._began = seconds, 0.0
        self._size = (0, 0)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._file: IO[str] | None = os.fdopen(handle, "w", encoding="utf-8")

    def drawn(self, changes: str, size: tuple[int, int]) -> None:
        """The terminal with this size (columns, rows) shows these changes."""
        if not self._size[0]:
            self._began = self._seconds()
            self._write({"version": 2, "width": size[0], "height": size[1], "env": {"TERM": "xterm-256color"}})
            changes = _CLEAR + changes
        elif size != self._size:
            self._write([self._now(), "r", f"{size[0]}x{size[1]}"])
        self._size = size
        self._write([self._now(), "o", changes])

    def cleared(self) -> None:
        """The terminal shows nothing."""
        if self._size[0]:
            self._write([self._now(), "o", _CLEAR])

    def close(self) -> None:
        """Complete the file."""
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                self._fail(error)
            self._file = None

    def _now(self) -> float:
        return round(self._seconds() - self._began, 3)

    def _write(self, line: object) -> None:
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            self._fail(error)
            # What is left in its buffer fails again.
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _fail(self, error: OSError) -> None:
        self.error_message = _("The recording {path} is incomplete: {reason}.").format(
            path=self.path, reason=error.strerror
        )
