"""An editor for a text of several lines, or a list with one entry per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.text import Text
from textual import on
from textual.widget import Widget
from textual.widgets import TextArea

from svc_tui.console.core.dialog_keys import CLOSE, SAVE
from svc_tui.console.dialogs.box import NOT_SAVED, UNSAVED, Box, plain
from svc_tui.console.terminal.text import one_by_one
from svc_tui.language import _

#: Returns the size of a text and its error; both may be empty.
Check = Callable[[str], tuple[str, str]]


def _unchecked(text: str) -> tuple[str, str]:
    return "", ""


class SafeArea(TextArea):
    """A text area in which control characters are drawn as visible marks."""

    def get_line(self, line_index: int) -> Text:
        """One line as it is drawn."""
        return Text(one_by_one(self.document.get_line(line_index)), end="", no_wrap=True)


class TextEditor(Box[str]):
    """Returns the text, None when its changes were discarded. Errors are shown as you type."""

    DEFAULT_CSS = """
    TextEditor TextArea { height: 10; border: none; padding: 0; background: $panel; }
    TextEditor TextArea:focus { border: none; }
    """
    KEYS = (SAVE, CLOSE.labelled(_("Discard")))

    def __init__(self, title: str, text: str, hint: str = "", check: Check = _unchecked) -> None:
        super().__init__(title)
        self._text = text
        self._hint = hint
        self._check = check
        self._warned = False

    def body(self) -> Iterable[Widget]:
        area = SafeArea(self._text, show_line_numbers=False, soft_wrap=True)
        area.cursor_blink = False
        yield area
        yield plain(self._hint)
        yield plain("", id="amount")
        yield plain("", id="error", classes="error")
        yield plain("", id="unsaved", classes="error")

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)
        area.focus()
        self._explain()

    @on(TextArea.Changed)
    def _explain(self) -> None:
        found = self._check(self.query_one(TextArea).text)
        for name, text in zip(("#amount", "#error"), found, strict=True):
            self.put(name, text)
            self.query_one(name).display = bool(text)

    @property
    def loss(self) -> str:
        return NOT_SAVED if self.query_one(TextArea).text != self._text else ""

    def action_close(self) -> None:
        """Close. Changes are discarded only when the key is pressed again."""
        if self.loss and not self._warned:
            self._warned = True
            self.put("#unsaved", self.with_keys(UNSAVED))
            return
        self.dismiss(None)

    def action_save(self) -> None:
        self.dismiss(self.query_one(TextArea).text)
