"""Deleting a company: every condition that does not hold is found before anything is sent (4.4)."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping
from typing import Any

from svc_tui.console.core.actions import find_action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck, FailedChecks
from svc_tui.interface.access import Role
from svc_tui.interface.companies.deletion import BY_PARAM, CONDITIONS, Condition
from svc_tui.workspace.core.service import ReadError

#: The key that goes to what has to be taken away first.
KEYS = {"companies": "c", "sites": "s", "subscriptions": "b", "users": "u"}


async def hindrances(context: Context, record: Mapping[str, Any]) -> list[FailedCheck]:
    """What stands in the way of deleting a company, as far as the caller can see it."""
    company_id = str(record.get("id") or "")
    counts = await gather(*(_count(context, condition, company_id) for condition in CONDITIONS))
    found = []
    for condition, count in zip(CONDITIONS, counts, strict=True):
        if count and not (condition.kind == "users" and count == 1 and _deletes_own(context, record)):
            found.append(_hindrance(context, record, condition, count))
    return found


def _hindrance(context: Context, record: Mapping[str, Any], condition: Condition, count: object) -> FailedCheck:
    besides = " besides the default one" if condition.kind == "subscriptions" else ""
    said = f"{condition.sentence}{besides}{f': {count}' if condition.kind and count else ''}"
    if condition.kind not in context.stage.resources:
        return FailedCheck(said)
    place = Place(("companies", str(record["id"]), condition.kind))
    return FailedCheck(said, KEYS.get(condition.kind, ""), str(place))


def told(context: Context, record: Mapping[str, Any], error: Exception) -> list[FailedCheck]:
    """The conditions that the service named in its refusal; its sentence when it named none."""
    problems = getattr(error, "problems", ())
    found = [
        _hindrance(context, record, BY_PARAM[problem.param], problem.value)
        for problem in problems
        if problem.param in BY_PARAM
    ]
    return found or [FailedCheck(str(error))]


def _deletes_own(context: Context, record: Mapping[str, Any]) -> bool:
    """The last user of a company may be its administrator who deletes it."""
    caller = context.workspace.caller
    return bool(caller and Role.COMPANY_ADMIN in caller.roles and caller.company_id == record.get("id"))


async def _count(context: Context, condition: Condition, company_id: str) -> int:
    resource = context.stage.resources.get(condition.kind)
    if resource is None or not context.workspace.decide(resource.list):
        return 0
    path = resource.path_at(Place(("companies", company_id, condition.kind)), context.workspace.caller)
    query = {} if path else {condition.filter: company_id, "limit": 1}
    try:
        body = await context.workspace.read(resource.list, path, query)
    except ReadError:
        # The service decides in the end; here it is only said beforehand.
        return 0
    if not isinstance(body, dict):
        return 0
    # A list without pages is here whole, also what need not be taken away first.
    return sum(_hinders(row) for row in body.get("data") or ()) if path else int(body.get("total") or 0)


def _hinders(row: Mapping[str, Any]) -> bool:
    return not row.get("isDefault") and row.get("status") != "terminated"


async def delete_company(context: Context) -> None:
    """Say what hinders the deletion, with ways to go there; delete when nothing does."""
    from svc_tui.console.editing.record_edit import call_on_records

    action = find_action(context, "companies.delete")
    record = context.record
    if context.marked or record is None:
        await call_on_records(context, action)
        return
    found = await hindrances(context, record)
    if not found:
        error = await call_on_records(context, action)
        if error is None:
            return
        found = told(context, record, error)
    title = f"{record.get('name')} cannot be deleted yet"
    place = await context.stage.ask(FailedChecks(title, found, "A company is deleted when nothing is left in it:"))
    if place:
        await context.stage.open(Place.parse(place), owner=str(record.get("name") or ""))
