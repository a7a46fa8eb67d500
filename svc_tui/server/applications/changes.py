"""Creation, update and lifecycle of applications (2.6, 3, 4.5)."""

from __future__ import annotations

from svc_tui.interface.access import Reach
from svc_tui.interface.applications import operations as declared
from svc_tui.interface.applications.records import ApplicationCreation, ApplicationState, ApplicationUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.applications import fields
from svc_tui.server.applications.listing import in_full, load_application, subject_of
from svc_tui.server.hooks import UserBelongings, of_users
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import check_setters, non_null_values, update_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security.own_clients import lock_minimum
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication


@rule(declared.create_application)
async def create(call: Call[Nothing, ApplicationCreation]) -> RuleResult:
    values = non_null_values(call.body)
    check_setters(call.body, values, call.known_caller)
    new = {
        "id": call.service.ids.record(),
        "ownerId": call.user.id,
        "appSecret": call.service.ids.secret(),
        "state": "new",
        "env": "not_deployed",
        "dateOfCreation": call.stamp,
        "isNoIdApplication": False,
        "subscriptions": [],
        **fields.defaults(),
    }
    application = typed(StoredApplication, {**new, **values})
    fields.check_needs(ApplicationCreation, values, application)
    if "ownerId" in values:
        await fields.check_owner(call.store, application.owner_id)
    await fields.keep_owner(call.store, application.owner_id)
    await fields.check_name(call.store, application)
    await call.store.applications.add(document_of(application))
    return {"data": in_full(application)}


@rule(declared.update_application)
async def update(call: Call[Nothing, ApplicationUpdate]) -> RuleResult:
    application = await _load_for_change(call)
    values = update_of(call.body)
    check_setters(call.body, values, call.known_caller)
    fields.check_built_in(call, application, values)
    new_secret = values.pop("refreshAppSecret", False)
    changed = fields.merged(application, values)
    fields.check_needs(ApplicationUpdate, values, changed)
    if changed.owner_id != application.owner_id:
        await fields.check_owner(call.store, changed.owner_id)
        await fields.keep_owner(call.store, changed.owner_id)
    if (changed.owner_id, changed.name) != (application.owner_id, application.name):
        await fields.check_name(call.store, changed)
        await _rename_client_version(call, changed)
    if new_secret:
        changed.app_secret = call.service.ids.secret()
    await call.store.applications.put(document_of(changed))
    return {"data": in_full(changed)}


@rule(declared.stop_application)
async def stop(call: Call) -> RuleResult:
    return await _set_state(call, "stopped")


@rule(declared.restart_application)
async def restart(call: Call) -> RuleResult:
    return await _set_state(call, "active")


@rule(declared.delete_application)
async def delete(call: Call) -> RuleResult:
    application = copied(await _load_for_lifecycle(call))
    application.state = "deleted"
    await call.store.applications.put(document_of(application))
    return {"status": f"Application {application.id} successfully deleted", "data": []}


async def _set_state(call: Call, state: ApplicationState) -> RuleResult:
    application = copied(await _load_for_lifecycle(call))
    if application.state == "blocked":
        raise Refusal(Code.ROLE_MISSING, "the platform's administrators have blocked this application")
    application.state = state
    await call.store.applications.put(document_of(application))
    return {"data": in_full(application)}


async def _load_for_lifecycle(call: Call) -> StoredApplication:
    """The application of the path for stop, restart or deletion. Refusal 403000 for store applications."""
    application = await _load_for_change(call)
    if application.kpi == "svcstore":
        sentence = "store applications are restarted, stopped and deleted only with the store operations"
        raise Refusal(Code.ROLE_MISSING, sentence)
    return application


async def _load_for_change(call: AnyCall) -> StoredApplication:
    """The application of the path, locked until the end of the change."""
    await call.store.lock(f"application:{call.path['appId']}")
    application = await load_application(call)
    if Reach.ANY not in call.reached:
        call.require(await subject_of(call.store, application), Code.NOT_OWNER)
    if application.state == "deleted":
        raise not_found("Application", application.id)
    return application


async def _rename_client_version(call: AnyCall, application: StoredApplication) -> None:
    if await call.store.client_versions.get(application.id) is None:
        return
    await lock_minimum(application.id, call.store)
    version = await call.store.client_versions.get(application.id)
    if version is not None:
        await call.store.client_versions.put({**version, "name": application.name})


class OwnedApplications(UserBelongings):
    """The applications of a user, which get another owner before the user is deleted."""

    async def locks(self, store: Store, user: Document) -> list[str]:
        return [fields.lock_of_owner(user["id"])]

    async def preventing(self, store: Store, user: Document) -> list[Problem]:
        owned = await store.applications.find(Is("ownerId", user["id"]), Not(Is("state", "deleted")))
        return [Problem("applications", f"{each['name']} belongs to this user", each["id"]) for each in owned.documents]


of_users(OwnedApplications())
