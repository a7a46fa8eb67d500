"""`svc-tui demo`: its options, for the parser. `demo_start` opens it without the parser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.demo_start import start_demo
from svc_tui.commands.options import Linear, ReadOnly
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from svc_tui.server.demo.scale import Scale


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
