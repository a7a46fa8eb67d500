"""Codes that are accepted once, used at two servers on one PostgreSQL at the same moment: one of the uses succeeds.

The moment is made: no server can write until both servers wait to write, so both have read all that they read before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth
from tests.conftest import world_at
from tests.server.authentication.oauth_support import TOKEN, application, bearer, code_of, exchanged
from tests.server.authentication.provider_support import (
    BASE,
    HOME,
    browsing,
    discovered,
    query_of,
    running_provider,
    signed,
)
from tests.server.authentication.test_second_factor import code, enrolled, limited, path
from tests.server.authentication.test_single_sign_on import id_token
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.forms import filled
from tests.support.held_writes import writes_held
from tests.support.postgres import Postgres
from tests.support.process import ServerProcess, start
from tests.support.world import APP, APP_SECRET, World, granted, refused

ME = "/api/svc/enduser/v1.0/users/me"


@dataclass
class Servers:
    """Two server processes on the database of a world."""

    world: World
    database: str
    urls: list[str]

    async def both(
        self, table: str, send: Callable[[httpx.AsyncClient, str], Coroutine[Any, Any, httpx.Response]]
    ) -> list[httpx.Response]:
        """The answers of both servers to a request, when both wait to write to a table or for each other."""
        async with httpx.AsyncClient(timeout=30) as http:
            async with writes_held(self.database, table) as waiting:
                sent = [asyncio.create_task(send(http, url)) for url in self.urls]
                await waiting(2)
            return sorted(await asyncio.gather(*sent), key=lambda each: each.status_code)


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@pytest.fixture
async def servers(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[Servers]:
    clock.set(datetime.now(UTC))
    database = await postgres.fresh(RUNNING)
    started: list[ServerProcess] = []
    (tmp_path / "server.toml").write_text("insecure_identity_providers = true\n")
    async with world_at(database, tmp_path / "here", clock) as world:
        try:
            for name in ("first", "second"):
                options: dict[str, Any] = {
                    "data_dir": tmp_path / name,
                    "database": database,
                    "config": tmp_path / "server.toml",
                }
                started.append(await asyncio.to_thread(start, tmp_path / f"{name}.log", **options))
            yield Servers(world, database, [each.url for each in started])
        finally:
            for each in started:
                each.process.kill()
                each.process.wait()
                if each.process.stdout is not None:
                    each.process.stdout.close()
    for each in started:
        assert "Traceback" not in each.log


async def test_of_two_uses_of_a_code_one_gets_tokens_and_they_end(servers: Servers) -> None:
    world = servers.world
    await application(world)
    await world.user()
    form = {"grant_type": "authorization_code", "code": await code_of(world)}
    one, other = await servers.both(
        "tickets", lambda http, url: http.post(url + TOKEN, data=form, auth=(APP, APP_SECRET))
    )
    assert one.status_code == 200
    assert other.json()["error"] == "invalid_grant"
    refused(await world.get(ME, headers=bearer(one.json())), 401202)


async def test_of_two_uses_of_a_refresh_token_one_gets_tokens_and_they_end(servers: Servers) -> None:
    world = servers.world
    await application(world)
    await world.user()
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    one, other = await servers.both(
        "oauth_tokens", lambda http, url: http.post(url + TOKEN, data=form, auth=(APP, APP_SECRET))
    )
    assert one.status_code == 200
    assert other.json()["error"] == "invalid_grant"
    refused(await world.get(ME, headers=bearer(one.json())), 401202)


@pytest.mark.parametrize("kind", ["code", "recovery"])
async def test_of_two_uses_of_a_second_factor_one_logs_in(servers: Servers, kind: str) -> None:
    world = servers.world
    await world.application()
    # The code of the enrolment is that of an earlier step.
    world.clock.set(datetime.now(UTC) - timedelta(minutes=5))
    jane, secret, recovery = await enrolled(world)
    world.clock.set(datetime.now(UTC))
    headers = {"authorization": f"Bearer {await limited(world)}"}
    sent = {"token": recovery if kind == "recovery" else code(world, secret)}
    one, other = await servers.both(
        "user_secrets", lambda http, url: http.post(url + path(jane, "/verify"), headers=headers, json=sent)
    )
    assert "token" in granted(one)["data"]
    refused(other, 401500)


async def test_of_two_returns_from_a_provider_one_logs_in(servers: Servers, issuer: str) -> None:
    world = servers.world
    async with browsing(world, issuer) as browser:
        await world.user()
        answer = await world.http.get(signed(await discovered(world)))
        back = httpx.URL(await browser.sign_in(answer.headers["location"]))
        cookie = "; ".join(f"{name}={value}" for name, value in world.http.cookies.items())
        one, other = await servers.both(
            "tickets", lambda http, url: http.get(url + back.raw_path.decode(), headers={"cookie": cookie})
        )
    assert "tkn" in query_of(one.headers["location"])
    refused(other, 401102)


async def test_of_two_exchanges_of_an_id_token_one_logs_in(servers: Servers, issuer: str) -> None:
    world = servers.world
    async with browsing(world, issuer) as browser:
        await world.user()
        token = await id_token(browser, issuer)
        challenges = {url: (await discovered(world))["challenge"] for url in servers.urls}

    def exchange(http: httpx.AsyncClient, url: str) -> Coroutine[Any, Any, httpx.Response]:
        query = {"id_token": token, "challenge": challenges[url], "nonce": "mine"}
        headers = {APP_AUTH: app_auth(APP, APP_SECRET, challenges[url])}
        return http.get(f"{url}{BASE}/oidc-client/jwt", params=query, headers=headers)

    one, other = await servers.both("users", exchange)
    granted(one)
    refused(other, 401203)


async def test_of_two_confirmations_of_a_login_one_gives_a_token(servers: Servers, issuer: str) -> None:
    world = servers.world
    async with browsing(world, issuer) as browser:
        await world.application(ssoAuthenticationRedirectUrl=HOME)
        await world.user()
        page = await world.http.get(await browser.sign_in(await browser.open(signed(await discovered(world)))))
    action, values = filled(page.text, decision="allow")
    cookie = "; ".join(f"{name}={value}" for name, value in world.http.cookies.items())
    one, other = await servers.both(
        "tickets", lambda http, url: http.post(url + action, data=values, headers={"cookie": cookie})
    )
    assert "tkn" in query_of(one.headers["location"])
    assert other.status_code == 400
