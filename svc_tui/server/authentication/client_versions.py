"""Minimum client versions by application (4.1): what login and renewal compare with, kept by superadmins."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.authentication import client_versions as declared
from svc_tui.interface.authentication.client_versions import (
    ClientVersion,
    ClientVersionCreation,
    ClientVersionQuery,
    ClientVersionUpdate,
)
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import field_by_wire
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Contains, Is
from svc_tui.server.store.tables import Document


def _shown(version: Document) -> Document:
    known = field_by_wire(ClientVersion)
    return {name: value for name, value in version.items() if name in known}


@rule(declared.list_client_versions)
async def list_versions(call: Call[ClientVersionQuery]) -> RuleResult:
    where: list[Condition] = []
    if call.query.name:
        where.append(Contains("name", call.query.name))
    if call.query.type:
        where.append(Is("type", call.query.type))
    return await page_of(call.store.client_versions, ClientVersion, call.query, *where, show=_shown)


@rule(declared.create_client_version)
async def create(call: Call[Nothing, ClientVersionCreation]) -> RuleResult:
    id = call.body.id
    application = await call.store.applications.get(id)
    if application is None or application.get("state") == "deleted":
        raise invalid(Problem("id", "must be the identifier of an application", id))
    await _lock(call, id)
    if await call.store.client_versions.get(id) is not None:
        raise Refusal(Code.ALREADY_EXISTS, f"application {id} has a minimum version already")
    version = {
        "id": id,
        "name": application.get("name"),
        "type": application.get("type"),
        "version": call.body.version,
    }
    await call.store.client_versions.add(version)
    return {"data": _shown(version)}


@rule(declared.get_client_version)
async def get(call: Call) -> RuleResult:
    return {"data": _shown(await _version(call))}


@rule(declared.update_client_version)
async def update(call: Call[Nothing, ClientVersionUpdate]) -> RuleResult:
    await _lock(call, call.path["clientId"])
    changed = {**await _version(call), "version": call.body.version}
    await call.store.client_versions.put(changed)
    return {"data": _shown(changed)}


@rule(declared.delete_client_version)
async def delete(call: Call) -> RuleResult:
    await _lock(call, call.path["clientId"])
    version = await _version(call)
    await call.store.client_versions.remove(version["id"])
    return {"status": f"Client version {version['id']} successfully deleted", "data": []}


async def _version(call: Call[Any, Any]) -> Document:
    version = await call.store.client_versions.get(call.path["clientId"])
    if version is None:
        raise not_found("Client version", call.path["clientId"])
    return version


async def _lock(call: Call[Any, Any], id: str) -> None:
    # An update must not bring back what is deleted at the same time.
    await call.store.lock(f"client_version:{id}")
