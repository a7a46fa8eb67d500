"""The line editor of a field."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual import events

from svc_tui.console.terminal.text import one_by_one
from svc_tui.console.widgets.line_input import LineInput, run_editing_key


class FieldInput(LineInput):
    """The editor over the value of the selected field.

    Keys are handled in the order in which they are typed: the form decides for each whether it moves, chooses or is
    typed.
    """

    BINDINGS = []

    def __init__(
        self,
        take_key: Callable[[events.Key], bool],
        typed: Callable[[], None] = lambda: None,
        *,
        select_on_focus: bool = True,
    ) -> None:
        super().__init__(id="editor", select_on_focus=select_on_focus)
        self._take_key, self._typed = take_key, typed
        self.display = False

    def take_late(self, event: events.Key) -> None:
        """Handle a key that reached another widget, because it was typed before this one had the focus."""
        self._forward_event(events.Key(event.key, event.character))

    @property
    def _value(self) -> Text:
        """The value as it is drawn; the value itself is not changed."""
        drawn = super()._value
        return Text(one_by_one(drawn.plain), no_wrap=True, overflow="ignore", end="")

    async def _on_key(self, event: events.Key) -> None:
        if self._take_key(event):
            event.stop()
            event.prevent_default()
            return
        if event.key == "backspace" and self.is_fully_selected and not self.select_on_focus:
            # The value is selected, so that typing replaces it; this key edits its end instead.
            self.cursor_position = len(self.value)
        if not await run_editing_key(self, event):
            await super()._on_key(event)
        # Before its message arrives, the editor may have moved to another field.
        self._typed()

    def _on_paste(self, event: events.Paste) -> None:
        super()._on_paste(event)
        self._typed()
