"""Asking for one line of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import shown


class LineBox(Box[str]):
    """Gives back the line without blanks around it, None when it was closed. `problem` says what is wrong with it."""

    KEYS = (ACCEPT, CLOSE)

    def __init__(self, title: str, hint: str, problem: Callable[[str], str] = lambda text: "") -> None:
        super().__init__(title)
        self._hint, self._problem = hint, problem

    def body(self) -> Iterable[Widget]:
        box = Input(placeholder=self._hint, id="line")
        box.cursor_blink = False
        yield box
        yield plain("", id="trouble", classes="trouble")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_accept(self) -> None:
        text = self.query_one(Input).value
        if problem := self._problem(text):
            self.query_one("#trouble", Static).update(Content(shown(problem).text))
        else:
            self.dismiss(text.strip())
