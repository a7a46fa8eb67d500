"""Keys that were typed for a record are never applied to another one.

A record can leave a list at any time: deleted by another administrator, or by a change after which it no longer
matches the filter. The cursor then gets the next record. Keys that were typed before that was seen belong to the
record before. Keys that were typed after a change that is refused belong to its form or confirmation.
"""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual._time import get_time

from svc_tui.console.core.actions import Action
from svc_tui.console.core.resource import Context
from svc_tui.console.views.view import View
from svc_tui.language import _

GONE = _("Another record is selected now. Nothing was done.")


class KeyTarget:
    """Decides which keys still mean the selected record. `delay`: seconds until a picture is seen."""

    def __init__(self, delay: Callable[[], float]) -> None:
        self._delay = delay
        #: Keys that were typed earlier belong to an action that was not performed.
        self._void_before = 0.0

    def is_cancelled(self, event: events.Key) -> bool:
        """Whether a key belongs to an action that was not performed, such as the letters of its confirmation."""
        return event.time < self._void_before

    def is_stale(self, action: Action, context: Context, view: View, event: events.Key) -> bool:
        """Whether a key was typed for a record that is no longer selected."""
        seen = view.replaced_at + self._delay() if view.replaced_at else 0.0
        on_marked = action.needs == "records" and bool(context.marked)
        if action.needs == "nothing" or on_marked or event.time >= seen:
            return False
        self._void_before = seen
        return True

    def cancel_typed(self) -> None:
        """Cancel the keys that were typed before the reason of a refusal is seen."""
        self._void_before = get_time() + self._delay()
