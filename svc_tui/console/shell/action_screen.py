"""A screen that runs actions by their keys, and keeps the keys that are typed while one of them opens something."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import events

from svc_tui.console.core.actions import Action, Registry
from svc_tui.console.core.dialog_keys import WAITING_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import KeyChoice
from svc_tui.console.shell.key_order import Typed, again, forward, takes_keys
from svc_tui.console.shell.key_target import GONE, KeyTarget
from svc_tui.console.shell.prompting import PromptScreen
from svc_tui.console.shell.stage import ConsoleApplication
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.prompt import Prompt
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.console.core import form_rules
    from svc_tui.interface import catalogue
    from svc_tui.workspace.workspace import Workspace
else:
    catalogue = lazy_import("svc_tui.interface.catalogue")
    form_rules = lazy_import("svc_tui.console.core.form_rules")


class ActionScreen(PromptScreen, inherit_bindings=False):
    """A screen with a prompt whose keys run actions on the view on top."""

    def __init__(self, console: ConsoleApplication, workspace: Workspace, registry: Registry) -> None:
        super().__init__(console, workspace, registry)
        #: The message in the status line.
        self._message: Piece | None = None
        self._chord: Mapping[str, KeyChoice] | None = None
        self._question: Sequence[Piece] = ()
        #: The task of an action that opens a view or dialog; keys wait for it.
        self.opening: asyncio.Task[None] | None = None
        #: The key that was acted on last.
        self._acted_on = ""
        self._queued: list[Typed] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._key_target = KeyTarget(lambda: console.terminal_link.slow_seconds or 0.0)
        #: The keys without an action that were explained.
        self._unbound: set[str] = set()

    def on_mount(self) -> None:
        self.workspace.log.subscribe(self._call_changed)

    def context(self) -> Context | None:
        """The context for an action; None without a view."""
        raise NotImplementedError

    def perform_by_name(self, name: str, field: str = "") -> None:
        """Run an action by name, or show why it is not available; then select a field of the view on top."""
        context = self.context()
        if context is not None:
            self.perform(self.registry[name], context, field)

    def perform(self, action: Action, context: Context, field: str = "") -> None:
        """Run an action, or show in the status line why it is not available; then select a field."""
        reason = action.why_not(context) or self._kept_by_lens(action, context)
        if reason:
            self.show_message(f"{action.label}: {reason}", "warn")
            return
        self._start(lambda: self._run(action, context, field) if field else action.runner()(context))

    async def _run(self, action: Action, context: Context, field: str) -> None:
        waiting = action.runner()(context)
        if waiting is not None:
            await waiting
        if self.view is not None:
            self.view.show_field(field)

    def _kept_by_lens(self, action: Action, context: Context) -> str:
        """Why the role lens keeps an action that the role could perform; empty when it does not."""
        operation_id = action.operation_id(context)
        if self.workspace.lens is None or not operation_id or catalogue.operation(operation_id).reads:
            return ""
        return _("{lens} may do this. The role lens is read-only, :as ends it").format(lens=self.workspace.lens)

    def _start(self, run: KeyChoice) -> None:
        try:
            waiting = run()
        except Exception as error:
            self.show_error(error)
            return
        if waiting is not None:
            self.begin(waiting)

    def begin(self, work: Awaitable[object]) -> None:
        """Start a task that opens a view or dialog; keys wait for it."""
        self.opening = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(self.opening)
        self.opening.add_done_callback(self._done)
        if isinstance(work, Coroutine):
            # A coroutine that was cancelled before its start must be closed.
            self.opening.add_done_callback(lambda _: work.close())

    def resume_action(self) -> None:
        """Let keys wait again for an action that continues after a dialog."""
        task = asyncio.current_task()
        if task in self._tasks:
            self.opening = task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.opened(task)

    def _call_changed(self, exchange: LoggedCall) -> None:
        if self.opening is not None:
            self.call_later(self.update_bars)

    @property
    def reading(self) -> bool:
        """Whether an action waits for the service before it can open a view or dialog."""
        return self.opening is not None and not self.opening.done() and self.workspace.busy

    def opened(self, by: asyncio.Task[None] | None) -> None:
        """A view or dialog is open: forward the keys that were typed since, in order."""
        if by is not self.opening or (self.app.screen is self and self.view is not None and not self.view.ready):
            return
        self.opening = None
        self.update_bars()
        queued, self._queued = self._queued, []
        self.console.key_order.take_back(again(event) for event in queued)

    async def _guarded(self, waiting: Any) -> None:
        try:
            await waiting
        except form_rules.Forbidden as error:
            self.show_message(error.sentence, "warn")
        except Exception as error:
            self.show_error(error)

    def await_key(self, keys: Mapping[str, KeyChoice], prompt: Sequence[Piece]) -> None:
        """Let the next key choose what to do; any other key cancels."""
        self._chord, self._question = dict(keys), prompt
        self.update_bars()

    def on_key(self, event: events.Key) -> None:
        if self.take_key(event) or self._explain_unbound(event):
            event.stop()
            event.prevent_default()

    def _explain_unbound(self, event: events.Key) -> bool:
        """Say once for each key that it does nothing; a form is for typing."""
        key = key_name(event.key, event.character)
        if self.view is None or self.view.kind == "form" or key in self._unbound:
            return False
        self._unbound.add(key)
        self.show_message(
            self.registry.keys.sentence(
                _("{key} does nothing here. {{help}} shows the keys.").format(key=safe_text(key).text)
            ),
            "warn",
        )
        return True

    def take_key(self, event: events.Key) -> bool:
        """Perform the action of a key; False when it belongs to the focused widget.

        A key may arrive from a widget that lost the focus after it was typed; it is forwarded.
        """
        if self.app.screen is not self or self.console.key_order.overtakes(event):
            if not self.holds(event):
                self.console.key_order.take_back([again(event)])
            return True
        if self.prompt.is_open:
            if not self.prompt.has_focus or event.is_forwarded:
                forward(self.prompt, event)
            return True
        if self.opening is not None:
            was_reading = self.reading
            key = key_name(event.key, event.character)
            again_back = key == self._acted_on and not was_reading
            if again_back or not self.registry.keys.verb(WAITING_KEYS, key):
                # The key that goes back cancels what is opening, but typed twice it goes back twice.
                self._queue(event)
                return True
            self.opening.cancel()
            self.opening = None
            self._queued.clear()
            if was_reading:
                self.show_message(_("Cancelled."), "warn")
                return True
        context = self.context()
        return context is not None and self._act_on(event, context)

    def move_cursor_directly(self, event: events.Key) -> bool:
        """Move the cursor for a key that does nothing else; False when the key must go its way.

        On its way, each widget from the one with the focus to this screen wakes up twice, which takes longer than the
        move itself.
        """
        if self.app.screen is not self or not self.app.app_focus or self.view is None:
            return False
        if self.opening is not None or self._chord is not None or self._message is not None:
            return False
        # Without a focus, the screen is being composed or closed.
        if self.focused is None or takes_keys(self.focused, self) or self._key_target.is_cancelled(event):
            return False
        context, prompt = self.context(), self.query_one_optional(Prompt)
        if context is None or prompt is None or prompt.is_open:
            return False
        key = key_name(event.key, event.character)
        action = self.registry.by_key(key, context)
        if action is None or not action.moves:
            return False
        self._acted_on = key
        with self._context():
            self.perform(action, context)
        return True

    def _selection_loading(self) -> Coroutine[Any, Any, None] | None:
        """What keys for the selected record have to wait for."""
        return self.view.selection_loading() if self.view is not None else None

    def holds(self, event: Typed) -> bool:
        """Queue a key for the dialog that is opening, or a pasted text for what is opening; False when nothing is."""
        if self.opening is None:
            return False
        if self.app.screen is self and (isinstance(event, events.Key) or self.prompt.is_open):
            return False
        self._queue(event)
        return True

    def keeps(self, event: Typed) -> bool:
        """Keep what would get lost in a dialog without a focus, or in a view that closes; False when it can be sent."""
        if self.holds(event):
            return True
        if self.opening is None or self.app.screen is not self or not isinstance(event, events.Key):
            return False
        self.on_key(event)
        return True

    def _queue(self, event: Typed) -> None:
        # A key that went through a widget of the frame can come later than one that was typed after it.
        insort(self._queued, event, key=lambda key: key.time)

    def _act_on(self, event: events.Key, context: Context) -> bool:
        key = key_name(event.key, event.character)
        if self._key_target.is_cancelled(event):
            return True
        self._acted_on = key
        message, self._message = self._message, None
        if self._chord is not None:
            chosen, self._chord = self._chord.get(key), None
            self.update_bars()
            if chosen:
                self._start(chosen)
            return True
        action = self.registry.by_key(key, context)
        if action is not None and key == "enter" and not action.belongs(context):
            # The key opens nothing here, and its action of other views would be confusing.
            self.show_message(self.registry.keys.sentence(_("Nothing to open here. {help} shows the keys.")), "warn")
        elif (
            action is not None
            and self.view is not None
            and self._key_target.is_stale(action, context, self.view, event)
        ):
            self.show_message(GONE, "warn")
        elif (
            action is not None
            and action.needs != "nothing"
            and (selection_loading := self._selection_loading()) is not None
        ):
            self._queue(event)
            self.begin(selection_loading)
        elif action is not None:
            self.perform(action, context)
        if message is not None and self._message is None:
            self.update_bars()
        return action is not None
