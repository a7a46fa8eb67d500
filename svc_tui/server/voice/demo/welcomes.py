"""Welcome services of the demo data: open, closed and in manual mode, with welcomes and office hours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, STORM
from svc_tui.server.demo.repeatable import Calendar, id_of
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.demo.exchanges import EXCHANGES, DemoExchange
from svc_tui.server.voice.demo.lines import DemoLine, ddi_id

_BY_COMPANY = {exchange.company: exchange for exchange in EXCHANGES}
_USER, _ATTENDANT, _OPEN, _CLOSED = "user", "auto_attendant", "office_hours", "closed_hours"


@dataclass(frozen=True, slots=True)
class DemoWelcomeService:
    """A welcome service: `ddis` are numbers in the block of its CloudPBX.

    `opened` and `closed` are overflows: a type, and the index of a subscriber for `user`, the name for
    `auto_attendant`, the number for `number`.
    """

    company: str
    name: str
    ddis: tuple[int, ...]
    hours: str
    opened: tuple[str, Any]
    closed: tuple[str, Any]
    manual: str = "default"
    to_voicemail: bool = False

    @property
    def key(self) -> str:
        return f"{self.company}/{self.name}"

    @property
    def exchange(self) -> DemoExchange:
        return _BY_COMPANY[self.company]

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its DDI numbers in E.164, the main one first."""
        return tuple(self.exchange.ddi(each) for each in self.ddis)


SERVICES = (
    DemoWelcomeService(NORTHWIND, "Reception", (0, 5_500), "Office", (_USER, 0), (_USER, 0), to_voicemail=True),
    DemoWelcomeService(NORTHWIND, "Sales", (5_510,), "Office", (_USER, 6), (_ATTENDANT, "Sales menu")),
    DemoWelcomeService(
        NORTHWIND, "Support", (5_520, 5_521, 5_522), "Around the clock", (_ATTENDANT, "Support menu"), (_OPEN, None)
    ),
    DemoWelcomeService(
        NORTHWIND, "Accounts department", (5_530,), "Mornings", (_USER, 9), ("number", "+351213456700"), "open"
    ),
    DemoWelcomeService(NORTHWIND, "Faults line", (5_540,), "Shops", (_CLOSED, None), (_USER, 12), to_voicemail=True),
    DemoWelcomeService(NORTHWIND, "Shop enquiries", (), "Shops", (_USER, 15), (_ATTENDANT, "Shops menu"), "closed"),
    DemoWelcomeService(LOGISTICS, "Warehouse", (0,), "Early shift", (_USER, 1), (_USER, 1), to_voicemail=True),
    DemoWelcomeService("bluebird", "Patients", (0, 70), "Clinic", (_USER, 0), ("number", "+441134960099")),
    DemoWelcomeService(STORM, "Workshop", (0,), "Workshop hours", (_USER, 0), (_USER, 0)),
)

_NINE_TO_SIX = [["09:00", "13:00"], ["14:00", "18:00"]]
_FRIDAY = [["09:00", "13:00"], ["14:00", "16:30"]]
_SHOP = [["10:00", "20:00"]]

#: company, name, the week from Sunday, exceptions
_HOURS: tuple[tuple[str, str, list[list[list[str]]], tuple[Document, ...]], ...] = (
    (
        NORTHWIND,
        "Office",
        [[], *[_NINE_TO_SIX] * 4, _FRIDAY, []],
        (
            {"month": 12, "mday": 25, "open": False},
            {"month": 1, "mday": 1, "open": False},
            {"month": 12, "mday": 24, "periods": [["09:00", "12:00"]], "open": True},
        ),
    ),
    (NORTHWIND, "Around the clock", [[["00:00", "24:00"]]] * 7, ()),
    (NORTHWIND, "Mornings", [[], *[[["09:00", "12:30"]]] * 5, []], ()),
    (NORTHWIND, "Shops", [[["11:00", "18:00"]], *[_SHOP] * 5, [["10:00", "21:00"]]], ()),
    (LOGISTICS, "Early shift", [[], *[[["05:30", "14:00"]]] * 6], ({"month": 8, "mday": 15, "open": False},)),
    ("bluebird", "Clinic", [[], *[[["08:00", "17:30"]]] * 5, [["09:00", "12:00"]]], ()),
    (STORM, "Workshop hours", [[], *[_NINE_TO_SIX] * 5, []], ()),
)

