"""Input of one line of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.widget import Widget
from textual.widgets import Input

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.widgets.line_input import LineInput


class LineBox(Box[str]):
    """Returns the line without spaces around it, None when closed. `problem` returns why a line is not accepted.

    `start` is the line at first, and `note` stands above it.
    """

    KEYS = (ACCEPT, CLOSE)

    def __init__(
        self,
        title: str,
        hint: str,
        problem: Callable[[str], str] = lambda text: "",
        *,
        start: str = "",
        note: str = "",
    ) -> None:
        super().__init__(title)
        self._hint, self._problem, self._start, self._note = hint, problem, start, note

    def body(self) -> Iterable[Widget]:
        if self._note:
            yield plain(self._note)
        yield LineInput(self._start, placeholder=self._hint, id="line", select_on_focus=False)
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_accept(self) -> None:
        text = self.query_one(Input).value
        if problem := self._problem(text):
            self.show_error(problem)
        else:
            self.dismiss(text.strip())
