"""Small graphics of characters: a line of the last days, bars and gauges. Pure, and as wide as asked for.

Each has a form for terminals that draw only ASCII. What they show also stands beside them as a number.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _, number_text

#: Eighths of a cell from the bottom, and the same in ASCII, where fewer heights differ.
RISING, _ASCII_RISING = " ▁▂▃▄▅▆▇█", " _.-=+*##"
#: What fills bars and gauges, what is left, and what is more than there is: lines, so that rows do not touch.
_FULL, _LEFT, _OVER, ASCII_FULL, _ASCII_LEFT, _ASCII_OVER = "━", "─", "╋", "#", ".", "!"

#: The lowest end of the scale of a tall graphic.
LEAST_SCALE = 4
#: The lines from one line of points of a tall graphic to the next.
_POINTS = 6


def small_line(values: Sequence[int | None], width: int, *, unicode: bool = True) -> str:
    """The newest values as heights, the last one at the right edge; an unknown one is blank."""
    shown = [None] * max(0, width - len(values)) + list(values[-width:] if width > 0 else ())
    highest = max((value for value in shown if value), default=0)
    return "".join(_height(value, highest, unicode) for value in shown)


def _height(value: int | None, highest: int, unicode: bool) -> str:
    if value is None:
        return " "
    # Zero is a day that was counted.
    part = max(1, round(value * 8 / highest)) if value > 0 and highest else 1
    return (RISING if unicode else _ASCII_RISING)[part]


def tall_line(
    values: Sequence[int | None], width: int, height: int, ends: tuple[str, str], *, unicode: bool = True
) -> list[str]:
    """The same as bars over several lines, from the top, beside a scale from zero to the highest one; below them, which
    days the first and the last one are.

    The days share the whole width; where there are too many, the newest are shown. A few do not look like many.
    """
    highest = max((value for value in values if value), default=0)
    highest = highest and max(highest, LEAST_SCALE)
    labels = {height - 1: number_text(highest), 0: "0"} if highest else {0: "0"}
    scale = max(map(len, labels.values()))
    room = max(1, width - scale - 1)
    shown = values[-room:]
    days = max(1, len(shown))
    starts, wide = [number * room // days for number in range(len(shown) + 1)], max(1, room // days - 1)
    lines = []
    for level in range(height - 1, -1, -1):
        text = ""
        for value, start, end in zip(shown, starts, starts[1:], strict=False):
            part = max(1, round(value * height * 8 / highest)) if value and highest else 0
            part = max(0, min(8, part - level * 8))
            glyph = RISING[part] if unicode else ASCII_FULL if part >= 4 or (part and not level) else " "
            # Lines of points make the height of the days readable; the lowest one is zero.
            glyph = (
                ("·" if unicode else ".")
                if not part and (level in labels or (level % _POINTS == 0 and level < height - _POINTS // 2))
                else glyph
            )
            text += (glyph * wide).ljust(end - start)
        lines.append(f"{labels.get(level, ''):>{scale}} {text}")
    first, last = ends
    used = starts[-1] - 1
    axis = first + last.rjust(used - cell_len(first)) if cell_len(first) + cell_len(last) < used else last.rjust(used)
    return [*lines, f"{'':>{scale}} {axis}"]


def bar(value: int, highest: int, width: int, *, unicode: bool = True) -> str:
    """A bar for a number among others, as wide as the column; a number above zero is never invisible."""
    if value <= 0 or highest <= 0 or width <= 0:
        return " " * max(0, width)
    return ((_FULL if unicode else ASCII_FULL) * max(1, min(width, round(value * width / highest)))).ljust(width)


def gauge(used: int, most: int, width: int, *, warns: bool = True, unicode: bool = True) -> list[Piece]:
    """What is used of something, and what is free. More than there is is bad; with `warns`, a full one is a warning."""
    full, left, over_sign = (_FULL, _LEFT, _OVER) if unicode else (ASCII_FULL, _ASCII_LEFT, _ASCII_OVER)
    if used > most:
        # What exceeds the whole has its share of the width and another sign.
        over = max(1, min(width - 1, round((used - most) * width / used)))
        return [Piece(full * (width - over), "bad"), Piece(over_sign * over, "bad")]
    filled = max(used > 0, min(round(used * width / most) if most > 0 else 0, width - (used < most)))
    style = "warn" if warns and most > 0 and used * 10 >= most * 9 else "bar"
    return [Piece(full * filled, style), Piece(left * (width - filled), "left")]


def left_of(used: int, most: int) -> str:
    """What is free, or over: `9 free`, `none free`, `3 over`."""
    if used > most:
        return _("{number} over").format(number=number_text(used - most))
    return _("{number} free").format(number=number_text(most - used)) if most > used else _("none free")


def change_of(now: int | None, before: int | None) -> tuple[str, int]:
    """The change since another day as `▲ 12 %`, with its sign; a percentage only where there is something to share."""
    if now is None or before is None:
        return "", 0
    sign = (now > before) - (now < before)
    if not sign:
        return "=", 0
    arrow = "▲" if sign > 0 else "▼"
    if not before:
        return f"{arrow} {number_text(now)}", sign
    return f"{arrow} {number_text(abs(now - before) / before * 100, '.0f')} %", sign
