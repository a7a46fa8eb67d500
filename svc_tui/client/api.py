"""The client for programs of others: everything that they need to call a service, under one name.

    async with connect(Profile("work", "https://portal.example", app_id="…", app_secret="…")) as client:
        await client.login("you@example.com", "…")
        async for application in client.applications.list(state="active"):
            print(application.name)

Records are those of `svc_tui.interface`. `docs/python-api.md` is the guide.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from svc_tui.client.client import Response
from svc_tui.client.content import Content, Stream
from svc_tui.client.errors import (
    Conflict,
    Forbidden,
    InvalidResponse,
    LoginRefused,
    NotFound,
    NotTrusted,
    OutcomeUnknown,
    RateLimited,
    ReadOnlyError,
    Refused,
    ServiceError,
    SessionEnded,
    Unreachable,
    ValidationFailed,
)
from svc_tui.client.event_receiver import EventReceiver, ServiceEvent
from svc_tui.client.login import login, logout, verify, with_api_key
from svc_tui.client.profile import Profile
from svc_tui.client.resource import NOT_GIVEN, Listing, NotGiven
from svc_tui.client.resources import ResourceClient
from svc_tui.client.session import Session
from svc_tui.client.session_store import SessionStore
from svc_tui.interface.authentication.mfa import Verified
from svc_tui.interface.authentication.sessions import LoginAnswer
from svc_tui.interface.authentication.users import User

__all__ = [
    "NOT_GIVEN",
    "Client",
    "Conflict",
    "Content",
    "Forbidden",
    "InvalidResponse",
    "Listing",
    "LoginRefused",
    "NotFound",
    "NotGiven",
    "NotTrusted",
    "OutcomeUnknown",
    "Profile",
    "RateLimited",
    "ReadOnlyError",
    "Refused",
    "Response",
    "ServiceError",
    "ServiceEvent",
    "SessionEnded",
    "Stream",
    "Unreachable",
    "ValidationFailed",
    "connect",
    "events",
    "login",
    "logout",
    "verify",
    "with_api_key",
]


class Client(ResourceClient):
    """A client of one service, with its resources: `client.applications`, `client.users` and the others.

    `connect` makes it. Its methods raise a ServiceError: Refused, with a class for each kind of refusal, Unreachable,
    OutcomeUnknown, ReadOnlyError or InvalidResponse; and TypeError for a keyword argument that does not exist.
    """

    async def login(self, identifier: str = "", password: str = "") -> LoginAnswer:
        """Log in with a password (section 5); by default with the login and the password of the profile.

        With `mfa_required` in the response, the session is limited until `verify`. LoginRefused when it is refused.
        """
        return await login(self, identifier or self.profile.login, password or self.profile.password)

    async def login_with_key(self, key: str = "") -> User:
        """Use an API key, by default that of the profile. Returns its user. SessionEnded when it is refused."""
        return await with_api_key(self, key)

    async def verify(self, code: str, *, trust: bool = False) -> Verified:
        """Complete the second factor with six digits or a recovery code (section 5.7). Then the session is full.

        `trust` skips the second factor in this application from now on. LoginRefused for a wrong code, SessionEnded
        for a late one.
        """
        return await verify(self, code, trust)

    async def logout(self) -> str:
        """End the session, also at the service where possible. Never fails.

        Returns the address that a browser must open to end a single sign-on, otherwise an empty text.
        """
        return await logout(self)

    def events(self) -> AsyncGenerator[ServiceEvent, None]:
        """The live events of the user who is logged in (section 6), as the function `events` yields them."""
        return events(self)


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
