"""The keys of the main screen: each runs an action on the view on top, or waits for what is being opened."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

from textual import events

from svc_tui.console.core.actions import Action
from svc_tui.console.core.dialog_keys import WAITING_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import KeyChoice
from svc_tui.console.shell.key_order import Typed, again, forward
from svc_tui.console.shell.key_target import GONE, KeyTarget
from svc_tui.console.shell.opening import Opening
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _


class ActionKeys:
    """Runs the actions of keys on the view on top of a frame."""

    def __init__(self, frame: StageScreen, opening: Opening) -> None:
        self._frame, self._opening = frame, opening
        #: What the next key may choose, and the question in the status line.
        self._choices: Mapping[str, KeyChoice] | None = None
        self._question: Sequence[Piece] = ()
        #: The key that was acted on last.
        self._acted_on = ""
        self._target = KeyTarget(lambda: frame.console.terminal_link.delay)
        #: The keys without an action that were explained.
        self._unbound: set[str] = set()

    @property
    def question(self) -> Sequence[Piece] | None:
        """The question that the next key answers; None when there is none."""
        return self._question if self._choices is not None else None

    def ask(self, choices: Mapping[str, KeyChoice], question: Sequence[Piece]) -> None:
        """Let the next key choose what to do; any other key cancels."""
        self._choices, self._question = dict(choices), question
        self._frame.update_bars()

    def take(self, event: events.Key) -> bool:
        """Perform the action of a key; False when it belongs to the focused widget.

        A key may arrive from a widget that lost the focus after it was typed; it is forwarded.
        """
        frame, opening = self._frame, self._opening
        if frame.app.screen is not frame or frame.console.key_order.overtakes(event):
            if not opening.holds(event):
                frame.console.key_order.take_back([again(event)])
            return True
        if frame.prompt.is_open:
            if not frame.prompt.has_focus or event.is_forwarded:
                forward(frame.prompt, event)
            return True
        if opening.task is not None:
            was_reading, has_opened = opening.reading, opening.has_opened
            key = key_name(event.key, event.character)
            # The key that goes back cancels what is opening, but typed twice it goes back twice, and behind other keys
            # it goes back from what they open.
            waits = frame.is_changing and opening.has_queued
            again_back = key == self._acted_on and not was_reading
            cancels = bool(frame.registry.keys.verb(WAITING_KEYS, key)) or self._leaves_loading(key)
            if waits or again_back or not cancels:
                opening.queue(event)
                return True
            opening.cancel()
            if was_reading:
                frame.show_message(_("Cancelled."), "warn")
                return True
            if frame.is_changing:
                # It closes the view that opens, not the one below, which is still on top.
                self._acted_on = key
                opening.begin(frame.back())
                return True
            if not has_opened:
                # It closes what would have opened.
                return True
        context = frame.context()
        return context is not None and self._act_on(event, context)

    def _leaves_loading(self, key: str) -> bool:
        """Whether a key leaves a view that loads, however long that takes."""
        context = self._frame.context()
        if context is None or not self._opening.is_loading or self._opening.has_queued:
            return False
        action = self._frame.registry.by_key(key, context)
        return action is not None and action.leaves

    def press(self, event: events.Key) -> bool:
        """Perform the action of a key, or show that it has none; False when it belongs to the focused widget."""
        return self.take(event) or self._explain_unbound(event)

    def _explain_unbound(self, event: events.Key) -> bool:
        """Show once for each key that it does nothing; a form is for typing."""
        frame, key = self._frame, key_name(event.key, event.character)
        if frame.view is None or frame.view.kind == "form" or key in self._unbound:
            return False
        self._unbound.add(key)
        frame.show_message(
            frame.registry.keys.sentence(
                _("{key} does nothing here. {{help}} shows the keys.").format(key=safe_text(key).text)
            ),
            "warn",
        )
        return True

    def cancel_typed(self) -> None:
        """Drop the keys that were typed for what is not going to open."""
        self._target.cancel_typed()

    def keeps(self, event: Typed) -> bool:
        """Keep what would get lost in a dialog without a focus, or in a view that closes; False when it can be sent."""
        if self._opening.holds(event):
            return True
        if self._opening.task is None or self._frame.app.screen is not self._frame or not isinstance(event, events.Key):
            return False
        self.press(event)
        return True

    def _act_on(self, event: events.Key, context: Context) -> bool:
        frame, key = self._frame, key_name(event.key, event.character)
        if self._target.is_cancelled(event):
            return True
        self._acted_on = key
        had_message, frame.message = frame.message is not None, None
        if self._choices is not None:
            chosen, self._choices = self._choices.get(key), None
            frame.update_bars()
            if chosen:
                frame.run(chosen)
            return True
        action = frame.registry.by_key(key, context)
        if action is not None:
            self._perform(action, context, event)
        if had_message and frame.message is None:
            frame.update_bars()
        return action is not None

    def _perform(self, action: Action, context: Context, event: events.Key) -> None:
        """Perform the action of a key, or show the reason why it does nothing now."""
        frame, view = self._frame, self._frame.view
        if self._acted_on == "enter" and not action.belongs(context):
            # The key opens nothing here, and its action of other views would be confusing.
            frame.show_message(frame.registry.keys.sentence(_("Nothing to open here. {help} shows the keys.")), "warn")
        elif view is not None and self._target.is_stale(action, context, view, event):
            frame.show_message(GONE, "warn")
        elif view is not None and action.needs != "nothing" and (loading := self._selection_loading(view)) is not None:
            # Keys for the selected record wait until it is known.
            self._opening.wait_for(loading, event)
        elif not frame.perform(action, context) and action.operation:
            self.cancel_typed()

    def _selection_loading(self, view: View) -> Coroutine[Any, Any, None] | None:
        """What keys for the selected record have to wait for; None when it is known, or nothing is going to read it."""
        if view.record is None and not self._frame.connected.is_set():
            return self._connected(view)
        return view.selection_loading()

    async def _connected(self, view: View) -> None:
        await self._frame.connected.wait()
        if (loading := view.selection_loading()) is not None:
            await loading
