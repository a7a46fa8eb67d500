"""Rate limits before a login: by account and by address, in all processes, and apart from the lock of accounts."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from svc_tui.interface.authentication.proof import basic
from svc_tui.server.http.application import build
from svc_tui.server.service import service_of
from tests.support.process import serving
from tests.support.world import World, granted, refused

AUTH = "/api/svc/authentication/v1.0"
FEW = {"address": 6, "account": 3}
LIMITED = {"rates": dict.fromkeys(("login", "second_factor", "authorization", "token", "discovery"), FEW)}


def too_many(answer: httpx.Response) -> int:
    """The seconds to wait, of a refusal of too many requests."""
    refused(answer, 429000)
    return int(answer.headers["retry-after"])


@pytest.mark.parametrize("world", [{**LIMITED, "lock_failures": 100}], indirect=True)
async def test_logins_of_an_account_are_limited_until_the_next_minute(world: World) -> None:
    await world.user()
    for _ in range(2):
        refused(await world.login(password="wrong"), 401500)
    granted(await world.login())
    seconds = too_many(await world.login())
    assert 1 <= seconds <= 60
    assert too_many(await world.login("JANE@example.com")) == seconds
    refused(await world.login("john@example.com"), 401500)
    world.clock.forward(seconds=seconds)
    granted(await world.login())


@pytest.mark.parametrize("world", [LIMITED], indirect=True)
async def test_logins_from_an_address_are_limited_for_all_accounts(world: World) -> None:
    for number in range(6):
        refused(await world.login(f"unknown{number}@example.com"), 401500)
    await world.user()
    too_many(await world.login())


@pytest.mark.parametrize("world", [{**LIMITED, "lock_failures": 2}], indirect=True)
async def test_a_lock_is_answered_as_before(world: World) -> None:
    await world.user()
    for code in (401500, 401500, 401501):
        refused(await world.login(password="wrong"), code)
    too_many(await world.login(password="wrong"))


@pytest.mark.parametrize("world", [LIMITED], indirect=True)
async def test_each_operation_before_a_login_is_limited(world: World) -> None:
    jane = await world.user()
    token = {"authorization": basic("a0" * 12, "wrong")}
    limited = world.token(jane, mfaType="totp")
    verify = f"/api/svc/enduser/v1.0/users/{jane['id']}/mfa/verify"
    requests = [
        lambda: world.get(f"{AUTH}/urls", params={"uid": "jane@example.com"}),
        lambda: world.get(f"{AUTH}/oidc-client/login"),
        lambda: world.get(f"{AUTH}/oauth/authorize"),
        lambda: world.post(f"{AUTH}/oauth/token", data={"grant_type": "refresh_token"}, headers=token),
        lambda: world.post(verify, json={"token": "000000"}, headers={"authorization": f"Bearer {limited}"}),
    ]
    for request in requests:
        world.clock.forward(seconds=60)
        answers = [await request() for _ in range(7)]
        assert answers[0].status_code != 429
        too_many(answers[-1])


@pytest.mark.parametrize("world", [LIMITED], indirect=True)
async def test_the_account_that_counts_is_the_one_that_is_tried(world: World) -> None:
    async def token(id: str) -> httpx.Response:
        headers = {"authorization": basic(id, "wrong")}
        return await world.post(f"{AUTH}/oauth/token", data={"grant_type": "refresh_token"}, headers=headers)

    for count in range(3):
        assert (await token("a" + f"%{ord('0'):02x}" * count + "0" * (23 - count))).status_code == 401
    too_many(await token("a" + "0" * 23))
    world.clock.forward(seconds=60)
    for query in ("uid=jane@example.com", "uid=&uid=jane@example.com", "uid=undefined&uid=jane%40example.com"):
        granted(await world.get(f"{AUTH}/urls?{query}"))
    too_many(await world.get(f"{AUTH}/urls?uid=undefined&uid=JANE@example.com"))


async def test_a_repeated_uid_is_refused(world: World) -> None:
    for query in (
        "uid=jane@example.com&uid=joe@example.com",
        "uid=jane@example.com&uid=jane@example.com",
        "uid=x&uid=joe@example.com",
    ):
        problem = refused(await world.get(f"{AUTH}/urls?{query}"), 400000)
        assert "is repeated" in str(problem["errorDetails"])


async def test_servers_on_one_database_count_together(world_on_both: World) -> None:
    settings = world_on_both.service.settings.model_copy(
        update={"rates": world_on_both.service.settings.rates.model_validate(LIMITED["rates"])}
    )
    machines = [service_of(settings, clock=world_on_both.clock) for _ in range(2)]
    for machine in machines:
        await machine.tokens.keys.refresh()
    apps = [httpx.ASGITransport(app=build(settings, service=machine)) for machine in machines]
    async with (
        httpx.AsyncClient(transport=apps[0], base_url="http://svc.test") as one,
        httpx.AsyncClient(transport=apps[1], base_url="http://svc.test") as other,
    ):
        statuses = []
        for http in (one, other, one, other, one):
            headers = {"authorization": basic("jane@example.com", "wrong")}
            statuses.append((await http.get(f"{AUTH}/login", headers=headers)).status_code)
    for machine in machines:
        await machine.database.close()
    assert statuses == [401, 401, 401, 429, 429]


def test_only_a_trusted_proxy_sets_the_address_of_its_client(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    for trusted, expected in (("", {401, 429}), ('trusted_proxies = ["127.0.0.1"]\n', {401})):
        config.write_text(trusted + "[rates.login]\naddress = 3\naccount = 100\n")
        with serving(tmp_path, config=config) as server:
            statuses = {
                httpx.get(f"{server.url}{AUTH}/login", headers={"x-forwarded-for": f"192.0.2.{number}"}).status_code
                for number in range(5)
            }
        assert statuses == expected
