"""An editor for a text of several lines, or a list with one entry per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count

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


#: Characters that the area would take for the end of a line, and write back as its own.
_BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_FIRST_PRIVATE = 0xF0000


class KeptBreaks:
    """Stands in for the line breaks of a text that an editor would change, so that untouched lines stay as they are."""

    def __init__(self, text: str) -> None:
        # With the same break everywhere, the editor keeps it.
        one = next((each for each in ("\r\n", "\r") if each in text and not _has_breaks(text.replace(each, ""))), "")
        odd = [each for each in _BREAKS if each in text and each not in one]
        free = (chr(code) for code in count(_FIRST_PRIVATE) if chr(code) not in text)
        self._stand_ins = dict(zip(odd, free, strict=False))
        self.shown = self._replaced(text, self._stand_ins)

    def stored(self, shown: str) -> str:
        """The text of the editor with its own line breaks."""
        return self._replaced(shown, {stand_in: each for each, stand_in in self._stand_ins.items()})

    @staticmethod
    def _replaced(text: str, by: dict[str, str]) -> str:
        return text.translate({ord(old): new for old, new in by.items()})


def _has_breaks(text: str) -> bool:
    return "\r" in text or "\n" in text


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
        self._text, self._breaks = text, KeptBreaks(text)
        self._hint = hint
        self._check = check
        self._warned = False

    def body(self) -> Iterable[Widget]:
        area = SafeArea(self._breaks.shown, show_line_numbers=False, soft_wrap=True)
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
        found = self._check(self.text)
        for name, text in zip(("#amount", "#error"), found, strict=True):
            self.put(name, text)
            self.query_one(name).display = bool(text)

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._breaks.stored(self.query_one(TextArea).text)

    @property
    def loss(self) -> str:
        return NOT_SAVED if self.text != self._text else ""

    def action_close(self) -> None:
        """Close. Changes are discarded only when the key is pressed again."""
        if self.loss and not self._warned:
            self._warned = True
            self.put("#unsaved", self.with_keys(UNSAVED))
            return
        self.dismiss(None)

    def action_save(self) -> None:
        self.dismiss(self.text)
