"""`svc-tui demo`: the console on a private demo service, logged in, with nothing to set up and nothing left behind."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any

from cyclopts import Parameter

from svc_tui.commands.demo_service import Scale, demo_service
from svc_tui.commands.exits import WrongUsage, say
from svc_tui.commands.options import ReadOnly

DEFAULT_LOGIN = "company_admin@demo.example"


def demo(
    *,
    scale: Annotated[Scale, Parameter(help="How much demo data there is.")] = "small",
    as_: Annotated[
        str, Parameter(name="--as", help="The account to log in with; `svc-tui demo-accounts` names them.")
    ] = DEFAULT_LOGIN,
    read_only: ReadOnly = False,
) -> int:
    """Open the console on a private demo service, logged in; nothing stays behind."""
    from svc_tui.commands.console import need_a_terminal
    from svc_tui.server.demo.accounts import accounts

    need_a_terminal()
    login = _login(as_, accounts())
    with demo_service(scale) as service:
        if scale == "large":
            say("Preparing the demo data; this takes a little while …")
        # The console is loaded while the service starts.
        from svc_tui.console.shell.app import run

        service.wait()
        return run(profile=service.profile(login, read_only=read_only), place=None, read_only=read_only, demo=service)


def _login(wanted: str, known: dict[str, Any]) -> str:
    """The login of an account, also by its name alone. WrongUsage, with the nearest one, when there is none."""
    logins = [one["login"] for one in known["accounts"]]
    for login in (wanted, f"{wanted}@demo.example"):
        if login in logins:
            return login
    near = get_close_matches(wanted, logins, n=1)
    hint = f"did you mean {near[0]}?" if near else "`svc-tui demo-accounts` names them all."
    raise WrongUsage(f"There is no demo account {wanted!r}; {hint}")
