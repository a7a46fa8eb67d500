"""Boxes that say something important or ask yes or no."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, plain


class Ask(Box[bool]):
    """A question that `y` answers with yes, everything else with no: what is asked about may be lost for good."""

    KEYS = "y Yes, leave   enter or esc Stay"
    BINDINGS = [("y", "yes", "Yes"), ("n,enter", "close", "No")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._text = text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)

    def action_yes(self) -> None:
        self.dismiss(True)


class Told(Box[None]):
    """Something to read; any of its keys closes it."""

    KEYS = "enter or esc Close"
    BINDINGS = [("enter", "close", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._text = text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)


class Secret(Box[None]):
    """A secret that is shown once. It stays until it is closed on purpose."""

    DEFAULT_CSS = "Secret #secret { text-style: bold; margin: 1 0; height: auto; }"
    KEYS = "y Copy   esc Close: it cannot be shown again"
    BINDINGS = [("y", "copy", "Copy")]

    def __init__(self, title: str, secret: str, text: str) -> None:
        super().__init__(title)
        self.secret = secret
        self._text = text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)
        yield plain(self.secret, id="secret")
        yield plain("", id="said")

    async def action_copy(self) -> None:
        said = await host_of(self.app).copied(self.secret)
        from textual.content import Content

        self.query_one("#said", Static).update(Content(said))
