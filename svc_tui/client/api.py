"""The client for programs of others: everything that they need to call a service, under one name.

    async with connect(Profile("work", "https://portal.example", app_id="…", app_secret="…")) as client:
        await login(client, "you@example.com", "…")
        async for application in client.records(list_applications):
            print(application.name)

Operations and records are those of `svc_tui.interface`. `docs/python-api.md` is the guide.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from svc_tui.client.client import Client, Response
from svc_tui.client.content import Content, Stream
from svc_tui.client.errors import (
    InvalidResponse,
    LoginRefused,
    NotTrusted,
    OutcomeUnknown,
    ReadOnlyError,
    Refused,
    ServiceError,
    SessionEnded,
    Unreachable,
)
from svc_tui.client.event_receiver import EventReceiver, ServiceEvent
from svc_tui.client.login import login, logout, verify, with_api_key
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.client.session_store import SessionStore

__all__ = [
    "Client",
    "Content",
    "InvalidResponse",
    "LoginRefused",
    "NotTrusted",
    "OutcomeUnknown",
    "Profile",
    "ReadOnlyError",
    "Refused",
    "Response",
    "ServiceError",
    "ServiceEvent",
    "SessionEnded",
    "Stream",
    "Unreachable",
    "connect",
    "events",
    "login",
    "logout",
    "verify",
    "with_api_key",
]


@asynccontextmanager
async def connect(profile: Profile, *, sessions: Path | None = None) -> AsyncIterator[Client]:
    """A client for a profile, not logged in yet. Its connections open with the first request and close at the end of
    the block.

    `sessions` is a folder that keeps the session for other programs of this user: `client.session.restore()` continues
    it. Without it nothing is written to disk.
    """
    store = SessionStore(sessions, profile.name) if sessions else None
    client = Client(profile, Session(profile, store))
    try:
        yield client
    finally:
        await client.aclose()


async def events(client: Client) -> AsyncGenerator[ServiceEvent, None]:
    """The live events of the user who is logged in (section 6), until the caller stops. Each arrives once.

    A broken connection is restored. An event is confirmed when the caller asks for the next one. Never raises: without
    a login, or for a login without an address for messages, it waits.
    """
    receiver = EventReceiver(client.profile, client.session)
    async with aclosing(receiver.events()) as received:
        async for event in received:
            yield event