#: company, name, office hours
_WELCOMES = (
    (NORTHWIND, "Northwind greets", "Office"),
    (NORTHWIND, "Support greets", "Around the clock"),
    ("bluebird", "Bluebird greets", "Clinic"),
    (STORM, "Storm greets", "Workshop hours"),
)


def office_hours(calendar: Calendar) -> Iterator[Document]:
    """All office hours; one has a holiday next year."""
    year = int(calendar.ago(-60)[:4])
    for company, name, week, different in _HOURS:
        days = [*different]
        if name == "Office":
            days.append({"year": year, "month": 4, "mday": 25, "open": False})
        yield {
            "id": _hours_id(company, name),
            "systemId": _BY_COMPANY[company].id,
            "name": name,
            "officehours": {"openhours": week, "exceptions": days},
        }


def welcomes() -> Iterator[Document]:
    """All welcomes."""
    known = {(company, name): week for company, name, week, _ in _HOURS}
    for company, name, hours in _WELCOMES:
        yield {
            "id": id_of("welcome", f"{company}/{name}"),
            "systemId": _BY_COMPANY[company].id,
            "name": name,
            "officehours": {"openhours": known[company, hours], "exceptions": []},
        }


def services(calendar: Calendar, held: Iterable[DemoLine]) -> Iterator[Document]:
    """All welcome services, with destinations among these subscribers."""
    staff: dict[str, list[DemoLine]] = {}
    for line in held:
        staff.setdefault(line.exchange.company, []).append(line)
    for service in SERVICES:
        main, *further = service.numbers or ("",)
        document: Document = {
            "id": id_of("welcome service", service.key),
            "systemId": service.exchange.id,
            "name": service.name,
            "phoneNumberId": id_of("welcome service number", service.key),
            **({"externalNumber": main, "externalNumberId": ddi_id(main)} if main else {}),
            "secondaryDDIs": [{"phoneNumberId": ddi_id(each), "numberE164": each} for each in further],
            "timezone": service.exchange.timezone,
            "companyCalendarId": _hours_id(service.company, service.hours),
            "companyCalendarName": service.hours,
            "manualMode": _manual(calendar, service),
            "openHoursOverflow": _target(service, service.opened, staff),
            "closedHoursOverflow": _target(service, service.closed, staff, to_voicemail=service.to_voicemail),
            "isDefaultIvr": 0 in service.ddis,
        }
        for kind, name in (service.opened, service.closed):
            if kind == _ATTENDANT:
                document.update(voiceAutoAttendantId=id_of("attendant", name), voiceAutoAttendantName=name)
        yield document


def _hours_id(company: str, name: str) -> str:
    return id_of("office hours", f"{company}/{name}")


def _manual(calendar: Calendar, service: DemoWelcomeService) -> Document:
    if service.manual == "default":
        return {"mode": "default"}
    # Opened for some weeks; or closed without an end.
    dates = {"startDate": calendar.ago(3, service.key)}
    if service.manual == "open":
        dates["endDate"] = calendar.ago(-24, service.key)
    return {"mode": service.manual, **dates}


def _target(
    service: DemoWelcomeService, to: tuple[str, Any], staff: dict[str, list[DemoLine]], *, to_voicemail: bool = False
) -> Document:
    kind, what = to
    if kind == _USER:
        line = staff[service.company][what]
        user = {"destinationId": line.user["id"], "userId": line.user["id"], "userDisplayName": line.name}
        return {"type": kind, **user, "name": line.name, "number": line.short, "toVoicemail": to_voicemail}
    if kind == _ATTENDANT:
        return {"type": kind, "destinationId": id_of("attendant", what), "name": what}
    return {"type": kind, "number": what} if kind == "number" else {"type": kind}
