"""Minimum client versions per application (4.1), checked at login and renewal and managed by superadmins."""

from __future__ import annotations

from svc_tui.interface.authentication import client_versions as declared
from svc_tui.interface.authentication.client_versions import (
    ClientVersion,
    ClientVersionCreation,
    ClientVersionQuery,
    ClientVersionUpdate,
)
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import typed
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.security.own_clients import lock_minimum
from svc_tui.server.store.conditions import Condition, Contains, Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication


def _represented(version: Document) -> Document:
    return ClientVersion.answered(version, "full")


@rule(declared.list_client_versions)
async def list_versions(call: Call[ClientVersionQuery]) -> RuleResult:
    where: list[Condition] = []
    if call.query.name:
        where.append(Contains("name", call.query.name))
    if call.query.type:
        where.append(Is("type", call.query.type))
    return await page_of(call, call.store.client_versions, ClientVersion, call.query, *where)


@rule(declared.create_client_version)
async def create(call: Call[Nothing, ClientVersionCreation]) -> RuleResult:
    id = checked_id("id", call.body.id, like="appId")
    application = typed(StoredApplication, await call.store.applications.get(id))
    if application is None or application.state == "deleted":
        raise not_found("Application", id)
    await lock_minimum(id, call.store)
    if await call.store.client_versions.get(id) is not None:
        raise Refusal(Code.ALREADY_EXISTS, f"application {id} already has a minimum version")
    version = {"id": id, "name": application.name, "type": application.type, "version": call.body.version}
    await call.store.client_versions.add(version)
    return {"data": _represented(version)}


@rule(declared.get_client_version)
async def get(call: Call) -> RuleResult:
    return {"data": _represented(await _version(call))}


@rule(declared.update_client_version)
async def update(call: Call[Nothing, ClientVersionUpdate]) -> RuleResult:
    await lock_minimum(call.path["clientId"], call.store)
    changed = {**await _version(call), "version": call.body.version}
    await call.store.client_versions.put(changed)
    return {"data": _represented(changed)}


@rule(declared.delete_client_version)
async def delete(call: Call) -> RuleResult:
    id = call.path["clientId"]
    await lock_minimum(id, call.store)
    await _version(call)
    await call.store.client_versions.remove(id)
    return {"status": f"Client version {id} successfully deleted", "data": []}


async def _version(call: AnyCall) -> Document:
    """The minimum version of the path. Refusal 404000 if there is none."""
    version = await call.store.client_versions.get(call.path["clientId"])
    if version is None:
        raise not_found("Client version", call.path["clientId"])
    return version
