"""Where a key goes: from the application to the keys of the screen on top, and from there to the input with the focus.

`KeyDispatch` gives one key at a time, in the order in which they were typed, and asks `press` of the screen on top: a
dialog (`Box.press`) or the frame. The frame passes it to `ViewKeys`: to the prompt, then to the question in the status
line, to the view on top (`View.take_key`), and to the action of the key. A key that none of them takes edits the input
that has the focus.

While an action opens a view or a dialog (`Opening`), keys wait, and are given again when it has opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

from textual import events
from textual._time import get_time
from textual.app import App

from svc_tui.console.core import form_rules
from svc_tui.console.core.actions import Action
from svc_tui.console.core.dialog_keys import WAITING_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import KeyChoice
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.terminal.key_parser import edits_text
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _

#: The input of a terminal: a key or a pasted text.
Typed = events.Key | events.Paste

#: The longest time in seconds that the next key waits: the queue of a widget that is removed may end before its turn.
PATIENCE = 0.5
GONE = _("Another record is selected now. Nothing was done.")


@runtime_checkable
class KeyScreen(Protocol):
    """A screen with keys of its own. `press` performs what a key does; False when the input with the focus gets it."""

    async def press(self, event: events.Key) -> bool: ...


class KeyDispatch:
    """Gives one key at a time. `holds` lets a key wait for something that is opening, and returns whether it does."""

    def __init__(self, app: App[Any], holds: Callable[[Typed], bool] = lambda _: False) -> None:
        self._app, self._holds = app, holds
        #: In the order in which they were typed.
        self._typed: list[Typed] = []
        self._task: asyncio.Task[None] | None = None
        #: What still acts. The event loop has only weak references.
        self._giving: set[asyncio.Task[None]] = set()

    def take(self, *typed: Typed) -> None:
        """Give keys, behind those that were typed before."""
        self._typed += typed
        self._go_on()

    def take_again(self, typed: Iterable[Typed]) -> None:
        """Give keys that waited, before those that were typed since."""
        self._typed[:0] = typed
        self._go_on()

    @property
    def waits(self) -> bool:
        """Whether a key has not been given yet."""
        return bool(self._typed)

    async def rest(self) -> None:
        """Wait until every key has been given, and what it set off has arrived."""
        if self._task is not None:
            await asyncio.wait({self._task})
        await self._arrived()

    def _go_on(self) -> None:
        if self._typed and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._give_all())

    async def _give_all(self) -> None:
        while self._typed and self._app.is_running:
            await self._arrived()
            giving = asyncio.ensure_future(self._give_next())
            self._giving.add(giving)
            giving.add_done_callback(self._giving.discard)
            # What takes longer, such as copying by a program that hangs, does not stop the keys behind it.
            await asyncio.wait({giving}, timeout=PATIENCE)

    async def _arrived(self) -> None:
        """Wait until what earlier keys have sent through the parts of the screen has arrived: a focus, a typed text."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                asked = None
                while self._app.is_running and asked is not (self._app.screen.focused or self._app.screen):
                    asked = self._app.screen.focused or self._app.screen
                    for queue in asked.ancestors_with_self:
                        arrived = asyncio.Event()
                        if queue.call_later(arrived.set):
                            await arrived.wait()

    async def _give_next(self) -> None:
        # Taken only now: keys that waited may have come back before it.
        event = self._typed.pop(0)
        if not self._app.is_running or self._holds(event):
            return
        screen = self._app.screen
        with screen._context():
            try:
                if isinstance(event, events.Key):
                    if isinstance(screen, KeyScreen) and await screen.press(event):
                        return
                    typed = event.is_printable and edits_text(screen.focused)
                    if not typed and await self._app._check_bindings(event.key):
                        return
                (screen.focused or screen)._forward_event(event)
            except Exception as error:
                self._app._handle_exception(error)


