"""From a profile to a workspace: first what needs no network and little loading, then the rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles.profiles import Profiles
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from svc_tui.client.client import Client
    from svc_tui.client.errors import SessionEnded
    from svc_tui.client.profile import Profile


def open_workspace(profile: Profile, read_only: bool) -> Workspace:
    """The workspace of a profile with its cache; nothing is sent, and no model is loaded."""
    size = Profiles().configuration.cache_bytes
    return Workspace(profile, folders(), read_only=read_only, cache_bytes=size)


def declarations() -> None:
    """Load the interface and the client: in a thread, after the first screen."""
    import svc_tui.client.client
    import svc_tui.client.login
    import svc_tui.client.transport  # noqa: F401
    from svc_tui.interface.catalogue import operations

    operations()


def connect(workspace: Workspace, asks: Callable[[SessionEnded], Awaitable[bool]]) -> Client:
    """Give the workspace its client with the session that was kept, if there is one; nothing is sent.

    `asks` is called when the session has ended.
    """
    from svc_tui.client.client import Client
    from svc_tui.client.session import Session
    from svc_tui.client.session_store import SessionStore

    profile = workspace.profile
    session = Session(profile, SessionStore(workspace.folders.data / "sessions", profile.name))
    session.open_login = asks
    client = Client(profile, session, log=workspace.log)
    session.restore()
    workspace.attach(client)
    return client


async def greet(workspace: Workspace) -> str:
    """Find out how far the service is, even when everything shown is fresh from the cache; the trouble, if any."""
    from svc_tui.workspace.core.service import ReadError

    try:
        await workspace.read("ping", {}, {})
    except ReadError as trouble:
        return trouble.sentence
    return ""


async def log_in_silently(client: Client) -> str:
    """Log in with what the profile has; empty, or the sentence why that failed.

    Nothing is done when it has nothing, or when somebody else was logged in last: what waits is his.
    """
    from svc_tui.client.errors import ServiceError
    from svc_tui.client.login import login, with_api_key

    profile, session = client.profile, client.session
    # A key is in use at once; whose it is has still to be asked.
    if session.state == "full" and not (session.key and session.user is None):
        return ""
    last = str((session.user or {}).get("loginEmail") or profile.login)
    if last.casefold() != profile.login.casefold():
        return ""
    try:
        if profile.method == "api_key" and profile.api_key:
            await with_api_key(client)
        elif profile.login and profile.password:
            await login(client, profile.login, profile.password)
    except ServiceError as error:
        return str(error)
    return ""
