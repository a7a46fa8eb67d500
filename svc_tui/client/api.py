"""The client for programs of others: everything that they need to call a service, under one name.

    async with connect() as client:  # the service and the login of the environment
        async for application in client.applications.list(state="active"):
            print(application.name)

Records are those of `svc_tui.interface`. `docs/python-api.md` is the guide.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from svc_tui.client.call_log import CallLog
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
from svc_tui.client.in_flight import Timeouts
from svc_tui.client.login import login, login_of_profile, logout, verify, with_api_key
from svc_tui.client.profile import Profile
from svc_tui.client.resource import NOT_GIVEN, Listing, NotGiven
from svc_tui.client.resources import ResourceClient
from svc_tui.client.retry import Retries
from svc_tui.client.session import Session
from svc_tui.client.session_store import SessionStore
from svc_tui.interface.authentication.mfa import Verified
from svc_tui.interface.authentication.sessions import LoginAnswer
from svc_tui.interface.authentication.users import User

if TYPE_CHECKING:
    import httpx

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
    "Retries",
    "ServiceError",
    "ServiceEvent",
    "SessionEnded",
    "Stream",
    "Timeouts",
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
async def connect(
    profile: Profile | None = None,
    *,
    sessions: Path | None = None,
    timeouts: Timeouts | float | None = None,
    retries: Retries | int | None = None,
    headers: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    log: bool = False,
) -> AsyncIterator[Client]:
    """A client. Its connections open with the first request and close at the end of the block.

    Without a `profile`, it is that of the environment (`SVC_TUI_BASE_URL`, `SVC_TUI_APP_ID` …), and a first request
    logs in with `SVC_TUI_LOGIN` and `SVC_TUI_PASSWORD`, or uses `SVC_TUI_API_KEY`. With one, it is not logged in yet.

    `sessions` is a folder that keeps the session for other programs of this user: `client.session.restore()` continues
    it. Without it nothing is written to disk. `timeouts` is in seconds, or each limit as `Timeouts`; `retries` are the
    repetitions of a request after its first attempt, or their limits as `Retries`. `headers` go with each request.
    `transport` replaces the network. With `log`, `client.log.exchanges` has the last calls, without secrets.

    ValueError for an invalid value, and without an address.
    """
    client_profile = profile if profile is not None else Profile.from_environment()
    store = SessionStore(sessions, client_profile.name) if sessions else None
    client = Client(
        client_profile,
        Session(client_profile, store),
        log=CallLog() if log else CallLog(0),
        transport=transport,
        timeout=Timeouts() if timeouts is None else timeouts,
        retries=Retries() if retries is None else retries,
        headers=headers or {},
    )
    if profile is None and client_profile.login and client_profile.password:
        client.session.open_login = lambda _ended: _logged_in(client)
    try:
        yield client
    finally:
        await client.aclose()


async def _logged_in(client: Client) -> bool:
    """Log in with the credentials of the environment. False where a second factor is required."""
    return not (await login_of_profile(client)).mfa_required


async def events(client: Client) -> AsyncGenerator[ServiceEvent, None]:
    """The live events of the user who is logged in (section 6), until the caller stops. Each arrives once.

    A broken connection is restored. An event is confirmed when the caller asks for the next one. Never raises: without
    a login, or for a login without an address for messages, it waits.
    """
    receiver = EventReceiver(client.profile, client.session)
    async with aclosing(receiver.events()) as received:
        async for event in received:
            yield event