class KeyTarget:
    """Keys that were typed for a record are never applied to another one. `delay`: seconds until a picture is seen.

    A record can leave a list at any time: deleted by another administrator, or by a change after which it no longer
    matches the filter. The cursor then gets the next record. Keys that were typed before that was seen belong to the
    record before. Keys that were typed after a change that is refused belong to its form or confirmation.
    """

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


class Opening:
    """Runs the actions of a frame that take time. `task` is the one that keys wait for."""

    def __init__(self, frame: StageScreen, refused: Callable[[], None]) -> None:
        self._frame = frame
        #: Called when the action that keys wait for failed: they were typed for what does not open.
        self._refused = refused
        self.task: asyncio.Task[None] | None = None
        #: The view on top when it began.
        self._below: View | None = None
        #: The view that was cancelled while it loaded: keys wait for it no longer.
        self._let_go: View | None = None
        #: The keys that wait, in the order in which they were typed.
        self.waiting: list[Typed] = []
        #: All that run, also those behind a dialog of their own. The event loop has only weak references.
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def reading(self) -> bool:
        """Whether the action waits for the service before it can open a view or dialog."""
        frame = self._frame
        return self.task is not None and not self.task.done() and frame.workspace.busy and not frame.is_changing

    @property
    def has_opened(self) -> bool:
        """Whether the action has ended or put another view on top."""
        return self.task is None or self.task.done() or self._frame.view is not self._below

    @property
    def is_loading(self) -> bool:
        """Whether keys wait only until the view on top, which is open, has content."""
        frame = self._frame
        opened = self.task is not None and self.task.done() and not frame.is_changing
        return opened and frame.view is not None and not frame.view.ready

    def begin(self, work: Awaitable[object]) -> None:
        """Start an action; keys wait for it."""
        self._below = self._frame.view
        if self._below is None or self._below.ready:
            self._let_go = None
        self.task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(self.task)
        self.task.add_done_callback(self._ended)
        if isinstance(work, Coroutine):
            # A coroutine that was cancelled before its start must be closed.
            self.task.add_done_callback(lambda _: work.close())

    def wait_for(self, loading: Awaitable[object], event: Typed) -> None:
        """Let a key wait until the view has read what it is for."""
        self._let_go = None
        self.waiting.append(event)
        self.begin(loading)

    def resume(self) -> None:
        """Let keys wait again for the action that runs now, which continues after a dialog."""
        task = asyncio.current_task()
        if task in self._tasks:
            self.task = task

    def cancel(self) -> None:
        """Cancel the action; the keys that wait for it are dropped."""
        if self.task is not None:
            self.task.cancel()
        view, self.task = self._frame.view, None
        self._let_go = view if view is not None and not view.ready else None
        self.waiting.clear()

    def opened(self, by: asyncio.Task[None] | None) -> None:
        """A view or dialog is open: give the keys that were typed since."""
        frame = self._frame
        if not frame.app.is_running or not frame.is_attached:
            return
        view = frame.view if frame.app.screen is frame else None
        if by is not self.task or (view is not None and not view.ready and view is not self._let_go):
            return
        self.task = None
        frame.update_bars()
        waiting, self.waiting = self.waiting, []
        frame.console.press_again(waiting)

    def holds(self, event: Typed) -> bool:
        """Let a key wait for a dialog that is opening, a pasted text for a view too; False when it does not wait."""
        frame = self._frame
        at_frame = frame.app.screen is frame
        if self.task is None or (at_frame and (isinstance(event, events.Key) or frame.prompt.is_open)):
            return False
        self.waiting.append(event)
        return True

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.opened(task)

    async def _guarded(self, work: Awaitable[object]) -> None:
        try:
            await work
        except form_rules.Forbidden as error:
            self._drop_typed()
            self._frame.show_message(error.sentence, "warn")
        except Exception as error:
            self._drop_typed()
            self._frame.show_error(error)

    def _drop_typed(self) -> None:
        if self.task is asyncio.current_task():
            self.waiting.clear()
            self._refused()


