"""Six boxes for a code from an authenticator: digits only, pasted or typed."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.interface.errors import Code
from svc_tui.language import _

DIGITS = 6


class CodeBoxes(Widget, can_focus=True):
    """The digits typed so far; posts `Completed` with the sixth."""

    COMPONENT_CLASSES = {"code-boxes--full", "code-boxes--next"}
    DEFAULT_CSS = """
    CodeBoxes { height: 1; width: auto; }
    CodeBoxes > .code-boxes--full { text-style: bold; }
    CodeBoxes > .code-boxes--next { text-style: reverse; }
    """

    class Completed(Message):
        """All six digits are typed."""

        def __init__(self, code: str) -> None:
            super().__init__()
            self.code = code

    def __init__(self) -> None:
        super().__init__()
        self.code = ""

    def get_content_width(self, *_: object) -> int:
        return DIGITS * 4

    def clear(self) -> None:
        """Empty all boxes."""
        self.code = ""
        self.refresh()

    def _add(self, text: str) -> None:
        digits = "".join(char for char in text if char.isascii() and char.isdigit())
        if digits and len(self.code) < DIGITS:
            self.code = (self.code + digits)[:DIGITS]
            self.refresh()
            if len(self.code) == DIGITS:
                self.post_message(self.Completed(self.code))

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdigit():
            self._add(event.character)
        elif event.key == "backspace":
            self.code = self.code[:-1]
            self.refresh()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._add(event.text)

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        full = self.get_component_rich_style("code-boxes--full")
        at = self.get_component_rich_style("code-boxes--next")
        segments = []
        for index in range(DIGITS):
            if index < len(self.code):
                segments.append(Segment(f"[{self.code[index]}] ", full))
            elif index == len(self.code) and self.has_focus:
                segments += [Segment("[", base), Segment("_", at), Segment("] ", base)]
            else:
                segments.append(Segment("[_] ", base))
        return Strip(segments, DIGITS * 4)


CODE = _("This code is wrong or already used. Type the next code of the authenticator.")
RECOVERY = _("This recovery code is wrong or already used.")


def code_error(error: ServiceError, *, recovery: bool = False) -> str:
    """The sentence for a refused code or another error."""
    wrong = isinstance(error, Refused) and error.code == Code.WRONG_CREDENTIALS
    return (RECOVERY if recovery else CODE) if wrong else str(error)
