"""Live events of the service: what they name is refreshed wherever it is shown, and changes of others are reported."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.changes.effects import OwnChanges, agrees
from svc_tui.workspace.changes.open_data import OpenData
from svc_tui.workspace.core.events import Channel, ChannelChanged, Event, Report, ServiceReported
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.client import event_receiver
    from svc_tui.client.client import Client
else:
    event_receiver = lazy_import("svc_tui.client.event_receiver")


class LiveEvents:
    """Follows the events of one login and refreshes what they name in the open views."""

    def __init__(self, views: OpenData, notify: Callable[[Event], None], now: Callable[[], float]) -> None:
        self.channel = Channel()
        #: The changes made here, which events repeat.
        self.own = OwnChanges(now)
        self._views, self._notify = views, notify
        #: Whether events have arrived here before: those between two connections may be lost.
        self._was_live = False
        self._task: asyncio.Task[None] | None = None

    def follow(self, client: Client) -> None:
        """Receive the events of the service from now on, after each login; only the first call has an effect."""
        if self._task is None:
            receiver = event_receiver.EventReceiver(client.profile, client.session)
            receiver.changed = lambda: self._note(Channel(receiver.state, receiver.reason))
            self._task = start_task(self._follow(receiver))

    async def close(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _follow(self, receiver: event_receiver.EventReceiver) -> None:
        try:
            async with aclosing(receiver.events()) as events:
                async for event in events:
                    await self._process(event)
        except Exception:
            # What is shown is polled from now on.
            self._note(Channel())
            raise

    async def _process(self, event: event_receiver.ServiceEvent) -> None:
        content = event.content.wire()
        for kind in KINDS.values():
            if record_id := content.get(kind.events.get(event.name, "")):
                await self._take(kind, str(record_id), content)
        self._notify(ServiceReported(event.name, content))

    async def _take(self, kind: Kind, record_id: str, content: Mapping[str, Any]) -> None:
        """Refresh a record that an event names, unless what is shown agrees with it."""
        shown = self._views.showing(kind.name, record_id)
        # A creation that needs no synchronisation has only one event.
        ended = kind.processing is not None and content.get(kind.processing.field) is False
        ended = ended and (bool(shown) or content.get("action") != "create")
        if not ended and await self.own.include(kind, record_id, content):
            return
        if ended and shown and all(agrees(row, content) for row in shown):
            return
        # The end of a synchronisation is not a change that an administrator makes.
        elsewhere = None if ended else Report(record_id, content, shown[0] if shown else None)
        await self._views.reported(kind, record_id, content, elsewhere)

    def _note(self, channel: Channel) -> None:
        if channel.state == "live" and self._was_live:
            self._views.reconnected()
        self._was_live = self._was_live or channel.state == "live"
        self.channel = channel
        self._notify(ChannelChanged(channel))
