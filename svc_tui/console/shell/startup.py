"""The start of a workspace: first without the network and with few modules, then the rest."""

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
    """Open the workspace of a profile with its cache, without a request and without the models."""
    size = Profiles().configuration.cache_bytes
    return Workspace(profile, folders(), read_only=read_only, cache_bytes=size)


def declarations() -> None:
    """Load the interface and the client; runs in a thread after the first picture."""
    import svc_tui.client.client
    import svc_tui.client.login
    import svc_tui.client.transport  # noqa: F401
    from svc_tui.interface.catalogue import operations

    operations()


def connect(workspace: Workspace, asks: Callable[[SessionEnded], Awaitable[bool]]) -> Client:
    """Connect the workspace to a client with the stored session, if there is one, without a request.

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


async def ping(workspace: Workspace) -> str:
    """Measure the round trip to the service; returns why it is unreachable, empty when it responds."""
    from svc_tui.workspace.core.service import ReadError

    try:
        await workspace.read("ping", {}, {})
    except ReadError as trouble:
        return trouble.sentence
    return ""


async def log_in_silently(client: Client) -> str:
    """Log in with the credentials of the profile; returns why it failed, empty otherwise.

    Nothing happens without credentials, or when another user was logged in last: waiting requests are theirs.
    """
    from svc_tui.client.errors import ServiceError
    from svc_tui.client.login import login, with_api_key

    profile, session = client.profile, client.session
    # An API key works at once; its user still has to be read.
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
