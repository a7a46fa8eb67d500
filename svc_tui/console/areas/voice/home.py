"""Telephone systems on the dashboard: the CloudPBXs with their devices, and how many of these are online; ranges of
numbers on the start page.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from svc_tui.cache.cached import RecordDict
from svc_tui.console.areas.voice.resources import PBX, STATUSES
from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.core.home import Number, SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import read_at
from svc_tui.interface.voice.findings import registered
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.reports import Reading
from svc_tui.workspace.voice.reports import NUMBERS

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: The most CloudPBXs that are shown, and the most devices that are asked for them: each takes a request.
MOST, MOST_ASKED = 12, 150
#: Seconds after which devices are asked again, and for which what they answered is shown.
AGAIN, CURRENT = 1800.0, 3600.0
_FIRST = {"format": "full", "limit": MOST, "offset": 0}
_ASSIGNED = {"assigned": True}


async def systems(reads: SharedReads) -> Sequence[GlanceRow]:
    """The first CloudPBXs of the caller's companies with their devices."""
    body = await reads.read("list_cloudpbxs", {}, _FIRST)
    return await asyncio.gather(*(_system(reads, each) for each in body.get("data") or ()))


async def _system(reads: SharedReads, pbx: Mapping[str, Any]) -> GlanceRow:
    id = str(pbx.get("id"))
    total, used = await asyncio.gather(_devices(reads, id), _devices(reads, id, **_ASSIGNED))
    online = await _online(reads.workspace, id)
    if online is not None:
        used, total = online
    status = str(pbx.get("status") or "")
    word, style = STATUSES.get(status, (status, ""))
    words = _("{used}/{total} in use") if online is None else _("{used}/{total} online")
    text = words.format(used=number_text(used), total=number_text(total))
    return GlanceRow(
        safe_text(str(pbx.get("name") or id)).text,
        text if style in ("", "ok") else _(word),
        Link(Place((PBX, id, "sipdevices"))),
        used=used,
        most=total,
        style="" if style == "ok" else style,
    )


async def _devices(reads: SharedReads, pbx_id: str, **filters: bool) -> int:
    body = await reads.read("list_sip_devices", {"systemId": pbx_id}, {"limit": 1, "offset": 0, **filters})
    return int(body.get("total") or 0)


async def _online(workspace: Workspace, pbx_id: str) -> tuple[int, int] | None:
    """How many of the assigned devices were online, and how many there are; None unless all were asked of late."""
    reading = Reading(workspace, since=0.0, sends=False)
    try:
        answers = [row async for row in _registrations(reading, pbx_id)]
    except ReadError:
        return None
    oldest = reading.oldest or 0.0
    if oldest < workspace.now() - CURRENT:
        return None
    then = datetime.fromtimestamp(oldest, UTC)
    return sum(bool(registered(rows, then)) for rows in answers), len(answers)


async def _registrations(reading: Reading, pbx_id: str) -> AsyncGenerator[list[RecordDict], None]:
    """The registrations of each assigned device of a CloudPBX. ReadError."""
    devices = await reading.all("list_sip_devices", {"systemId": pbx_id}, _ASSIGNED)

    async def read(device: RecordDict) -> list[RecordDict]:
        path = {"systemId": pbx_id, "deviceId": str(device["id"])}
        return await reading.all("list_sip_device_registrations", path)

    async with aclosing(reading.each(devices, read)) as found:
        async for _device, rows in found:
            yield rows


async def ask_devices(workspace: Workspace) -> None:
    """Ask the devices of the first CloudPBXs whether they are online, as far as they are few. ReadError."""
    if not workspace.decide("list_sip_device_registrations"):
        return
    reading = Reading(workspace, since=workspace.now() - AGAIN)
    body, asked = await workspace.read("list_cloudpbxs", {}, _FIRST), 0
    for pbx in body.get("data") or ():
        id = str(pbx.get("id"))
        asked += len(await reading.all("list_sip_devices", {"systemId": id}, _ASSIGNED))
        if asked > MOST_ASKED:
            return
        async for _rows in _registrations(reading, id):
            pass


async def nearly_used_up(reads: SharedReads) -> Number:
    """How many ranges of numbers are nearly used up, as the report was read last: the start page reads none of them."""
    reading = Reading(reads.workspace, since=0.0, sends=False)
    try:
        rows = [row async for part in NUMBERS.read(reading) for row in part]
    except ReadError:
        return Number(0)
    oldest = None if reading.oldest is None else datetime.fromtimestamp(reading.oldest, UTC)
    return Number(sum(bool(row["why"]) for row in rows), age=read_at(oldest))
