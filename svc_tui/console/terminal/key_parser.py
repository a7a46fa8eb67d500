"""Keys from bytes: escape stays its own key when other keys arrive in the same read.

Over SSH, and while the console is busy, keys that were typed one after the other arrive together. Textual reads escape
and the key behind it as that key with alt, and drops the escape. No action has a key with alt, so these are two keys;
only in fields for text, some keys with alt edit words.

A report of the background that comes later than it is awaited (`background`) is no key. What was typed before the
console read its terminal has a line feed for each enter, which is enter here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.message import Message

#: An escape that begins no sequence: arrows and functions, reports of colours, of the terminal, and of pictures.
_KEY = r"\x1b(?![\[O\x1b]|\][0-9]|P[0-9>!+$|]|_G|\Z)"
_ESCAPE = re.compile(_KEY)
#: The same beside the keys with alt that edit words: back, forward, and delete backward.
_ESCAPE_IN_TEXT = re.compile(_KEY + r"(?![bf\x7f])")
#: A report of the background, and the beginning of one at the end of a read.
_REPORT = re.compile(r"\x1b\]11;[^\x07\x1b]{0,40}(?:\x07|\x1b\\)")
_BEGUN_REPORT = re.compile(r"\x1b\]1(?:1(?:;[^\x07\x1b]{0,40}\x1b?)?)?\Z")
_PASTED = re.compile(r"(\x1b\[200~|\x1b\[201~)")
#: The escape key as terminals send it that make it distinct, and its end behind an escape that was read already.
_DISTINCT, _REST = "\x1b[27u", "[27u"


def edits_text(widget: object) -> bool:
    """Whether a widget edits text: it has a cursor, where terminals show what an input method composes."""
    return hasattr(widget, "cursor_screen_offset")


class KeyParser(XTermParser):
    """The parser of Textual for terminals that send escape as one byte. `in_text`: whether a text is edited."""

    def __init__(self, debug: bool, in_text: Callable[[], bool]) -> None:
        super().__init__(debug)
        self._in_text = in_text
        self._ended_with_escape = self._pasting = False
        self._report = ""

    @property
    def patience(self) -> float | None:
        """Seconds until `tick` may find that a sequence was not finished; None: nothing was begun."""
        return None if self._timeout_time is None else max(0.0, self._timeout_time - get_time())

    def feed(self, data: str) -> Iterable[Message]:
        """The events of the input."""
        if data and not (data := self._without_report(data)):
            return ()
        return super().feed(self._distinct(data))

    def _without_report(self, data: str) -> str:
        data = _REPORT.sub("", self._report + data)
        begun = _BEGUN_REPORT.search(data)
        self._report = begun[0] if begun else ""
        return data.removesuffix(self._report)

    def _distinct(self, data: str) -> str:
        if not data:
            return data
        escape = _ESCAPE_IN_TEXT if self._in_text() else _ESCAPE
        if self._ended_with_escape and self._timeout_time is not None and escape.match(f"\x1b{data}"):
            data = _REST + data
        self._ended_with_escape = data.endswith("\x1b")
        parts = _PASTED.split(data)
        for place, part in enumerate(parts):
            if _PASTED.fullmatch(part):
                self._pasting = part == "\x1b[200~"
            elif not self._pasting:
                parts[place] = escape.sub(lambda _: _DISTINCT, part).replace("\n", "\r")
        return "".join(parts)
