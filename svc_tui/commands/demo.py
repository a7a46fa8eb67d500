"""`svc-tui demo` with its options, for the parser (`demo_start` opens it without), and `svc-tui demo-accounts`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands import output
from svc_tui.commands.demo_start import start_demo
from svc_tui.commands.options import AsJson, Linear, ReadOnly
from svc_tui.language import _
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT, accounts
from svc_tui.server.demo.repeatable import Scale


def demo(
    *,
    scale: Annotated[Scale, Parameter(help="Amount of demo data.")] = "small",
    as_: Annotated[
        str, Parameter(name="--as", help="Account to log in with. `svc-tui demo-accounts` lists all.")
    ] = DEFAULT_ACCOUNT.login,
    tour: Annotated[
        bool, Parameter(help="Show five tasks with automatic typing; any key stops it.", negative=())
    ] = False,
    pace: Annotated[float, Parameter(help="Length of the pauses of the tour; 0 runs it as a test.")] = 1.0,
    read_only: ReadOnly = False,
    linear: Linear = False,
    record: Annotated[
        Path | None, Parameter(help="Record the screen to this new file, as an asciicast.", show_default=False)
    ] = None,
) -> int:
    """Open the console on a private demo service, logged in."""
    return start_demo(scale=scale, account=as_, tour=tour, pace=pace, read_only=read_only, linear=linear, record=record)


def demo_accounts(*, json: AsJson = False) -> None:
    """List the demo accounts."""
    found = accounts()
    if json:
        output.write_json(found)
        return
    rows = [
        {"login": one["login"], "password": one["password"], "roles": ", ".join(one["roles"]), "note": one["note"]}
        for one in found["accounts"]
    ]
    output.write_table(rows, ("login", "password", "roles", "note"))
    output.write_line(
        _("\nApplication ID: {app_id}\nApplication secret: {app_secret}").format(
            app_id=found["appId"], app_secret=found["appSecret"]
        )
    )
