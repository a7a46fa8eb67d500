"""Reading of applications, with the filters of the list, and the access to them: conditions for lists, and the
application of a path (4.5).
"""

from __future__ import annotations

from typing import get_args

from svc_tui.interface.access import Caller, Reach, Role, Subject
from svc_tui.interface.applications import operations as declared
from svc_tui.interface.applications.records import Activity, Application, ApplicationQuery, ApplicationState, Type
from svc_tui.interface.envelopes import FormatQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.reach import user_subject, users_within
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id, known_values
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import (
    AllOf,
    AtLeast,
    AtMost,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    Not,
    Related,
)
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication


def applications_within(call: AnyCall) -> Condition:
    """The applications that the caller may see."""
    if Reach.ANY in call.reached:
        return AllOf(())
    within = users_within(call.reached, call.known_caller)
    return _for_finance(within) if _only_finance(call.known_caller) else Related("ownerId", "users", within)


def _only_finance(caller: Caller) -> bool:
    """Whether bp_finance is the only role, besides the role user that all users have."""
    return caller.roles - {Role.USER} == {Role.BP_FINANCE}


def _for_finance(within: Condition) -> Condition:
    developers = AllOf((within, ContainsAny("roles", (Role.APP_ADMIN.value,))))
    return AllOf((Related("ownerId", "users", developers), Is("kpi", "appconnect"), Is("env", "deployed")))


async def load_readable(call: AnyCall) -> StoredApplication:
    """The application of the path. Refusal 404000 if there is none, 403001 if the caller does not reach it."""
    application = await load_application(call)
    if Reach.ANY not in call.reached:
        call.require(await subject_of(call.store, application), Code.NOT_OWNER)
    itself = Is("id", application.id)
    if _only_finance(call.known_caller) and not await call.store.applications.count(itself, applications_within(call)):
        raise Refusal(Code.NOT_OWNER, "bp_finance sees only deployed appconnect applications of their company")
    return application


async def load_application(call: AnyCall) -> StoredApplication:
    """The application of the path, regardless of access. Refusal 404000."""
    id = call.path["appId"]
    application = typed(StoredApplication, await call.store.applications.get(id))
    if application is None:
        raise not_found("Application", id)
    return application


async def subject_of(store: Store, application: StoredApplication) -> Subject:
    """An application as the subject of access rules: its owner and the owner's company."""
    owner = await store.users.get(application.owner_id)
    return Subject(owner_id=application.owner_id) if owner is None else await user_subject(store, owner)


def in_full(application: StoredApplication) -> Document:
    """A stored application with all its fields, as the answer to a change."""
    return Application.answered(document_of(application), "full")


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
