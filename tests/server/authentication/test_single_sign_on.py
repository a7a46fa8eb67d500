"""OpenID Connect logins against an independent provider (4.1)."""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth
from svc_tui.server.settings import GlobalIdentity
from tests.server.authentication.provider_support import (
    BASE,
    HOME,
    Browser,
    browsing,
    discovered,
    provider,
    query_of,
    running_provider,
    signed,
)
from tests.support.world import APP, APP_SECRET, COMPANY, OTHER_COMPANY, World, granted, refused

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import oidc_provider_mock


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@pytest.fixture
async def browser(world: World, issuer: str) -> AsyncIterator[Browser]:
    async with browsing(world, issuer) as found:
        yield found


async def test_a_login_at_the_provider_returns_with_a_token(browser: Browser, issuer: str) -> None:
    world = browser.world
    jane = await world.user()
    item = await discovered(world, uiLocales="fr de")
    assert item["authorizationEndpoint"].startswith(issuer)
    away = await browser.open(signed(item))
    asked = query_of(away)
    assert asked["code_challenge_method"] == "S256"
    assert (asked["client_id"], asked["login_hint"], asked["ui_locales"]) == ("svc", "jane@example.com", "fr de")
    home = await browser.open(await browser.sign_in(away))
    assert home.startswith("https://app.example/signed-in?from=svc&tkn=")
    token = query_of(home)["tkn"]
    claims = world.service.tokens.read(token, world.clock.now())
    assert (claims["user"]["id"], claims["app"]["id"]) == (jane["id"], APP)
    assert claims["oidc"] == {"companyId": COMPANY}
    granted(await world.get(f"{BASE}/validator", headers={"authorization": f"Bearer {token}"}))


async def test_the_global_single_sign_on_works_for_every_company(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.company(authenticationType="GLOBAL_OIDC")
    jane = await world.user()
    world.service.settings.global_identity = GlobalIdentity(issuer=issuer, client_id="svc", client_secret="x")
    item = await discovered(world)
    assert item["type"] == "GLOBAL_OIDC"
    home = await browser.open(await browser.sign_in(await browser.open(signed(item))))
    claims = world.service.tokens.read(query_of(home)["tkn"], world.clock.now())
    assert claims["user"]["id"] == jane["id"]


@pytest.mark.parametrize(
    ("sub", "code"),
    [("stranger@example.com", "404000"), ("no-address", "400000"), ("unverified", "401203")],
)
async def test_a_user_without_a_confirmed_identity_returns_with_the_reason(
    browser: Browser, sub: str, code: str
) -> None:
    await browser.world.user()
    item = await discovered(browser.world)
    home = await browser.open(await browser.sign_in(await browser.open(signed(item)), sub))
    answer = query_of(home)
    assert (answer["errtype"], answer["errcode"], answer["from"]) == ("OIDC", code, "svc")
    assert answer["errmsg"]
    assert "tkn" not in answer


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"email": "\u017fam@example.com"}, "404000"),
        ({"email": "sam@example.com", "email_verified": "false"}, "401203"),
        ({"email": "sam@example.com", "email_verified": None}, "401203"),
        ({"email": "SAM@example.com", "email_verified": "true"}, ""),
    ],
)
async def test_an_address_like_that_of_another_user_or_unconfirmed_does_not_log_in(
    browser: Browser, issuer: str, claims: dict[str, Any], code: str
) -> None:
    sam = await browser.world.user("sam@example.com")
    (await browser.http.put(f"{issuer}/users/made-up", json=claims)).raise_for_status()
    away = await browser.open(signed(await discovered(browser.world, "sam@example.com")))
    home = await browser.open(await browser.sign_in(away, "made-up"))
    assert query_of(home).get("errcode", "") == code
    if not code:
        token = browser.world.service.tokens.read(query_of(home)["tkn"], browser.world.clock.now())
        assert token["user"]["id"] == sam["id"]


async def test_the_provider_of_a_company_cannot_log_in_users_of_another_company(browser: Browser) -> None:
    world = browser.world
    await world.user()
    await world.company(OTHER_COMPANY)
    await world.user("victim@example.com", companyId=OTHER_COMPANY)
    item = await discovered(world)
    home = await browser.open(await browser.sign_in(await browser.open(signed(item)), "victim@example.com"))
    assert query_of(home)["errcode"] == "404000"


@pytest.mark.parametrize(("fields", "code"), [({"isActive": False}, "401520"), ({"timeToLive": 0}, "401523")])
async def test_users_who_may_not_log_in_may_not_use_single_sign_on(
    browser: Browser, fields: dict[str, Any], code: str
) -> None:
    world = browser.world
    jane = await world.user()
    item = await discovered(world)
    away = await browser.open(signed(item))
    await world._put("users", {**jane, "creationDate": "2020-01-01T00:00:00.000Z", **fields})
    assert query_of(await browser.open(await browser.sign_in(away)))["errcode"] == code


