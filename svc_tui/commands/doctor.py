"""`svc-tui doctor`: the abilities of this terminal and this connection, and how the console uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.commands.options import AsJson, ProfileName
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import abilities
else:
    abilities = lazy_import("svc_tui.commands.abilities")


def doctor(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show what this terminal and this connection support."""
    abilities.show(profile, json=json)
