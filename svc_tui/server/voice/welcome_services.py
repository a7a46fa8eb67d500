"""Welcome services: listed with their present state, created, changed and deleted (2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import welcomes as declared
from svc_tui.interface.voice.hours import Schedule
from svc_tui.interface.voice.numbers import search_parts
from svc_tui.interface.voice.welcomes import WelcomeServiceBody, WelcomeServiceQuery, WelcomeServiceUpdate
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import AnyOf, Condition, Contains, In, Is, Not
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.office_hours import window
from svc_tui.server.voice.seen import belonging, company_of, locked_pbx, reached_pbx
from svc_tui.server.voice.targets import CLOSED, OPEN, check_targets, named
from svc_tui.server.voice.values import changes, given, merged
from svc_tui.server.voice.welcome_numbers import give, take, wanted

_CALENDAR, _WELCOME = "companyCalendarId", "welcomeId"
#: What replaces what was there as a whole: half of an overflow means nothing.
_WHOLE = (OPEN, CLOSED, "manualMode")
_BY_HOURS: Document = {"mode": "default"}


@rule(declared.list_welcome_services)
async def list_welcome_services(call: Call[WelcomeServiceQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    where: list[Condition] = [Is("systemId", pbx["id"])]
    if text := call.query.external_number:
        parts = sorted({text.strip(), *search_parts(text, pbx.get("country"))})
        where.append(AnyOf(tuple(Contains("externalNumber", part) for part in parts)))
    return {"data": await _shown(call, pbx, await window(call.store.welcome_services, call.query, *where))}


@rule(declared.create_welcome_service)
async def create_welcome_service(call: Call[Nothing, WelcomeServiceBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    ids = call.service.ids
    service = merged({"id": ids.record(), "phoneNumberId": ids.record(), "systemId": pbx["id"]}, values)
    return await _kept(call, pbx, {}, service, values)


@rule(declared.update_welcome_service)
async def update_welcome_service(call: Call[Nothing, WelcomeServiceUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    ivr = call.path["ivrId"]
    old = await belonging(call.store.welcome_services, pbx, ivr, "Welcome service")
    values = changes(call.body, "name", OPEN)
    service = merged({wire: value for wire, value in old.items() if wire not in _WHOLE or wire not in values}, values)
    return await _kept(call, pbx, old, service, values)


@rule(declared.delete_ivr)
async def delete_ivr(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    id = call.path["ivrId"]
    for thing, collection, used in (
        ("Welcome service", call.store.welcome_services, ""),
        ("Welcome", call.store.welcomes, _WELCOME),
        ("Office hours", call.store.office_hours, _CALENDAR),
    ):
        found = await collection.get(id)
        if found is None or found.get("systemId") != pbx["id"]:
            continue
        if used and (service := await call.store.welcome_services.one(Is(used, id))):
            raise Refusal(Code.WELCOME_IN_USE, f"the welcome service {service['name']} has it")
        await take(call.store, found)
        await collection.remove(id)
        return {"status": f"{thing} {id} successfully deleted", "data": []}
    raise not_found("Welcome service or welcome", id)


async def _kept(
    call: Call[Nothing, Any], pbx: Document, old: Document, service: Document, values: Document
) -> RuleResult:
    """Check a service as it would be, give it its numbers, and keep it."""
    await _check_hours(call, pbx, values)
    of_others = (Is("systemId", pbx["id"]), Not(Is("id", service["id"])))
    others = (await call.store.welcome_services.find(*of_others)).documents
    service |= await check_targets(call.store, pbx, service, values, others)
    service = await give(call.store, service, wanted(old, values))
    kept = await call.store.welcome_services.put(service)
    return {"data": (await _shown(call, pbx, [kept]))[0]}


async def _check_hours(call: Call[Nothing, Any], pbx: Document, values: Document) -> None:
    """Refuse (400000) hours that are not there, and a time set by hand that ends before it starts."""
    for wire, collection, thing in (
        (_CALENDAR, call.store.office_hours, "office hours"),
        (_WELCOME, call.store.welcomes, "welcome"),
    ):
        if values.get(wire):
            found = await collection.get(values[wire])
            if found is None or found.get("systemId") != pbx["id"]:
                raise invalid(Problem(wire, f"is no {thing} of this CloudPBX", values[wire]))
    manual = values.get("manualMode") or {}
    if manual.get("startDate") and manual.get("endDate") and manual["endDate"] <= manual["startDate"]:
        raise invalid(Problem("manualMode.endDate", "is not after its start", manual["endDate"]))


async def _shown(call: Call[Any, Any], pbx: Document, services: Sequence[Document]) -> list[Document]:
    """Services as they are read: with names, their hours, and whether they are open now."""
    timezone = (await company_of(call, pbx)).get("timezone")
    calendars = await _of(call, services, _CALENDAR)
    welcomes = await _of(call, services, _WELCOME)
    by_hand = await _by_hand(call, services)
    installation = pbx["cloudpbx"].get("installationNumberId")
    found = []
    for service in await named(call.store, services):
        calendar = calendars.get(str(service.get(_CALENDAR))) or {}
        welcome = welcomes.get(str(service.get(_WELCOME))) or {}
        manual = service.get("manualMode") or _BY_HOURS
        zone = service.get("timezone") or timezone or "UTC"
        hours = calendar.get("officehours") or welcome.get("officehours")
        known = {
            "companyCalendarName": calendar.get("name"),
            "welcomeName": welcome.get("name"),
            "timezone": zone,
            "state": "open" if Schedule(hours, zone, manual).at(call.now).open else "closed",
            "manualMode": manual,
            "welcomeServicesManualMode": by_hand.get(str(service.get(_CALENDAR)), []),
            "isDefaultIvr": installation is not None and service.get("externalNumberId") == installation,
        }
        found.append({**service, **{wire: value for wire, value in known.items() if value is not None}})
    return found


async def _of(call: Call[Any, Any], services: Sequence[Document], wire: str) -> dict[str, Document]:
    collection = call.store.office_hours if wire == _CALENDAR else call.store.welcomes
    ids = sorted({str(service[wire]) for service in services if service.get(wire)})
    return {each["id"]: each for each in (await collection.find(In("id", ids))).documents}


async def _by_hand(call: Call[Any, Any], services: Sequence[Document]) -> dict[str, list[Document]]:
    """What was set by hand of every service, by the calendar that it has."""
    calendars = sorted({str(service[_CALENDAR]) for service in services if service.get(_CALENDAR)})
    found: dict[str, list[Document]] = {}
    for each in (await call.store.welcome_services.find(In(_CALENDAR, calendars), sort=Sort("name"))).documents:
        manual = each.get("manualMode") or _BY_HOURS
        found.setdefault(each[_CALENDAR], []).append({"id": each["id"], "name": each["name"], **manual})
    return found
