"""The action that opens a view or dialog: keys wait until it has opened."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Awaitable, Callable, Coroutine

from textual import events

from svc_tui.console.core import form_rules
from svc_tui.console.shell.key_order import Typed, again
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views.view import View


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
        self._queued: list[Typed] = []
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

    @property
    def has_queued(self) -> bool:
        """Whether keys wait for the action."""
        return bool(self._queued)

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
        self.queue(event)
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
        self._queued.clear()

    def opened(self, by: asyncio.Task[None] | None) -> None:
        """A view or dialog is open: send the keys that were typed since, in order."""
        frame = self._frame
        view = frame.view if frame.app.screen is frame else None
        if by is not self.task or (view is not None and not view.ready and view is not self._let_go):
            return
        self.task = None
        frame.update_bars()
        queued, self._queued = self._queued, []
        frame.console.key_order.take_back(again(event) for event in queued)

    def queue(self, event: Typed) -> None:
        """Let a key wait."""
        # A key that went through a widget of the frame can come later than one that was typed after it.
        insort(self._queued, event, key=lambda key: key.time)

    def holds(self, event: Typed) -> bool:
        """Queue a key for the dialog that is opening, or a pasted text for what is opening; False when nothing is."""
        if self.task is None:
            return False
        frame = self._frame
        if frame.app.screen is frame and (isinstance(event, events.Key) or frame.prompt.is_open):
            return False
        self.queue(event)
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
            self._queued.clear()
            self._refused()
