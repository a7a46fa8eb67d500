"""The console itself: `svc-tui` and `svc-tui open TARGET`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from svc_tui.commands.exits import WrongUsage
from svc_tui.commands.signals import ending_tidily


def open_console(place: str | None = None, *, profile: str = "", read_only: bool = False) -> int:
    """Open the console on a profile (the last used one when none is named), at a place if one is given."""
    need_a_terminal()
    from svc_tui.workspace.profiles.profiles import Profiles

    chosen = Profiles().load(profile)
    if chosen is not None and read_only:
        chosen = replace(chosen, read_only=True)
    from svc_tui.console.shell.app import WANTS_DEMO, run

    with ending_tidily():
        code = run(profile=chosen, place=place, read_only=read_only)
    if code != WANTS_DEMO:
        return code
    from svc_tui.commands.demo import demo

    return demo(read_only=read_only)


def need_a_terminal() -> None:
    """WrongUsage when there is no terminal to draw on and to type in."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and os.isatty(2)):
        raise WrongUsage(
            "The console needs a terminal; for scripts there is `svc-tui call`, and `ssh -t` gives one over SSH."
        )
    from svc_tui.console.terminal.capabilities import capabilities

    if capabilities(os.environ).dumb:
        term = os.environ.get("TERM", "")
        raise WrongUsage(f"No screen can be drawn on a terminal of the kind TERM={term}; `svc-tui call` works there.")
