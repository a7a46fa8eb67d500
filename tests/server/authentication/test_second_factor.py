"""The second factor: enrolment, the limited token, trusted applications, single use (5.7 and its completion)."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pyotp
import pytest

from svc_tui.interface.authentication.proof import CORRELATION
from tests.support.world import APP, COMPANY, World, granted, refused


def path(user: dict[str, Any], rest: str = "") -> str:
    return f"/api/svc/enduser/v1.0/users/{user['id']}/mfa{rest}"


def code(world: World, secret: str) -> str:
    return str(pyotp.TOTP(secret).at(world.clock.now()))


async def enrolled(world: World, **fields: Any) -> tuple[dict[str, Any], str, str]:
    """A user with a second factor, its secret and recovery code; the used code has expired."""
    jane = await world.user(**fields)
    secret = granted(await world.get(path(jane), by=jane))["data"]["mfaSecret"]
    verified = granted(await world.post(path(jane, "/verify"), by=jane, json={"token": code(world, secret)}))["data"]
    granted(await world.put(path(jane), by=jane, json={}))
    world.clock.forward(seconds=60)
    return jane, secret, verified["mfaRecoveryCode"]


async def policy(world: World, **fields: Any) -> None:
    document = {"mfaId": "3f" * 12, "companyId": COMPANY, "mfaType": "totp", "enabledForAllCompanyUsers": True}
    await world._put("mfa_settings", {**document, "mfaPolicy": "always", "mfaCanBeDisabled": False, **fields})


async def limited(world: World) -> str:
    body = granted(await world.login())
    assert body["mfaRequired"] is True
    return str(body["token"])


async def prove(
    world: World, user: dict[str, Any], token: str, code_sent: str, correlation: str = "", **more: Any
) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}", **({CORRELATION: correlation} if correlation else {})}
    return await world.post(path(user, "/verify"), headers=headers, json={"token": code_sent, **more})


async def test_the_code_of_a_login_resets_the_failures(world: World) -> None:
    jane, secret, _ = await enrolled(world)
    for _ in range(4):
        refused(await world.login(password="wrong"), 401500)
    granted(await prove(world, jane, await limited(world), code(world, secret)))
    for _ in range(4):
        refused(await world.login(password="wrong"), 401500)
    await limited(world)


async def test_an_enrolment_returns_secret_address_and_image_and_enables_the_factor(world: World) -> None:
    jane = await world.user()
    data = granted(await world.get(path(jane), by=jane))["data"]
    assert data["mfaType"] == "totp"
    assert pyotp.parse_uri(data["otpAuthUrl"]).secret == data["mfaSecret"]
    assert data["qrcode"].startswith("data:image/png;base64,")
    assert (await world.stored("users", jane["id"]))["mfaSvcAuth"]["mfaStatus"] == "init"
    assert granted(await world.login())["mfaRequired"] is False
    granted(await world.post(path(jane, "/verify"), by=jane, json={"token": code(world, data["mfaSecret"])}))
    assert granted(await world.put(path(jane), by=jane))["data"]["mfaSvcAuth"]["mfaStatus"] == "enabled"


async def test_the_factor_is_not_enabled_before_a_code_is_verified(world: World) -> None:
    jane = await world.user()
    refused(await world.put(path(jane), by=jane, json={}), 400000)
    granted(await world.get(path(jane), by=jane))
    refused(await world.put(path(jane), by=jane, json={}), 400000)
    refused(await world.post(path(jane, "/verify"), by=jane, json={"token": "000000"}), 401500)
    refused(await world.put(path(jane), by=jane, json={}), 400000)


async def test_secret_and_recovery_code_are_not_in_the_users_record_nor_in_plain_text(world: World) -> None:
    jane, secret, recovery = await enrolled(world)
    assert secret not in str(await world.stored("users", jane["id"]))
    assert recovery.replace("-", "") not in str(await world.stored("user_secrets", jane["id"])).replace("-", "")
    assert "mfaSecret" not in granted(await world.get("/api/svc/enduser/v1.0/users/me", by=jane))["data"]


async def test_a_code_exchanges_the_limited_token_for_a_full_login(world_on_both: World) -> None:
    world = world_on_both
    jane, secret, _ = await enrolled(world)
    token = await limited(world)
    claims = world.service.tokens.read(token, world.clock.now())
    assert (claims["mfaType"], claims["exp"] - claims["iat"]) == ("totp", 300)
    body = granted(await prove(world, jane, token, code(world, secret)))
    data = body.pop("data")
    assert data == {"mfaType": "totp", **body}
    assert set(body) == {"token", "mfaRequired", "loggedInUser", "loggedInApplication"}, "a login response (2.4)"
    assert (body["mfaRequired"], body["loggedInUser"]["id"]) == (False, jane["id"])
    assert body["loggedInApplication"]["id"] == APP
    headers = {"authorization": f"Bearer {body['token']}"}
    granted(await world.http.get("/api/svc/authentication/v1.0/validator", headers=headers))


async def test_the_password_alone_gives_the_limited_token_and_nothing_else_of_the_account(world: World) -> None:
    """Not the messaging password either, with which events could be read."""
    jane, _, _ = await enrolled(world, jid_im="jane@svc.test", jid_password="messaging password")
    body = granted(await world.login())
    assert body.pop("token")
    assert body == {
        "mfaRequired": True,
        "loggedInUser": {"id": jane["id"], "loginEmail": "jane@example.com"},
        "loggedInApplication": {"id": APP, "name": "Application a0a0"},
    }


async def test_the_limited_token_is_valid_for_the_second_factor_only(world: World) -> None:
    jane, _, _ = await enrolled(world)
    headers = {"authorization": f"Bearer {await limited(world)}"}
    for address in ("authentication/v1.0/validator", "authentication/v1.0/renew", "enduser/v1.0/users/me"):
        refused(await world.get(f"/api/svc/{address}", headers=headers), 403000)
    shown = granted(await world.get(path(jane), headers=headers))["data"]
    assert shown == {"mfaType": "totp"}


@pytest.mark.parametrize(
    ("method", "rest"),
    [("PUT", ""), ("DELETE", ""), ("DELETE", "/recovery"), ("DELETE", "/trusted"), ("DELETE", f"/trusted/{APP}")],
)
async def test_the_password_alone_cannot_change_the_second_factor(world: World, method: str, rest: str) -> None:
    jane, _, _ = await enrolled(world)
    headers = {"authorization": f"Bearer {await limited(world)}"}
    refused(await world.send(method, path(jane, rest), headers=headers), 403000)


async def test_the_limited_token_expires_after_five_minutes(world: World) -> None:
    jane, secret, _ = await enrolled(world)
    token = await limited(world)
    world.clock.forward(minutes=5)
    assert refused(await prove(world, jane, token, code(world, secret)), 401202)["errorDetails"] == "jwt expired"


async def test_a_code_is_accepted_once(world: World) -> None:
    jane, secret, _ = await enrolled(world)
    token, now = await limited(world), code(world, secret)
    granted(await prove(world, jane, token, now))
    refused(await prove(world, jane, await limited(world), now), 401500)
    world.clock.forward(seconds=30)
    granted(await prove(world, jane, await limited(world), code(world, secret)))


async def test_the_code_of_the_enrolment_does_not_log_in(world: World) -> None:
    jane = await world.user()
    secret = granted(await world.get(path(jane), by=jane))["data"]["mfaSecret"]
    now = code(world, secret)
    granted(await world.post(path(jane, "/verify"), by=jane, json={"token": now}))
    granted(await world.put(path(jane), by=jane))
    refused(await prove(world, jane, await limited(world), now), 401500)


async def test_only_one_of_several_simultaneous_uses_of_a_code_is_accepted(world_on_both: World) -> None:
    world = world_on_both
    jane, secret, _ = await enrolled(world)
    token, now = await limited(world), code(world, secret)
    answers = await asyncio.gather(*(prove(world, jane, token, now) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]


async def test_a_clock_difference_of_one_step_is_accepted_and_of_two_is_not(world: World) -> None:
    jane, secret, _ = await enrolled(world)
    one_step_late = code(world, secret)
    world.clock.forward(seconds=30)
    token = await limited(world)
    granted(await prove(world, jane, token, one_step_late))
    world.clock.forward(seconds=30)
    two_steps_late = code(world, secret)
    world.clock.forward(seconds=60)
    refused(await prove(world, jane, token, two_steps_late), 401500)


async def test_the_recovery_code_is_accepted_once_in_any_notation(world: World) -> None:
    jane, _, recovery = await enrolled(world)
    granted(await prove(world, jane, await limited(world), f" {recovery.upper().replace('-', ' ')} "))
    refused(await prove(world, jane, await limited(world), recovery), 401500)


async def test_a_new_recovery_code_replaces_the_old_one(world: World) -> None:
    jane, _, old = await enrolled(world)
    new = granted(await world.delete(path(jane, "/recovery"), by=jane))["mfaRecoveryCode"]
    refused(await prove(world, jane, await limited(world), old), 401500)
    granted(await prove(world, jane, await limited(world), new))


async def test_wrong_codes_lock_the_account_and_a_new_login_does_not_reset_them(world: World) -> None:
    jane, secret, _ = await enrolled(world)
    for _ in range(2):
        token = await limited(world)
        for _ in range(2):
            refused(await prove(world, jane, token, "000000"), 401500)
    token = await limited(world)
    refused(await prove(world, jane, token, "000000"), 401500)
    refused(await prove(world, jane, token, code(world, secret)), 401501)
    refused(await world.login(), 401501)


async def test_different_codes_under_one_correlation_id_all_count_and_a_repeated_one_once(world: World) -> None:
    jane, _, _ = await enrolled(world)
    token = await limited(world)
    for guess in ("000000", "000000", "000001", "000002", "000003"):
        refused(await prove(world, jane, token, guess, correlation="one"), 401500)
    refused(await prove(world, jane, token, "000004", correlation="one"), 401500)
    refused(await prove(world, jane, token, "000005", correlation="one"), 401501)


async def test_a_trusted_application_needs_no_code_until_it_is_removed(world: World) -> None:
    await policy(world, mfaPolicy="untrusted_only", rememberDaysApplication=30)
    jane, secret, _ = await enrolled(world)
    token = await limited(world)
    granted(await prove(world, jane, token, code(world, secret), trustApplication=True))
    trusted = (await world.stored("users", jane["id"]))["mfaSvcAuth"]["mfaTrustedApps"]
    assert trusted == [{"appId": APP, "appName": "Application a0a0"}]
    assert granted(await world.login(x_svc_trusted_appid=APP))["mfaRequired"] is False
    assert granted(await world.login())["mfaRequired"] is True
    assert granted(await world.login(x_svc_trusted_appid="b0" * 12))["mfaRequired"] is True
    world.clock.forward(days=30)
    assert granted(await world.login(x_svc_trusted_appid=APP))["mfaRequired"] is True


@pytest.mark.parametrize("rest", ["/trusted", f"/trusted/{APP}"])
async def test_a_removed_application_needs_a_code_again(world: World, rest: str) -> None:
    await policy(world, mfaPolicy="untrusted_only", rememberDaysApplication=30)
    jane, secret, _ = await enrolled(world)
    granted(await prove(world, jane, await limited(world), code(world, secret), trustApplication=True))
    granted(await world.delete(path(jane, rest), by=jane))
    assert granted(await world.login(x_svc_trusted_appid=APP))["mfaRequired"] is True
    assert (await world.stored("users", jane["id"]))["mfaSvcAuth"]["mfaTrustedApps"] == []
    refused(await world.delete(path(jane, f"/trusted/{APP}"), by=jane), 404002)


@pytest.mark.parametrize(("name", "asked"), [("never", False), ("untrusted_only", True), ("always", True)])
async def test_the_policy_of_the_company_decides_when_the_factor_is_required(
    world: World, name: str, asked: bool
) -> None:
    await policy(world, mfaPolicy=name)
    await enrolled(world)
    assert granted(await world.login())["mfaRequired"] is asked


async def test_the_mode_always_requires_a_code_even_in_a_trusted_application(world: World) -> None:
    await policy(world, mfaPolicy="always", rememberDaysApplication=30)
    jane, secret, _ = await enrolled(world)
    granted(await prove(world, jane, await limited(world), code(world, secret), trustApplication=True))
    assert granted(await world.login(x_svc_trusted_appid=APP))["mfaRequired"] is True


async def test_the_factor_is_disabled_only_where_the_company_allows_it(world: World) -> None:
    await policy(world)
    jane, _, _ = await enrolled(world)
    refused(await world.delete(path(jane), by=jane), 403000)
    await policy(world, mfaCanBeDisabled=True)
    granted(await world.delete(path(jane), by=jane))
    assert granted(await world.login())["mfaRequired"] is False
    assert "mfaSecret" not in await world.stored("user_secrets", jane["id"])


async def test_a_new_enrolment_replaces_the_old_one_only_when_it_is_complete(world: World) -> None:
    jane, old, _ = await enrolled(world)
    new = granted(await world.get(path(jane), by=jane))["data"]["mfaSecret"]
    assert new != old
    granted(await prove(world, jane, await limited(world), code(world, old)))
    world.clock.forward(seconds=60)
    granted(await world.post(path(jane, "/verify"), by=jane, json={"token": code(world, new)}))
    granted(await world.put(path(jane), by=jane))
    world.clock.forward(seconds=60)
    refused(await prove(world, jane, await limited(world), code(world, old)), 401500)
    granted(await prove(world, jane, await limited(world), code(world, new)))


@pytest.mark.parametrize(
    ("method", "rest"),
    [("GET", ""), ("POST", "/verify"), ("PUT", ""), ("DELETE", ""), ("DELETE", "/recovery"), ("DELETE", "/trusted")],
)
async def test_the_second_factor_of_another_user_is_refused_even_to_a_superadmin(
    world: World, method: str, rest: str
) -> None:
    jane = await world.user()
    admin = await world.user("root@example.com", roles=("superadmin",))
    options = {"json": {"token": "123456"}} if method == "POST" else {}
    refused(await world.send(method, path(jane, rest), by=admin, **options), 403100)


async def test_a_code_is_required_to_verify(world: World) -> None:
    jane = await world.user()
    refused(await world.post(path(jane, "/verify"), by=jane, json={}), 400000)
    refused(await world.post(path(jane, "/verify"), by=jane, json={"token": ""}), 400000)
