"""A driver for screen readers and terminals that cannot move a cursor: it appends lines of text, and draws nothing."""

import re
from collections.abc import Sequence

from textual.drivers.linux_driver import LinuxDriver

from svc_tui.console.terminal.key_parser import use_key_parser

#: What is passed on of the sequences of the console: text for the clipboard, and the bell.
_PASSED_ON = re.compile(r"\x1b\]52;[^\x07\x1b]*(?:\x07|\x1b\\)|\x07")


class LinearDriver(LinuxDriver):
    """Takes keys as usual. The cursor of the terminal stays at the end of the last line."""

    def run_input_thread(self) -> None:
        use_key_parser(self._edits_text)
        super().run_input_thread()

    def _edits_text(self) -> bool:
        focused = self._app.screen_stack[-1].focused if self._app.screen_stack else None
        return hasattr(focused, "cursor_screen_offset")

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
