"""Applications on the start page."""

from __future__ import annotations

from svc_tui.console.core.home import Number, Readings


async def blocked(readings: Readings) -> Number:
    """The number of blocked applications."""
    body = await readings.read("list_applications", {}, {"state": "blocked", "limit": 1, "offset": 0})
    return Number(int(body.get("total") or 0))
