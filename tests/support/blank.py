"""The largest blank rectangle of a screen, for pictures that should use their room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Rectangle(NamedTuple):
    """Cells of a screen."""

    x: int
    y: int
    width: int
    height: int


def largest_blank(lines: Sequence[str], *, least: tuple[int, int] = (1, 1)) -> Rectangle | None:
    """The largest rectangle of spaces that is at least so wide and high; None without one.

    For each line, the heights of blank cells above it are a histogram, whose largest rectangles are found in one pass.
    """
    width = max(map(len, lines), default=0)
    heights = [0] * width
    best: Rectangle | None = None
    for y, line in enumerate(lines):
        heights = [heights[x] + 1 if line[x : x + 1] in ("", " ") else 0 for x in range(width)]
        rising: list[tuple[int, int]] = []
        for x in range(width + 1):
            height = heights[x] if x < width else 0
            start = x
            while rising and rising[-1][1] >= height:
                start, high = rising.pop()
                found = Rectangle(start, y - high + 1, x - start, high)
                large = found.width >= least[0] and found.height >= least[1]
                if large and (best is None or found.width * found.height > best.width * best.height):
                    best = found
            rising.append((start, height))
    return best
