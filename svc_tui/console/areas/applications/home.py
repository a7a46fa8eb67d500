"""Applications on the start page."""

from __future__ import annotations

from svc_tui.workspace.workspace import Workspace


async def blocked(workspace: Workspace) -> int:
    """The number of blocked applications."""
    body = await workspace.read("list_applications", {}, {"state": "blocked", "limit": 1, "offset": 0})
    return int(body.get("total") or 0)
