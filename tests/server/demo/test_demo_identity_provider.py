"""The identity provider of the demo: a complete single sign-on on a real server, and with a standard client."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth
from svc_tui.interface.authentication.single_sign_on import comparison_code
from svc_tui.server.authentication.provider_logins import callback_path
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, FABRIKAM, account
from svc_tui.server.demo.companies import PROVIDER_CLIENT, PROVIDER_PATH, PROVIDER_SECRET
from svc_tui.server.demo.repeatable import id_of
from tests.support.forms import filled
from tests.support.process import serving, serving_demo

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from authlib.integrations.httpx_client import AsyncOAuth2Client
    from authlib.jose import JsonWebKey, jwt
    from authlib.oidc.core import CodeIDToken
    from authlib.oidc.discovery import OpenIDProviderMetadata

BASE = "/api/svc/authentication/v1.0"
LOGIN = "sso@demo.example"
CALLBACK = callback_path(id_of("company", FABRIKAM))
VERIFIER = secrets.token_urlsafe(48)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving_demo(tmp_path_factory.mktemp("demo")) as server:
        yield server.url


@pytest.fixture
async def browser(url: str) -> Any:
    async with httpx.AsyncClient(base_url=url, timeout=20) as http:
        yield http


def buttons(page: str) -> dict[str, str]:
    """The users that can be clicked: login -> value."""
    found = re.findall(r'<button name="user" value="([^"]+)"[^>]*>[^<]*<small>([^<]+)', page)
    return {unescape(login): unescape(value) for value, login in found}


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def request_of(url: str, **changes: str | None) -> dict[str, str]:
    """An authorization request; None omits a parameter."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": PROVIDER_CLIENT,
        "redirect_uri": url + CALLBACK,
        "scope": "openid email profile",
        "state": "some state",
        "nonce": "some nonce",
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **changes,
    }
    return {name: value for name, value in asked.items() if value is not None}


async def code_for(browser: httpx.AsyncClient, url: str, **changes: str | None) -> str:
    address = f"{PROVIDER_PATH}/authorize"
    answer = await browser.post(address, params=request_of(url, **changes), data={"user": account("sso").id})
    assert answer.status_code == 302, answer.text
    return query_of(answer.headers["location"])["code"]


def form_of(url: str, code: str, /, **changes: str) -> dict[str, str]:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": url + CALLBACK}
    return {**form, "code_verifier": VERIFIER, **changes}


async def test_the_single_sign_on_account_logs_in_from_discovery_to_the_token(
    browser: httpx.AsyncClient, url: str
) -> None:
    await signs_in(browser, url)


