"""OAuth 2.0 with a client of a library that we did not write, and field by field (5.5, 4.1, 2.6)."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from sqlalchemy import text

from tests.server.authentication.oauth_support import (
    AUTHORIZE,
    CALLBACK,
    ORIGIN,
    TOKEN,
    TOKENS,
    Browser,
    allowed,
    application,
    arrived,
    bearer,
    client,
    code_of,
    exchanged,
)
from tests.support.world import APP, World, granted, refused

ME = "/api/svc/enduser/v1.0/users/me"
OTHER_APP = "a1" * 12


@pytest.fixture
async def jane(world: World) -> dict[str, str]:
    await application(world)
    return await world.user()


async def test_a_library_gets_tokens_calls_refreshes_and_ends(world: World, jane: dict[str, str]) -> None:
    verifier = generate_token(64)
    async with client(world, code_challenge_method="S256") as app:
        address, state = app.create_authorization_url(ORIGIN + AUTHORIZE, code_verifier=verifier)
        values = await allowed(world, address)
        assert values["state"] == state and values["from"] == "svc"
        tokens = await app.fetch_token(
            ORIGIN + TOKEN,
            authorization_response=f"{CALLBACK}&code={values['code']}&state={state}",
            code_verifier=verifier,
        )
        assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "all")
        assert (await app.get(ORIGIN + ME)).json()["data"]["id"] == jane["id"]
        first = tokens["refresh_token"]
        again = await app.refresh_token(ORIGIN + TOKEN)
        assert again["refresh_token"] != first
        with pytest.raises(OAuthError, match="invalid_grant"):
            await app.refresh_token(ORIGIN + TOKEN, refresh_token=first)
        # The reuse of a replaced refresh token ends its whole family.
        assert (await app.get(ORIGIN + ME)).status_code == 401
        with pytest.raises(OAuthError, match="invalid_grant"):
            await app.refresh_token(ORIGIN + TOKEN, refresh_token=again["refresh_token"])


async def test_a_code_is_used_once_and_a_second_use_ends_its_tokens(world: World, jane: dict[str, str]) -> None:
    code = await code_of(world)
    answer = await exchanged(world, grant_type="authorization_code", code=code)
    tokens = granted(answer)
    assert answer.headers["cache-control"] == "no-store"
    granted(await world.get(ME, headers=bearer(tokens)))
    again = await exchanged(world, grant_type="authorization_code", code=code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    refused(await world.get(ME, headers=bearer(tokens)), 401202)


async def test_a_code_is_bound_to_application_address_and_verifier_and_expires(
    world: World, jane: dict[str, str]
) -> None:
    await world.application(OTHER_APP, oauthRedirectUris=[CALLBACK])
    grant = {"grant_type": "authorization_code"}
    code = await code_of(world)
    for wrong in ({"app": OTHER_APP}, {"secret": "wrong"}, {"redirect_uri": "myapp://oauth"}):
        assert (await exchanged(world, code=code, **grant, **wrong)).status_code in (400, 401)
    code = await code_of(world, redirect_uri=CALLBACK)
    assert (await exchanged(world, code=code, **grant)).json()["error"] == "invalid_grant"
    code = await code_of(world)
    assert (await exchanged(world, code=code, code_verifier="x" * 43, **grant)).json()["error"] == "invalid_grant"
    code = await code_of(world, code_challenge="x" * 43, code_challenge_method="S256")
    for verifier in ({}, {"code_verifier": "x" * 43}):
        assert (await exchanged(world, code=code, **verifier, **grant)).json()["error"] == "invalid_grant"
    code = await code_of(world)
    world.clock.forward(minutes=11)
    assert (await exchanged(world, code=code, **grant)).json()["error"] == "invalid_grant"


async def test_codes_and_refresh_tokens_are_stored_as_hashes_only(world: World, jane: dict[str, str]) -> None:
    code = await code_of(world)
    unused = await code_of(world)
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=code))
    async with world.service.database.unit() as store:
        stored = ""
        for table in ("tickets", "oauth_tokens"):
            stored += str(await store.rows(text(f"SELECT * FROM {table}")))
    assert not [each for each in (code, unused, *map(str, tokens.values())) if len(each) > 20 and each in stored]


async def test_access_and_refresh_tokens_expire(world: World, jane: dict[str, str]) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    world.clock.forward(seconds=3600)
    answer = await world.get(ME, headers=bearer(tokens))
    assert (answer.status_code, answer.json()["errorDetails"]) == (401, "jwt expired")
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    # Renewed for 90 days at each rotation.
    for _ in range(2):
        world.clock.forward(days=89)
        refresh["refresh_token"] = granted(await exchanged(world, **refresh))["refresh_token"]
    world.clock.forward(days=90)
    assert (await exchanged(world, **refresh)).json()["error"] == "invalid_grant"


async def test_a_refresh_gives_another_access_token_also_within_the_same_second(
    world: World, jane: dict[str, str]
) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    again = granted(await exchanged(world, grant_type="refresh_token", refresh_token=tokens["refresh_token"]))
    assert again["access_token"] != tokens["access_token"]


async def test_a_refresh_token_is_bound_to_its_application(world: World, jane: dict[str, str]) -> None:
    """Another application can neither use it nor, with one that was replaced, end the grant."""
    await world.application(OTHER_APP, oauthRedirectUris=[CALLBACK])
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    for replaced in (False, True):
        if replaced:
            tokens = granted(await exchanged(world, **refresh))
        answer = await exchanged(world, app=OTHER_APP, **refresh)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
        granted(await world.get(ME, headers=bearer(tokens)))


async def test_without_rotation_a_refresh_token_stays(world: World, jane: dict[str, str]) -> None:
    await application(world, enableOAuthRefreshTokenRotation=False)
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    for _ in range(2):
        again = granted(await exchanged(world, grant_type="refresh_token", refresh_token=tokens["refresh_token"]))
        assert again["refresh_token"] == tokens["refresh_token"]
        granted(await world.get(ME, headers=bearer(again)))


@pytest.mark.parametrize("several", [True, False])
async def test_a_new_login_ends_earlier_tokens_unless_several_are_allowed(
    world: World, jane: dict[str, str], several: bool
) -> None:
    await application(world, enableOAuthAllowSeveralRefreshTokens=several)
    first, second = [
        granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world))) for _ in range(2)
    ]
    assert (await world.get(ME, headers=bearer(first))).status_code == (200 if several else 401)
    granted(await world.get(ME, headers=bearer(second)))
    refreshed = await exchanged(world, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert refreshed.status_code == (200 if several else 400)


async def test_the_implicit_grant_is_off_unless_the_application_enables_it(world: World, jane: dict[str, str]) -> None:
    browser = Browser(world)
    asked = {"response_type": "token", "client_id": APP, "state": "s1"}
    assert arrived(await browser.open(**asked))["error"] == "unauthorized_client"
    await application(world, enableOAuthImplicitGrant=True)
    await browser.open(**asked)
    await browser.log_in()
    answer = await browser.submit(decision="allow")
    assert answer.headers["location"].startswith(f"{CALLBACK}#")
    values = arrived(answer)
    assert {"token_type": "Bearer", "expires_in": "3600", "state": "s1"}.items() <= values.items()
    assert "refresh_token" not in values
    granted(await world.get(ME, headers=bearer(values)))


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({}, "invalid_request"),
        ({"response_type": "id_token"}, "unsupported_response_type"),
        ({"response_type": "code", "scope": "openid"}, "invalid_scope"),
        ({"response_type": "code", "code_challenge": "x" * 43}, "invalid_request"),
        ({"response_type": "code", "code_challenge": "x", "code_challenge_method": "S256"}, "invalid_request"),
    ],
)
async def test_a_wrong_request_goes_back_to_the_application(world: World, query: dict[str, str], error: str) -> None:
    await application(world)
    values = arrived(await Browser(world).open(client_id=APP, state="s 1", **query))
    assert (values["error"], values["state"]) == (error, "s 1") and values["error_description"]


@pytest.mark.parametrize(
    "query",
    [
        {"client_id": "ff" * 12},
        {},
        {"client_id": APP, "redirect_uri": "https://evil.example/"},
        {"client_id": APP, "redirect_uri": CALLBACK + "&more=1"},
        {"client_id": APP, "redirect_uri": CALLBACK.replace("app.", "App.")},
        {"client_id": APP, "redirect_uri": "javascript:alert(1)"},
        {"client_id": OTHER_APP},
    ],
)
async def test_the_browser_is_never_redirected_to_an_unregistered_address(world: World, query: dict[str, str]) -> None:
    await application(world)
    await world.application(OTHER_APP, oauthRedirectUris=["javascript:alert(1)", "https://app.example/#part"])
    answer = await Browser(world).open(response_type="code", **query)
    assert answer.status_code == 400 and "location" not in answer.headers
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("state", ["stopped", "blocked", "deleted"])
async def test_an_application_that_is_not_in_use_gets_nothing(world: World, jane: dict[str, str], state: str) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    code = await code_of(world)
    await application(world, state=state)
    assert (await Browser(world).open(response_type="code", client_id=APP)).status_code == 400
    answer = await exchanged(world, grant_type="authorization_code", code=code)
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    assert answer.headers["www-authenticate"].startswith("Basic")
    refused(await world.get(ME, headers=bearer(tokens)), 401102)


async def test_an_inactive_user_gets_no_tokens(world: World, jane: dict[str, str]) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    code = await code_of(world)
    async with world.service.database.unit() as store:
        await store.users.put({**jane, "isActive": False})
    for form in (
        {"grant_type": "authorization_code", "code": code},
        {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    ):
        assert (await exchanged(world, **form)).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code"}, "invalid_request"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
    ],
)
async def test_a_wrong_request_for_tokens_is_refused(world: World, form: dict[str, str], error: str) -> None:
    await application(world)
    answer = await exchanged(world, **form)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


async def test_tokens_are_listed_and_revoked_by_their_user_only(world: World, jane: dict[str, str]) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    other = await world.user("other@example.com", roles=("superadmin",))
    listed = granted(await world.get(TOKENS, by=jane))
    (small,) = listed["data"]
    assert set(small) == {"id", "appId", "appName", "userId"} and listed["total"] == 1
    medium = granted(await world.get(TOKENS, by=jane, params={"format": "medium"}))["data"][0]
    more = {"scope", "creationDate", "accessTokenIssuedAt", "refreshTokenExpiresAt"}
    assert set(medium) == set(small) | more
    one = f"{TOKENS}/{small['id']}"
    full = granted(await world.get(one, by=jane))["data"]
    assert set(full) == set(medium) | {"accessTokenExpiresAt", "refreshTokenIssuedAt"}
    assert granted(await world.get(TOKENS, by=other))["data"] == []
    refused(await world.get(one, by=other), 403000)
    refused(await world.delete(one, by=other), 403000)
    refused(await world.get(f"{TOKENS}/{'0' * 24}", by=jane), 404000)
    refused(await world.get(f"{TOKENS}/x", by=jane), 400000)
    gone = granted(await world.delete(one, by=jane))
    assert gone["data"] == full and gone["status"] == f"OAuth token {small['id']} successfully deleted"
    refused(await world.delete(one, by=jane), 404002)
    # Both tokens end.
    refused(await world.get(ME, headers=bearer(tokens)), 401202)
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert (await exchanged(world, **refresh)).json()["error"] == "invalid_grant"


async def test_an_access_token_cannot_be_renewed(world: World, jane: dict[str, str]) -> None:
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    refused(await world.get("/api/svc/authentication/v1.0/renew", headers=bearer(tokens)), 401202)


async def test_secrets_with_reserved_characters_are_encoded_as_in_the_standard(world: World) -> None:
    await application(world, appSecret="a+b %:ü")
    await world.user()
    form = {"grant_type": "authorization_code", "code": await code_of(world)}
    granted(await exchanged(world, secret=quote("a+b %:ü", safe=""), **form))
