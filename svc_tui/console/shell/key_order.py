"""Keys in the order in which they were typed, also when many arrive in one read."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Awaitable, Callable, Iterable, Sequence

from textual import events, widgets
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

#: The input of a terminal: a key or a pasted text.
Typed = events.Key | events.Paste

#: The longest time in seconds that the next key waits: the queue of a widget that is removed may end with its key.
PATIENCE = 0.5


class KeyOrder:
    """Sends one key at a time.

    The widget with the focus receives a key first, and the screen later: in the meantime, Textual would send what
    follows `tab`, `enter` or `/` to the widget that loses the focus. The next key is therefore sent when one has
    gone all the way, except for characters that are typed into a field.
    """

    def __init__(self, app: App[int], send: Callable[[Typed], Awaitable[bool]]) -> None:
        self._app = app
        #: Sends an event to the widget with the focus; False when it was used immediately.
        self._send = send
        #: By the time at which they were typed.
        self._waiting: list[Typed] = []
        #: The screen that still handles a key, which key that is, and the end of the wait for it.
        self._handling: Screen[object] | None = None
        self._handled_key: Typed | None = None
        self._limit: asyncio.TimerHandle | None = None

    async def take(self, event: Typed) -> None:
        """Send a key, or let it wait for those before it."""
        self._waiting.append(event)
        await self._flush()

    def take_back(self, typed: Iterable[Typed]) -> None:
        """Send keys again; those that were typed later wait for them."""
        for event in typed:
            insort(self._waiting, event, key=_typed_at)
        self._app.call_next(self._flush)

    def overtakes(self, event: Typed) -> bool:
        """Whether keys wait that were typed before this one."""
        return bool(self._waiting) and self._waiting[0].time < event.time

    async def _flush(self) -> None:
        while self._waiting and self._app.screen_stack and self._handling is not self._app.screen:
            event = self._waiting.pop(0)
            screen = self._app.screen
            queues = (screen.focused or screen).ancestors_with_self
            types = isinstance(event, events.Paste) or event.is_printable
            self._release()
            if await self._send(event) and not (
                types and isinstance(screen.focused, (widgets.Input, widgets.TextArea))
            ):
                # The queues through which the key goes from the widget to the screen and the application.
                self._hold(screen, event, queues)

    def _hold(self, screen: Screen[object], event: Typed, queues: Sequence[MessagePump]) -> None:
        """Hold the next keys until these queues have been processed."""
        self._handling, self._handled_key = screen, event
        self._limit = asyncio.get_running_loop().call_later(PATIENCE, self._app.call_next, self._handled, event)
        self._after(queues, event)

    def _after(self, queues: Sequence[MessagePump], event: Typed) -> None:
        """Continue when all queues have been processed, one after the other."""
        if not queues:
            self._app.call_next(self._handled, event)
            return
        first, *rest = queues
        if not first.call_later(self._after, rest, event):
            self._after(rest, event)

    async def _handled(self, event: Typed) -> None:
        if self._handled_key is event:
            self._release()
            await self._flush()

    def _release(self) -> None:
        self._handling = self._handled_key = None
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def _typed_at(event: Typed) -> float:
    return event.time


def forward(widget: Widget, event: events.Key) -> None:
    """Forward a key to its widget, as the application does."""
    widget._forward_event(again(event))


def again(event: Typed) -> Typed:
    """The typed event before it was forwarded, with its time."""
    typed = events.Paste(event.text) if isinstance(event, events.Paste) else events.Key(event.key, event.character)
    typed.time = event.time
    return typed
