"""Creation, update and the lifecycle of applications (2.6, 3, 4.5)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.applications import operations as declared
from svc_tui.interface.applications.records import ApplicationCreation, ApplicationUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.server.applications import fields
from svc_tui.server.applications.seen import existing, shown, subject_of
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.tables import Document


@rule(declared.create_application)
async def create(call: Call[Nothing, ApplicationCreation]) -> RuleResult:
    # Without a record there is nothing to clear: null is the same as absent.
    values = {wire: value for wire, value in fields.given(call.body).items() if value is not None}
    fields.check_setters(call, values)
    application = {
        "id": call.service.ids.record(),
        "ownerId": call.user.id,
        "appSecret": call.service.ids.secret(),
        "state": "new",
        "env": "not_deployed",
        "dateOfCreation": call.stamp,
        "isSvcClientDefault": False,
        "isNoIdApplication": False,
        "subscriptions": [],
        **fields.defaults(),
        **values,
    }
    fields.check_needs(ApplicationCreation, values, application)
    if "ownerId" in values:
        await fields.check_owner(call.store, values["ownerId"])
    await fields.check_name(call.store, application)
    await call.store.applications.add(application)
    return {"data": shown(application)}


@rule(declared.update_application)
async def update(call: Call[Nothing, ApplicationUpdate]) -> RuleResult:
    application = await _to_change(call)
    values = fields.given(call.body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    fields.check_setters(call, values)
    refreshed = values.pop("refreshAppSecret", False)
    changed = fields.merged(application, values)
    fields.check_needs(ApplicationUpdate, values, changed)
    if changed["ownerId"] != application["ownerId"]:
        await fields.check_owner(call.store, changed["ownerId"])
    if (changed["ownerId"], changed["name"]) != (application["ownerId"], application["name"]):
        await fields.check_name(call.store, changed)
        await _rename_client_version(call, changed)
    if refreshed:
        changed["appSecret"] = call.service.ids.secret()
    await call.store.applications.put(changed)
    return {"data": shown(changed)}


@rule(declared.stop_application)
async def stop(call: Call) -> RuleResult:
    return await _moved(call, "stopped")


@rule(declared.restart_application)
async def restart(call: Call) -> RuleResult:
    return await _moved(call, "active")


@rule(declared.delete_application)
async def delete(call: Call) -> RuleResult:
    application = await _to_move(call)
    await call.store.applications.put({**application, "state": "deleted"})
    return {"status": f"Application {application['id']} successfully deleted", "data": []}


async def _moved(call: Call, state: str) -> RuleResult:
    application = await _to_move(call)
    if application["state"] == "blocked":
        raise Refusal(Code.ROLE_MISSING, "the platform's administrators blocked this application")
    moved = await call.store.applications.put({**application, "state": state})
    return {"data": shown(moved)}


async def _to_move(call: Call) -> Document:
    application = await _to_change(call)
    if application.get("kpi") == "svcstore":
        sentence = "applications of the store are restarted, stopped and deleted by the store operations only"
        raise Refusal(Code.ROLE_MISSING, sentence)
    return application


async def _to_change(call: Call[Any, Any]) -> Document:
    """The application of the path, locked until the change is through, so that no other change is lost."""
    await call.store.lock(f"application:{call.path['appId']}")
    application = await existing(call)
    call.require(await subject_of(call.store, application), Code.NOT_OWNER)
    if application["state"] == "deleted":
        raise not_found("Application", application["id"])
    return application


async def _rename_client_version(call: Call[Any, Any], application: Document) -> None:
    demanded = await call.store.client_versions.get(str(application["id"]))
    if demanded is not None:
        await call.store.client_versions.put({**demanded, "name": application["name"]})
