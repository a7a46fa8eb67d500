"""Applications on the start page."""

from __future__ import annotations

from svc_tui.console.core.home import Number, SharedReads


async def blocked(reads: SharedReads) -> Number:
    """The number of blocked applications."""
    body = await reads.read("list_applications", {}, {"state": "blocked", "limit": 1, "offset": 0})
    return Number(int(body.get("total") or 0))
