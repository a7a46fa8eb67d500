"""Reading of applications, with the filters of the list (4.5)."""

from __future__ import annotations

from typing import get_args

from svc_tui.interface.applications import operations as declared
from svc_tui.interface.applications.records import Activity, Application, ApplicationQuery, ApplicationState, Type
from svc_tui.interface.envelopes import FormatQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of
from svc_tui.server.applications.access import applications_within, load_readable
from svc_tui.server.reach import user_subject
from svc_tui.server.refusal import not_found
from svc_tui.server.request_values import checked_id, known_values
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Contains, ContainsAny, In, Is, Not

_SUBSCRIPTION_STATES = ("creating", "active", "alerting", "hold", "terminating", "terminated", "failed", "unknown")


@rule(declared.list_applications)
async def list_applications(call: Call[ApplicationQuery]) -> RuleResult:
    where = [applications_within(call), *await _of_owner(call), *_filters(call.query)]
    return await page_of(call, call.store.applications, Application, call.query, *where)


@rule(declared.get_application)
async def get_application(call: Call[FormatQuery]) -> RuleResult:
    return {"data": Application.answered(document_of(await load_readable(call)), call.query.format)}


async def _of_owner(call: Call[ApplicationQuery]) -> list[Condition]:
    """The filter by owner. Refusal 403001 for an owner whose applications the caller does not reach."""
    owner_id = call.query.owner_id
    if not owner_id:
        return []
    owner = await call.store.users.get(checked_id("ownerId", owner_id))
    if owner is None:
        raise not_found("User", owner_id)
    call.require(await user_subject(call.store, owner), Code.NOT_OWNER)
    return [Is("ownerId", owner_id)]


def _filters(query: ApplicationQuery) -> list[Condition]:
    where: list[Condition] = []
    if query.name:
        where.append(Contains("name", query.name))
    if query.env:
        where.append(Is("env", query.env))
    if query.kpi:
        where.append(Is("kpi", query.kpi))
    states = known_values("state", query.state, get_args(ApplicationState))
    where.append(In("state", states) if states else Not(Is("state", "deleted")))
    if types := known_values("types", query.types, get_args(Type)):
        where.append(In("type", types))
    if activities := known_values("activities", query.activities, get_args(Activity)):
        where.append(In("activity", activities))
    if statuses := known_values("subscriptionStatus", query.subscription_status, _SUBSCRIPTION_STATES):
        where.append(ContainsAny("subscriptionStatus", statuses))
    # The range includes both days.
    if query.from_date is not None:
        where.append(AtLeast(query.date_type, f"{query.from_date.isoformat()}T00:00:00.000Z"))
    if query.to_date is not None:
        where.append(AtMost(query.date_type, f"{query.to_date.isoformat()}T23:59:59.999Z"))
    return where
