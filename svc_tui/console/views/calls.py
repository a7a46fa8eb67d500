"""The log of HTTP calls, newest first, secrets masked; `enter` shows one, `y` copies it as curl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from svc_tui.console.bars import Piece
from svc_tui.console.places import Place
from svc_tui.console.views.sheet import Line, Sheet, safe
from svc_tui.console.views.sheet_view import SheetView

if TYPE_CHECKING:
    from svc_tui.client.call_log import CallLog, Exchange


class CallsView(SheetView):
    """One line a call. It follows the log while it is open."""

    kind = "report"

    def __init__(self, log: CallLog) -> None:
        super().__init__(Place(("calls",)))
        self._log = log
        self._forget = log.subscribe(lambda _: self._draw())

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=9, notes_right=True)

    def on_mount(self) -> None:
        self._draw()

    @property
    def crumb(self) -> str:
        return "HTTP log"

    @property
    def exchange(self) -> Exchange | None:
        """The call under the cursor."""
        line = self.sheet.line
        if line is None:
            return None
        return next((item for item in self._log.exchanges if str(item.number) == line.key), None)

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show([_line(exchange) for exchange in reversed(list(self._log.exchanges))])

    def status(self) -> Sequence[Piece]:
        return [Piece(f" {len(self._log.exchanges)} calls"), Piece("   enter shows one, y copies it as curl", "dim")]

    def close(self) -> None:
        self._forget()


def _line(exchange: Exchange) -> Line:
    status = str(exchange.status or "—")
    failed = exchange.status is None or exchange.status >= 400
    again = f" retry {exchange.retry}" if exchange.retry else ""
    when = exchange.started.astimezone().strftime("%H:%M:%S")
    note = f"{status}  {exchange.elapsed * 1000:.0f} ms  {_size(exchange.size)}{again}"
    path = exchange.url.partition("/api/")[2]
    value = safe(f"{exchange.method:<6} /api/{path}")
    return Line("field", when, value, note, key=str(exchange.number), note_style="bad" if failed else "dim")


def _size(count: int) -> str:
    return f"{count} B" if count < 10_000 else f"{count / 1000:.0f} kB"
