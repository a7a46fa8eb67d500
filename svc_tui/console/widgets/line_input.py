"""An input of one line."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.widgets import Input

from svc_tui.interface.texts import pasted_line


class LineInput(Input):
    """An input without a frame, with the options of `Input`. Its cursor stays still: blinking would send bytes."""

    DEFAULT_CSS = """
    LineInput { border: none; height: 1; padding: 0; background: $panel; }
    LineInput:focus { border: none; }
    """

    def __init__(self, value: str = "", **options: Any) -> None:
        super().__init__(value, **options)
        self.cursor_blink = False

    @property
    def is_fully_selected(self) -> bool:
        """Whether the whole value is selected, so that typing replaces it."""
        return not self.selection.is_empty and len(self.selected_text) == len(self.value)

    def _on_paste(self, event: events.Paste) -> None:
        """Insert the first line that is not empty, without characters that are not seen."""
        event.stop()
        event.prevent_default()
        line = pasted_line(event.text)
        if not self.password and (not self.value or self.is_fully_selected):
            line = line.strip()
        super()._on_paste(events.Paste(line))
