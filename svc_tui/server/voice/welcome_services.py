"""Welcome services: list with their current state, creation, update and deletion, and their DDI numbers: a main number,
and further ones in their order (2.17, 4.7). Welcomes and office hours, which company calendars replace, still work.
"""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import search_parts
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice import office_hours
from svc_tui.interface.voice import welcomes as declared
from svc_tui.interface.voice.call_route import loop_of
from svc_tui.interface.voice.hours import Schedule
from svc_tui.interface.voice.office_hours import Hours, NamedQuery, OfficeHoursBody, OfficeHoursUpdate, WelcomeBody
from svc_tui.interface.voice.week import is_day
from svc_tui.interface.voice.welcomes import (
    ManualMode,
    ServiceManualMode,
    WelcomeService,
    WelcomeServiceBody,
    WelcomeServiceQuery,
    WelcomeServiceUpdate,
)
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import merged, non_null_values, update_of, values_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import AnyOf, Condition, Contains, In, Is, Not
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import company_of, locked_pbx, reached_pbx, record_of_pbx
from svc_tui.server.voice.ddis import holder_of, released, secondary, set_order
from svc_tui.server.voice.deletion import refuse_while_used
from svc_tui.server.voice.overflows import CLOSED, OPEN, check_overflows, with_names
from svc_tui.server.voice.stored import (
    StoredCloudPbx,
    StoredDdi,
    StoredOfficeHours,
    StoredWelcome,
    StoredWelcomeService,
)


@rule(office_hours.list_welcomes)
async def list_welcomes(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await named_page(call.store.welcomes, call.query, Is("systemId", pbx.id))}


