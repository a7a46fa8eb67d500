"""Profiles and the login inside the console: switching, logging in and out, and the role lens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.choice import Choice
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.shell.stage import StageScreen
from svc_tui.interface.access import Role
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace import user_records
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.client import login
    from svc_tui.client.client import Client
else:
    login = lazy_import("svc_tui.client.login")


def profile_names(__: StageScreen) -> Sequence[str]:
    """The names of the profiles; none when they cannot be read."""
    try:
        return Profiles().names()
    except ConfigurationError:
        return ()


def role_names(__: StageScreen) -> Sequence[str]:
    """The names of the roles."""
    return [role.value for role in Role]


async def switch_profile(frame: StageScreen, name: str) -> None:
    """Open another profile, chosen from a list when none is named; unsaved changes are discarded after a question."""
    current = frame.workspace.profile.name
    try:
        profiles = Profiles()
        if not name:
            name = await _chosen(frame, profiles, current)
        if not name:
            return
        if name == current:
            frame.show_message(_("The profile {name} is open.").format(name=name))
            return
        profile = profiles.load(name)
        if profile is None or (frame.loss and not await frame.ask(Question(_("Discard unsaved changes?"), frame.loss))):
            return
        profiles.use(name)
    except ConfigurationError as error:
        frame.show_message(str(error), "bad")
        return
    await frame.console.use_profile(profile)


async def _chosen(frame: StageScreen, profiles: Profiles, current: str) -> str:
    known = profiles.configuration.profiles
    if not known:
        frame.show_message(_("There are no profiles. Add one with `svc-tui profile add`."), "warn")
        return ""
    choices = [
        Choice(each.name, each.name, each.host, _("this profile is open") if each.name == current else "")
        for each in known.values()
    ]
    return await frame.ask(Picker(_("Profiles"), choices)) or ""


async def log_in_silently(client: Client) -> str:
    """Log in with the credentials of the profile; returns why it failed, empty otherwise.

    Nothing happens without credentials, or when another user was logged in last: waiting requests are theirs.
    """

    profile, session = client.profile, client.session
    # An API key works immediately; its user still has to be read.
    if session.state == "full" and not (session.key and session.user is None):
        return ""
    last = str((session.user or {}).get("loginEmail") or profile.login)
    if last.casefold() != profile.login.casefold():
        return ""
    try:
        if profile.method == "api_key" and profile.api_key:
            await login.with_api_key(client)
        elif profile.login and profile.password:
            await login.login_of_profile(client)
    except ServiceError as error:
        return str(error)
    return ""


async def log_in(frame: StageScreen, __: str) -> None:
    """Open the login dialog when no user is logged in."""
    session, user = frame.workspace.session, frame.workspace.user
    if session is not None and session.state == "full":
        name = (user or {}).get("loginEmail") or _("a user")
        frame.show_message(_("Already logged in as {name}. Log out first with :logout.").format(name=name), "warn")
    else:
        await frame.console.log_in()


async def log_out(frame: StageScreen, __: str) -> None:
    """End the session; the message names what stays on the disk."""
    client = frame.workspace.client
    if client is None or client.session.state != "full":
        frame.show_message(_("Not logged in."), "warn")
    elif client.session.key:
        frame.show_message(_("An API key has no session to end."), "warn")
    elif not frame.loss or await frame.ask(Question(_("Discard unsaved changes and log out?"), frame.loss)):
        address = await login.logout(client)
        try:
            left = user_records.forget_after_logout(frame.workspace.profile, frame.workspace.folders)
        except OSError as error:
            left = _("Cached records could not be removed ({reason}).").format(reason=error.strerror)
        browser = _(" To end the session in the browser too, open {address}").format(address=address) if address else ""
        if frame.workspace.profile.browse_cache != "always":
            await frame.reopen()
        for view in frame.stack:
            view.not_logged_in()
        frame.show_message(_("Logged out. {left}{browser}").format(left=left, browser=browser), "ok")


async def view_as_role(frame: StageScreen, name: str) -> None:
    """Look at everything as a role; without a name, end it."""
    if not name:
        if frame.workspace.lens is None:
            frame.show_message(_("Type :as and a role, for example :as support."), "warn")
        else:
            end_lens(frame)
        return
    if name not in role_names(frame):
        frame.show_message(
            _("Unknown role “{name}”. The roles are {role_names}.").format(
                name=name, role_names=", ".join(role_names(frame))
            ),
            "warn",
        )
        return
    frame.workspace.view_as_role(Role(name))
    frame.show_message(
        frame.registry.keys.sentence(_("Read-only, as {name} would see it. {{back}} or :as ends it.").format(name=name))
    )


def end_lens(frame: StageScreen) -> None:
    """See everything with the own roles again."""
    frame.workspace.view_as_role(None)
    frame.show_message(_("The role lens is off."))
