"""Reports across the CloudPBXs of all companies: DDI numbers by range, and devices that are offline."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import area_of
from svc_tui.interface.voice.findings import registered
from svc_tui.language import _
from svc_tui.workspace.lists.reports import Reading, Report, ReportColumn

R = TypeVar("R")

#: The share of free numbers below which a range is nearly used up, and the size of the smallest range that can be:
#: single numbers are ordered as they are needed.
LEAST_FREE, SMALLEST = 0.1, 10
#: The fields of a number with who has it.
HOLDERS = ("userId", "ivrId", "groupId", "voiceAutoAttendantId")


def range_rows(of_system: RecordDict, numbers: Iterable[RecordData]) -> Iterator[RecordDict]:
    """The DDI numbers of a CloudPBX as ranges of consecutive numbers, with how many are assigned and free.

    `of_system`: the fields of each row that name the CloudPBX and its company.
    """
    by_number = {str(each.get("numberE164") or each.get("number") or ""): each for each in numbers}
    ordered = sorted((number for number in by_number if number), key=lambda number: (len(number), number))
    ranges: list[list[str]] = []
    for number in ordered:
        if ranges and _follows(ranges[-1][-1], number):
            ranges[-1].append(number)
        else:
            ranges.append([number])
    for each in ranges:
        assigned = sum(any(by_number[number].get(holder) for holder in HOLDERS) for number in each)
        free = len(each) - assigned
        yield {
            "id": f"{of_system['systemId']}:{each[0]}",
            **of_system,
            "area": area_of(each[0]),
            "first": each[0],
            "last": each[-1],
            "size": len(each),
            "assigned": assigned,
            "free": free,
            "freeShare": round(free / len(each), 4),
            "why": _("nearly used up") if len(each) >= SMALLEST and free < len(each) * LEAST_FREE else "",
        }


def _follows(number: str, next_number: str) -> bool:
    """Whether a number is the next one after another: of equal length, so that leading zeros count."""
    one, other = number.removeprefix("+"), next_number.removeprefix("+")
    return len(one) == len(other) and one.isdecimal() and other.isdecimal() and int(other) == int(one) + 1


async def _numbers(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async with aclosing(_each(reading, lambda path: reading.all("list_ddi_numbers", path))) as systems:
        async for of_system, numbers in systems:
            yield [*range_rows(of_system, numbers)]


def area_rows(of_system: RecordDict, numbers: Iterable[RecordData]) -> Iterator[RecordDict]:
    """The DDI numbers of a CloudPBX by area: how many are assigned and free."""
    areas: dict[str, RecordDict] = {}
    for each in range_rows(of_system, numbers):
        name = each["area"]
        row = areas.setdefault(name, {"id": f"{of_system['systemId']}:{name}", **of_system, "area": name})
        for field in ("size", "assigned", "free"):
            row[field] = row.get(field, 0) + each[field]
    yield from areas.values()


async def _areas(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async with aclosing(_each(reading, lambda path: reading.all("list_ddi_numbers", path))) as systems:
        async for of_system, numbers in systems:
            yield [*area_rows(of_system, numbers)]


async def _devices(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    def assigned(path: dict[str, str]) -> Awaitable[list[RecordDict]]:
        return reading.all("list_sip_devices", path, {"assigned": True})

    async with aclosing(_each(reading, assigned)) as systems:
        async for of_system, devices in systems:
            async with aclosing(reading.each(devices, partial(_registrations, reading, of_system), _device)) as read:
                async for device, (seen, registrations) in read:
                    if not registered(registrations, reading.now):
                        yield [_device_row(of_system, device, seen)]


async def _registrations(reading: Reading, of_system: RecordDict, device: RecordDict) -> tuple[str, list[RecordDict]]:
    """When this console last saw a device online, and its registrations now."""
    operation, id = "list_sip_device_registrations", str(device["id"])
    path = {"systemId": str(of_system["systemId"]), "deviceId": id}
    seen = await reading.last_seen(operation, path, id)
    return seen, await reading.all(operation, path)


def number_rows(
    of_system: RecordDict,
    numbers: Iterable[RecordData],
    subscribers: Iterable[RecordData],
    sites: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[RecordDict]:
    """Each DDI number of a CloudPBX with its holder, and extension and site of the holder; free ones have none.

    `sites`: the name of the site of a user, by the ID of the user.
    """
    extensions = {each.get("userId"): each.get("shortNumber") for each in subscribers if each.get("userId")}
    for each in numbers:
        held = any(each.get(holder) for holder in HOLDERS)
        service = _("welcome service") if each.get("ivrId") else ""
        yield {
            "id": str(each.get("id")),
            **of_system,
            "number": each.get("numberE164") or each.get("number"),
            "holder": (each.get("names") or service or _("assigned")) if held else None,
            "shortNumber": extensions.get(each.get("userId")) if each.get("userId") else None,
            "siteName": sites.get(str(each.get("userId"))),
            "isMain": bool(each.get("userId")) and not each.get("isAssignedAsSecondaryCloudPbxDDI"),
            "free": not held,
        }


async def _ddis(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async def both(path: dict[str, str]) -> tuple[list[RecordDict], list[RecordDict]]:
        return await reading.all("list_ddi_numbers", path), await reading.all("list_system_phone_numbers", path)

    sites = await _sites(reading)
    async with aclosing(_each(reading, both)) as systems:
        async for of_system, (numbers, subscribers) in systems:
            yield [*number_rows(of_system, numbers, subscribers, sites)]


async def _sites(reading: Reading) -> Mapping[str, str]:
    """The names of the sites of users, by the IDs of the users; empty where the role may not read both. ReadError."""
    if not (reading.may("list_sites", _("sites")) and reading.may("list_users", _("users"))):
        return {}
    async with aclosing(reading.pages("list_sites", company="companyId")) as parts:
        names = {str(row.get("id")): str(row.get("name") or "") async for rows in parts for row in rows}
    async with aclosing(reading.users()) as parts:
        return {
            str(user["id"]): names.get(str(user["siteId"]), "")
            async for users in parts
            for user in users
            if user.get("siteId")
        }


async def _each(
    reading: Reading, read: Callable[[dict[str, str]], Awaitable[R]]
) -> AsyncGenerator[tuple[RecordDict, R], None]:
    """What is read of each CloudPBX, with the fields of its rows that name it and its company. ReadError."""
    names = await reading.names()
    systems = [row async for rows in reading.pages("list_cloudpbxs", company="companyId") for row in rows]
    found = reading.each(
        systems,
        lambda system: read({"systemId": str(system["id"])}),
        lambda system: str(system.get("name") or system.get("id")),
    )
    async with aclosing(found) as results:
        async for system, result in results:
            company = names.get(str(system.get("companyId")), "")
            yield system_fields(system, company), result


def system_fields(system: RecordData, company: str) -> RecordDict:
    """The fields of a row that name a CloudPBX and its company."""
    return {
        "systemId": system.get("id"),
        "companyId": system.get("companyId"),
        "companyName": company,
        "systemName": system.get("name"),
    }


def _device(device: RecordData) -> str:
    return str(device.get("description") or device["id"])


def _device_row(of_system: RecordDict, device: RecordData, seen: str) -> RecordDict:
    model = device.get("deviceType")
    kind = model if isinstance(model, dict) else {}
    return {
        "id": str(device.get("id")),
        **of_system,
        "description": device.get("description"),
        "macAddress": device.get("macAddress"),
        "model": " ".join(str(kind[name]) for name in ("vendor", "model") if kind.get(name)),
        "userDisplayName": device.get("userDisplayName"),
        "shortNumber": device.get("shortNumber"),
        "lastSeen": seen or None,
    }


_COMPANY = ReportColumn(field="companyName", title=_("COMPANY"), width=18, flex=2)
_SYSTEM = ReportColumn(field="systemName", title=_("CLOUDPBX"), width=14, flex=1, priority=3)

NUMBERS = Report(
    name="numbers",
    title=_("Numbers"),
    help=_("DDI numbers by range: how many are assigned and free, and which ranges are nearly used up"),
    columns=(
        _COMPANY,
        _SYSTEM,
        ReportColumn(field="first", title=_("FIRST"), width=16),
        ReportColumn(field="last", title=_("LAST"), width=16, priority=1),
        ReportColumn(field="size", title=_("SIZE"), type="number", width=7),
        ReportColumn(field="assigned", title=_("ASSIGNED"), type="number", width=9, priority=2),
        ReportColumn(field="free", title=_("FREE"), type="number", width=7),
        ReportColumn(field="freeShare", title=_("FREE PART"), type="share", width=11),
        ReportColumn(field="why", title=_("REASON"), width=14),
        ReportColumn(field="area", title=_("AREA"), width=9, priority=4),
    ),
    operation="list_cloudpbxs",
    read=_numbers,
    sort="freeShare",
)
AREAS = Report(
    name="areas",
    title=_("Free numbers by area"),
    help=_("DDI numbers by country and area code: how many each customer has assigned and free"),
    columns=(
        ReportColumn(field="area", title=_("AREA"), width=9),
        _COMPANY,
        _SYSTEM,
        ReportColumn(field="size", title=_("SIZE"), type="number", width=7, priority=1),
        ReportColumn(field="assigned", title=_("ASSIGNED"), type="number", width=9, priority=2),
        ReportColumn(field="free", title=_("FREE"), type="number", width=7),
    ),
    operation="list_cloudpbxs",
    read=_areas,
    sort="area",
)
DEVICES = Report(
    name="devices",
    title=_("Offline devices"),
    help=_("Devices that are assigned and not online, with when this console last saw them"),
    columns=(
        _COMPANY,
        _SYSTEM,
        ReportColumn(field="description", title=_("DEVICE"), width=16, flex=2),
        ReportColumn(field="model", title=_("MODEL"), width=14, flex=1, priority=2),
        ReportColumn(field="macAddress", title=_("MAC ADDRESS"), width=17, priority=1),
        ReportColumn(field="userDisplayName", title=_("USER"), width=16, flex=2),
        ReportColumn(field="shortNumber", title=_("EXTENSION"), width=9),
        ReportColumn(field="lastSeen", title=_("LAST SEEN"), type="moment", width=16),
    ),
    operation="list_cloudpbxs",
    read=_devices,
    sort="companyName",
)
DDIS = Report(
    name="ddis",
    title=_("DDI numbers of all companies"),
    help=_("Each DDI number with its holder, extension and site; free ones have none"),
    columns=(
        _COMPANY,
        _SYSTEM,
        ReportColumn(field="number", title=_("NUMBER"), width=16),
        ReportColumn(field="holder", title=_("HOLDER"), width=18, flex=2),
        ReportColumn(field="shortNumber", title=_("EXTENSION"), width=9),
        ReportColumn(field="siteName", title=_("SITE"), width=12, flex=1, priority=2),
        ReportColumn(field="isMain", title=_("MAIN"), type="yes", width=5, priority=3),
        ReportColumn(field="free", title=_("FREE"), type="yes", width=5, priority=1),
    ),
    operation="list_cloudpbxs",
    read=_ddis,
    sort="number",
)