@rule(office_hours.create_welcome)
async def create_welcome(call: Call[Nothing, WelcomeBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    welcome = {"id": call.service.ids.record(), "systemId": pbx.id, **values_of(call.body)}
    return {"data": await call.store.welcomes.add(welcome)}


@rule(office_hours.get_welcome)
async def get_welcome(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    id = call.path["welcomeId"]
    return {"data": document_of(await record_of_pbx(StoredWelcome, call.store.welcomes, pbx, id, "Welcome"))}


@rule(office_hours.list_office_hours)
async def list_office_hours(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await named_page(call.store.office_hours, call.query, Is("systemId", pbx.id))}


@rule(office_hours.create_office_hours)
async def create_office_hours(call: Call[Nothing, OfficeHoursBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    _check_days(call.body.officehours)
    hours = {"id": call.service.ids.record(), "systemId": pbx.id, **non_null_values(call.body)}
    return {"data": await call.store.office_hours.add(hours)}


@rule(office_hours.get_office_hours)
async def get_office_hours(call: Call) -> RuleResult:
    return {"data": document_of(await _hours(call, await reached_pbx(call)))}


@rule(office_hours.update_office_hours)
async def update_office_hours(call: Call[Nothing, OfficeHoursUpdate]) -> RuleResult:
    hours = await _hours(call, await locked_pbx(call))
    _check_days(call.body.officehours)
    values = {**document_of(hours), **update_of(call.body, "name")}
    changed = {wire: value for wire, value in values.items() if value is not None}
    return {"data": await call.store.office_hours.put(changed)}


def _check_days(hours: Hours | None) -> None:
    """Refuse (400000) exceptions on days that their month does not have."""
    wrong = [
        Problem(f"officehours.exceptions.{place}.mday", "is not a day of this month", each.mday)
        for place, each in enumerate((hours and hours.exceptions) or ())
        if not is_day(each.year, each.month, each.mday)
    ]
    if wrong:
        raise invalid(*wrong)


async def named_page(collection: DocumentCollection, query: NamedQuery, *where: Condition) -> list[Document]:
    """The matching records by name: all, or a page."""
    if query.name:
        where = (*where, Contains("name", query.name))
    found = await collection.find(*where, sort=Sort("name"), limit=query.limit, offset=query.offset or 0)
    return found.documents


async def _hours(call: AnyCall, pbx: StoredCloudPbx) -> StoredOfficeHours:
    id = call.path["officeHoursId"]
    return await record_of_pbx(StoredOfficeHours, call.store.office_hours, pbx, id, "Office hours")


_CALENDAR, _WELCOME = "companyCalendarId", "welcomeId"
#: Objects that an update replaces instead of merging: a part of an overflow has no meaning alone.
_REPLACED = (OPEN, CLOSED, "manualMode")

_ServiceCall = Call[Nothing, WelcomeServiceBody] | Call[Nothing, WelcomeServiceUpdate]


@rule(declared.list_welcome_services)
async def list_welcome_services(call: Call[WelcomeServiceQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    _check_page(call.query)
    where: list[Condition] = [Is("systemId", pbx.id)]
    if text := call.query.external_number:
        parts = sorted({text.strip(), *search_parts(text, pbx.country)})
        where.append(AnyOf(tuple(Contains("externalNumber", part) for part in parts)))
    found = await named_page(call.store.welcome_services, call.query, *where)
    return {"data": await _represented(call, pbx, all_typed(StoredWelcomeService, found))}


def _check_page(query: WelcomeServiceQuery) -> None:
    """Refuse (400000) a limit without an offset, or the reverse."""
    for one, other in (("limit", "offset"), ("offset", "limit")):
        if getattr(query, one) is not None and getattr(query, other) is None:
            raise invalid(Problem(other, f"is required with {one}"))


@rule(declared.create_welcome_service)
async def create_welcome_service(call: Call[Nothing, WelcomeServiceBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = non_null_values(call.body)
    ids = call.service.ids
    new = merged({"id": ids.record(), "phoneNumberId": ids.record(), "systemId": pbx.id}, values)
    return await _stored(call, pbx, None, typed(StoredWelcomeService, new), values)


@rule(declared.update_welcome_service)
async def update_welcome_service(call: Call[Nothing, WelcomeServiceUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    id = call.path["ivrId"]
    old = await record_of_pbx(StoredWelcomeService, call.store.welcome_services, pbx, id, "Welcome service")
    values = update_of(call.body, "name", OPEN)
    kept = {wire: value for wire, value in document_of(old).items() if wire not in _REPLACED or wire not in values}
    return await _stored(call, pbx, old, typed(StoredWelcomeService, merged(kept, values)), values)


@rule(declared.delete_ivr)
async def delete_ivr(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    id = call.path["ivrId"]
    for thing, collection, kind in (
        ("Welcome service", call.store.welcome_services, "welcomeservices"),
        ("Welcome", call.store.welcomes, "welcomes"),
        ("Office hours", call.store.office_hours, "officehours"),
    ):
        found = await collection.one(Is("id", id), Is("systemId", pbx.id))
        if found is None:
            continue
        await refuse_while_used(call.store, kind, found, Code.WELCOME_IN_USE)
        await release_numbers(call.store, id)
        await collection.remove(id)
        return {"status": f"{thing} {id} successfully deleted", "data": []}
    raise not_found("Welcome service or welcome", id)


async def _stored(
    call: _ServiceCall,
    pbx: StoredCloudPbx,
    old: StoredWelcomeService | None,
    service: StoredWelcomeService,
    values: Document,
) -> RuleResult:
    """Check a service with its new values, assign its numbers, and store it."""
    await _check_hours(call, pbx, old)
    of_others = (Is("systemId", pbx.id), Not(Is("id", service.id)))
    others = all_typed(StoredWelcomeService, (await call.store.welcome_services.find(*of_others)).documents)
    await check_overflows(call, pbx, service, old, others)
    service = await assign_numbers(call.store, service, requested_numbers(old, call.body))
    _check_loop(service, others, values)
    await call.store.welcome_services.put(document_of(service))
    return {"data": (await _represented(call, pbx, [service]))[0]}


def _check_loop(service: StoredWelcomeService, others: Sequence[StoredWelcomeService], values: Document) -> None:
    """Refuse (400000) what sends calls round in a loop: a destination in closed hours, or a number for the service."""
    changed = [wire for wire in (CLOSED, OPEN, *NUMBERS) if wire in values]
    if changed and (names := loop_of(document_of(service), [document_of(each) for each in others])):
        number = service.closed_hours_overflow and service.closed_hours_overflow.number
        param = f"{CLOSED}.number" if changed[0] == CLOSED else changed[0]
        raise invalid(Problem(param, f"sends calls round in a loop: {', '.join(names)}", number))


async def _check_hours(call: _ServiceCall, pbx: StoredCloudPbx, old: StoredWelcomeService | None) -> None:
    """Refuse (400000) unknown hours, and a manual mode that ends before it starts, or is over already."""
    body = call.body
    for wire, id, collection, thing in (
        (_CALENDAR, body.company_calendar_id, call.store.office_hours, "an office hours record"),
        (_WELCOME, body.welcome_id, call.store.welcomes, "a welcome"),
    ):
        if id and await collection.one(Is("id", id), Is("systemId", pbx.id)) is None:
            raise invalid(Problem(wire, f"is not {thing} of this CloudPBX", id))
    manual = body.manual_mode
    if manual and manual.start_date and manual.end_date and stamp(manual.end_date) <= stamp(manual.start_date):
        raise invalid(Problem("manualMode.endDate", "is not after its start", stamp(manual.end_date)))
    is_kept = manual is not None and old is not None and values_of(manual) == document_of(old.manual_mode)
    if manual and not is_kept and manual.mode != "default" and manual.end_date and stamp(manual.end_date) <= call.stamp:
        raise invalid(Problem("manualMode.endDate", "is past: the manual mode is over", stamp(manual.end_date)))


#: Without a state: hours in a time zone that this machine does not know.
_STATES: dict[bool | None, str | None] = {True: "open", False: "closed", None: None}


async def _represented(call: AnyCall, pbx: StoredCloudPbx, services: Sequence[StoredWelcomeService]) -> list[Document]:
    """Services in responses: with names, their hours, and whether they are open now."""
    company = await company_of(call, pbx)
    calendars = await _calendars(call, services)
    welcomes = await _welcomes(call, services)
    manual_modes = await _manual_modes(call, services)
    installation = pbx.cloudpbx.installation_number_id
    found = []
    for service in await with_names(call.store, services):
        calendar = calendars.get(service.company_calendar_id or "")
        welcome = welcomes.get(service.welcome_id or "")
        manual = _manual_mode(service)
        zone = service.timezone or (company and company.timezone) or "UTC"
        hours = (calendar and calendar.officehours) or (welcome and welcome.officehours)
        schedule = Schedule(document_of(hours) if hours else None, zone, document_of(manual))
        service.timezone = zone
        service.state = _STATES[schedule.at(call.now).open]
        service.manual_mode = manual
        service.welcome_services_manual_mode = manual_modes.get(service.company_calendar_id or "", [])
        service.is_default_ivr = installation is not None and service.external_number_id == installation
        if calendar:
            service.company_calendar_name = calendar.name
        if welcome:
            service.welcome_name = welcome.name
        found.append(WelcomeService.answered(document_of(service), "full"))
    return found


def _manual_mode(service: StoredWelcomeService) -> ManualMode:
    return service.manual_mode or typed(ManualMode, {"mode": "default"})


async def _calendars(call: AnyCall, services: Sequence[StoredWelcomeService]) -> dict[str, StoredOfficeHours]:
    ids = sorted({service.company_calendar_id for service in services if service.company_calendar_id})
    found = all_typed(StoredOfficeHours, (await call.store.office_hours.find(In("id", ids))).documents)
    return {hours.id: hours for hours in found}


async def _welcomes(call: AnyCall, services: Sequence[StoredWelcomeService]) -> dict[str, StoredWelcome]:
    ids = sorted({service.welcome_id for service in services if service.welcome_id})
    found = all_typed(StoredWelcome, (await call.store.welcomes.find(In("id", ids))).documents)
    return {welcome.id: welcome for welcome in found}


async def _manual_modes(call: AnyCall, services: Sequence[StoredWelcomeService]) -> dict[str, list[ServiceManualMode]]:
    """The manual modes of all services with these calendars, by calendar."""
    ids = sorted({service.company_calendar_id for service in services if service.company_calendar_id})
    documents = (await call.store.welcome_services.find(In(_CALENDAR, ids), sort=Sort("name"))).documents
    found: dict[str, list[ServiceManualMode]] = {}
    for each in all_typed(StoredWelcomeService, documents):
        mode = typed(ServiceManualMode, {"id": each.id, "name": each.name, **document_of(_manual_mode(each))})
        found.setdefault(each.company_calendar_id or "", []).append(mode)
    return found


#: The fields of a service with its numbers: the main one, and further ones.
NUMBERS = _MAIN_ID, _MORE = "externalNumberId", "secondaryDDIs"


def requested_numbers(old: StoredWelcomeService | None, body: WelcomeServiceBody | WelcomeServiceUpdate) -> list[str]:
    """The ids of the numbers that a service has after a change, the main one first.

    Without a main number the first further number becomes it. Refusal 400000 for a number that is named twice.
    """
    main = old and old.external_number_id
    more = [each.phone_number_id for each in (old and old.secondary_ddis) or () if each.phone_number_id]
    if "external_number_id" in body.model_fields_set:
        main = body.external_number_id
    if "secondary_ddis" in body.model_fields_set:
        more = [each.phone_number_id for each in body.secondary_ddis or ()]
    else:
        # A further number that becomes the main one moves to the first place.
        more = [each for each in more if each != main]
    found = [*([main] if main else []), *more]
    if twice := next((each for each in found if found.count(each) > 1), None):
        raise invalid(Problem(_MORE, "names a number twice, or the main one", twice))
    return found


async def assign_numbers(store: Store, service: StoredWelcomeService, ids: Sequence[str]) -> StoredWelcomeService:
    """Assign exactly these numbers to a service, and release those it had before. Returns the service with them.

    Refusal 400000 for an id that is no number of this CloudPBX, 409000 for a number of another holder.
    """
    found = {ddi.id: ddi for ddi in all_typed(StoredDdi, (await store.ddis.find(In("id", list(ids)))).documents)}
    for id in ids:
        ddi = found.get(id)
        if ddi is None or ddi.system_id != service.system_id:
            raise invalid(Problem(_MAIN_ID if id == ids[0] else _MORE, "is not a DDI number of this CloudPBX", id))
        if ddi.ivr_id != service.id and (holder := holder_of(ddi)):
            raise Refusal(Code.ALREADY_EXISTS, f"The number {ddi.number_e164} already belongs to {holder}.")
    await release_numbers(store, service.id)
    for order, id in enumerate(ids):
        ddi = released(found[id])
        ddi.ivr_id, ddi.names = service.id, service.name
        set_order(ddi, order)
        await store.ddis.put(document_of(ddi))
    changed = copied(service)
    del changed.external_number, changed.external_number_id
    if ids:
        changed.external_number, changed.external_number_id = found[ids[0]].number_e164, ids[0]
    changed.secondary_ddis = [secondary(found[id]) for id in ids[1:]]
    return changed


async def release_numbers(store: Store, service_id: str) -> None:
    """Unassign all numbers from a service."""
    for ddi in all_typed(StoredDdi, (await store.ddis.find(Is("ivrId", service_id))).documents):
        await store.ddis.put(document_of(released(ddi)))
