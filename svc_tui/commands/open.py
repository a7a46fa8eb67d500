"""`svc-tui` and `svc-tui open TARGET` with options. Without options `start` opens the console directly."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands import console
from svc_tui.commands.options import Linear, ProfileName, ReadOnly


def open_console(*, profile: ProfileName = "", read_only: ReadOnly = False, linear: Linear = False) -> int:
    """Open the console."""
    return console.open_console(profile=profile, read_only=read_only, linear=linear)


def open_target(
    target: Annotated[str, Parameter(help="Place to open, for example `applications` or `applications/ID`.")],
    /,
    *,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
    linear: Linear = False,
) -> int:
    """Open the console at a place."""
    return console.open_console(target, profile=profile, read_only=read_only, linear=linear)
