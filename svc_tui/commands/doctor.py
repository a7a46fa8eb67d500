"""`svc-tui doctor`: the abilities of this terminal and this connection, and how the console uses them."""

from __future__ import annotations

from svc_tui.commands import abilities
from svc_tui.commands.options import AsJson, ProfileName


def doctor(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show what this terminal and this connection support."""
    abilities.show(profile, json=json)