class ViewKeys:
    """The keys of a frame: each is for its prompt or view, runs an action, or waits for what is being opened."""

    def __init__(self, frame: StageScreen) -> None:
        self._frame = frame
        self._target = KeyTarget(lambda: frame.console.terminal_link.delay)
        self.opening = Opening(frame, self._target.cancel_typed)
        #: What the next key may choose, and the question in the status line.
        self._choices: Mapping[str, KeyChoice] | None = None
        self._question: Sequence[Piece] = ()
        #: The key that was acted on last.
        self._acted_on = ""
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

    def press(self, event: events.Key) -> bool:
        """Do what a key does, or show that it does nothing; False when it is for the input with the focus."""
        frame, key = self._frame, key_name(event.key, event.character)
        if frame.prompt.is_open:
            if frame.focused is not frame.prompt:
                frame.set_focus(frame.prompt)
            return frame.prompt.take_key(event)
        if self.opening.task is not None and self._waits(event, key):
            return True
        context = frame.context()
        if context is None:
            return False
        return self._act_on(event, key, context) or (not edits_text(frame.focused) and self._explain(key))

    def _waits(self, event: events.Key, key: str) -> bool:
        """Let a key wait for what is opening, or cancel that; False when it acts on the view on top."""
        frame, opening = self._frame, self.opening
        was_reading, has_opened = opening.reading, opening.has_opened
        # The key that goes back cancels what is opening, but typed twice it goes back twice, and behind other keys
        # it goes back from what they open.
        behind_others = frame.is_changing and bool(opening.waiting)
        again_back = key == self._acted_on and not was_reading
        cancels = bool(frame.registry.keys.verb(WAITING_KEYS, key)) or self._leaves_loading(key)
        if behind_others or again_back or not cancels:
            opening.waiting.append(event)
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
        # Otherwise it closes what would have opened.
        return not has_opened

    def _leaves_loading(self, key: str) -> bool:
        """Whether a key leaves a view that loads, however long that takes."""
        context = self._frame.context()
        if context is None or not self.opening.is_loading or self.opening.waiting:
            return False
        action = self._frame.registry.by_key(key, context)
        return action is not None and action.leaves

    def _act_on(self, event: events.Key, key: str, context: Context) -> bool:
        frame = self._frame
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
        taken = frame.view is not None and frame.view.take_key(event)
        action = None if taken or self._edits(event) else frame.registry.by_key(key, context)
        if action is not None:
            self._perform(action, context, event)
        if had_message and frame.message is None:
            frame.update_bars()
        return taken or action is not None

    def _edits(self, event: events.Key) -> bool:
        """Whether a key edits the text of an input in a view, such as a cell; a form decides about its own keys."""
        frame, editor = self._frame, self._frame.focused
        if editor is None or frame.view is None or frame.view.kind == "form" or not edits_text(editor):
            return False
        return event.is_printable or event.key in editor._bindings.key_to_bindings

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
            self.opening.wait_for(loading, event)
        elif not frame.perform(action, context) and action.operation:
            self._target.cancel_typed()

    def _explain(self, key: str) -> bool:
        """Show once for each key that it does nothing; a form is for typing."""
        frame = self._frame
        if frame.view is None or frame.view.kind == "form" or key in self._unbound:
            return False
        self._unbound.add(key)
        sentence = _("{key} does nothing here. {{help}} shows the keys.").format(key=safe_text(key).text)
        frame.show_message(frame.registry.keys.sentence(sentence), "warn")
        return True

    def _selection_loading(self, view: View) -> Coroutine[Any, Any, None] | None:
        """What keys for the selected record have to wait for; None when it is known, or nothing is going to read it."""
        if view.record is None and not self._frame.connected.is_set():
            return self._connected(view)
        return view.selection_loading()

    async def _connected(self, view: View) -> None:
        await self._frame.connected.wait()
        if (loading := view.selection_loading()) is not None:
            await loading
