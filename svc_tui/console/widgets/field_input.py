"""The line editor of a field."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from svc_tui.console.terminal.text import one_by_one
from svc_tui.console.widgets.line_input import LineInput


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
