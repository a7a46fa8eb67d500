"""Which columns a list has, and in which order; kept for each kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, LINE_DOWN, LINE_UP, MOVE_DOWN, MOVE_UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.widgets.list.columns import Column, arranged
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _


class ColumnChoice(Box[Sequence[str]]):
    """Returns the fields of the chosen columns in their order, none for those of the declaration; None when closed."""

    DEFAULT_CSS = "ColumnChoice Sheet { max-height: 16; }"
    KEYS = (
        DialogKey("columns.turn", ("space", "x"), "Show/hide", "Show or hide the column"),
        MOVE_DOWN,
        MOVE_UP,
        DialogKey("columns.default", ("d",), "Default", "The columns of the declaration"),
        ACCEPT.labelled(_("Apply")),
        LINE_DOWN,
        LINE_UP,
        CLOSE,
    )

    def __init__(self, title: str, columns: Sequence[Column], chosen: Sequence[str]) -> None:
        super().__init__(title)
        self._declared = columns
        self._shown = {column.field for column in arranged(columns, chosen)}
        hidden = [column for column in columns if column.field not in self._shown]
        self._columns = [*arranged(columns, chosen), *hidden]

    def body(self) -> Iterable[Widget]:
        yield Sheet(label_width=6)
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self._draw()
        self.query_one(Sheet).focus()

    def _draw(self) -> None:
        sheet = self.query_one(Sheet)
        sheet.styles.height = len(self._columns)
        sheet.show(
            [
                Line(
                    "field",
                    "[x]" if column.field in self._shown else "[ ]",
                    column.title.capitalize(),
                    key=column.field,
                )
                for column in self._columns
            ]
        )

    @property
    def _at(self) -> int:
        return self.query_one(Sheet).cursor

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    def action_turn(self) -> None:
        """Show or hide the column."""
        self._shown ^= {self._columns[self._at].field}
        self._draw()

    def _shift(self, by: int) -> None:
        here, there = self._at, self._at + by
        if 0 <= there < len(self._columns):
            self._columns[here], self._columns[there] = self._columns[there], self._columns[here]
            # The cursor stays on its column.
            self._draw()

    def action_move_down(self) -> None:
        self._shift(1)

    def action_move_up(self) -> None:
        self._shift(-1)

    def action_default(self) -> None:
        """The columns of the declaration."""
        self.dismiss([])

    def action_accept(self) -> None:
        chosen = [column.field for column in self._columns if column.field in self._shown]
        if not chosen:
            self.show_error(_("A list needs at least one column."))
            return
        self.dismiss([] if chosen == [column.field for column in self._declared] else chosen)
