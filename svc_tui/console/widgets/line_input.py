"""An input of one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual import events
from textual.widgets import Input

from svc_tui.console.terminal.text import one_by_one
from svc_tui.interface.texts import pasted_line


class LineInput(Input):
    """An input without a frame, with the options of `Input`. Its cursor stays still: blinking would send bytes."""

    DEFAULT_CSS = """
    LineInput { border: none; height: 1; padding: 0; background: $panel; }
    LineInput:focus { border: none; }
    LineInput:ansi > .input--selection { text-style: underline; }
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


class FieldInput(LineInput):
    """The editor over the value of the selected field. `typed` is called at once when its text changes.

    A message could arrive when it has moved to another field.
    """

    def __init__(self, typed: Callable[[], None], *, select_on_focus: bool = True) -> None:
        super().__init__(id="editor", select_on_focus=select_on_focus)
        self._when_typed = typed
        self.display = False

    def watch_value(self) -> None:
        """The text has changed."""
        self._when_typed()

    @property
    def _value(self) -> Text:
        """The value as it is drawn; the value itself is not changed."""
        drawn = super()._value
        return Text(one_by_one(drawn.plain), no_wrap=True, overflow="ignore", end="")

    def action_delete_left(self) -> None:
        """Delete a character. A value that is selected so that typing replaces it is edited at its end instead."""
        if self.is_fully_selected and not self.select_on_focus:
            self.cursor_position = len(self.value)
        super().action_delete_left()
