"""Series as bars of characters: one band per series with a common scale, and a line of start times below. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from svc_tui.console.terminal.text import cut, fit, safe_text
from svc_tui.language import _, day_text, number_text, short_day_text
from svc_tui.workspace.metrics.series import Series, percent

#: Eighths of a cell, from none to all.
_EIGHTHS = " ▁▂▃▄▅▆▇█"
#: Widest bar with its gap, in cells; lines of the smallest useful band.
_WIDEST, _LEAST_BAND = 6, 3
#: Lines below the bands: the axis, and the start times.
_BELOW = 2


class ChartText(NamedTuple):
    """Text in one of the chart's styles."""

    text: str
    style: str = ""


ChartLine = tuple[ChartText, ...]


class Layout(NamedTuple):
    """The layout of a chart: the visible slices, their width, and the height of each band."""

    first: int
    slot: int
    visible: int
    axis: int
    band: int
    bands: int

    @property
    def bar(self) -> int:
        return self.slot - 1 if self.slot > 1 else 1


def lay_out(series: Sequence[Series], width: int, height: int, cursor: int, first: int) -> Layout:
    """A layout with the slice under the cursor visible; `first` is the first visible slice so far."""
    slices = max((len(each.starts) for each in series), default=0)
    axis = max(len(short(each)) for each in marks(_highest(series))) + 1
    room = max(1, width - axis - 2)
    slot = max(1, min(_WIDEST, room // slices if slices else _WIDEST))
    visible = max(1, min(slices, room // slot))
    first = max(0, min(max(first, cursor - visible + 1), cursor, slices - visible))
    bands = max(1, min(len(series), (height - _BELOW) // _LEAST_BAND))
    return Layout(first, slot, visible, axis, max(1, (height - _BELOW) // bands), bands)


def chart(series: Sequence[Series], layout: Layout, width: int, cursor: int, *, unicode: bool) -> Iterator[ChartLine]:
    """The lines of a chart from top to bottom; safe to draw, none wider than `width`."""
    top, half = marks(_highest(series))
    for place, each in enumerate(series[: layout.bands]):
        yield _title(each, series[0] if place and len(series) == 2 else None, cursor, width)
        rows = layout.band - 1
        for row in range(rows):
            label = short(top) if row == 0 else short(half) if row == rows // 2 and rows > 3 else ""
            style = "other" if place % 2 else "bar"
            yield (
                ChartText(fit(label, layout.axis, "right") + " ", "dim"),
                ChartText(_row(each, layout, rows - 1 - row, rows, top, unicode=unicode), style),
            )
    yield from _below(series, layout, cursor, width)


#: The marks of an axis, below ten times the first digits of a number; each has a whole half.
_ROUND = (10, 12, 16, 20, 30, 40, 50, 60, 80, 100)


def marks(highest: int) -> tuple[int, int]:
    """The round number at the top of the axis, not below the highest, and its half: `13,000` for 12,345."""
    if highest <= 10:
        return (top := max(2, highest + highest % 2)), top // 2
    size = 10 ** (len(str(highest)) - 2)
    top = next(each * size for each in _ROUND if each * size >= highest)
    return top, top // 2


def short(number: int) -> str:
    """A number in few characters: `950`, `12,345`, `125k`, `1.2M`, `2.5bn`."""
    if number < 100_000:
        return number_text(number)
    if number < 1_000_000:
        return _("{number}k").format(number=_short_of(number, 1000))
    if number < 1_000_000_000:
        return _("{number}M").format(number=_short_of(number, 1_000_000))
    return _("{number}bn").format(number=_short_of(number, 1_000_000_000))


def _short_of(number: int, size: int) -> str:
    """A number in units of a size, with a digit after the point where it says more."""
    rounded = round(number / size, 1)
    return number_text(int(rounded)) if rounded == int(rounded) else number_text(rounded, ",.1f")


def _highest(series: Sequence[Series]) -> int:
    return max((each.highest for each in series), default=0)


def _title(series: Series, above: Series | None, cursor: int, width: int) -> ChartLine:
    """The name of a series, the number of the slice under the cursor, and the total."""
    word, number = (_("total"), series.total) if series.additive else (_("highest"), series.highest)
    whole = f"{word} {number_text(number)}"
    room = max(8, width - 46 - len(whole))
    start, value = at(series, cursor)
    more = percent(value, at(above, cursor)[1]) if above is not None else ""
    text = _("not counted") if value is None else number_text(value)
    return (
        ChartText(f" {cut(safe_text(series.name).text, room)}  ", "title"),
        ChartText(f"{safe_text(day_text(start) + start[10:]).text} ", "dim"),
        ChartText(text if start else "—", "value"),
        ChartText(_(" (above: {more})").format(more=more) if more else "", "dim"),
        ChartText(f"   {whole}", "dim"),
    )


def at(series: Series, index: int) -> tuple[str, int | None]:
    """Start time and number of a slice; an empty start time where the series is shorter."""
    return (series.starts[index], series.values[index]) if 0 <= index < len(series.starts) else ("", None)


def _row(series: Series, layout: Layout, level: int, rows: int, highest: int, *, unicode: bool) -> str:
    """One line of bars; `level` counts from the lowest."""
    cells = []
    for index in range(layout.first, layout.first + layout.visible):
        value = at(series, index)[1] or 0
        eighths = max(1, round(value * rows * 8 / highest)) if value > 0 and highest else 0
        part = max(0, min(8, eighths - level * 8))
        glyph = _EIGHTHS[part] if unicode else "#" if part >= 4 or (part and not level) else " "
        cells.append(glyph * layout.bar + " " * (layout.slot - layout.bar))
    return "".join(cells)


def _below(series: Sequence[Series], layout: Layout, cursor: int, width: int) -> Iterator[ChartLine]:
    """The axis with the cursor and marks for hidden slices, and the start times of some slices."""
    before = (cursor - layout.first) * layout.slot
    after = layout.visible * layout.slot - before - 1
    slices = max((len(each.starts) for each in series), default=0)
    left = "‹" if layout.first else " "
    right = "›" if layout.first + layout.visible < slices else " "
    yield (
        ChartText(" " * (layout.axis - 1) + left + "└" + "─" * before, "dim"),
        ChartText("▲", "cursor"),
        ChartText("─" * after + right, "dim"),
    )
    hidden = len(series) - layout.bands
    note = _("{hidden} more in the table ").format(hidden=hidden) if hidden > 0 else ""
    starts = series[0].starts if series else ()
    yield (
        ChartText(cut(" " * (layout.axis + 1) + _start_times(starts, layout), width - len(note)), "dim"),
        ChartText(note, "value"),
    )


def _start_times(starts: Sequence[str], layout: Layout) -> str:
    """Start times below their slices, as many as fit."""
    text = ""
    for index in range(layout.first, min(layout.first + layout.visible, len(starts))):
        x = (index - layout.first) * layout.slot
        word = _short_start(starts[index])
        if x >= len(text) + (2 if text else 0) and x + len(word) <= layout.visible * layout.slot + 2:
            text += " " * (x - len(text)) + word
    return text


def _short_start(start: str) -> str:
    """`14:00` of an hour, `10-05` or `05.10.` of a day and of midnight, `2026-10` of a month."""
    safe = safe_text(start).text
    if len(safe) >= 16 and safe[11:16] != "00:00":
        return safe[11:16]
    return short_day_text(safe) if len(safe) == 10 or len(safe) >= 16 else safe
