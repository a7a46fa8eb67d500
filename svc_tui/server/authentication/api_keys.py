"""API keys (2.1, 4.1): made for oneself, shown once, read and changed by their owner and his administrators."""

from __future__ import annotations

from svc_tui.interface.access import Reach
from svc_tui.interface.authentication import api_keys as declared
from svc_tui.interface.authentication.api_keys import ApiKey, ApiKeyCreation, ApiKeyQuery, ApiKeyUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.timestamps import stamp
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.reach import user_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.security.api_key_caller import hash_of
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Is
from svc_tui.server.store.tables import Document

_KEY_CHARACTERS = 64
_HIDDEN = ("keyHash", "apiKey")


def _shown(key: Document) -> Document:
    return {name: value for name, value in key.items() if name not in _HIDDEN}


@rule(declared.create_api_key)
async def create(call: Call[Nothing, ApiKeyCreation]) -> RuleResult:
    owner, application, body = call.user, call.application, call.body
    await call.store.lock(f"api_keys:{owner['id']}")
    if await call.store.api_keys.count(Is("userId", str(owner["id"]))) >= declared.MOST_KEYS:
        raise Refusal(Code.ROLE_MISSING, f"a user can have {declared.MOST_KEYS} API keys at most")
    value = call.service.ids.secret(_KEY_CHARACTERS)
    key = {
        "id": call.service.ids.record(),
        "description": body.description,
        "isActive": body.is_active,
        "scope": list(body.scope),
        "expirationDate": stamp(body.expiration_date) if body.expiration_date else None,
        "userId": owner["id"],
        "loginEmail": owner.get("loginEmail"),
        "creationDate": call.stamp,
        "lastUpdateDate": call.stamp,
        "clientMetadata": {"rawUserAgent": call.headers.user_agent, "ipAddress": call.headers.address},
        "createdBy": {
            "userId": owner["id"],
            "loginEmail": owner.get("loginEmail"),
            "appId": application["id"],
            "appName": application.get("name"),
        },
        "keyHash": hash_of(value),
    }
    await call.store.api_keys.add(key)
    return {"data": {**_shown(key), "apiKey": value}}


@rule(declared.list_api_keys)
async def list_keys(call: Call[ApiKeyQuery]) -> RuleResult:
    query = call.query
    where: list[Condition] = [Is("userId", await _whose(call))]
    if query.is_active is not None:
        where.append(Is("isActive", query.is_active))
    if query.from_creation_date is not None:
        where.append(AtLeast("creationDate", stamp(query.from_creation_date)))
    if query.to_creation_date is not None:
        where.append(AtMost("creationDate", stamp(query.to_creation_date)))
    return await page_of(call.store.api_keys, ApiKey, query, *where, show=_shown)


async def _whose(call: Call[ApiKeyQuery]) -> str:
    asked = call.query.user_id
    if not asked or not call.reached - {Reach.OWN}:
        return str(call.user["id"])
    if not RECORD_ID.fullmatch(asked):
        raise invalid(Problem("userId", "is no identifier", asked))
    owner = await call.store.users.get(asked)
    if owner is None:
        raise not_found("User", asked)
    call.require(await user_subject(call.store, owner))
    return asked


@rule(declared.get_current_api_key)
async def current(call: Call) -> RuleResult:
    assert call.api_key is not None
    return {"data": _shown(call.api_key)}


@rule(declared.get_api_key)
async def get(call: Call) -> RuleResult:
    return {"data": _shown(await _reached_key(call))}


@rule(declared.update_api_key)
async def update(call: Call[Nothing, ApiKeyUpdate]) -> RuleResult:
    await _reached_key(call)
    await call.store.lock(f"api_key:{call.path['apiKeyId']}")
    key = await _reached_key(call)
    body = call.body
    changed = {**key, "description": body.description, "isActive": body.is_active, "lastUpdateDate": call.stamp}
    if "expiration_date" in body.model_fields_set:
        changed["expirationDate"] = stamp(body.expiration_date) if body.expiration_date else None
    await call.store.api_keys.put(changed)
    return {"data": _shown(changed)}


@rule(declared.delete_api_key)
async def delete(call: Call) -> RuleResult:
    key = await _reached_key(call)
    if not await call.store.api_keys.remove(str(key["id"])):
        raise not_found("API key", str(key["id"]))
    return {"status": f"API key {key['id']} successfully deleted", "data": _shown(key)}


async def _reached_key(call: Call[Nothing, ApiKeyUpdate] | Call) -> Document:
    id = call.path["apiKeyId"]
    key = await call.store.api_keys.get(id)
    if key is None:
        raise not_found("API key", id)
    owner = await call.store.users.get(str(key["userId"])) or {"id": key["userId"]}
    call.require(await user_subject(call.store, owner), Code.ROLE_MISSING)
    return key
