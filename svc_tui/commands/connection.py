"""A client for one command, with its profile and the session that is kept between commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.client.api import Client, Profile, connect
from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.client.login import login_of_profile
from svc_tui.client.session_store import SessionStore
from svc_tui.commands.exits import NotLoggedIn, UsageError, print_message
from svc_tui.interface.access import Caller, Decision, Subject, decide, roles_of
from svc_tui.interface.catalogue import operation
from svc_tui.interface.operations import Credentials
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.client.resources import User

#: Credentials of the operations that can be called without a session.
WITHOUT_SESSION = frozenset({Credentials.NONE, Credentials.LOGIN, Credentials.BROWSER, Credentials.APPLICATION})


def chosen_profile(name: str = "", *, read_only: bool = False) -> Profile:
    """The profile for this command. UsageError when there is none."""
    profile = Profiles().load(name)
    if profile is None:
        raise UsageError(
            _("No connection profile. Run `svc-tui profile add NAME --base-url URL`, or set SVC_TUI_BASE_URL.")
        )
    if not profile.verified:
        unverified = _("The connection is not secure: the identity of the service is not verified.")
        print_message(profile.in_clear_text or unverified)
    return replace(profile, read_only=True) if read_only else profile


def session_store(profile: str) -> SessionStore:
    """The stored session of a profile."""
    return SessionStore(_sessions(), profile)


def _sessions() -> Path:
    return folders().data / "sessions"


@asynccontextmanager
async def opened(profile: Profile) -> AsyncIterator[Client]:
    """A client for a profile, not logged in yet."""
    async with connect(profile, sessions=_sessions()) as client:
        yield client


@asynccontextmanager
async def connected(
    name: str = "", *, read_only: bool = False, credentials: Credentials = Credentials.CALLER
) -> AsyncIterator[Client]:
    """A client that is logged in if the operation requires it. NotLoggedIn when that is not possible."""
    async with opened(chosen_profile(name, read_only=read_only)) as client:
        if credentials is Credentials.LOGIN and not (client.profile.login and client.profile.password):
            # An empty password would count as a failed attempt.
            raise UsageError(
                _("SVC_TUI_LOGIN and SVC_TUI_PASSWORD are required. `svc-tui login` has a password prompt.")
            )
        if credentials not in WITHOUT_SESSION:
            await _resume(client)
        yield client


async def _resume(client: Client) -> None:
    """Restore the stored session, or log in with the credentials of the environment.

    With these, a session that the service refuses is replaced, once for each request.
    """
    session, profile = client.session, client.profile
    if profile.login and profile.password:
        client.most_logins = 1
        session.open_login = lambda _ended: _log_in(client)
    if session.state == "full" or session.restore():
        return
    if session.open_login is None:
        stored = session_store(profile.name).read()
        expired = stored is not None and stored.is_of(profile)
        raise NotLoggedIn(
            f"{_('Session expired') if expired else _('Not logged in to {host}').format(host=profile.host)}. "
            f"{_hint(profile)}"
        )
    await _log_in(client)


async def _log_in(client: Client) -> bool:
    """Log in with the credentials of the environment. NotLoggedIn when they are not enough."""
    if (await login_of_profile(client)).mfa_required:
        raise NotLoggedIn(_("This account requires a second factor. {hint}").format(hint=_hint(client.profile)))
    return True


def _hint(profile: Profile) -> str:
    return _("Run `{login_command}` to log in.").format(login_command=_login_command(profile))


def _login_command(profile: Profile) -> str:
    """The command that logs in to this profile. A profile from the environment has no name."""
    return f"svc-tui login --profile {profile.name}" if profile.name in Profiles().names() else "svc-tui login"


class ClientService:
    """The client with operations by name, as the workspace uses them."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
    ) -> dict[str, Any]:
        """The body of a response. ServiceError."""
        answer = await self._client.send(operation(operation_id), path=path or {}, query=query or {}, body=body)
        return dict(answer.body)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response. ReadError, with the client's error as its cause."""
        try:
            return await self.perform(operation_id, path=path, query=query)
        except ServiceError as error:
            raise ReadError(error.sentence, offline=isinstance(error, Unreachable)) from error


class UserService(ClientService):
    """The client, with the rights of the user who is logged in."""

    def __init__(self, client: Client, user: User) -> None:
        super().__init__(client)
        roles = roles_of(user.roles, user.admin_type)
        self.caller = Caller(user.id, roles, user.company_id, user.organisation_id or "", user.site_id or "")

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        return decide(operation(operation_id).who, self.caller, subject)
