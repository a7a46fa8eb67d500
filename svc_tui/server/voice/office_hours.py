"""Welcomes and office hours, which calendars of the company replace: they still work (2.17, 4.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import office_hours as declared
from svc_tui.interface.voice.office_hours import NamedQuery, OfficeHoursBody, OfficeHoursUpdate, WelcomeBody
from svc_tui.server.refusal import invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, Contains, Is
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.seen import belonging, locked_pbx, reached_pbx
from svc_tui.server.voice.values import changes, given


@rule(declared.list_welcomes)
async def list_welcomes(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await window(call.store.welcomes, call.query, Is("systemId", pbx["id"]))}


@rule(declared.create_welcome)
async def create_welcome(call: Call[Nothing, WelcomeBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    welcome = {"id": call.service.ids.record(), "systemId": pbx["id"], **given(call.body)}
    return {"data": await call.store.welcomes.add(welcome)}


@rule(declared.get_welcome)
async def get_welcome(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await belonging(call.store.welcomes, pbx, call.path["welcomeId"], "Welcome")}


@rule(declared.list_office_hours)
async def list_office_hours(call: Call[NamedQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return {"data": await window(call.store.office_hours, call.query, Is("systemId", pbx["id"]))}


@rule(declared.create_office_hours)
async def create_office_hours(call: Call[Nothing, OfficeHoursBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    hours = {"id": call.service.ids.record(), "systemId": pbx["id"], **values}
    return {"data": await call.store.office_hours.add(hours)}


@rule(declared.get_office_hours)
async def get_office_hours(call: Call) -> RuleResult:
    return {"data": await _hours(call, await reached_pbx(call))}


@rule(declared.update_office_hours)
async def update_office_hours(call: Call[Nothing, OfficeHoursUpdate]) -> RuleResult:
    hours = await _hours(call, await locked_pbx(call))
    values = changes(call.body, "name")
    changed = {wire: value for wire, value in {**hours, **values}.items() if value is not None}
    return {"data": await call.store.office_hours.put(changed)}


async def window(collection: DocumentCollection, query: NamedQuery, *where: Condition) -> list[Document]:
    """What meets the conditions, by name: all of it, or a page. Refusal 400000 for half of limit and offset."""
    for one, other, value in (("limit", "offset", query.offset), ("offset", "limit", query.limit)):
        if value is None and getattr(query, one) is not None:
            raise invalid(Problem(other, f"goes together with {one}"))
    if query.name:
        where = (*where, Contains("name", query.name))
    found = await collection.find(*where, sort=Sort("name"), limit=query.limit, offset=query.offset or 0)
    return found.documents


async def _hours(call: Call[Any, Any], pbx: Document) -> Document:
    return await belonging(call.store.office_hours, pbx, call.path["officeHoursId"], "Office hours")
