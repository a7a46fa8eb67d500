"""Keys for dialogs in the order in which they were typed, also when many arrive in one read."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence

from textual import events
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

#: What a terminal types: a key or a pasted text.
Typed = events.Key | events.Paste


class KeyOrder:
    """Sends keys to the dialog on top.

    The field with the focus receives a key first, and the dialog later: in the meantime, Textual would send what
    follows `tab` or `enter` to the old field. A key that types no character is therefore completed before the next
    one is sent.
    """

    def __init__(self, app: App[int], send: Callable[[Typed], Awaitable[None]]) -> None:
        self._app = app
        #: Sends an event to the field with the focus.
        self._send = send
        self._waiting: deque[Typed] = deque()
        #: How many of them were typed before those that came to `take`.
        self._first = 0
        #: The dialog that still handles a key.
        self._handling: Screen[object] | None = None

    @property
    def waiting(self) -> bool:
        """Whether keys wait that were typed before the next one."""
        return bool(self._waiting)

    async def take(self, event: Typed) -> None:
        """Send a key, or let it wait for those before it."""
        self._waiting.append(event)
        await self._flush()

    def take_first(self, typed: Iterable[Typed]) -> None:
        """Send keys that were typed before those that wait, and after those of an earlier call."""
        for event in typed:
            self._waiting.insert(self._first, event)
            self._first += 1
        self._app.call_next(self._flush)

    async def _flush(self) -> None:
        while self._waiting and (self._handling is None or self._handling is not self._app.screen):
            event = self._waiting.popleft()
            self._first = max(0, self._first - 1)
            screen = self._app.screen
            widgets = (screen.focused or screen).ancestors_with_self
            await self._send(event)
            if isinstance(event, events.Key) and not event.is_printable:
                self._handling = screen
                # The queues through which the key goes from the field to the dialog and the application.
                self._after(widgets, screen)
            else:
                self._handling = None

    def _after(self, queues: Sequence[MessagePump], screen: Screen[object]) -> None:
        """Continue when all queues have been processed, one after the other."""
        if not queues:
            self._app.call_next(self._handled, screen)
            return
        first, *rest = queues
        if not first.call_later(self._after, rest, screen):
            self._after(rest, screen)

    async def _handled(self, screen: Screen[object]) -> None:
        if self._handling is screen:
            self._handling = None
            await self._flush()


def forward(widget: Widget, event: events.Key) -> None:
    """Forward a key to its widget, as the application does."""
    widget._forward_event(again(event))


def again(event: events.Key) -> events.Key:
    """The key as it was before it was forwarded, with the time at which it was typed."""
    key = events.Key(event.key, event.character)
    key.time = event.time
    return key
