"""Cells that changed while they were shown: highlighted once, and drawn as usual after a moment."""

from collections.abc import Callable, Iterable, Mapping

from textual.timer import Timer

from svc_tui.console.widgets.list.lines import Painter
from svc_tui.console.widgets.list.rows import Row

#: Seconds that changed cells stay highlighted.
FLASH_SECONDS = 1.5
#: The numbers of columns.
Cells = frozenset[int]
NO_CELLS: Cells = frozenset()


class Flashes:
    """The highlighted cells of a list, by record. Each change costs one more repaint of its line, and no animation.

    `after` starts a timer, `redraw` draws the lines of records again.
    """

    def __init__(
        self, after: Callable[[float, Callable[[], None]], Timer], redraw: Callable[[Iterable[str]], None]
    ) -> None:
        self._after, self._redraw = after, redraw
        self._cells: dict[str, Cells] = {}
        self._timer: Timer | None = None

    def of(self, record_id: str | None) -> Cells:
        """The highlighted cells of a record."""
        return self._cells.get(record_id, NO_CELLS) if record_id is not None else NO_CELLS

    def compare(self, before: Mapping[str, Row], now: Mapping[str, Row], painter: Painter) -> None:
        """Highlight the cells of records that are drawn differently than before."""
        changed = {
            record_id: cells
            for record_id, row in now.items()
            if (old := before.get(record_id)) is not None and old is not row and (cells := painter.differing(old, row))
        }
        if not changed:
            return
        self._cells |= changed
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._after(FLASH_SECONDS, self._end)
        self._redraw(changed)

    def _end(self) -> None:
        ended, self._cells, self._timer = self._cells, {}, None
        self._redraw(ended)
