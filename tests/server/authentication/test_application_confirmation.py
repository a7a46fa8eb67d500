"""Which applications get the login of a user: the service's own clients, those that the company of the user vouches
for, and others only after a page that names them. Names of the service's own clients are not available to others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from svc_tui.server.http.pages import page_response
from svc_tui.server.rules import PageResult
from svc_tui.server.security.own_clients import looks_like
from tests.server.authentication import oauth_support as oauth
from tests.server.authentication.provider_support import (
    BASE,
    Browser,
    browsing,
    discovered,
    query_of,
    running_provider,
    signed,
)
from tests.support.forms import filled
from tests.support.world import APP, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

APPLICATIONS = "/api/svc/applications/v1.0/applications"
EVIL = "https://evil.example/collect"
ASKED = {"response_type": "code", "client_id": APP}


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@pytest.fixture
async def browser(world: World, issuer: str) -> AsyncIterator[Browser]:
    """The browser of a user, and an application that a developer of another company has registered."""
    async with browsing(world, issuer) as found:
        await world.user()
        await world.company(OTHER_COMPANY, name="Evil & Sons")
        owner = await world.user(
            "mallory@evil.example", roles=("app_admin",), companyId=OTHER_COMPANY, displayName="Mallory\u202e <b>"
        )
        await world.application(name="Time Sheets", ownerId=owner["id"], ssoAuthenticationRedirectUrl=EVIL)
        yield found


async def clicked(browser: Browser) -> httpx.Response:
    """The user opens the login link and logs in at the provider of their company."""
    return await browser.world.http.get(
        await browser.sign_in(await browser.open(signed(await discovered(browser.world))))
    )


async def decided(world: World, page: httpx.Response, decision: str = "allow") -> httpx.Response:
    action, values = filled(page.text, decision=decision)
    return await world.http.post(action, data=values)


async def test_one_click_gives_a_developer_no_token_but_the_user_may(browser: Browser) -> None:
    world = browser.world
    page = await clicked(browser)
    assert page.status_code == 200 and "location" not in page.headers
    assert "tkn" not in page.text and ".ey" not in page.text
    facts = {
        "Application": "Time Sheets",
        "Owner": "Mallory &lt;b&gt;",
        "Company": "Evil &amp; Sons",
        "Access goes to": "evil.example",
    }
    for name, value in facts.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page.text
    assert "jane@example.com" in page.text
    assert "form-action 'self' https://evil.example;" in page.headers["content-security-policy"]
    home = await decided(world, page)
    assert home.headers["location"].startswith(f"{EVIL}?tkn=")
    token = query_of(home.headers["location"])["tkn"]
    granted(await world.get(f"{BASE}/validator", headers={"authorization": f"Bearer {token}"}))
    # Once.
    assert (await decided(world, page)).status_code == 400


async def test_a_denial_returns_without_a_token(browser: Browser) -> None:
    home = query_of((await decided(browser.world, await clicked(browser), "deny")).headers["location"])
    assert (home["errtype"], home["errcode"], home["errmsg"]) == ("OIDC", "401102", "the login was denied")
    assert "tkn" not in home


@pytest.mark.parametrize(
    ("address", "domains", "asks"),
    [
        (EVIL, None, True),
        (EVIL, [], True),
        (EVIL, ["other.example", "evil.example"], False),
        ("https://app.evil.example/x", ["evil.example"], False),
        # Allowed for every list, but not listed: any program of the machine could wait there.
        ("http://127.0.0.1:8976/done", ["evil.example"], True),
        ("http://127.0.0.1:8976/done", ["127.0.0.1"], False),
        # The service's own web client, but another application.
        (None, ["evil.example"], True),
    ],
)
async def test_the_company_of_the_user_can_vouch_for_a_domain(
    browser: Browser, address: str | None, domains: list[str] | None, asks: bool
) -> None:
    await browser.world.company(allowedRedirectDomains=domains)
    await browser.world.application(ssoAuthenticationRedirectUrl=address)
    answer = await clicked(browser)
    assert ("tkn=" in answer.headers.get("location", ""), answer.status_code == 200) == (not asks, asks)


async def test_a_domain_of_the_company_of_the_developer_is_not_vouched_for(browser: Browser) -> None:
    await browser.world.company(OTHER_COMPANY, allowedRedirectDomains=["evil.example"])
    assert (await clicked(browser)).status_code == 200


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("application", {"ssoAuthenticationRedirectUrl": "https://elsewhere.example/"}),
        ("application", {"ssoAuthenticationRedirectUrl": None}),
        ("application", {"state": "blocked"}),
        ("user", {"isActive": False}),
        ("company", {"allowedRedirectDomains": ["corp.example"]}),
        ("company", {"status": "hold"}),
        ("lock", {}),
    ],
)
async def test_what_changed_after_the_page_counts(browser: Browser, kind: str, fields: Document) -> None:
    world = browser.world
    page = await clicked(browser)
    match kind:
        case "application":
            await world._put("applications", {**await world.stored("applications", APP), **fields})
        case "user":
            async with world.service.database.unit() as store:
                (jane,) = [
                    each for each in (await store.users.find()).documents if each["loginEmail"] == "jane@example.com"
                ]
            await world._put("users", {**jane, **fields})
        case "company":
            await world.company(**fields)
        case _:
            for _ in range(world.service.settings.lock_failures):
                await world.login(password="wrong")
    answer = await decided(world, page)
    assert "tkn" not in answer.headers.get("location", "")


async def test_only_the_browser_that_logged_in_can_allow(browser: Browser) -> None:
    page = await clicked(browser)
    cookies = dict(browser.world.http.cookies)
    browser.world.http.cookies.clear()
    assert (await decided(browser.world, page)).status_code == 400
    browser.world.http.cookies.update(dict.fromkeys(cookies, "guessed"))
    assert (await decided(browser.world, page)).status_code == 400


async def test_only_a_superadmin_marks_a_client_of_the_service(world: World) -> None:
    new = {"type": "web", "activity": "J", "isSvcClientDefault": True}
    for role in ("app_admin", "app_superadmin", "superadmin"):
        caller = await world.user(f"{role}@example.com", roles=(role, "app_admin"))
        made = granted(
            await world.post(APPLICATIONS, by=caller, json={**new, "name": f"My {role}", "isSvcClientDefault": None})
        )["data"]
        assert made["isSvcClientDefault"] is False
        created = await world.post(APPLICATIONS, by=caller, json={**new, "name": f"Own {role}"})
        changed = await world.put(f"{APPLICATIONS}/{made['id']}", by=caller, json={"isSvcClientDefault": True})
        if role == "superadmin":
            assert granted(created)["data"]["isSvcClientDefault"] is True
            assert granted(changed)["data"]["isSvcClientDefault"] is True
        else:
            for answer in (created, changed):
                (detail,) = refused(answer, 403000)["errorDetails"]
                assert (detail["param"], detail["msg"]) == ("isSvcClientDefault", "needs superadmin")


async def test_only_a_superadmin_changes_the_name_and_addresses_of_a_client_of_the_service(world: World) -> None:
    owner = await world.user("dev@example.com", roles=("app_admin",))
    head = await world.user("head@example.com", roles=("app_superadmin",))
    root = await world.user("root@example.com", roles=("superadmin",))
    await world.application(name="Svc Console", ownerId=owner["id"], isSvcClientDefault=True)
    addresses: Document = {
        "ssoAuthenticationRedirectUrl": EVIL,
        "backchannelAuthenticationRedirectUrl": EVIL,
        "ssoLogoutRedirectUrl": EVIL,
        "oauthRedirectUris": [EVIL],
        "name": "Time Sheets",
    }
    for wire, value in addresses.items():
        for caller in (owner, head):
            answer = await world.put(f"{APPLICATIONS}/{APP}", by=caller, json={wire: value, "description": "x"})
            assert [each["param"] for each in refused(answer, 403000)["errorDetails"]] == [wire]
        granted(await world.put(f"{APPLICATIONS}/{APP}", by=root, json={wire: value}))
    # Unchanged values of a form are no change.
    granted(await world.put(f"{APPLICATIONS}/{APP}", by=owner, json={**addresses, "description": "x"}))


LIKE_CONSOLE = (
    "Svc Console",
    "SVC CONSOLE",
    "svc-console",
    " Svc  Console ",
    "Svc\u200bConsole",
    "Ｓｖｃ Console",
    "Svc C\u043ens\u043el\u0435",
    "\u0405vc Console",
    "Svç Cönsole",
    "Svc C0nsole",
    "Svc ConsoIe",
    "Svc Conso1e.",
)


@pytest.mark.parametrize("name", LIKE_CONSOLE)
async def test_no_other_application_has_the_name_of_a_client_of_the_service(world: World, name: str) -> None:
    owner = await world.user("dev@example.com", roles=("app_admin",))
    await world.application("b0" * 12, name="Svc Console", isSvcClientDefault=True)
    await world.application(name=name, ownerId=owner["id"], oauthRedirectUris=[oauth.CALLBACK])
    stranger = await world.user("other@example.com", roles=("app_admin",))
    taken = await world.post(APPLICATIONS, by=stranger, json={"name": name, "type": "web", "activity": "J"})
    assert "service's own clients" in refused(taken, 409000)["errorDetails"]
    other = {"name": "Svc Consolidation", "type": "web", "activity": "J"}
    made = granted(await world.post(APPLICATIONS, by=stranger, json=other))["data"]
    refused(await world.put(f"{APPLICATIONS}/{made['id']}", by=stranger, json={"name": name}), 409000)
    # One from before the rule can be edited, but gets no login until it has another name.
    granted(await world.put(f"{APPLICATIONS}/{APP}", by=owner, json={"description": "x"}))
    page = await oauth.Browser(world).open(**ASKED)
    assert page.status_code == 400 and "must rename it" in page.text and "<form" not in page.text
    granted(await world.put(f"{APPLICATIONS}/{APP}", by=owner, json={"name": "Mine"}))
    assert "<form" in (await oauth.Browser(world).open(**ASKED)).text


async def test_an_application_with_the_name_of_a_client_of_the_service_gets_no_login(browser: Browser) -> None:
    await browser.world.application("b0" * 12, name="time sheets", isSvcClientDefault=True)
    page = await clicked(browser)
    assert page.status_code == 403 and "must rename it" in page.text and "<form" not in page.text
    await browser.world.application("b0" * 12, name="time sheets", isSvcClientDefault=True, state="deleted")
    assert "<form" in (await clicked(browser)).text


def test_names_that_look_different_are_different() -> None:
    names = ("Svc Console", "Svc Consoles", "Console", "Svc", "Консоль", "控制台", "★", "Svc Console 2")
    assert len({looks_like(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("https://app.example:8443/cb?x=1", "app.example:8443"),
        ("http://127.0.0.1:8976/callback", "127.0.0.1:8976"),
        ("myapp://oauth", "myapp:"),
    ],
)
async def test_the_consent_names_owner_company_and_where_the_access_goes(
    world: World, address: str, target: str
) -> None:
    await world.user()
    await world.company(OTHER_COMPANY, name="Evil & Sons")
    owner = await world.user("mallory@evil.example", companyId=OTHER_COMPANY, displayName="Mallory")
    await world.application(name="Time Sheets", ownerId=owner["id"], oauthRedirectUris=[address])
    browser = oauth.Browser(world)
    await browser.open(**ASKED)
    page = await browser.log_in()
    facts = {"Application": "Time Sheets", "Owner": "Mallory", "Company": "Evil &amp; Sons", "Access goes to": target}
    for name, value in facts.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page.text


@pytest.mark.parametrize("fields", [{"isActive": False}, {"timeToLive": 0}])
@pytest.mark.parametrize("response_type", ["code", "token"])
async def test_a_user_who_may_no_longer_log_in_cannot_consent(
    world: World, fields: Document, response_type: str
) -> None:
    jane = await world.user()
    await oauth.application(world, enableOAuthImplicitGrant=True)
    browser = oauth.Browser(world)
    await browser.open(response_type=response_type, client_id=APP)
    await browser.log_in()
    await world._put("users", {**jane, **fields})
    answer = await browser.submit(decision="allow")
    assert answer.status_code == 400 and "location" not in answer.headers


@pytest.mark.parametrize(
    "target",
    [
        "https://a.example;sandbox/cb",
        "https://a.example,b.example/cb",
        "https://*.example/cb",
        "https://a.example'none'/cb",
        "http://a.example%20https:/cb",
        "https:;sandbox",
        "myapp:;sandbox",
    ],
)
def test_an_address_adds_nothing_to_the_policy_of_a_page(target: str) -> None:
    policy = page_response(PageResult("", target=target)).headers["content-security-policy"]
    names = [part.split()[0] for part in policy.split(";")]
    assert names == ["default-src", "style-src", "form-action", "frame-ancestors", "base-uri"]
    assert "," not in policy and "*" not in policy and policy.count("'none'") == 3
