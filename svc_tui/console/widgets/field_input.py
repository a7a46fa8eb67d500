"""The line in which the value under the cursor is edited."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual import events
from textual.widgets import Input

from svc_tui.console.terminal.text import one_by_one
from svc_tui.console.widgets.editing_keys import edited_at_once


class FieldInput(Input):
    """The editor over the value of the field under the cursor.

    Keys are taken in the order in which they were typed, whoever has the focus by then: the form decides for each
    whether it moves, chooses or is typed.
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
        self.cursor_blink = False
        self.display = False

    def take_late(self, event: events.Key) -> None:
        """A key that came to another widget, for it was typed before this one had the focus."""
        self._forward_event(events.Key(event.key, event.character))

    @property
    def _value(self) -> Text:
        """What is drawn: the value itself may hold anything, and stays as it is."""
        drawn = super()._value
        return Text(one_by_one(drawn.plain), no_wrap=True, overflow="ignore", end="")

    @property
    def untouched(self) -> bool:
        """Whether the whole value is marked: the next thing typed replaces it."""
        return not self.selection.is_empty and len(self.selected_text) == len(self.value)

    async def _on_key(self, event: events.Key) -> None:
        if self._take_key(event):
            event.stop()
            event.prevent_default()
            return
        if event.key == "backspace" and self.untouched and not self.select_on_focus:
            # Not marked with the focus, but as a number: it is replaced by what is typed, and edited from its end.
            self.cursor_position = len(self.value)
        if not await edited_at_once(self, event):
            await super()._on_key(event)
        # Here and now: until the message about it arrives, the editor may be placed anew.
        self._typed()

    def _on_paste(self, event: events.Paste) -> None:
        """Several lines become one: nothing that was pasted is lost."""
        lines = [line.strip() for line in event.text.splitlines()]
        in_one = " ".join(line for line in lines if line) if len(lines) > 1 else event.text
        super()._on_paste(events.Paste(in_one))
        event.stop()
        event.prevent_default()
        self._typed()
