"""Who sees which applications (4.5), and what of them: conditions for lists, subjects for single records, secrets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import Caller, Reach, Role, Subject
from svc_tui.interface.applications.operations import READ_ACCESS
from svc_tui.interface.errors import Code
from svc_tui.server.reach import owned_subject, user_subject, users_within
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import AllOf, Condition, Has, In, Is, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: What only lists are filtered by.
_INNER = ("subscriptionStatus",)
_SECRET = "appSecret"


def seen_by(call: Call[Any, Any]) -> Condition:
    """The applications that the caller may see at all, as a condition on applications."""
    assert call.caller is not None
    reached = call.reached
    if Reach.ANY in reached:
        return AllOf(())
    within = users_within(reached, call.caller)
    return _for_finance(within) if _only_finance(call.caller) else Related("ownerId", "users", within)


def _only_finance(caller: Caller) -> bool:
    """bp_finance and nothing else; everybody is a user."""
    return caller.roles - {Role.USER} == {Role.BP_FINANCE}


def _for_finance(within: Condition) -> Condition:
    developers = AllOf((within, Has("roles", (Role.APP_ADMIN.value,))))
    return AllOf((Related("ownerId", "users", developers), Is("kpi", "appconnect"), Is("env", "deployed")))


async def readable(call: Call[Any, Any]) -> Document:
    """The application of the path. Refusal 404000 when it is unknown, 403001 when the caller does not reach it."""
    assert call.caller is not None
    application = await existing(call)
    call.require(await subject_of(call.store, application), Code.NOT_OWNER)
    itself = Is("id", application["id"])
    if _only_finance(call.caller) and not await call.store.applications.count(itself, seen_by(call)):
        raise Refusal(Code.NOT_OWNER, "bp_finance sees deployed appconnect applications of his company only")
    return application


async def existing(call: Call[Any, Any]) -> Document:
    """The application of the path, whoever may see it. Refusal 404000."""
    id = call.path["appId"]
    application = await call.store.applications.get(id)
    if application is None:
        raise not_found("Application", id)
    return application


async def subject_of(store: Store, application: Document) -> Subject:
    """An application as the access rules see it: it belongs to its owner, and with him to his company."""
    owner_id = str(application.get("ownerId") or "")
    owner = await store.users.get(owner_id)
    return Subject(owner_id=owner_id) if owner is None else await user_subject(store, owner)


def shown(application: Document) -> Document:
    """A stored application without what only the server needs."""
    return {name: value for name, value in application.items() if name not in _INNER}


async def without_secrets_of_others(call: Call[Any, Any], applications: list[Document]) -> list[Document]:
    """Leave the secret out of those that the caller may not get one by one."""
    if not any(_SECRET in each for each in applications):
        return applications
    subjects = await _subjects(call.store, {str(each.get("ownerId") or "") for each in applications})

    def cleared(application: Document) -> Document:
        subject = subjects.get(str(application.get("ownerId") or ""), Subject())
        if call.allows(subject, READ_ACCESS):
            return application
        return {name: value for name, value in application.items() if name != _SECRET}

    return [cleared(each) for each in applications]


async def _subjects(store: Store, owner_ids: Iterable[str]) -> dict[str, Subject]:
    owners = (await store.users.find(In("id", tuple(owner_ids)))).documents
    company_ids = {str(owner.get("companyId") or "") for owner in owners}
    companies = {each["id"]: each for each in (await store.companies.find(In("id", tuple(company_ids)))).documents}
    return {owner["id"]: owned_subject(owner, companies.get(owner.get("companyId")) or {}) for owner in owners}
