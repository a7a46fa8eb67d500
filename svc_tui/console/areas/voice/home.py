"""Telephone systems on the dashboard: the CloudPBXs with their devices, and how many of these are in use."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.console.areas.voice.resources import PBX, STATUSES
from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.core.home import SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _, number_text

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
