"""The dialog for an order of items, which can be moved or removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.widget import Widget

from svc_tui.console.core.dialog_keys import CLOSE, LINE_DOWN, LINE_UP, MOVE_DOWN, MOVE_UP, REMOVE, SAVE
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _


class Ordering(Box[list[str]]):
    """Returns the IDs in their new order, without the removed ones, or None when closed.

    `names` are IDs and names in their order; `place` names a position, counted from 0.
    """

    DEFAULT_CSS = "Ordering Sheet { height: auto; min-height: 2; max-height: 14; }"
    KEYS = (
        LINE_UP.labelled(_("Select")),
        LINE_DOWN.labelled(_("Select")),
        MOVE_DOWN,
        MOVE_UP,
        REMOVE.labelled(_("Unassign")),
        SAVE.labelled(_("Review")),
        CLOSE.labelled(_("Cancel")),
    )

    def __init__(self, title: str, names: Sequence[tuple[str, str]], place: Callable[[int], str], text: str) -> None:
        super().__init__(title)
        self._names = dict(names)
        self._order = [id for id, _ in names]
        self._place, self._text = place, text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)
        yield Sheet(label_width=12)

    def on_mount(self) -> None:
        self._draw()
        self.sheet.focus()

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    def _draw(self) -> None:
        named = [(self._place(at), safe_text(self._names[id]).text, id) for at, id in enumerate(self._order)]
        self.sheet.styles.height = max(2, len(named))
        self.sheet.show([Line("field", place, name, key=id) for place, name, id in named])

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def action_move_down(self) -> None:
        self._shift(1)

    def action_move_up(self) -> None:
        self._shift(-1)

    def _shift(self, by: int) -> None:
        at, order = self.sheet.cursor, self._order
        if 0 <= at < len(order) and 0 <= at + by < len(order):
            order[at], order[at + by] = order[at + by], order[at]
            self._draw()

    def action_remove(self) -> None:
        if self._order:
            del self._order[self.sheet.cursor]
            self._draw()

    def action_save(self) -> None:
        self.dismiss(list(self._order))
