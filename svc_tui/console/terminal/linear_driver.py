"""A driver for screen readers and terminals that cannot move a cursor: it appends lines of text, and draws nothing."""

import re
from collections.abc import Sequence

from svc_tui.console.terminal.base_driver import BaseDriver

#: The sequences of the console that are passed on: text for the clipboard, and the bell.
_PASSED_ON = re.compile(r"\x1b\]52;[^\x07\x1b]*(?:\x07|\x1b\\)|\x07")


class LinearDriver(BaseDriver):
    """Takes keys as usual. The cursor of the terminal stays at the end of the last line."""

    def write(self, data: str) -> None:
        """Drop pictures and modes."""
        for sequence in _PASSED_ON.findall(data):
            super().write(sequence)

    def append(self, lines: Sequence[str]) -> None:
        """Append lines of safe text."""
        super().write("".join(f"\r\n{line}" for line in lines))
        self.flush()

    def extend(self, text: str) -> None:
        """Append safe text to the last line."""
        super().write(text)
        self.flush()

    def stop_application_mode(self) -> None:
        """Leave the last line to the shell."""
        if self._writer_thread is not None:
            super().write("\r\n")
        super().stop_application_mode()
