"""Access to applications (4.5): conditions for lists, and the application of a path."""

from __future__ import annotations

from svc_tui.interface.access import Caller, Reach, Role, Subject
from svc_tui.interface.applications.records import Application
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.reach import user_subject, users_within
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AllOf, Condition, ContainsAny, Is, Related
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
