"""The box that every dialog is drawn in: a title, a body, and a line with its keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from svc_tui.console.core.stage import Dialog, Host
from svc_tui.console.terminal.text import shown
from svc_tui.console.widgets.bars import fitting

T = TypeVar("T")


class KeyLine(Static):
    """What the keys of a box do. Where that is too long, the last one stays, which leaves, and others as they fit."""

    def __init__(self, text: str) -> None:
        super().__init__(classes="box--keys", markup=False)
        self._text = text

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        self._text = str(content)
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        super().update(Content(fitting(self._text, self.size.width)), layout=False)


class Box(ModalScreen[T], Dialog[T]):
    """A box over the view. The view behind is not dimmed: that would repaint, and send, all of it."""

    DEFAULT_CSS = """
    Box { align: center middle; background: transparent; }
    Box > .box {
        width: 76; max-width: 98%; height: auto; max-height: 100%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    Box .box--keys { color: $text-muted; height: 1; }
    Box .trouble { color: $error; height: auto; }
    Box Input { border: none; height: 1; padding: 0; background: $panel; }
    Box Input:focus { border: none; }
    """
    #: What the keys of this box do, as it stands in its last line.
    KEYS = "esc Close"
    BINDINGS = [("escape", "close", "Close")]

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title_text = title

    def body(self) -> Iterable[Widget]:
        """The widgets between title and keys."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content(shown(self.title_text).text)
            yield from self.body()
            yield KeyLine(self.KEYS)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of ours in the work of this box: said in it, instead of a box that waits for ever."""
        if event.state is WorkerState.ERROR and event.worker.error is not None and isinstance(self.app, Host):
            sentence = self.app.report_internal_error(event.worker.error)
            for said in self.query("#trouble").results(Static):
                said.update(Content(shown(sentence).text))

    def action_close(self) -> None:
        self.dismiss(None)


def plain(text: str, *, id: str | None = None, classes: str | None = None) -> Static:
    """A text from anywhere, safe to draw: no markup, no control characters."""
    lines = (shown(line).text for line in text.split("\n"))
    return Static(Content("\n".join(lines)), id=id, classes=classes, markup=False)


def confirming(request: str) -> Input:
    """The line in which something must be typed before it is done; `request` says what."""
    line = Input(placeholder=request, id="confirm")
    line.cursor_blink = False
    return line
