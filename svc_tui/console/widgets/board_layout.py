"""Panels of a board: their items, and where they stand on a screen of any size. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from svc_tui.console.widgets.bars import Piece

Pieces = tuple[Piece, ...]
#: The most lines that are blank below a column for the sake of a longer one.
_MOST_BLANK = 5
#: Columns between panels, and the fewest lines of one: its title and an item.
GAP, LEAST = 2, 2


@dataclass(frozen=True, slots=True)
class Item:
    """One or several lines of a panel. `key` is what it opens; the cursor stops only where there is one.

    `read` is the item in words, if it is drawn in another way.
    """

    lines: tuple[Pieces, ...]
    key: str = ""
    read: str = ""
    stops: bool = True

    @classmethod
    def text(cls, text: str, style: str = "", key: str = "") -> Item:
        """An item of one line in one style."""
        return cls(((Piece(text, style),),), key)

    @property
    def as_text(self) -> str:
        """The item as it is read aloud."""
        return self.read or " ".join(" ".join("".join(piece.text for piece in line).split()) for line in self.lines)


#: The items of a panel for a width and a height.
Draw = Callable[[int, int], Sequence[Item]]


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled part of a board. `note` stands at the right of the title.

    It is shown with at least `least` lines or not at all, gets up to `wanted` before others grow, and `grows` beyond
    that; the title is one of them.
    """

    name: str
    title: str
    draw: Draw
    wanted: int
    least: int = LEAST
    grows: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """Panels below each other; `weight` is the share of the width."""

    panels: tuple[Panel, ...]
    weight: int = 1


#: Columns side by side.
Row = tuple[Column, ...]


class Share(NamedTuple):
    """What a part needs, would like, and whether it takes what is left."""

    least: int
    wanted: int
    grows: bool


def shares(total: int, parts: Sequence[Share]) -> list[int]:
    """The lines of each part. The first ones come first; one that does not get its least gets none."""
    given = []
    left = total
    for part in parts:
        given.append(part.least if part.least <= left else 0)
        left -= given[-1]
    for index, part in enumerate(parts):
        if given[index]:
            more = min(left, max(0, part.wanted - given[index]))
            given[index] += more
            left -= more
    growing = [index for index, part in enumerate(parts) if part.grows and given[index]]
    for place, index in enumerate(growing):
        more = left // (len(growing) - place)
        given[index] += more
        left -= more
    return given


class Placed(NamedTuple):
    """A panel at its place."""

    panel: Panel
    x: int
    y: int
    width: int
    height: int


def place(rows: Sequence[Row], width: int, height: int) -> Iterator[Placed]:
    """The panels that fit, at their places."""
    rows = [shown for row in rows if (shown := tuple(column for column in row if column.panels))]
    y = 0
    for row, lines in zip(rows, shares(height, [_row_share(row) for row in rows]), strict=True):
        if not lines:
            continue
        x, left = 0, width - GAP * (len(row) - 1)
        weights = sum(column.weight for column in row)
        for column in row:
            columns = left * column.weight // weights
            left, weights = left - columns, weights - column.weight
            below = y
            for panel, own in zip(column.panels, shares(lines, [_share(each) for each in column.panels]), strict=True):
                if own:
                    yield Placed(panel, x, below, columns, own)
                below += own
            x += columns + GAP
        y += lines


def _share(panel: Panel) -> Share:
    return Share(panel.least, panel.wanted, panel.grows)


def _row_share(row: Row) -> Share:
    """A row needs what the first panel of each column needs, and would like what the longest column would.

    The shortest one must not be left with more than a few blank lines: what grows has a better use for them.
    """
    wanted = [sum(panel.wanted for panel in column.panels) for column in row]
    return Share(
        max((column.panels[0].least for column in row), default=0),
        min(max(wanted, default=0), min(wanted, default=0) + _MOST_BLANK),
        any(panel.grows for column in row for panel in column.panels),
    )
