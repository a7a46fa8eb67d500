"""Discovery of login and logout URLs with all their fallbacks (4.1)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth
from svc_tui.server.settings import GlobalIdentity
from tests.support.world import APP, APP_SECRET, COMPANY, OTHER_COMPANY, World, granted, refused

URLS = "/api/svc/authentication/v1.0/urls"
PROVIDER = {
    "id": "1d" * 12,
    "companyId": COMPANY,
    "type": "OIDC",
    "name": "Example sign-on",
    "issuer": "https://identity.invalid",
    "clientId": "svc",
    "clientSecret": "a provider's secret",
}


async def methods(world: World, uid: str = "jane@example.com", **query: str) -> list[dict[str, Any]]:
    body = granted(await world.get(URLS, params={"uid": uid, **query}))
    found: list[dict[str, Any]] = body["data"]
    return found


async def types(world: World, uid: str = "jane@example.com") -> list[str]:
    return [item["type"] for item in await methods(world, uid)]


async def test_without_a_configured_method_the_password_is_used(world: World) -> None:
    await world.user()
    item = (await methods(world))[0]
    assert item["type"] == "SVC"
    assert item["loginUrl"] == "http://svc.test/api/svc/authentication/v1.0/login"
    assert item["useWebView"] is False


async def test_discovery_does_not_reveal_which_users_exist(world: World) -> None:
    await world.user()
    await world.user("idle@example.com", isActive=False)
    await world.user("gone@example.com", isTerminated=True)
    for configured in (False, True):
        if configured:
            await world._put("identity_providers", PROVIDER)
        known = await shape(world, "jane@example.com")
        assert known["type"] == ("OIDC" if configured else "SVC")
        for uid in ("unknown@example.com", "UNKNOWN@EXAMPLE.COM", "idle@example.com", "gone@example.com"):
            assert await shape(world, uid) == known


async def shape(world: World, uid: str) -> dict[str, Any]:
    """The method of a login, without what is random, and without the login itself."""
    (item,) = await methods(world, uid, useBackchannelPolling="true")
    text = json.dumps(item)
    for found in (item["challenge"], *(item.get("backchannelSession") or {}).values()):
        text = text.replace(found, "random") if found else text
    return dict(json.loads(text))


@pytest.mark.parametrize(
    ("uid", "others"),
    [
        pytest.param("new@example.com", [{"login": "x@example.com", "companyId": OTHER_COMPANY}], id="shared domain"),
        pytest.param("new@example.com", [{"login": "x@other.example"}], id="a company with several domains"),
        pytest.param("new@other.example", [{"login": "x@other.example"}], id="one of several domains"),
        pytest.param("new@sub.example.com", [], id="another domain"),
        pytest.param("new@ample.com", [], id="the end of a domain"),
        pytest.param("example.com", [], id="no address"),
        pytest.param("@example.comx", [], id="a longer domain"),
        pytest.param("a@b@example.com", [], id="two signs"),
    ],
)
async def test_an_unknown_login_whose_domain_is_not_that_of_one_company_has_the_password(
    world: World, uid: str, others: list[dict[str, Any]]
) -> None:
    await world.user()
    for fields in others:
        await world.user(**fields)
    await world._put("identity_providers", PROVIDER)
    assert await types(world, uid) == ["SVC"]


async def test_terminated_users_do_not_share_the_domain_of_a_company(world_on_both: World) -> None:
    world = world_on_both
    await world.company()
    await world.user()
    await world.user("gone@example.com", companyId=OTHER_COMPANY, isTerminated=True)
    await world.user("gone@other.example", isTerminated=True)
    await world._put("identity_providers", PROVIDER)
    assert await types(world, "new@example.com") == ["OIDC"]
    # What remains: administrators keep the password, and a method of their own is that of a user.
    await world.user("root@example.com", roles=("company_admin",))
    assert await types(world, "root@example.com") == ["OIDC", "SVC"]


async def test_an_unknown_login_of_a_company_with_the_global_single_sign_on_has_it_too(world: World) -> None:
    world.service.settings.global_identity = GlobalIdentity(issuer="https://identity.invalid", client_id="svc")
    await world.company(authenticationType="GLOBAL_OIDC")
    await world.user()
    assert await types(world, "new@example.com") == ["GLOBAL_OIDC"]
    await world.company(authenticationType="PASSWORDLESS")
    assert await types(world, "new@example.com") == ["SVC"]


async def test_a_user_of_a_company_with_single_sign_on_gets_its_method(world: World) -> None:
    await world.user()
    await world._put("identity_providers", PROVIDER)
    (item,) = await methods(world)
    assert (item["type"], item["name"], item["clientId"]) == ("OIDC", "Example sign-on", "svc")
    assert item["issuer"] == "https://identity.invalid"
    assert item["discoveryUrl"] == "https://identity.invalid/.well-known/openid-configuration"
    assert item["useWebView"] is True
    assert f"companyId={COMPANY}&challenge={item['challenge']}" in item["loginUrl"]
    assert "backchannelSession" not in item
    assert "secret" not in str(item).lower()


@pytest.mark.parametrize("role", ["superadmin", "bp_admin", "organization_admin", "company_admin", "site_admin"])
async def test_administrators_always_have_the_password_as_fallback(world: World, role: str) -> None:
    await world.user(roles=(role,))
    await world._put("identity_providers", PROVIDER)
    assert await types(world) == ["OIDC", "SVC"]


async def test_a_user_set_to_the_password_does_not_get_the_companys_single_sign_on(world: World) -> None:
    await world.user(authenticationType="SVC")
    await world._put("identity_providers", PROVIDER)
    assert await types(world) == ["SVC"]


@pytest.mark.parametrize("kind", ["user", "company"])
async def test_without_a_saml_provider_the_password_is_used(world: World, kind: str) -> None:
    await world.company(**({"authenticationType": "SAML"} if kind == "company" else {}))
    await world.user(**({"authenticationType": "SAML"} if kind == "user" else {}))
    assert await types(world) == ["SVC"]


@pytest.mark.parametrize("roles", [(), ("company_admin",)])
async def test_a_user_with_a_method_of_their_own_keeps_it_against_the_company(
    world: World, roles: tuple[str, ...]
) -> None:
    await world.company(authenticationType="SVC")
    await world._put("identity_providers", PROVIDER)
    await world.user(authenticationType="OIDC", roles=("user", *roles))
    assert await types(world) == ["OIDC", *(["SVC"] if roles else [])]


async def test_passwordless_needs_the_users_feature(world: World) -> None:
    await world.company(authenticationType="PASSWORDLESS")
    await world.user()
    await world.user("joe@example.com", features=["SECURITY_PASSWORDLESS"])
    await world.user("root@example.com", features=["SECURITY_PASSWORDLESS"], roles=("company_admin",))
    assert await types(world) == ["SVC"]
    assert await types(world, "joe@example.com") == ["PASSWORDLESS"]
    assert await types(world, "root@example.com") == ["PASSWORDLESS", "SVC"]
    (item,) = await methods(world, "joe@example.com", useBackchannelPolling="true")
    native = "http://svc.test/api/svc/authentication/v1.0"
    assert item == {
        "type": "PASSWORDLESS",
        "name": None,
        "clientId": None,
        "challenge": None,
        "onlyUseImplicitFlow": False,
        "useWebView": False,
        "useBackchannel": False,
        "loginUrl": f"{native}/login",
        "logoutUrl": f"{native}/logout",
    }


async def test_global_single_sign_on_is_offered_when_the_service_has_one(world: World) -> None:
    await world.company(authenticationType="GLOBAL_OIDC")
    await world.user()
    assert await types(world) == ["SVC"]
    world.service.settings.global_identity = GlobalIdentity(issuer="https://identity.invalid", client_id="svc")
    (item,) = await methods(world)
    assert item["type"] == "GLOBAL_OIDC"
    assert "/global-sso/oidc/login?challenge=" in item["loginUrl"]


async def test_with_the_implicit_flow_only_there_is_no_login_url(world: World) -> None:
    await world.user()
    await world._put("identity_providers", {**PROVIDER, "onlyUseImplicitFlow": True})
    (item,) = await methods(world)
    assert item["onlyUseImplicitFlow"] is True
    assert "loginUrl" not in item


async def test_a_polled_session_is_created_on_request(world: World) -> None:
    await world.user()
    await world._put("identity_providers", PROVIDER)
    (item,) = await methods(world, useBackchannelPolling="true")
    assert item["useBackchannel"] is True
    path = f"/api/svc/authentication/v1.0/backchannel-sessions/{item['backchannelSession']['id']}"
    token = {"authorization": f"Bearer {item['backchannelSession']['token']}"}
    assert granted(await world.http.get(path, headers=token)) == {"data": {"status": "pending"}}
    refused(await world.http.get(path), 401202)
    (other,) = await methods(world, useBackchannelPolling="true")
    stranger = {"authorization": f"Bearer {other['backchannelSession']['token']}"}
    refused(await world.http.get(path, headers=stranger), 401202)
    refused(await world.get("/api/svc/authentication/v1.0/validator", headers=token), 401202)
    world.clock.forward(seconds=301)
    refused(await world.http.get(path, headers=token), 404000)


@pytest.mark.parametrize("query", ["", "uid=", "uid=jane", "uid=" + "j" * 256, "uid=undefined"])
async def test_a_missing_short_or_long_identifier_is_refused(world: World, query: str) -> None:
    body = refused(await world.get(f"{URLS}?{query}"), 400000)
    assert [each["param"] for each in body["errorDetails"]] == ["uid"]


@pytest.mark.parametrize(("country", "valid"), [("FRA", True), ("XXX", False), ("fra", False), ("FR", False)])
async def test_a_country_must_be_an_iso_3166_1_alpha_3_code(world: World, country: str, valid: bool) -> None:
    answer = await world.get(f"{URLS}?uid=jane@example.com&country={country}")
    if valid:
        granted(answer)
    else:
        refused(answer, 400210)


@pytest.mark.parametrize(
    ("claims", "path", "view"),
    [
        pytest.param({}, "/logout", False, id="password, second factor, passwordless"),
        pytest.param({"oidc": {"companyId": COMPANY}}, "/oidc-client/logout", True, id="OIDC"),
        pytest.param({"saml": {}}, "/saml/logout", True, id="SAML"),
        pytest.param({"oidc": {"companyId": ""}}, "/global-sso/oidc/logout", True, id="global OIDC"),
    ],
)
async def test_each_login_method_has_its_logout_and_only_single_sign_on_a_web_view(
    world: World, claims: dict[str, Any], path: str, view: bool
) -> None:
    token = world.token(await world.user(), **claims)
    for _ in ("the login", "its renewal"):
        headers = {"authorization": f"Bearer {token}"}
        data = granted(await world.get(f"{URLS}/logout", headers=headers))["data"]
        assert data == {"useWebView": view, "logoutUrl": f"http://svc.test/api/svc/authentication/v1.0{path}"}
        token = granted(await world.get("/api/svc/authentication/v1.0/renew", headers=headers))["token"]


async def test_an_application_with_an_oauth_token_has_no_logout_url(world: World) -> None:
    jane = await world.user()
    grant = {"id": "9a" * 12, "userId": jane["id"], "appId": APP, "appName": "x", "expires": "2999-01-01T00:00:00.000Z"}
    await world._put("oauth_tokens", grant)
    token = world.token(jane, oauth={"type": "access_token", "scope": "all", "id": grant["id"]})
    answer = await world.get(f"{URLS}/logout", headers={"authorization": f"Bearer {token}"})
    assert granted(answer)["data"] == {"useWebView": False}


async def test_a_login_by_key_has_no_logout_url(world: World) -> None:
    jane = await world.user()
    body = {"description": "job", "isActive": True, "scope": ["all"]}
    key = granted(await world.post("/api/svc/authentication/v1.0/apikeys", by=jane, json=body))["data"]["apiKey"]
    headers = {API_KEY: key, CHALLENGE: "c", APP_AUTH: app_auth(APP, APP_SECRET, "c")}
    assert granted(await world.http.get(f"{URLS}/logout", headers=headers))["data"] == {"useWebView": False}
