"""`svc-tui` and `svc-tui open TARGET`: the console."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.commands.demo_start import prepare_console, start_demo, use_linear_mode
from svc_tui.commands.event_loop import exit_on_signals
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.console.shell import app
else:
    app = lazy_import("svc_tui.console.shell.app")


def open_console(place: str | None = None, *, profile: str = "", read_only: bool = False, linear: bool = False) -> int:
    """Open the console with a profile (default: the last used one), at a place if one is given."""
    prepare_console(linear=linear)
    known = Profiles()
    chosen = known.load(profile)
    if known.configuration.general.get("linear"):
        use_linear_mode()
    if chosen is not None and read_only:
        chosen = replace(chosen, read_only=True)
    with exit_on_signals():
        code = app.run(profile=chosen, place=place, read_only=read_only)
    return start_demo(read_only=read_only) if code == app.WANTS_DEMO else code
