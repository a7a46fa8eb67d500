"""Welcomes and office hours. They are deprecated in favour of company calendars, and still work (2.17, 4.7)."""

from __future__ import annotations

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import document_of
from svc_tui.interface.voice import office_hours as declared
from svc_tui.interface.voice.office_hours import Hours, NamedQuery, OfficeHoursBody, OfficeHoursUpdate, WelcomeBody
from svc_tui.interface.voice.week import is_day
from svc_tui.server.refusal import invalid
from svc_tui.server.request_values import non_null_values, update_of, values_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, Contains, Is
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import locked_pbx, reached_pbx, record_of_pbx
from svc_tui.server.voice.stored import StoredCloudPbx, StoredOfficeHours, StoredWelcome


@rule(declared.list_welcomes)
async def list_welcomes(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await named_page(call.store.welcomes, call.query, Is("systemId", pbx.id))}


@rule(declared.create_welcome)
async def create_welcome(call: Call[Nothing, WelcomeBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    welcome = {"id": call.service.ids.record(), "systemId": pbx.id, **values_of(call.body)}
    return {"data": await call.store.welcomes.add(welcome)}


@rule(declared.get_welcome)
async def get_welcome(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    id = call.path["welcomeId"]
    return {"data": document_of(await record_of_pbx(StoredWelcome, call.store.welcomes, pbx, id, "Welcome"))}


@rule(declared.list_office_hours)
async def list_office_hours(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await named_page(call.store.office_hours, call.query, Is("systemId", pbx.id))}


@rule(declared.create_office_hours)
async def create_office_hours(call: Call[Nothing, OfficeHoursBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    _check_days(call.body.officehours)
    hours = {"id": call.service.ids.record(), "systemId": pbx.id, **non_null_values(call.body)}
    return {"data": await call.store.office_hours.add(hours)}


@rule(declared.get_office_hours)
async def get_office_hours(call: Call) -> RuleResult:
    return {"data": document_of(await _hours(call, await reached_pbx(call)))}


@rule(declared.update_office_hours)
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
