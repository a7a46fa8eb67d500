"""How the screen stays current: by events of the service, or by polling, and what the frame says about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from svc_tui.console.core.resource import Resource
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _
from svc_tui.workspace.changes.polling import Pollable, Polling
from svc_tui.workspace.core.events import ChangedElsewhere, ChannelChanged, Event
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.workspace import Workspace

#: Seconds without a key after which polling pauses.
IDLE_SECONDS = 600.0
#: The kinds of records that change by events.
_FOLLOWED = frozenset(name for kind in KINDS.values() if kind.events for name in (kind.name, *kind.affects))


class LiveScreen:
    """Polls the view on top while no event channel is open and the terminal is used.

    `focused`: whether the terminal has the focus, as far as it is reported.
    """

    def __init__(
        self, frame: StageScreen, focused: Callable[[], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        monitor = frame.workspace.monitor
        self.polling = Polling(self._on_screen, self._is_wanted, frame.update_bars, monitor.steady, clock)
        self._frame, self._workspace, self._focused, self._clock = frame, frame.workspace, focused, clock
        self._used = clock()
        #: Whether the last attempt to open an event channel has failed. It stays so during the next attempt.
        self._has_no_channel = False

    def used(self) -> None:
        """A key was pressed, or the focus has changed."""
        self._used = self._clock()
        self.polling.wake()

    def changed(self, event: Event) -> None:
        """The workspace has changed: polling may be wanted now, or not any longer."""
        if isinstance(event, ChannelChanged) and event.channel.state != "connecting":
            self._has_no_channel = event.channel.state != "live"
        self.polling.wake()

    def pieces(self, view: View) -> Sequence[Piece]:
        """How the view stays current, for the status line; nothing where only a refresh reads it again."""
        if self._has_no_channel and self._workspace.obstacle() is None:
            state = f"{self.polling.seconds:.0f} s" if self._is_wanted() else _("paused")
            return [Piece(_("polling {state} ").format(state=state), "dim")] if view.polled is not None else ()
        live = self._workspace.live.channel.state == "live"
        return [Piece(_("live "), "dim")] if live and _follows_events(view) else ()

    def _is_wanted(self) -> bool:
        used = self._focused() and self._clock() - self._used < IDLE_SECONDS
        return used and self._has_no_channel and self._workspace.obstacle() is None

    def _on_screen(self) -> Pollable | None:
        view = self._frame.view
        return view.polled if view is not None and self._frame.app.screen is self._frame else None


def _follows_events(view: View) -> bool:
    return view.polled is not None and view.resource is not None and view.resource.kind.name in _FOLLOWED


async def changed_elsewhere_sentence(workspace: Workspace, resource: Resource, event: ChangedElsewhere) -> str:
    """A change made elsewhere: one record by its name, several by their number."""
    records = {report.record_id for report in event.reports}
    if len(records) > 1:
        number = resource.counted(len(records))
        return _("{number} were changed elsewhere.").format(number=number)
    last, first = event.reports[-1], event.reports[0]
    company_id = str(last.content.get("companyId") or "")
    await workspace.referenced.load([("companies", company_id)], cached_only=True)
    return resource.display.elsewhere(last.content, first.before, workspace.referenced.company(company_id))
