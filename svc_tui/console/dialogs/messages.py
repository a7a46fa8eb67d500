"""Dialogs with a notice, a question or a secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import on
from textual.widget import Widget
from textual.widgets import Input

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, COPY
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, SecretText, confirmation_hint, confirmation_input, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _


class Question(Box[bool]):
    """A question whose yes may lose typed values: the key that accepts elsewhere answers with no."""

    KEYS = (
        DialogKey("question.yes", ("y",), "Leave", "Answer with yes"),
        DialogKey("question.no", ("enter", "n"), "Stay", "Answer with no"),
        CLOSE.labelled(_("Stay")),
    )

    def __init__(self, title: str, text: str, *, yes: str = "", no: str = "") -> None:
        super().__init__(title)
        self._text = text
        first, second, close = self.KEYS
        leaves = first.labelled(yes or first.label)
        self._labelled = (leaves, second.labelled(no or second.label), close.labelled(no or close.label))

    def current_keys(self) -> Sequence[DialogKey]:
        return self._labelled

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)

    def action_yes(self) -> None:
        self.dismiss(True)

    def action_no(self) -> None:
        self.dismiss(None)


class TypedQuestion(Box[bool]):
    """A question that is confirmed by typing a name."""

    KEYS = (ACCEPT.labelled(_("Run")), CLOSE.labelled(_("Cancel")))

    def __init__(self, title: str, text: str, name: str) -> None:
        super().__init__(title)
        self._text, self._typed = text, safe_text(name).text.strip()

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)
        yield confirmation_input(_("Type {typed} to confirm").format(typed=self._typed))
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one("#confirm", Input).focus()

    @on(Input.Changed, "#confirm")
    def _confirmation_typed(self) -> None:
        self.show_keys()

    def hint_now(self) -> str:
        # The key line is made before the input.
        typed = "".join(each.value for each in self.query("#confirm").results(Input))
        return confirmation_hint(typed, (self._typed,))

    def action_accept(self) -> None:
        if self.query_one("#confirm", Input).value.strip() == self._typed:
            self.dismiss(True)
        else:
            self.put("#error", _("Type {typed} to confirm.").format(typed=self._typed))


class Notice(Box[None]):
    """A text to read."""

    KEYS = (ACCEPT.labelled(_("Close")), CLOSE)

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._text = text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)

    def action_accept(self) -> None:
        self.dismiss(None)


class Secret(Box[None]):
    """A secret that is shown once."""

    DEFAULT_CSS = "Secret #secret { text-style: bold; margin: 1 0; height: auto; }"
    KEYS = (COPY, CLOSE.labelled(_("Close; this cannot be shown again")))

    def __init__(self, title: str, secret: str, text: str) -> None:
        super().__init__(title)
        self.secret = secret
        self._text = text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)
        yield SecretText(self.secret, id="secret")
        yield plain("", id="copied")

    async def action_copy(self) -> None:
        self.put("#copied", await host_of(self.app).copied(self.secret))
