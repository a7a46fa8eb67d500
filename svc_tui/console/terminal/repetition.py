"""Repeated characters: where a terminal can be asked whether it repeats them (REP), and how many cells are alike.

Terminal descriptions do not say it reliably, and tmux and mosh draw for another terminal. So one cell that is on the
screen already is drawn and repeated over the same cell beside it: the position of the cursor is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.terminal.pens import Pen
from svc_tui.console.terminal.picture import PictureLine

#: The fewest cells for which repeating the first one takes fewer bytes than all of them.
FEWEST = 6


def repeat(text: str, cells: int) -> str:
    """The sequence that draws a character in this many cells."""
    return f"{text}\x1b[{cells - 1}b"


def pair(lines: Sequence[PictureLine], pen: Pen) -> tuple[int, int] | None:
    """Column and line of two equal cells side by side, if possible in this pen; None if there are none.

    All cells before them are ASCII, which terminals draw alike, and the cell after them belongs to the line too.
    """
    found = None
    for y, line in enumerate(lines):
        for x in range(len(line.texts) - 2):
            if not line.texts[x].isascii() or not line.texts[x]:
                break
            if line.texts[x] == line.texts[x + 1] and line.pens[x] == line.pens[x + 1] and not line.pens[x].link:
                if line.pens[x] == pen:
                    return x, y
                found = found or (x, y)
    return found


def alike(line: PictureLine, x: int, stop: int) -> int:
    """How many cells from one on, before `stop`, are like it; one if it is not ASCII.

    Older versions of tmux repeat ASCII only.
    """
    text, pen, end = line.texts[x], line.pens[x], x + 1
    if text.isascii():
        while end < stop and line.texts[end] == text and line.pens[end] == pen:
            end += 1
    return end - x
