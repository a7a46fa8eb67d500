"""The three lines of the frame: top line, status line and footer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from rich.cells import cell_len
from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from svc_tui.console.terminal.text import cut, most_characters
from svc_tui.console.widgets.base import StyledWidget


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one of the bar's styles."""

    text: str
    style: str = ""


def fitting(text: str, room: int) -> str:
    """The keys of a line that fit, in their order; they are separated by at least two spaces.

    The last one always stays: it closes the dialog, or opens the help.
    """
    if cell_len(text) <= room:
        return text
    *others, last = re.split(" {2,}", text.strip())
    left = room - cell_len(last)
    kept = []
    for each in others:
        if cell_len(each) + 2 <= left:
            kept.append(each)
            left -= cell_len(each) + 2
    return cut("  ".join([*kept, last]), room)


def tight(pieces: Sequence[Piece], room: int) -> Sequence[Piece]:
    """The pieces with single spaces if they would not fit otherwise."""
    if sum(cell_len(piece.text) for piece in pieces) <= room:
        return pieces
    return [replace(piece, text=re.sub(" {2,}", " ", piece.text)) for piece in pieces]


class Bar(StyledWidget):
    """A line of pieces on the left and on the right, drawn only when they change."""

    COMPONENT_CLASSES = {
        *("styled--key", "styled--accent", "styled--ok", "styled--warn", "styled--bad"),
        *("styled--red", "styled--yellow", "styled--green", "styled--blue", "styled--magenta"),
    }
    DEFAULT_CSS = """
    Bar { height: 1; width: 1fr; }
    Bar > .styled--key { text-style: bold; color: $accent; }
    Bar > .styled--accent { text-style: bold; }
    Bar > .styled--ok { color: $success; }
    Bar > .styled--warn { color: $warning; text-style: bold; }
    Bar > .styled--bad { color: $error; text-style: bold; }
    Bar > .styled--red { color: $error; text-style: bold reverse; }
    Bar > .styled--yellow { color: $warning; text-style: bold reverse; }
    Bar > .styled--green { color: $success; text-style: bold reverse; }
    Bar > .styled--blue { color: $primary; text-style: bold reverse; }
    Bar > .styled--magenta { color: $accent; text-style: bold reverse; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._left: tuple[Piece, ...] = ()
        self._right: tuple[Piece, ...] = ()

    def show(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show these pieces; unchanged ones are not drawn again."""
        if (tuple(left), tuple(right)) != (self._left, self._right):
            self._left, self._right = tuple(left), tuple(right)
            self.refresh()

    @property
    def text(self) -> str:
        """The text of the bar without styles."""
        sides = ("".join(piece.text for piece in side) for side in (self._left, self._right))
        return "   ".join(side for side in sides if side)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        base = self.rich_style
        right_width = sum(cell_len(piece.text) for piece in self._right)
        fits = right_width <= max(width - 12, width // 2)
        right = self._right if fits else ()
        right_width = right_width if fits else 0
        segments: list[Segment] = []
        used = 0
        room = width - right_width - (1 if right else 0)
        for piece in self._left:
            text = cut(piece.text, room - used)
            if text:
                segments.append(Segment(text, self.named_style(piece.style)))
                used += cell_len(text)
        segments.append(Segment(" " * (width - right_width - used), base))
        segments += [Segment(piece.text, self.named_style(piece.style)) for piece in right]
        return Strip(segments, width)


class StatusBar(Bar):
    """The status of the view, or a message, which may take up to three lines."""

    MOST_LINES = 3

    def __init__(self) -> None:
        super().__init__("status")
        self._shows_message = False
        self._rows: list[str] = []

    def show(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show these pieces; those on the right only where there is room for all."""
        self._shows_message = False
        if sum(cell_len(piece.text) for piece in (*left, *right)) >= self.size.width:
            right = ()
        self._in_rows([])
        super().show(left, right)

    def show_message(self, message: Piece) -> None:
        """Show a message."""
        super().show([message])
        self._shows_message = True
        self._in_rows(self._wrapped(message.text))

    def on_resize(self) -> None:
        if self._shows_message:
            self._in_rows(self._wrapped(self.text))

    def _wrapped(self, text: str) -> list[str]:
        """The lines of a text; empty when one line is enough."""
        room = self.size.width - 2
        if cell_len(text) <= room + 1 or room < self.MOST_LINES:
            return []
        last = self.MOST_LINES - 1
        rows = wrap(text.strip()[: most_characters(room * self.MOST_LINES)], room)
        return [cut(row, room) for row in (*rows[:last], " ".join(rows[last:])) if row]

    def _in_rows(self, rows: list[str]) -> None:
        if rows != self._rows:
            self._rows = rows
            self.styles.height = max(1, len(rows))
            self.refresh()

    def render_line(self, y: int) -> Strip:
        if not self._rows:
            return super().render_line(y)
        row = f" {self._rows[y]}" if y < len(self._rows) else ""
        rest = Segment(" " * (self.size.width - cell_len(row)), self.rich_style)
        segments = [Segment(row, self.named_style(self._left[0].style)), rest]
        return Strip(segments, self.size.width)


class Footer(Bar):
    """The keys that are possible here. Those that do not fit are in the help, whose key is always shown, as pinned ones
    are."""

    class Pressed(Message):
        """A click on a key of the footer."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__("footer")
        self._spots: list[tuple[int, int, str]] = []
        self._keys: tuple[tuple[str, str, str], ...] = ()
        self._pinned: frozenset[str] = frozenset()

    def show_keys(self, keys: Sequence[tuple[str, str, str]], pinned: frozenset[str] = frozenset()) -> None:
        """Show (key, label, action name) in this order. Pinned ones come before others, the last one always fits."""
        if (tuple(keys), pinned) != (self._keys, self._pinned):
            self._keys, self._pinned = tuple(keys), pinned
            self._fill()

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        room = self.size.width - 1
        if not self._keys or room <= 0:
            return
        last = self._keys[-1]
        reserved = sum(_cells(entry) for entry in self._keys if entry[2] in self._pinned or entry is last)
        pieces, self._spots, used = [Piece(" ")], [], 1
        for entry in self._keys:
            key, label, action = entry
            size = _cells(entry)
            if action in self._pinned or entry is last:
                reserved -= size
                needed = used + size + (0 if entry is last else _cells(last))
            else:
                needed = used + size + reserved
            if entry is not last and needed > room:
                continue
            pieces += [Piece(key, "key"), Piece(f" {label}  ")]
            self._spots.append((used, used + size, action))
            used += size
        self.show(pieces)

    def on_click(self, event: Click) -> None:
        for first, last, action in self._spots:
            if first <= event.x < last:
                self.post_message(self.Pressed(action))
                return


def _cells(entry: tuple[str, str, str]) -> int:
    """The width of a key in the footer."""
    return cell_len(entry[0]) + cell_len(entry[1]) + 3
