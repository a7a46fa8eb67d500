"""The chart of the dashboard: a bar for each day, a mark for the same weekday a week before, weekends named. Pure.

Bars and marks have different shapes, so that they differ without colours. A row changes its style as rarely as
possible: each change is sent to the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from svc_tui.console.areas.metrics.chart_lines import at, marks, short
from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.board_layout import Pieces
from svc_tui.console.widgets.graphics import ASCII_FULL, RISING
from svc_tui.language import _, day_text, number_text, short_day_text
from svc_tui.workspace.metrics.series import Series

WEEK = 7
#: The weeks of a chart, the most that leave each day so many columns; and the columns of all bars.
_WEEKS, _LEAST_SLOT, _BARS = (4, 3, 2, 1), 5, 60
#: Lines below the bars: the weekdays, and the first day of each week.
_BELOW = 2
_WEEKDAYS = (_("Mo"), _("Tu"), _("We"), _("Th"), _("Fr"), _("Sa"), _("Su"))
_SATURDAY = 5


class DayPlaces(NamedTuple):
    """Where the days stand: the columns of the scale, and the first column of each day and of the end."""

    scale: int
    starts: tuple[int, ...]

    def day_at(self, x: int) -> int | None:
        """The day in a column; None beside the days."""
        return next(
            (n for n, (one, end) in enumerate(zip(self.starts, self.starts[1:], strict=False)) if one <= x < end), None
        )


def days_for(width: int) -> int:
    """The number of days, in whole weeks, for which there is room."""
    room = max(1, width - WEEK)
    return WEEK * next((weeks for weeks in _WEEKS if room >= weeks * WEEK * _LEAST_SLOT), 1)


def places_of(series: Series, width: int) -> DayPlaces:
    """Where the days of a series stand in this width."""
    scale = max(len(short(each)) for each in marks(series.highest)) + 1
    room, days = max(1, width - scale), max(1, len(series.starts))
    return DayPlaces(scale, tuple(scale + number * room // days for number in range(days + 1)))


def day_chart(
    days: Series, before: Series, width: int, height: int, cursor: int, *, unicode: bool = True
) -> list[Pieces]:
    """The lines of a chart. `before` has the value of the week before for each day."""
    highest = max(days.highest, before.highest)
    top, half = marks(highest)
    places = places_of(Series("", days.starts, (highest,)), width)
    rows = max(1, height - _BELOW)
    # A mark stands in the row that a bar of its height reaches.
    labels = {rows + -mark * rows // top: mark for mark in (half, top)}
    labels |= {rows - 1: 0} if rows > _WEEK_ROWS else {}
    return [
        *(_row(days, before, places, rows, row, top, labels, unicode=unicode) for row in range(rows)),
        *_below(days, places, cursor),
    ]


#: The fewest lines of bars whose scale also has a zero.
_WEEK_ROWS = 4


def _row(
    days: Series,
    before: Series,
    places: DayPlaces,
    rows: int,
    row: int,
    top: int,
    labels: dict[int, int],
    *,
    unicode: bool,
) -> Pieces:
    level = rows - 1 - row
    label = short(labels[row]) if row in labels else ""
    cells = [" "] * (places.starts[-1] - places.scale)
    if row in labels:
        # A line of points leads from the scale to the days.
        cells[1::4] = ("·" if unicode else ".") * len(cells[1::4])
    slot = (places.starts[-1] - places.scale) // max(1, len(days.starts))
    wide = max(1, min(slot // 2, _BARS // max(1, len(days.starts))))
    for number, start in enumerate(places.starts[:-1]):
        room, x = places.starts[number + 1] - start, start - places.scale
        part = _part(at(days, number)[1], level, rows, top)
        glyph = RISING[part] if unicode else ASCII_FULL if part >= 4 or (part and not level) else " "
        if part:
            cells[x : x + wide] = glyph * wide
        old = at(before, number)[1]
        if old is not None and room > wide and level == max(0, -(-old * rows // top) - 1):
            mark = min(2, room - wide)
            cells[x + wide : x + wide + mark] = ("─" if unicode else "-") * mark
    return Piece(fit(label, places.scale - 1, "right") + " ", "dim"), Piece("".join(cells), "bar")


def _part(value: int | None, level: int, rows: int, top: int) -> int:
    """The eighths of a cell that a value fills; `level` counts from the lowest."""
    if not value or value < 0:
        return 0
    return max(0, min(8, max(1, round(value * rows * 8 / top)) - level * 8))


def _below(days: Series, places: DayPlaces, cursor: int) -> Iterator[Pieces]:
    """The weekdays, weekends in brackets, with the cursor; and the date of the first day of each week."""
    names, dates, here = " " * places.scale, " " * places.scale, (0, 0)
    for number, start in enumerate(places.starts[:-1]):
        room = places.starts[number + 1] - start
        day = at(days, number)[0]
        weekday = _weekday(day)
        name = _WEEKDAYS[weekday] if weekday is not None else ""
        if weekday is not None and weekday >= _SATURDAY and room > len(name) + 2:
            name = f"({name})"
        if number == cursor:
            name = f"▲{name}" if room > len(name) + 1 else "▲"
            here = (start, start + len(name))
        names += fit(name, room, ellipsis="")
        if (not weekday or not number) and len(dates) <= start:
            dates += " " * (start - len(dates)) + short_day_text(safe_text(day).text) + " "
    first, last = here
    yield Piece(names[:first], "dim"), Piece(names[first:last], "accent"), Piece(names[last:], "dim")
    yield (Piece(dates, "dim"),)


def _weekday(start: str) -> int | None:
    try:
        return date.fromisoformat(start[:10]).weekday()
    except ValueError:
        return None


def day_name(start: str) -> str:
    """A day with its weekday: `Fr 2026-11-20`."""
    weekday = _weekday(start)
    name = f"{_WEEKDAYS[weekday]} " if weekday is not None else ""
    return f"{name}{day_text(safe_text(start).text)}"


def day_words(days: Series, before: Series, cursor: int) -> str:
    """The day under the cursor in words: `Fr 2026-11-20: 121, a week before 124`."""
    start, value = at(days, cursor)
    now = _("not counted") if value is None else number_text(value)
    old = at(before, cursor)[1]
    text = f"{day_name(start)}: {now}"
    return text if old is None else _("{day}, a week before {before}").format(day=text, before=number_text(old))


def a_week_before(whole: Series, days: int) -> tuple[Series, Series]:
    """The newest days of a series, and for each of them the value of the same weekday a week before."""
    known = dict(zip(whole.starts, whole.values, strict=True))
    starts, values = whole.starts[-days:], whole.values[-days:]
    before = tuple(known.get(_week_before(start)) for start in starts)
    return Series(whole.name, starts, values, additive=False), Series("", starts, before, additive=False)


def _week_before(start: str) -> str:
    try:
        return date.fromordinal(date.fromisoformat(start[:10]).toordinal() - WEEK).isoformat()
    except ValueError:
        return ""


def weeks_change(whole: Series) -> Sequence[int | None]:
    """The newest value, and that of the same weekday a week before."""
    now, before = a_week_before(whole, 1)
    return (now.values[0] if now.values else None, before.values[0] if before.values else None)
