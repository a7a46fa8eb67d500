"""A board: titled panels that fill the screen in rows and columns, with one cursor over all that can be opened.

A view declares its panels and how many lines each would like; their places and heights are decided
here. Nothing is drawn of a panel without items, and its room goes to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from svc_tui.console.terminal.text import cut
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.console.widgets.board_layout import Item, Panel, Pieces, Placed, Row, place

#: The style of the cursor, and of a line that has it up to its end.
_CURSOR, _WHOLE = "cursor", "whole"


class Spot(NamedTuple):
    """Where an item is drawn."""

    panel: str
    item: int
    region: Region


@dataclass
class _Drawn:
    """A drawn board: for each line its panels from left to right, each as wide as its panel, and the items."""

    lines: list[list[tuple[int, int, Pieces]]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)


class Board(StyledWidget, can_focus=True):
    """Draws only changed lines again. A click opens an item, as enter does."""

    COMPONENT_CLASSES = {
        *("styled--title", "styled--rule", "styled--note", "styled--tile", "styled--left", "styled--strong"),
        *("styled--bar", "styled--ok", "styled--warn", "styled--bad", "styled--accent", "styled--cursor"),
    }
    DEFAULT_CSS = """
    Board { width: 1fr; height: 1fr; }
    Board > .styled--title { text-style: bold; color: $accent; background: $panel; }
    Board > .styled--rule { background: $panel; }
    Board > .styled--note { color: $text-muted; background: $panel; }
    Board:ansi > .styled--title { text-style: bold underline; }
    Board:ansi > .styled--rule { text-style: underline; }
    Board:ansi > .styled--note { text-style: underline; }
    Board:nocolor > .styled--title { text-style: bold underline; }
    Board:nocolor > .styled--rule { text-style: underline; }
    Board > .styled--tile { text-style: bold; color: $accent; }
    Board > .styled--left { color: $border-blurred; }
    Board > .styled--strong { text-style: bold; }
    Board > .styled--bar { color: $primary; }
    Board > .styled--ok { color: $success; }
    Board > .styled--warn { color: $warning; }
    Board > .styled--bad { color: $error; text-style: bold; }
    Board > .styled--accent { color: $accent; }
    Board > .styled--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
    }
    Board:nocolor > .styled--cursor { text-style: reverse; }
    """

    class Moved(Message):
        """The cursor moved to another item."""

    class Clicked(Message):
        """An item was clicked, and has the cursor if it can have it."""

        def __init__(self, panel: str, key: str, x: int, y: int) -> None:
            super().__init__()
            self.panel, self.key = panel, key
            #: Where on the board it was clicked.
            self.x, self.y = x, y

    def __init__(self, *, unicode: bool = True) -> None:
        super().__init__()
        self.unicode = unicode
        self._rows: Callable[[int, int], Sequence[Row]] = lambda width, height: ()
        self._placed: list[Placed] = []
        self._items: dict[str, Sequence[Item]] = {}
        self._tops: dict[str, int] = {}
        self._drawn = _Drawn()
        #: The panel and the item of the cursor.
        self._at = ("", 0)

    # --- what is shown -------------------------------------------------------------------------------------------

    def show(self, rows: Callable[[int, int], Sequence[Row]] | None = None) -> None:
        """Show the panels that a function gives for a width and a height; without one, those of before again.

        The cursor stays on its item, or where it was if that is gone.
        """
        self._rows = rows or self._rows
        if not self.size.width:
            return
        name, index = self._at
        key = self.key
        self._placed = list(place(self._rows(*self.size), *self.size))
        self._items = {each.panel.name: tuple(each.panel.draw(each.width, each.height - 1)) for each in self._placed}
        here = self._items.get(name, ())
        found = next((n for n, item in enumerate(here) if key and item.key == key), None)
        self._at = (name, found) if found is not None else self._stop(name, min(index, len(here) - 1))
        self._draw()

    def _stop(self, name: str, index: int) -> tuple[str, int]:
        """The nearest item of a panel at which the cursor stops, or the first one of the board."""
        stops = [n for n, item in enumerate(self._items.get(name, ())) if _stops(item)]
        if stops:
            return name, min(stops, key=lambda n: (abs(n - index), n))
        return next(
            ((each, n) for each, items in self._items.items() for n, item in enumerate(items) if _stops(item)), ("", 0)
        )

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        name, index = self._at
        items = self._items.get(name, ())
        return items[index] if index < len(items) else None

    @property
    def key(self) -> str:
        """What the item under the cursor opens; empty for none."""
        return self.item.key if self.item else ""

    @property
    def panel(self) -> str:
        """The name of the panel with the cursor."""
        return self._at[0]

    def as_text(self) -> Iterator[tuple[str, bool]]:
        """The panels in words: a title, then each item, with whether the cursor is there."""
        for each in self._placed:
            note = f" ({each.panel.note})" if each.panel.note else ""
            if self._items[each.panel.name]:
                yield f"{each.panel.title}{note}:" if each.panel.title else "", False
            for index, item in enumerate(self._items[each.panel.name]):
                yield item.as_text, (each.panel.name, index) == self._at and _stops(item)

    # --- the cursor ----------------------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Move by items of the panel, and from its edge to the nearest panel above or below."""
        for __ in range(abs(by)):
            name, index = self._at
            onward = [n for n in self._stops(name) if (n > index if by > 0 else n < index)]
            if onward:
                self._go(name, onward[0] if by > 0 else onward[-1])
            elif (spot := self._nearest(0, 1 if by > 0 else -1)) is not None:
                self._go(spot.panel, spot.item)

    def step(self, by: int) -> bool:
        """Move to the nearest item on the left or right; whether there is one."""
        spot = self._nearest(1 if by > 0 else -1, 0)
        if spot is not None:
            self._go(spot.panel, spot.item)
        return spot is not None

    def page(self, by: int) -> None:
        """Move by the visible items of the panel."""
        name, index = self._at
        stops = self._stops(name)
        visible = max(1, sum(spot.panel == name for spot in self._drawn.spots) - 1)
        if stops:
            self._go(name, min(stops, key=lambda n: abs(n - index - by * visible)))

    def home(self) -> None:
        """Move to the first item of the panel; from there, to the first one of the board."""
        name, index = self._at
        stops = self._stops(name)
        if stops and index != stops[0]:
            self._go(name, stops[0])
        elif panels := self._panels():
            self._go(panels[0], self._stops(panels[0])[0])

    def end(self) -> None:
        """Move to the last item of the panel."""
        if stops := self._stops(self._at[0]):
            self._go(self._at[0], stops[-1])

    def next_panel(self) -> None:
        """Move to the first item of the next panel, in a circle."""
        if panels := self._panels():
            at = panels.index(self._at[0]) if self._at[0] in panels else -1
            name = panels[(at + 1) % len(panels)]
            self._go(name, self._stops(name)[0])

    def go(self, key: str) -> bool:
        """Put the cursor on the item that opens this; whether there is one."""
        for name, items in self._items.items():
            for index, item in enumerate(items):
                if item.key == key and _stops(item):
                    self._go(name, index)
                    return True
        return False

    def _panels(self) -> list[str]:
        return [each.panel.name for each in self._placed if self._stops(each.panel.name)]

    def _stops(self, name: str) -> list[int]:
        return [n for n, item in enumerate(self._items.get(name, ())) if _stops(item)]

    def _nearest(self, right: int, down: int) -> Spot | None:
        """The nearest item in a direction; above and below, only of panels that stand over or under this one."""
        here = next((spot.region for spot in self._drawn.spots if (spot.panel, spot.item) == self._at), None)
        if here is None:
            return None
        found: list[tuple[int, int, Spot]] = []
        for spot in self._drawn.spots:
            there = spot.region
            if spot.panel == self._at[0] or not _stops(self._items[spot.panel][spot.item]):
                continue
            if down:
                along = there.y - here.bottom if down > 0 else here.y - there.bottom
                if along >= 0 and there.x < here.right and here.x < there.right:
                    found.append((along, abs(there.x - here.x), spot))
            else:
                along = there.x - here.right if right > 0 else here.x - there.right
                if along >= 0:
                    found.append((max(0, there.y - here.y, here.y - there.bottom + 1), along, spot))
        return min(found, key=lambda each: each[:2])[2] if found else None

    def _go(self, name: str, index: int) -> None:
        if (name, index) != self._at:
            self._at = (name, index)
            self._draw()
            self.post_message(self.Moved())

    # --- drawing -------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        before, self._drawn = self._drawn, _Drawn([[] for __ in range(self.size.height)])
        for each in self._placed:
            self._draw_panel(each)
        for y, (old, new) in enumerate(zip(before.lines, self._drawn.lines, strict=False)):
            if old != new:
                self.refresh(Region(0, y, self.size.width, 1))
        if len(before.lines) != len(self._drawn.lines):
            self.refresh()

    def _draw_panel(self, placed: Placed) -> None:
        panel, x, y, width, height = placed
        lines, titled = self._drawn.lines, bool(panel.title)
        if titled:
            lines[y].append((x, width, _title(panel, width)))
        room = height - titled
        flat = [(index, n) for index, item in enumerate(self._items[panel.name]) for n in range(len(item.lines))]
        top = self._top(panel.name, flat, room)
        for row, (index, n) in enumerate(flat[top : top + room]):
            item = self._items[panel.name][index]
            at_cursor = (panel.name, index) == self._at and _stops(item) and not n
            pieces = item.lines[n]
            if at_cursor and len(item.lines) > 1:
                # Of a graphic, only what it begins with.
                pieces = (Piece(pieces[0].text, _CURSOR), *pieces[1:])
            elif at_cursor:
                pieces = (Piece("".join(piece.text for piece in pieces), _WHOLE),)
            lines[y + titled + row].append((x, width, pieces))
            if not n and item.key:
                self._drawn.spots.append(
                    Spot(panel.name, index, Region(x, y + titled + row, width, min(len(item.lines), room - row)))
                )

    def _top(self, name: str, flat: Sequence[tuple[int, int]], room: int) -> int:
        """The first visible line of a panel: as before, with the item of the cursor."""
        top = max(0, min(self._tops.get(name, 0), len(flat) - room))
        if name == self._at[0]:
            first = next((line for line, (index, __) in enumerate(flat) if index == self._at[1]), 0)
            top = min(max(top, first - room + 1), first) if room > 0 else 0
            if self._stops(name)[:1] == [self._at[1]]:
                # With the lines above the first item.
                top = 0 if first < room else top
        self._tops[name] = top
        return top

    def on_resize(self) -> None:
        self.show()

    def render_line(self, y: int) -> Strip:
        base, used = self.rich_style, 0
        segments: list[Segment] = []
        for x, width, pieces in self._drawn.lines[y] if y < len(self._drawn.lines) else ():
            segments.append(Segment(" " * (x - used), base))
            used = x
            whole = bool(pieces) and pieces[0].style == _WHOLE
            for piece in pieces:
                text = cut(piece.text, x + width - used)
                used += cell_len(text)
                segments.append(Segment(text, self.named_style(_CURSOR if whole else piece.style)))
            segments.append(Segment(" " * (x + width - used), self.named_style(_CURSOR if whole else "")))
            used = x + width
        segments.append(Segment(" " * (self.size.width - used), base))
        return Strip([segment for segment in segments if segment.text], self.size.width)

    # --- the mouse -----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        for spot in self._drawn.spots:
            if spot.region.contains(event.x, event.y):
                if _stops(self._items[spot.panel][spot.item]):
                    self._go(spot.panel, spot.item)
                self.post_message(self.Clicked(spot.panel, self._items[spot.panel][spot.item].key, event.x, event.y))
                return

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-1)


def _stops(item: Item) -> bool:
    return bool(item.key) and item.stops


def _title(panel: Panel, width: int) -> Pieces:
    """The line of a title with its note; its background takes a third of the bytes of a line of characters."""
    title = cut(panel.title, width)
    note = f" {panel.note} " if panel.note else ""
    rule = width - cell_len(title) - cell_len(note)
    if rule < 1:
        return (Piece(title.ljust(width), "title"),)
    return Piece(title, "title"), Piece(" " * rule, "rule"), Piece(note, "note")
