"""Wrong secrets in the audit log and the log: of applications, OAuth tokens, API keys, and of clients for events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth, basic
from svc_tui.server.auditing import RefusedAttempts
from svc_tui.server.security.key_replacement import replace_signing_keys
from tests.server.audit.test_audit_records import log
from tests.server.authentication.oauth_support import TOKEN
from tests.server.events.support import admin, listening, raw
from tests.support.log import written
from tests.support.world import APP, APP_SECRET, COMPANY, World

ME = "/api/svc/enduser/v1.0/users/me"
Document = dict[str, object]


@pytest.fixture
async def root(world: World) -> Document:
    return await world.user("root@example.com", roles=("superadmin", "app_superadmin"))


async def attempts(world: World, root: Document) -> list[tuple[object, ...]]:
    """The attempts in the audit log: kind, record, application, number, operation."""
    await world.service.part(RefusedAttempts).write()
    names = ("kind", "recordId", "applicationId", "count", "operation")
    found = [each for each in await log(world, root, outcome="refused") if each["address"] == "127.0.0.1"]
    assert {each["action"] for each in found} <= {"failed login"}
    return [tuple(each.get(name) for name in names) for each in found]


def token(world: World, secret: str = APP_SECRET, **form: str) -> Callable[[], Awaitable[httpx.Response]]:
    return lambda: world.post(TOKEN, data=form, headers={"authorization": basic(APP, secret)})


def by_key(world: World, key: str, secret: str = APP_SECRET) -> Callable[[], Awaitable[httpx.Response]]:
    headers = {API_KEY: key, CHALLENGE: "challenge", APP_AUTH: app_auth(APP, secret, "challenge")}
    return lambda: world.get(ME, headers=headers)


async def test_wrong_secrets_of_applications_tokens_and_keys_are_counted(world: World, root: Document) -> None:
    await world.application()
    for attempt, expected in (
        (token(world, "wrong", grant_type="refresh_token"), ("applications", None, None, 3, "oauth_token")),
        (token(world, grant_type="refresh_token", refresh_token="x"), ("oauthtokens", None, APP, 3, "oauth_token")),
        (token(world, grant_type="authorization_code", code="x"), ("oauthtokens", None, APP, 3, "oauth_token")),
        (by_key(world, "x", "wrong"), ("applications", None, None, 3, "get_own_user")),
        (by_key(world, "x"), ("apikeys", None, APP, 3, "get_own_user")),
    ):
        world.clock.forward(seconds=1)
        for _ in range(3):
            assert (await attempt()).status_code in (400, 401)
        assert (await attempts(world, root))[0] == expected


async def test_a_key_that_is_not_valid_any_more_is_named(world: World, root: Document) -> None:
    jane = await world.user()
    await world.application()
    created = await world.post(
        "/api/svc/authentication/v1.0/apikeys",
        by=jane,
        json={"description": "x", "isActive": False, "scope": ["all"]},
    )
    key = created.json()["data"]
    assert (await by_key(world, key["apiKey"])()).status_code == 401
    assert await attempts(world, root) == [("apikeys", key["id"], APP, 1, "get_own_user")]


async def test_a_wrong_password_for_events_is_in_both_logs_and_the_company_reads_it(
    world: World, root: Document
) -> None:
    await world.company()
    jane = await admin(world)
    with written() as lines:
        async with listening(world) as place:
            for name in ("1a" * 16, "1a" * 16, "0f" * 16):
                async with raw(place) as client:
                    await client.open()
                    await client.authenticate(name, "wrong")
    assert set(await attempts(world, root)) == {
        ("users", None, None, 1, "event_session"),
        ("users", jane["id"], None, 2, "event_session"),
    }
    (record,) = await log(world, jane, outcome="refused")
    assert (record["recordId"], record["companyId"], record["count"]) == (jane["id"], COMPANY, 2)
    failures = [line for line in lines.getvalue().splitlines() if "a login for events failed" in line]
    assert [f"caller={jane['id']}" in line for line in failures] == [True, True, False]
    assert all("address=127.0.0.1" in line and "reason=not-authorized" in line for line in failures)
    assert "wrong" not in lines.getvalue()


async def test_the_user_of_a_web_socket_is_in_the_log(world: World) -> None:
    jane = await admin(world)
    with written() as lines:
        async with listening(world) as place, raw(place) as client:
            await client.log_in()
    found = [line for line in lines.getvalue().splitlines() if f"caller={jane['id']}" in line]
    assert ["was opened" in found[0], "ended" in found[-1]] == [True, True]
    requests = {word for line in found for word in line.split() if word.startswith("request=")}
    assert len(requests) == 1


async def test_the_exchange_of_the_signing_keys_is_recorded(world: World, root: Document) -> None:
    await world.service.tokens.keys.refresh()
    await asyncio.to_thread(replace_signing_keys, world.service.settings)
    await world.service.tokens.keys.refresh()
    (record,) = [each for each in await log(world, root) if each.get("job") == "svc-tui server replace-key"]
    assert (record["action"], record["outcome"]) == ("perform", "done")
