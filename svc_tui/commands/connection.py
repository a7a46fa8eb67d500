"""A client for one command: its profile, and the session that is kept between commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.commands.exits import NotLoggedIn, WrongUsage, say
from svc_tui.interface.operations import Credentials

if TYPE_CHECKING:
    from svc_tui.client.client import Client
    from svc_tui.client.profile import Profile
    from svc_tui.client.session_store import SessionStore

#: Operations that need nobody to be logged in.
OPEN = frozenset({Credentials.NONE, Credentials.LOGIN, Credentials.BROWSER})


def chosen_profile(name: str = "", *, read_only: bool = False) -> Profile:
    """The profile for this command. WrongUsage, with what to do, when there is none."""
    from svc_tui.workspace.profiles.profiles import Profiles

    profile = Profiles().load(name)
    if profile is None:
        raise WrongUsage(
            "There is no profile to use; `svc-tui profile add NAME --base-url URL` makes one, "
            "or set SVC_TUI_BASE_URL and what belongs to it."
        )
    if not profile.verified:
        say("The connection is not secure: nobody checks that this is the service itself.")
    return replace(profile, read_only=True) if read_only else profile


def session_store(profile: str) -> SessionStore:
    """Where the session of a profile is kept."""
    from svc_tui.client.session_store import SessionStore
    from svc_tui.workspace.core.folders import folders

    return SessionStore(folders().data / "sessions", profile)


@asynccontextmanager
async def opened(profile: Profile) -> AsyncIterator[Client]:
    """A client for this profile, without any login yet."""
    from svc_tui.client.client import Client
    from svc_tui.client.session import Session

    client = Client(profile, Session(profile, session_store(profile.name)))
    try:
        yield client
    finally:
        await client.aclose()


@asynccontextmanager
async def connected(
    name: str = "", *, read_only: bool = False, credentials: Credentials = Credentials.CALLER
) -> AsyncIterator[Client]:
    """A client that is logged in, where the operation needs that. NotLoggedIn says what to do when it cannot be."""
    async with opened(chosen_profile(name, read_only=read_only)) as client:
        if credentials is Credentials.LOGIN and not (client.profile.login and client.profile.password):
            # An empty password would count as a failed attempt.
            raise WrongUsage("This needs SVC_TUI_LOGIN and SVC_TUI_PASSWORD; `svc-tui login` asks for the password.")
        if credentials not in OPEN:
            await _go_on(client)
        yield client


async def _go_on(client: Client) -> None:
    """Take the kept session, or log in with what the environment has."""
    session, profile = client.session, client.profile
    if session.state == "full" or session.restore():
        return
    command = _login_command(profile)
    if not (profile.login and profile.password):
        kept = session_store(profile.name).read() is not None
        what = "The session ended" if kept else f"You are not logged in to {profile.host}"
        raise NotLoggedIn(f"{what}; `{command}` logs in.")
    from svc_tui.client.login import login

    answer = await login(client, profile.login, profile.password)
    if answer.mfa_required:
        raise NotLoggedIn(f"The second factor is needed; `{command}` asks for it.")


def _login_command(profile: Profile) -> str:
    """How to log in to this profile; one that the environment made has no name to give."""
    from svc_tui.workspace.profiles.profiles import Profiles

    return f"svc-tui login --profile {profile.name}" if profile.name in Profiles().names() else "svc-tui login"
