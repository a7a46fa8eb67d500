"""`svc-tui login`, `logout` and `whoami`: the session that the other commands and the console use."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands import event_loop, sessions
from svc_tui.commands.options import AsJson, ProfileName


def login(
    *,
    profile: ProfileName = "",
    sso: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Log in with a browser, on this machine or another one."),
    ] = False,
    trust: Annotated[
        bool, Parameter(negative="", show_default=False, help="Do not require a code again in this application.")
    ] = False,
) -> None:
    """Log in, for other commands and for the console."""
    event_loop.run(sessions.log_in(profile, with_browser=sso, trust=trust))


def logout(*, profile: ProfileName = "") -> None:
    """End the session."""
    event_loop.run(sessions.log_out(profile))


def whoami(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show the user, the service and the remaining session time."""
    event_loop.run(sessions.whoami(profile, json=json))
