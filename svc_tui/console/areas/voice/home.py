"""Telephone systems on the dashboard: the CloudPBXs with their devices, and how many of these are in use; ranges of
numbers on the start page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from svc_tui.console.areas.voice.resources import PBX, STATUSES
from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.core.home import Number, SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import read_at
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.reports import Reading
from svc_tui.workspace.voice.reports import NUMBERS

#: The most CloudPBXs that are shown.
MOST = 12


async def systems(reads: SharedReads) -> Sequence[GlanceRow]:
    """The first CloudPBXs of the caller's companies with their devices."""
    body = await reads.read("list_cloudpbxs", {}, {"format": "full", "limit": MOST, "offset": 0})
    return await asyncio.gather(*(_system(reads, each) for each in body.get("data") or ()))


async def _system(reads: SharedReads, pbx: Mapping[str, Any]) -> GlanceRow:
    id = str(pbx.get("id"))
    total, used = await asyncio.gather(_devices(reads, id), _devices(reads, id, assigned=True))
    status = str(pbx.get("status") or "")
    word, style = STATUSES.get(status, (status, ""))
    in_use = _("{used}/{total} in use").format(used=number_text(used), total=number_text(total))
    return GlanceRow(
        safe_text(str(pbx.get("name") or id)).text,
        in_use if style in ("", "ok") else _(word),
        Link(Place((PBX, id, "sipdevices"))),
        used=used,
        most=total,
        style="" if style == "ok" else style,
    )


async def _devices(reads: SharedReads, pbx_id: str, **filters: bool) -> int:
    body = await reads.read("list_sip_devices", {"systemId": pbx_id}, {"limit": 1, "offset": 0, **filters})
    return int(body.get("total") or 0)


async def nearly_used_up(reads: SharedReads) -> Number:
    """How many ranges of numbers are nearly used up, as the report was read last: the start page reads none of them."""
    reading = Reading(reads.workspace, since=0.0, sends=False)
    try:
        rows = [row async for part in NUMBERS.read(reading) for row in part]
    except ReadError:
        return Number(0)
    oldest = None if reading.oldest is None else datetime.fromtimestamp(reading.oldest, UTC)
    return Number(sum(bool(row["why"]) for row in rows), age=read_at(oldest))
