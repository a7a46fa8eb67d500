"""Deletion of a company, with its checks: nothing is sent while one of them fails (4.4)."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping
from typing import Any

from svc_tui.client.errors import problems_of
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck, FailedChecks
from svc_tui.console.editing import record_edit
from svc_tui.interface.access import Role
from svc_tui.interface.companies.findings import BY_PARAM, CONDITIONS, DeletionCondition
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

#: The key that opens the list of records to remove first.
KEYS = {"companies": "c", "sites": "s", "subscriptions": "b", "users": "u"}


async def failed_checks(context: Context, record: Mapping[str, Any]) -> list[FailedCheck]:
    """Checks that fail, as far as the caller may read the records."""
    company_id = str(record.get("id") or "")
    counts = await gather(*(_count(context, condition, company_id) for condition in CONDITIONS))
    found = []
    for condition, count in zip(CONDITIONS, counts, strict=True):
        if count and not (condition.kind == "users" and count == 1 and _is_own_administrator(context, record)):
            found.append(_failed_check(context, record, condition, count))
    return found


def _failed_check(
    context: Context, record: Mapping[str, Any], condition: DeletionCondition, count: object
) -> FailedCheck:
    besides = _(" besides the default one") if condition.kind == "subscriptions" else ""
    text = f"{condition.sentence}{besides}{f': {count}' if condition.kind and count else ''}"
    if condition.kind not in context.stage.resources:
        return FailedCheck(text)
    place = Place(("companies", str(record["id"]), condition.kind))
    return FailedCheck(text, KEYS.get(condition.kind, ""), str(place))


def refused_checks(context: Context, record: Mapping[str, Any], error: Exception) -> list[FailedCheck]:
    """The checks named in a refusal of the service; its sentence when it names none."""
    found = [
        _failed_check(context, record, BY_PARAM[problem.param], problem.value)
        for problem in problems_of(error)
        if problem.param in BY_PARAM
    ]
    return found or [FailedCheck(str(error))]


def _is_own_administrator(context: Context, record: Mapping[str, Any]) -> bool:
    """Whether the caller administers the company, and may delete it as its last user."""
    caller = context.workspace.caller
    return bool(caller and Role.COMPANY_ADMIN in caller.roles and caller.company_id == record.get("id"))


async def _count(context: Context, condition: DeletionCondition, company_id: str) -> int:
    resource = context.stage.resources.get(condition.kind)
    if resource is None or not context.workspace.decide(resource.list):
        return 0
    path = resource.path_at(Place(("companies", company_id, condition.kind)), context.workspace.caller)
    query = {} if path else {condition.filter: company_id, "limit": 1}
    try:
        body = await context.workspace.read(resource.list, path, query)
    except ReadError:
        # Only a hint: the service checks it again.
        return 0
    if not isinstance(body, dict):
        return 0
    # A list without pages is complete, including records that do not block the deletion.
    return sum(_blocks(row) for row in body.get("data") or ()) if path else int(body.get("total") or 0)


def _blocks(row: Mapping[str, Any]) -> bool:
    return not row.get("isDefault") and row.get("status") != "terminated"


async def delete_company(context: Context) -> None:
    """Delete a company, or list what must be removed first, with keys that open it."""

    record = context.record
    if context.marked or record is None:
        await record_edit.call_on_records(context)
        return
    found = await failed_checks(context, record)
    if not found:
        error = await record_edit.call_on_records(context)
        if error is None:
            return
        found = refused_checks(context, record, error)
    title = _("{name} cannot be deleted yet").format(name=record.get("name"))
    place = await context.stage.ask(FailedChecks(title, found, _("Remove these first:")))
    if place:
        await context.stage.open(Place.parse(place), owner=str(record.get("name") or ""))