async def test_a_stored_demo_permits_single_sign_on_at_another_port(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(tmp_path, demo_data="small") as server:
            async with httpx.AsyncClient(base_url=server.url, timeout=20) as http:
                await signs_in(http, server.url)


async def signs_in(browser: httpx.AsyncClient, url: str) -> None:
    """The complete login, in a browser and in the waiting console."""
    found = (await browser.get(f"{BASE}/urls", params={"uid": LOGIN, "useBackchannelPolling": "true"})).json()["data"]
    item = found[0]
    assert (item["type"], item["issuer"]) == ("OIDC", url + PROVIDER_PATH)
    assert item["authorizationEndpoint"] == f"{url}{PROVIDER_PATH}/authorize"
    session = item["backchannelSession"]
    poll = f"{BASE}/backchannel-sessions/{session['id']}"
    headers = {"authorization": f"Bearer {session['token']}"}
    assert (await browser.get(poll, headers=headers)).json() == {"data": {"status": "pending"}}
    proof = app_auth(APP_ID, APP_SECRET, item["challenge"]).removeprefix("Basic ")
    away = await browser.get(httpx.URL(item["loginUrl"]).copy_merge_params({APP_AUTH: proof}))
    page = await browser.get(away.headers["location"])
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    users = buttons(page.text)
    assert LOGIN in users
    assert f'value="{users[LOGIN]}" autofocus' in page.text
    asked = await browser.post(str(page.url), data={"user": users[LOGIN]}, follow_redirects=True)
    assert f"<dd>{comparison_code(session['id'])}</dd>" in asked.text
    action, values = filled(asked.text, decision="allow")
    end = await browser.post(action, data=values, follow_redirects=True)
    assert (end.status_code, str(end.url)) == (200, f"{url}/demo/signed-in")
    assert "You are logged in" in end.text
    body = (await browser.get(poll, headers=headers)).json()
    assert body["loggedInUser"]["loginEmail"] == LOGIN
    own = await browser.get("/api/svc/enduser/v1.0/users/me", headers={"authorization": f"Bearer {body['token']}"})
    assert own.json()["data"]["loginEmail"] == LOGIN


async def test_a_colleague_can_be_chosen_and_a_cancelled_login_ends_with_an_error(
    browser: httpx.AsyncClient, url: str
) -> None:
    address = f"{PROVIDER_PATH}/authorize"
    users = buttons((await browser.get(address, params=request_of(url))).text)
    assert len(users) >= 5
    for user in ("", "unknown user"):
        answer = await browser.post(address, params=request_of(url), data={"user": user})
        back = query_of(answer.headers["location"])
        assert (back["error"], back["state"]) == ("access_denied", "some state")
        assert "code" not in back


async def test_the_published_metadata_is_valid_by_the_discovery_standard(browser: httpx.AsyncClient, url: str) -> None:
    found = (await browser.get(f"{PROVIDER_PATH}/.well-known/openid-configuration")).json()
    metadata = OpenIDProviderMetadata(found)
    # The standard demands TLS; on loopback there is none.
    secure = {
        name: str(value).replace("http://", "https://") for name, value in found.items() if isinstance(value, str)
    }
    OpenIDProviderMetadata({**found, **secure}).validate()
    assert metadata["issuer"] == url + PROVIDER_PATH
    keys = (await browser.get(found["jwks_uri"])).json()["keys"]
    assert all(not {"d", "p", "q", "dp", "dq", "qi"} & set(key) for key in keys)


async def test_an_independent_client_verifies_its_tokens(browser: httpx.AsyncClient, url: str) -> None:
    found = (await browser.get(f"{PROVIDER_PATH}/.well-known/openid-configuration")).json()
    for method in ("client_secret_basic", "client_secret_post"):
        client = AsyncOAuth2Client(
            PROVIDER_CLIENT,
            PROVIDER_SECRET,
            token_endpoint_auth_method=method,
            redirect_uri=url + CALLBACK,
            scope="openid email",
            code_challenge_method="S256",
        )
        asked, state = client.create_authorization_url(
            found["authorization_endpoint"], code_verifier=VERIFIER, nonce="n-1"
        )
        answer = await browser.post(asked, data={"user": account("sso").id})
        back = query_of(answer.headers["location"])
        assert (back["iss"], back["state"]) == (found["issuer"], state)
        token = await client.fetch_token(
            found["token_endpoint"],
            authorization_response=answer.headers["location"],
            code_verifier=VERIFIER,
            state=state,
        )
        keys = JsonWebKey.import_key_set((await browser.get(found["jwks_uri"])).json())
        options = {"iss": {"essential": True, "value": found["issuer"]}, "aud": {"value": PROVIDER_CLIENT}}
        claims = jwt.decode(
            token["id_token"],
            keys,
            claims_cls=CodeIDToken,
            claims_options=options,
            claims_params={"nonce": "n-1", "client_id": PROVIDER_CLIENT},
        )
        claims.validate()
        assert (claims["email"], claims["email_verified"], "name" in claims) == (LOGIN, True, False)
        info = (await client.get(found["userinfo_endpoint"])).json()
        assert info == {"sub": account("sso").id, "email": LOGIN, "email_verified": True}
        await client.aclose()


async def test_a_code_is_exchanged_once_by_its_client_with_its_verifier_and_address(
    browser: httpx.AsyncClient, url: str
) -> None:
    address, basic = f"{PROVIDER_PATH}/token", (PROVIDER_CLIENT, PROVIDER_SECRET)
    wrong: list[tuple[dict[str, str], tuple[str, str], int, str]] = [
        ({"code_verifier": "another"}, basic, 400, "invalid_grant"),
        ({"code_verifier": ""}, basic, 400, "invalid_grant"),
        ({"redirect_uri": f"{url}/elsewhere"}, basic, 400, "invalid_grant"),
        ({"code": "made up"}, basic, 400, "invalid_grant"),
        ({"grant_type": "refresh_token"}, basic, 400, "unsupported_grant_type"),
        ({}, (PROVIDER_CLIENT, "wrong"), 401, "invalid_client"),
        ({}, ("unknown", PROVIDER_SECRET), 401, "invalid_client"),
    ]
    for changes, auth, status, error in wrong:
        form = form_of(url, await code_for(browser, url), **changes)
        answer = await browser.post(address, data=form, auth=auth)
        assert (answer.status_code, answer.json()["error"]) == (status, error), changes
    form = form_of(url, await code_for(browser, url))
    answer = await browser.post(address, data=form, auth=basic)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["token_type"] == "Bearer"
    again = await browser.post(address, data=form, auth=basic)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    access = {"authorization": f"Bearer {answer.json()['id_token']}"}
    assert (await browser.get(f"{PROVIDER_PATH}/userinfo", headers=access)).status_code == 401


async def test_no_browser_is_redirected_to_another_address_than_the_services(
    browser: httpx.AsyncClient, url: str
) -> None:
    for changes in (
        {"redirect_uri": "https://evil.example" + CALLBACK},
        {"redirect_uri": f"{url}/elsewhere"},
        {"redirect_uri": f"{url}{BASE}/oidc-client/callback"},
        {"redirect_uri": f"javascript://127.0.0.1{CALLBACK}"},
        {"redirect_uri": "http://[" + CALLBACK},
        {"redirect_uri": None},
        {"client_id": "unknown"},
    ):
        for method in ("GET", "POST"):
            answer = await browser.request(method, f"{PROVIDER_PATH}/authorize", params=request_of(url, **changes))
            assert (answer.status_code, "location" in answer.headers) == (400, False), changes


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "email"}, "invalid_scope"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"prompt": "none"}, "login_required"),
    ],
)
async def test_an_invalid_request_is_redirected_with_its_error(
    browser: httpx.AsyncClient, url: str, changes: dict[str, str | None], error: str
) -> None:
    answer = await browser.get(f"{PROVIDER_PATH}/authorize", params=request_of(url, **changes))
    back = query_of(answer.headers["location"])
    assert (back["error"], back["state"]) == (error, "some state")