async def test_a_declined_login_returns_with_an_error(browser: Browser) -> None:
    await browser.world.user()
    asked = query_of(await browser.open(signed(await discovered(browser.world))))
    home = await browser.open(f"{asked['redirect_uri']}?state={asked['state']}&error=access_denied")
    assert query_of(home)["errcode"] == "401102"


async def test_a_wrong_application_proof_is_not_redirected(browser: Browser) -> None:
    await browser.world.user()
    refused(await browser.world.get(signed(await discovered(browser.world), secret="wrong")), 401500)


async def test_an_unknown_challenge_starts_no_login(browser: Browser) -> None:
    item = {"loginUrl": f"{BASE}/oidc-client/login?companyId={COMPANY}&challenge=mine", "challenge": "mine"}
    assert query_of(await browser.open(signed(item)))["errcode"] == "401102"


async def test_a_login_is_completed_once_and_only_in_the_browser_that_started_it(browser: Browser) -> None:
    world = browser.world
    await world.user()
    back = await browser.sign_in(await browser.open(signed(await discovered(world))))
    world.http.cookies.clear()
    refused(await world.get(back), 401102)
    again = await browser.sign_in(await browser.open(signed(await discovered(world))))
    assert "tkn" in query_of(await browser.open(again))
    refused(await world.get(again), 401102)
    refused(await world.get(f"{BASE}/oidc-client/callback/{COMPANY}?state=made-up&code=x"), 401102)


async def test_a_code_of_another_login_is_refused_for_its_nonce(browser: Browser) -> None:
    world = browser.world
    await world.user()
    first = await browser.sign_in(await browser.open(signed(await discovered(world))))
    second = await browser.sign_in(await browser.open(signed(await discovered(world))))
    mixed = str(httpx.URL(first).copy_merge_params({"code": query_of(second)["code"]}))
    assert query_of(await browser.open(mixed))["errcode"] == "401203"


async def test_a_provider_that_does_not_answer_is_reported(browser: Browser) -> None:
    world = browser.world
    await world.user()
    await world._put("identity_providers", provider("http://127.0.0.1:9"))
    item = await discovered(world)
    assert "authorizationEndpoint" not in item
    assert query_of(await browser.open(signed(item)))["errcode"] == "401203"


