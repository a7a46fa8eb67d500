"""The grid of a week: a line per day with a cell per half hour, and the exceptions below."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip

from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.interface.voice.hours import DAY, MinutePeriods, clock_time
from svc_tui.interface.voice.week import DAYS, WeekEdit, exception_text, periods_text, short_periods_text
from svc_tui.language import _

#: Minutes per cell.
CELL = 30
CELLS = DAY // CELL
_NAME = 5
_OPEN, _CLOSED, _PARTLY = "█·▒"
#: A full block has no background that a cursor could be: an open half hour has this sign under it.
_OPEN_SELECTED = "+"
#: The hours above the strips.
SCALE = "".join(f"{hour:<4}" for hour in range(0, 24, 2)) + "24"
OTHER_DAYS = _("Exceptions")
NONE_YET = _("none")


def strip_of(periods: MinutePeriods) -> str:
    """A day with a sign per half hour: open, closed, or partly open."""
    signs = ""
    for start in range(0, DAY, CELL):
        covered = sum(max(0, min(end, start + CELL) - max(begin, start)) for begin, end in periods)
        signs += _OPEN if covered == CELL else _PARTLY if covered else _CLOSED
    return signs


class WeekGrid(StyledWidget, can_focus=True):
    """Draws a `Week`. The cursor is on a half hour of a day, or on an exception."""

    COMPONENT_CLASSES = {"styled--quiet", "styled--open", "styled--cursor"}
    DEFAULT_CSS = """
    WeekGrid { height: 15; }
    WeekGrid > .styled--quiet { color: $text-muted; }
    WeekGrid > .styled--open { color: $success; }
    WeekGrid > .styled--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
    }
    WeekGrid:nocolor > .styled--cursor { text-style: reverse; }
    """
    #: Lines for exceptions; more of them scroll.
    OTHERS = 6

    class Moved(Message):
        """The cursor moved."""

    def __init__(self, week: WeekEdit) -> None:
        super().__init__()
        self.week = week
        self.row = 0
        self.cell = 18
        self._top = 0

    @property
    def index(self) -> int | None:
        """The day under the cursor, counted from Sunday; None on an exception."""
        return DAYS[self.row][1] if self.row < len(DAYS) else None

    @property
    def exception(self) -> int | None:
        """The position of the exception under the cursor; None on a day of the week."""
        at = self.row - len(DAYS)
        return at if 0 <= at < len(self.week.exceptions) else None

    @property
    def minute(self) -> int:
        """The start of the cell under the cursor."""
        return self.cell * CELL

    def go(self, row: int, cell: int | None = None) -> None:
        """Move the cursor."""
        last = len(DAYS) + len(self.week.exceptions) - 1
        self.row = max(0, min(row, last))
        if cell is not None:
            self.cell = max(0, min(cell, CELLS - 1))
        at = self.row - len(DAYS)
        self._top = max(0, min(self._top, at), at - self.OTHERS + 1)
        self.refresh()
        self.post_message(self.Moved())

    def render_line(self, y: int) -> Strip:
        width, days = self.size.width, len(DAYS)
        if y == 0:
            segments = [Segment(fit(" " * _NAME + SCALE, width), self.named_style("quiet"))]
        elif y <= days:
            segments = self._day(y - 1, width)
        elif y == days + 1:
            segments = [Segment(fit(OTHER_DAYS, width), self.named_style("quiet"))]
        else:
            segments = [self._other(self._top + y - days - 2, width)]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        days = len(DAYS)
        if 1 <= event.y <= days:
            self.go(event.y - 1, event.x - _NAME)
        elif event.y > days + 1 and self._top + event.y - days - 2 < len(self.week.exceptions):
            self.go(self._top + event.y - 2)

    def _day(self, row: int, width: int) -> list[Segment]:
        name, index = DAYS[row]
        periods = self.week.periods(index)
        mark = ">" if row == self.row else " "
        segments = [Segment(f"{mark}{name[:3]} ", self.rich_style)]
        for cell, sign in enumerate(strip_of(periods)):
            style = self.named_style("quiet" if sign == _CLOSED else "open")
            here = row == self.row and cell == self.cell
            shown = _OPEN_SELECTED if here and sign == _OPEN else sign
            segments.append(Segment(shown, self.named_style("cursor") if here else style))
        room = max(0, width - _NAME - CELLS - 1)
        text = periods_text(periods)
        if len(text) > room:
            text = short_periods_text(periods)
        return [*segments, Segment(" " + fit(text, room), self.rich_style)]

    def _other(self, at: int, width: int) -> Segment:
        exceptions = self.week.exceptions
        if at >= len(exceptions):
            text = NONE_YET if not exceptions and at == 0 else ""
            return Segment(fit(f"  {text}", width), self.named_style("quiet"))
        here = at == self.exception
        text = f"{'>' if here else ' '} {safe_text(exception_text(exceptions[at])).text}"
        return Segment(fit(text, width), self.named_style("cursor") if here else self.rich_style)

    def words(self) -> str:
        """The cell under the cursor, in words."""
        if self.index is None:
            at = self.exception
            return safe_text(exception_text(self.week.exceptions[at])).text if at is not None else ""
        name = DAYS[self.row][0]
        return _("{name}: {periods_text}   at {clock_time}").format(
            name=name, periods_text=periods_text(self.week.periods(self.index)), clock_time=clock_time(self.minute)
        )
