"""API keys (2.1, 4.1): created by their owner and shown once; read and changed by the owner and administrators."""

from __future__ import annotations

from svc_tui.interface.access import Reach
from svc_tui.interface.authentication import api_keys as declared
from svc_tui.interface.authentication.api_keys import ApiKey, ApiKeyCreation, ApiKeyQuery, ApiKeyUpdate
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.reach import user_subject
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.security.application_proof import hash_of
from svc_tui.server.security.callers import check_state
from svc_tui.server.store.conditions import AtLeast, AtMost, Condition, Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApiKey

_KEY_CHARACTERS = 64


def _represented(key: StoredApiKey) -> Document:
    return ApiKey.answered(document_of(key), "full")


@rule(declared.create_api_key)
async def create(call: Call[Nothing, ApiKeyCreation]) -> RuleResult:
    owner, application, body = call.user, call.application, call.body
    await call.store.lock(f"api_keys:{owner.id}")
    # The owner may have been deleted since the request began.
    await check_state(call.store, await call.store.users.get(owner.id) or {"id": owner.id}, call.service)
    if await call.store.api_keys.count(Is("userId", owner.id)) >= declared.MOST_KEYS:
        raise Refusal(Code.ROLE_MISSING, f"a user can have at most {declared.MOST_KEYS} API keys")
    value = call.service.ids.secret(_KEY_CHARACTERS)
    key = {
        "id": call.service.ids.record(),
        "description": body.description,
        "isActive": body.is_active,
        "scope": list(body.scope),
        "expirationDate": stamp(body.expiration_date) if body.expiration_date else None,
        "userId": owner.id,
        "loginEmail": owner.login_email,
        "creationDate": call.stamp,
        "lastUpdateDate": call.stamp,
        "clientMetadata": {"rawUserAgent": call.headers.user_agent, "ipAddress": call.headers.address},
        "createdBy": {
            "userId": owner.id,
            "loginEmail": owner.login_email,
            "appId": application.id,
            "appName": application.name,
        },
        "keyHash": hash_of(value),
    }
    await call.store.api_keys.add(key)
    return {"data": {**ApiKey.answered(key, "full"), "apiKey": value}}


@rule(declared.list_api_keys)
async def list_keys(call: Call[ApiKeyQuery]) -> RuleResult:
    query = call.query
    where: list[Condition] = [Is("userId", await _requested_owner(call))]
    if query.is_active is not None:
        where.append(Is("isActive", query.is_active))
    if query.from_creation_date is not None:
        where.append(AtLeast("creationDate", stamp(query.from_creation_date)))
    if query.to_creation_date is not None:
        where.append(AtMost("creationDate", stamp(query.to_creation_date)))
    return await page_of(call, call.store.api_keys, ApiKey, query, *where)


async def _requested_owner(call: Call[ApiKeyQuery]) -> str:
    """The owner in the query; the caller when there is none, or without an administrator's role."""
    id = call.query.user_id
    if not id or not call.reached - {Reach.OWN}:
        return call.user.id
    owner = await call.store.users.get(checked_id("userId", id))
    if owner is None:
        raise not_found("User", id)
    call.require(await user_subject(call.store, owner))
    return id


@rule(declared.get_current_api_key)
async def current(call: Call) -> RuleResult:
    if call.api_key is None:
        raise Refusal(Code.ROLE_MISSING, "requires an API key")
    return {"data": _represented(call.api_key)}


@rule(declared.get_api_key)
async def get(call: Call) -> RuleResult:
    return {"data": _represented(await _reached_key(call))}


@rule(declared.update_api_key)
async def update(call: Call[Nothing, ApiKeyUpdate]) -> RuleResult:
    await call.store.lock(f"api_key:{call.path['apiKeyId']}")
    key = copied(await _reached_key(call))
    key.description, key.is_active, key.last_update_date = call.body.description, call.body.is_active, call.now
    if "expiration_date" in call.body.model_fields_set:
        key.expiration_date = call.body.expiration_date
    # A key that is deleted at the same moment stays deleted.
    if not await call.store.api_keys.replace(document_of(key)):
        raise not_found("API key", key.id)
    return {"data": _represented(key)}


@rule(declared.delete_api_key)
async def delete(call: Call) -> RuleResult:
    key = await _reached_key(call)
    if not await call.store.api_keys.remove(key.id):
        raise not_found("API key", key.id)
    return {"status": f"API key {key.id} successfully deleted", "data": _represented(key)}


async def _reached_key(call: AnyCall) -> StoredApiKey:
    """The key of the path. Refusal 404000 if there is none, 403000 if the caller does not reach its owner."""
    id = call.path["apiKeyId"]
    key = typed(StoredApiKey, await call.store.api_keys.get(id))
    if key is None:
        raise not_found("API key", id)
    owner = await call.store.users.get(key.user_id) or {"id": key.user_id}
    call.require(await user_subject(call.store, owner), Code.ROLE_MISSING)
    return key