async def test_a_provider_with_another_issuer_is_refused(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.user()
    await world._put("identity_providers", provider(issuer.replace("localhost", "127.0.0.1") + "/"))
    assert query_of(await browser.open(signed(await discovered(world))))["errcode"] == "401203"


async def id_token(browser: Browser, issuer: str, *, client: str = "svc", sub: str = "jane@example.com") -> str:
    """The token for a program that runs the flow itself."""
    redirect = "https://app.example/x"
    query = {"response_type": "code", "client_id": client, "redirect_uri": redirect, "scope": "openid email"}
    answer = await browser.http.post(f"{issuer}/oauth2/authorize", params={**query, "nonce": "mine"}, data={"sub": sub})
    code = query_of(answer.headers["location"])["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
    body = (await browser.http.post(f"{issuer}/oauth2/token", data=form, auth=(client, "any"))).json()
    return str(body["id_token"])


async def exchanged(world: World, token: str, challenge: str, **query: str) -> httpx.Response:
    params = {"id_token": token, "challenge": challenge, **query}
    headers = {APP_AUTH: app_auth(APP, APP_SECRET, challenge)}
    return await world.http.get(f"{BASE}/oidc-client/jwt", params=params, headers=headers)


async def test_an_id_token_is_exchanged_once_for_a_login(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world._put("identity_providers", provider(issuer, onlyUseImplicitFlow=True))
    jane = await world.user()
    item = await discovered(world)
    token = await id_token(browser, issuer)
    body = granted(await exchanged(world, token, item["challenge"], nonce="mine"))
    assert body["loggedInUser"]["id"] == jane["id"]
    assert body["loggedInApplication"]["id"] == APP
    refused(await exchanged(world, token, item["challenge"], nonce="mine"), 401102)


async def test_an_id_token_is_not_exchanged_again_with_another_challenge(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.user()
    token = await id_token(browser, issuer)
    granted(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"))
    head, payload, signature = token.split(".")
    # The same signature, written in another way: base64 ignores some characters, and the last bits.
    for again in (
        token,
        f"{token}==",
        f"{head}.{payload}.{signature[:9]}!{signature[9:]}",
        f"{token[:-1]}{chr(ord(token[-1]) + 1)}",
    ):
        refused(await exchanged(world, again, (await discovered(world))["challenge"], nonce="mine"), 401203)
    # Another one of the same user is accepted, and a used one is remembered as long as it would be valid.
    another = await id_token(browser, issuer)
    granted(await exchanged(world, another, (await discovered(world))["challenge"], nonce="mine"))
    world.clock.set(datetime.fromtimestamp(jwt_claims(token)["exp"], UTC) + timedelta(seconds=59))
    refused(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"), 401203)


async def test_an_id_token_of_a_login_that_was_refused_is_not_used(browser: Browser, issuer: str) -> None:
    world = browser.world
    jane = await world.user()
    token = await id_token(browser, issuer)
    await world._put("users", {**jane, "isActive": False})
    refused(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"), 401520)
    await world._put("users", jane)
    granted(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"))


async def test_a_locked_account_does_not_log_in_by_single_sign_on(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.user()
    away = await browser.open(signed(await discovered(world)))
    for _ in range(world.service.settings.lock_failures):
        await world.login(password="wrong")
    assert query_of(await browser.open(await browser.sign_in(away)))["errcode"] == "401501"
    token = await id_token(browser, issuer)
    refused(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"), 401501)
    world.clock.forward(minutes=world.service.settings.lock_minutes, seconds=1)
    granted(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"))


async def test_an_id_token_that_cannot_be_verified_is_refused(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.user()
    good = await id_token(browser, issuer)
    head, payload, signature = good.split(".")
    forged = f"{head}.{payload}.{'A' * len(signature)}"
    unsigned = f"eyJhbGciOiJub25lIn0.{payload}."
    other = await id_token(browser, issuer, client="another-client")
    # The same keys under another name.
    elsewhere = await id_token(browser, issuer.replace("localhost", "127.0.0.1"))
    assert jwt_claims(elsewhere)["iss"] != issuer
    refused(await exchanged(world, elsewhere, (await discovered(world))["challenge"], nonce="mine"), 401203)
    for token, nonce in ((forged, "mine"), (unsigned, "mine"), (other, "mine"), (good, "other"), ("x", "mine")):
        challenge = (await discovered(world))["challenge"]
        refused(await exchanged(world, token, challenge, nonce=nonce), 401203)
    refused(await exchanged(world, good, (await discovered(world))["challenge"]), 401203)
    world.clock.forward(hours=2)
    refused(await exchanged(world, good, (await discovered(world))["challenge"], nonce="mine"), 401203)


async def test_an_id_token_without_address_or_of_an_unknown_user_is_refused(browser: Browser, issuer: str) -> None:
    world = browser.world
    await world.user()
    for sub, code in (("no-address", 400000), ("stranger@example.com", 404000)):
        token = await id_token(browser, issuer, sub=sub)
        refused(await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine"), code)


@pytest.mark.parametrize("path", ["oidc-client", "global-sso/oidc"])
async def test_a_logout_redirects_to_the_application(browser: Browser, path: str) -> None:
    world = browser.world
    token = world.token(await world.user(), oidc={})
    assert await browser.open(f"{BASE}/{path}/logout?token={token}") == HOME
    await world.application(ssoAuthenticationRedirectUrl=HOME, ssoLogoutRedirectUrl="https://app.example/bye")
    assert await browser.open(f"{BASE}/{path}/logout?token={token}") == "https://app.example/bye"
    await world.application()
    assert await browser.open(f"{BASE}/{path}/logout?token={token}") == world.service.settings.web_client_url
    refused(await world.get(f"{BASE}/{path}/logout"), 401202)
    # The address that clients print has no token: the browser has its own session.
    page = await world.http.get(f"{BASE}/{path}/logout", headers={"accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["location"]) == (302, world.service.settings.web_client_url)
    refused(await world.get(f"{BASE}/{path}/logout?token=nonsense"), 401202)


async def test_a_provider_that_changed_its_keys_is_trusted_again_at_once(browser: Browser) -> None:
    world = browser.world
    await world.user()
    port, modulus = 0, set()
    for _ in ("first keys", "new keys"):
        with oidc_provider_mock.run_server_in_thread(port=port) as server:
            port = server.server_port
            issuer = f"http://localhost:{port}"
            await world._put("identity_providers", provider(issuer))
            item = await discovered(world)
            granted(await exchanged(world, await id_token(browser, issuer), item["challenge"], nonce="mine"))
            modulus.add((await browser.http.get(item["jwksUri"])).json()["keys"][0]["n"])
    assert len(modulus) == 2


@pytest.mark.parametrize(("minutes", "accepted"), [(-0.9, True), (-1.1, False), (60.9, True), (61.1, False)])
async def test_clocks_may_differ_by_a_minute(browser: Browser, issuer: str, minutes: float, accepted: bool) -> None:
    world = browser.world
    await world.user()
    token = await id_token(browser, issuer)
    issued = jwt_claims(token)
    assert issued["exp"] - issued["iat"] == 3600
    world.clock.set(datetime.fromtimestamp(issued["iat"], UTC) + timedelta(minutes=minutes))
    answer = await exchanged(world, token, (await discovered(world))["challenge"], nonce="mine")
    granted(answer) if accepted else refused(answer, 401203)


def jwt_claims(token: str) -> dict[str, Any]:
    payload = token.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return claims
