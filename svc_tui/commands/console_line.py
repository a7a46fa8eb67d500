"""`svc-tui open TARGET` with options; without them a shorter way leads to the same console."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.options import ProfileName


def open_place(
    target: Annotated[str, Parameter(help="A place, such as `applications` or `applications/ID`.")],
    /,
    *,
    profile: ProfileName = "",
    read_only: Annotated[
        bool, Parameter(help="Refuse every operation that is not known to read.", negative="")
    ] = False,
) -> int:
    """Open the console at a place, such as `applications`."""
    from svc_tui.commands.console import open_console

    return open_console(target, profile=profile, read_only=read_only)
