"""An input of one line."""

from __future__ import annotations

from typing import Any

from textual.widgets import Input


class LineInput(Input):
    """An input without a frame, with the options of `Input`. Its cursor stays still: blinking would send bytes."""

    DEFAULT_CSS = """
    LineInput { border: none; height: 1; padding: 0; background: $panel; }
    LineInput:focus { border: none; }
    """

    def __init__(self, value: str = "", **options: Any) -> None:
        super().__init__(value, **options)
        self.cursor_blink = False
