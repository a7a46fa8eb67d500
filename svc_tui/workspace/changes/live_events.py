"""Live events of the service: what they name is refreshed wherever it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from svc_tui.late import late
from svc_tui.workspace.core.events import Channel, ChannelChanged, Event, ServiceReported
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.client import event_receiver
    from svc_tui.client.client import Client
else:
    event_receiver = late("svc_tui.client.event_receiver")


class LiveEvents:
    """Follows the events of one login. `reported` gets the kind and id of each record that an event names."""

    def __init__(self, reported: Callable[[Kind, str], Awaitable[None]], notify: Callable[[Event], None]) -> None:
        self.channel = Channel()
        self._reported, self._notify = reported, notify
        self._task: asyncio.Task[None] | None = None

    def follow(self, client: Client) -> None:
        """Receive the events of the service from now on, after each login; only the first call has an effect."""
        if self._task is None:
            receiver = event_receiver.EventReceiver(client.profile, client.session)
            receiver.changed = lambda: self._note(Channel(receiver.state, receiver.reason))
            self._task = asyncio.get_running_loop().create_task(self._follow(receiver))

    async def close(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _follow(self, receiver: event_receiver.EventReceiver) -> None:
        async with aclosing(receiver.events()) as events:
            async for event in events:
                content = event.content.wire()
                for kind in KINDS.values():
                    if record_id := content.get(kind.events.get(event.name, "")):
                        await self._reported(kind, str(record_id))
                self._notify(ServiceReported(event.name, content))

    def _note(self, channel: Channel) -> None:
        self.channel = channel
        self._notify(ChannelChanged(channel))
