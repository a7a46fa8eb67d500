"""The part of a customer's documentation about telephony: numbers, extensions, devices and call flows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.data import RecordData
from svc_tui.interface.voice.call_route import route
from svc_tui.language import _
from svc_tui.workspace.files.document import Block
from svc_tui.workspace.lists.reports import Reading
from svc_tui.workspace.voice.reports import range_rows, system_fields


async def telephony(reading: Reading, company: RecordData) -> AsyncGenerator[Block, None]:
    """What each CloudPBX of a company has. ReadError."""
    systems = await reading.all("list_cloudpbxs", {}, {"companyId": str(company.get("id"))})
    if not systems:
        yield Block(_("Telephony"), sentence=_("The company has no CloudPBX."), level=2)
    for system in systems:
        async with aclosing(_system(reading, system)) as blocks:
            async for block in blocks:
                yield block


async def _system(reading: Reading, system: RecordDict) -> AsyncGenerator[Block, None]:
    path = {"systemId": str(system.get("id"))}
    status = _("Status: {status}.").format(status=system.get("status") or "—")
    yield Block(_("CloudPBX {name}").format(name=system.get("name") or path["systemId"]), sentence=status, level=2)
    numbers = await reading.all("list_ddi_numbers", path)
    ranges = [
        (each["first"], each["last"], each["size"], each["assigned"], each["free"])
        for each in range_rows(system_fields(system, ""), numbers)
    ]
    yield Block(_("Numbers"), (_("First"), _("Last"), _("Size"), _("Assigned"), _("Free")), ranges)
    subscribers = await reading.all("list_system_phone_numbers", path)
    extensions = [
        (each.get("shortNumber"), each.get("names"), each.get("externalNumber"), _further(each))
        for each in sorted(subscribers, key=lambda each: str(each.get("shortNumber") or ""))
    ]
    yield Block(_("Extensions"), (_("Extension"), _("Name"), _("Main number"), _("Further numbers")), extensions)
    devices = await reading.all("list_sip_devices", path)
    phones = [
        (
            each.get("description"),
            _model(each),
            each.get("macAddress"),
            each.get("shortNumber"),
            each.get("userDisplayName"),
        )
        for each in devices
    ]
    yield Block(_("Devices"), (_("Device"), _("Model"), _("MAC address"), _("Extension"), _("User")), phones)
    services = await reading.all("list_welcome_services", path)
    for each in services:
        yield Block(_("Calls to {name}").format(name=each.get("name")), drawing=flow(each, services))


def flow(service: RecordData, services: Sequence[RecordData]) -> list[str]:
    """The way of calls to a welcome service, in open and in closed hours, as a drawing."""
    lines = [str(service.get("externalNumber") or _("no number of its own")), "│", str(service.get("name") or "?")]
    if calendar := service.get("companyCalendarName"):
        lines.append(f"│  {calendar}")
    for open, corner, below in ((True, "├", "│"), (False, "└", " ")):
        word = _("open") if open else _("closed")
        first, *others = [hop.sentence for hop in route(service, open=open, services=services)] or ["—"]
        start = f"{corner}── {word} ──▸ "
        lines += [start + first, *(f"{below}".ljust(len(start) - 2) + f"▸ {each}" for each in others)]
    return lines


def _further(subscriber: RecordDict) -> str:
    held = subscriber.get("secondaryDDIs")
    return (
        ", ".join(str(each.get("numberE164")) for each in held if isinstance(each, dict))
        if isinstance(held, list)
        else ""
    )


def _model(device: RecordDict) -> str:
    kind = device.get("deviceType")
    return " ".join(str(kind[name]) for name in ("vendor", "model") if kind.get(name)) if isinstance(kind, dict) else ""
