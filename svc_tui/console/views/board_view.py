"""The base of views with a board: panels with one cursor, of which each item leads somewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult

from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.core.stage import Host
from svc_tui.console.terminal.text import cut, fit
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.board import Board
from svc_tui.console.widgets.board_layout import Item, Panel, Pieces
from svc_tui.console.widgets.graphics import bar, gauge, small_line

#: The most columns of a graphic, those beside a name that needs the rest, the fewest with which it says something, and
#: those of a name that come first.
_WIDEST, _SHORT, _NARROWEST, _NAME = 16, 8, 6, 22


class BoardView(View):
    """A view that only consists of a board. A click opens as the action `opens` does."""

    #: The name of the action that opens the item under the cursor.
    opens = ""

    def compose(self) -> ComposeResult:
        yield Board(unicode=not isinstance(self.app, Host) or self.app.terminal.unicode)

    @property
    def board(self) -> Board:
        """The panels of the view."""
        return self.query_one(Board)

    def move(self, by: int) -> None:
        self.board.move(by)

    def step(self, by: int) -> None:
        """Move the cursor to the left or right."""
        self.board.step(by)

    def page(self, by: int) -> None:
        self.board.page(by)

    def home(self) -> None:
        self.board.home()

    def end(self) -> None:
        self.board.end()

    def next_pane(self) -> None:
        self.board.next_panel()

    def take_focus(self) -> None:
        self.board.focus()

    @on(Board.Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    @on(Board.Clicked)
    def _clicked(self, event: Board.Clicked) -> None:
        self.clicked(event)

    def clicked(self, event: Board.Clicked) -> None:
        """Open what was clicked."""
        self.post_message(self.ActionRequested(self.opens))


#: Between two parts of a label, and the fewest cells of the first one.
PARTS, _LEAST_PART = " · ", 8
#: The fewest lines of a panel with more rows than fit.
_FEW = 4
#: The key of a row in a panel.
RowKey = Callable[[GlanceRow], str]


def panel_of(
    title: str, rows: Sequence[GlanceRow], key: RowKey, *, unicode: bool, note: str = "", grows: bool = False
) -> Panel:
    """The rows of glances as a panel: labels, graphics and values, each below the other."""
    draw = partial(glance_items, rows, key, unicode)
    wanted = 1 + len(rows)
    return Panel(title, title, draw, wanted, min(wanted, _FEW), note=note, grows=grows)


def glance_items(rows: Sequence[GlanceRow], key: RowKey, unicode: bool, width: int, height: int) -> list[Item]:
    """An item for each row, up to one column before the edge, as the note of a title.

    The label gives way to the values that are visible first, and the graphic to both.
    """
    visible = rows[: max(1, height)]
    if any(row.brief and cell_len(row.lead) + cell_len(row.label) + cell_len(row.value) + 5 > width for row in visible):
        rows = [replace(row, value=row.brief or row.value) for row in rows]
        visible = rows[: max(1, height)]
    lead = max((cell_len(row.lead) for row in visible), default=0)
    value = max((cell_len(row.value) for row in visible), default=0)
    room = width - (lead + 2 if lead else 0) - (value + 1 if value else 0) - 2
    longest = max((cell_len(row.label) for row in visible), default=0)
    label, graphic = room, 0
    if any(row.most or row.days or row.part[1] for row in rows):
        # A name is read first; where it needs the room, there is no graphic.
        label = min(longest, max(_NAME, room - _SHORT - 1))
        graphic = min(_WIDEST, room - label - 1)
        graphic = graphic if graphic >= _NARROWEST else 0
    if not graphic:
        label = room
    return [
        Item((_pieces(row, lead, label, room - label, graphic, value, unicode),), key(row), _read(row), bool(key(row)))
        for row in rows
    ]


def _pieces(row: GlanceRow, lead: int, label: int, rest: int, graphic: int, value: int, unicode: bool) -> Pieces:
    before = f"{fit(row.lead, lead)}  " if lead else ""
    drawn: list[Piece] = []
    if graphic:
        if row.most or row.used:
            drawn = gauge(row.used, row.most, graphic, warns=row.warns, unicode=unicode)
        elif row.part[1]:
            drawn = [Piece(bar(*row.part, graphic, unicode=unicode), "bar")]
        else:
            drawn = [Piece(small_line(row.days, graphic, unicode=unicode), "bar")]
    style = row.style
    return (
        Piece(f" {before}"),
        Piece(fit(cut_parts(row.label, label), label), "" if graphic else style),
        Piece(" " * (rest - graphic)),
        *drawn,
        Piece(f" {fit(row.value, value, 'right')}" if value else "", style),
    )


def cut_parts(label: str, width: int) -> str:
    """A label of two parts, `Northwind Telecom · Dial In`: the first one gives way, down to `_LEAST_PART` cells."""
    first, sign, second = label.partition(PARTS)
    if not sign or cell_len(label) <= width:
        return label
    room = max(_LEAST_PART, width - cell_len(sign + second))
    return f"{cut(first, room)}{sign}{second}"


def _read(row: GlanceRow) -> str:
    return ", ".join(part for part in (row.lead, f"{row.label}: {row.value}" if row.value else row.label) if part)
