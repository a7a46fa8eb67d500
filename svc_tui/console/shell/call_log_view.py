"""The log of HTTP calls, newest first, with masked secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from svc_tui.console.core import call_line
from svc_tui.console.core.places import Place
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.files.saved_files import size_text

if TYPE_CHECKING:
    from svc_tui.client.call_log import CallLog, LoggedCall
    from svc_tui.client.profile import Profile
    from svc_tui.console.core.call_line import CommandCall

#: Columns of a line before its path: the gutter, the time, the method and the gaps.
BEFORE_PATH = 22
_ID = re.compile(r"\b[0-9a-f]{24}\b")


class CallsView(SheetView):
    """One line per call, updated while the view is open."""

    kind = "report"
    no_call = _("the log does not contain the complete request")

    def __init__(self, log: CallLog, profile: Profile) -> None:
        super().__init__(Place(("calls",)))
        self._log, self._profile = log, profile
        self._forget = log.subscribe(lambda _: self._draw())

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=9, notes_right=True)

    def on_mount(self) -> None:
        self._draw()

    @property
    def crumb(self) -> str:
        return _("HTTP log")

    @property
    def exchange(self) -> LoggedCall | None:
        """The selected call."""
        line = self.sheet.line
        if line is None:
            return None
        return next((item for item in self._log.exchanges if str(item.number) == line.key), None)

    def require_exchange(self) -> LoggedCall:
        """The selected call, for an action that is possible only on one; LookupError elsewhere."""
        if self.exchange is None:
            raise LookupError("no call is selected")
        return self.exchange

    def calls(self) -> Sequence[CommandCall]:
        call = call_line.call_of(self.exchange, self._profile) if self.exchange is not None else None
        return () if call is None else (call,)

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    def _draw(self) -> None:
        # A call can end before the lines are mounted, or while they are removed.
        if self.query_one_optional(Sheet) is not None:
            width = self.size.width or self.app.size.width
            self.sheet.show([_line(exchange, width) for exchange in reversed(list(self._log.exchanges))])

    def on_resize(self) -> None:
        self._draw()

    def status(self) -> Sequence[Piece]:
        return [
            Piece(f" {counted(len(self._log.exchanges), 'call')}"),
            Piece(self.with_keys(_("   {show_call} shows a call, {copy_curl} copies it as curl")), "dim"),
        ]

    def close(self) -> None:
        self._forget()


def _line(exchange: LoggedCall, width: int) -> Line:
    status = str(exchange.status or "—")
    failed = exchange.status is None or exchange.status >= 400
    retry = _("  retry {retry}").format(retry=exchange.retry) if exchange.retry else ""
    when = exchange.started.astimezone().strftime("%H:%M:%S")
    # Every column has one width, so that no column moves when a row arrives.
    note = f"{status:>3}  {_elapsed(exchange.elapsed):>8}  {size_text(exchange.size):>9}"
    path = "/api/" + exchange.url.partition("/api/")[2]
    room = width - len(note) - BEFORE_PATH - len(retry)
    value = safe(f"{exchange.method:<6} {_shortened(path, room)}{retry}")
    return Line("field", when, value, note, key=str(exchange.number), note_style="bad" if failed else "dim")


def _elapsed(seconds: float) -> str:
    return _("{seconds:.0f} ms").format(seconds=seconds * 1000) if seconds < 99 else f"{seconds:.0f} s"


def _shortened(path: str, room: int) -> str:
    """A path that fits; its end is kept, because it distinguishes calls."""
    path, mark, query = path.partition("?")
    path = _ID.sub(lambda found: f"…{found[0][-4:]}", path)
    if len(path) > room:
        keeps = max(room - 1, 8)
        path = f"…{path[-keeps:]}"
    return path + mark + query
