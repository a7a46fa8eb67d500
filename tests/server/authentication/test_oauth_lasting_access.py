"""What an OAuth access token cannot do: give or take lasting access of its user. Revoking its grant ends all of it."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.catalogue import operations
from tests.server.authentication.oauth_support import TOKENS, application, code_of, exchanged
from tests.server.authentication.test_api_keys import BODY, KEYS, ME, a_key, key_headers
from tests.support.world import APP, COMPANY, World, granted, refused

USERS = "/api/svc/enduser/v1.0/users"
SETTINGS = f"/api/svc/admin/v1.0/companies/{COMPANY}/settings/svcmfa"
#: What an operation on credentials is named after.
CREDENTIALS = ("api_key", "mfa", "password", "oauth_tokens")
#: These only read, or know who calls by themselves.
OTHERS = {"get_current_api_key", "list_company_mfa_settings", "get_company_mfa_setting"}

Document = dict[str, Any]


@pytest.fixture
async def jane(world: World) -> Document:
    await application(world)
    await world.company()
    return await world.user(roles=("company_admin",))


async def tokens_of(world: World) -> Document:
    return granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))


def bearer(tokens: Document) -> dict[str, str]:
    return {"authorization": f"Bearer {tokens['access_token']}"}


async def grants(world: World, user: Document) -> list[Document]:
    found: list[Document] = granted(await world.get(TOKENS, by=user))["data"]
    return found


def test_every_operation_on_credentials_refuses_oauth_tokens() -> None:
    on_credentials = {each.id for each in operations() if any(word in each.id for word in CREDENTIALS)} - OTHERS
    assert {each.id for each in operations() if each.no_oauth} == on_credentials
    assert len(on_credentials) > 10


async def test_an_oauth_token_neither_makes_nor_sees_lasting_access(world: World, jane: Document) -> None:
    key, tokens = await a_key(world, jane), await tokens_of(world)
    granted(await world.get(ME, headers=bearer(tokens)))
    own = f"{USERS}/{jane['id']}/mfa"
    for method, path, body in (
        ("POST", KEYS, BODY),
        ("GET", KEYS, None),
        ("GET", f"{KEYS}/{key['id']}", None),
        ("PUT", f"{KEYS}/{key['id']}", BODY),
        ("DELETE", f"{KEYS}/{key['id']}", None),
        ("GET", own, None),
        ("PUT", own, {}),
        ("DELETE", own, None),
        ("POST", f"{own}/verify", {"token": "000000"}),
        ("DELETE", f"{own}/recovery", None),
        ("DELETE", f"{own}/trusted", None),
        ("DELETE", f"{own}/trusted/{APP}", None),
        ("POST", SETTINGS, {"mfaName": "x"}),
        ("DELETE", f"{SETTINGS}/{'0a' * 12}", None),
        ("GET", TOKENS, None),
    ):
        refused(await world.send(method, path, headers=bearer(tokens), json=body), 403000)
    assert (await world.stored("api_keys", key["id"]))["isActive"]


async def test_an_oauth_token_reaches_no_other_grant_and_may_end_its_own(world: World, jane: Document) -> None:
    one = await tokens_of(world)
    (first,) = await grants(world, jane)
    other = await tokens_of(world)
    (second,) = [each for each in await grants(world, jane) if each["id"] != first["id"]]
    for method in ("GET", "DELETE"):
        refused(await world.send(method, f"{TOKENS}/{second['id']}", headers=bearer(one)), 403000)
        # It does not learn which grants there are.
        refused(await world.send(method, f"{TOKENS}/{'0a' * 12}", headers=bearer(one)), 403000)
    granted(await world.get(f"{TOKENS}/{first['id']}", headers=bearer(one)))
    granted(await world.delete(f"{TOKENS}/{first['id']}", headers=bearer(one)))
    refused(await world.get(ME, headers=bearer(one)), 401202)
    granted(await world.get(ME, headers=bearer(other)))


async def test_keys_that_a_grant_made_end_with_it(world: World, jane: Document) -> None:
    await tokens_of(world)
    (grant,) = await grants(world, jane)
    made, own, orphan = [await a_key(world, jane) for _ in range(3)]
    async with world.service.database.unit() as store:
        # As the migration marks the keys of earlier versions.
        for key, id in ((made, grant["id"]), (orphan, "0a" * 12)):
            await store.api_keys.put({**(await store.api_keys.get(key["id"]) or {}), "grantId": id})
    assert "grantId" not in str(granted(await world.get(f"{KEYS}?format=full", by=jane)))
    granted(await world.get(ME, headers=key_headers(made["apiKey"], "1")))
    refused(await world.get(ME, headers=key_headers(orphan["apiKey"], "2")), 401102)
    granted(await world.delete(f"{TOKENS}/{grant['id']}", by=jane))
    refused(await world.get(ME, headers=key_headers(made["apiKey"], "3")), 401102)
    granted(await world.get(ME, headers=key_headers(own["apiKey"], "4")))
    assert made["id"] not in str(granted(await world.get(KEYS, by=jane)))
