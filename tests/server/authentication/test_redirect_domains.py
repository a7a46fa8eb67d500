"""`allowedRedirectDomains` of a company: where the browsers of its users may be redirected to (2.7)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from svc_tui.interface.addresses import is_within
from svc_tui.server.settings import GlobalIdentity
from tests.server.authentication.provider_support import (
    BASE,
    HOME,
    Browser,
    browsing,
    discovered,
    query_of,
    running_provider,
    signed,
)
from tests.support.world import World


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@pytest.fixture
async def browser(world: World, issuer: str) -> AsyncIterator[Browser]:
    async with browsing(world, issuer) as found:
        await world.user()
        yield found


@pytest.mark.parametrize(
    ("address", "domains", "within"),
    [
        ("https://example.com/x", ["example.com"], True),
        ("https://app.example.com/x", ["example.com"], True),
        ("https://APP.example.com:8443/x", ["Example.COM"], True),
        ("https://app.example.com/x", ["*.example.com"], True),
        ("https://app.example.com./x", ["other.example", "example.com."], True),
        ("http://127.0.0.1:8000/done", ["example.com"], True),
        ("http://localhost/done", ["example.com"], True),
        ("https://notexample.com/x", ["example.com"], False),
        ("https://example.com.evil.example/x", ["example.com"], False),
        ("https://example.com@evil.example/x", ["example.com"], False),
        ("https://evil.example/example.com", ["example.com"], False),
        ("https://example.com/x", ["app.example.com"], False),
        ("myapp://example.org", ["example.com"], False),
        ("urn:ietf:wg:oauth:2.0:oob", ["example.com"], False),
        ("https://example.com/x", ["", "*."], False),
    ],
)
def test_a_domain_contains_its_own_addresses_and_those_below(address: str, domains: list[str], within: bool) -> None:
    assert is_within(address, domains) is within


@pytest.mark.parametrize("domains", [None, [], ["app.example"], ["other.example", "app.example"]])
async def test_a_login_returns_to_an_allowed_domain(browser: Browser, domains: list[str] | None) -> None:
    await browser.world.company(allowedRedirectDomains=domains)
    item = await discovered(browser.world)
    assert "tkn" in query_of(await browser.open(await browser.sign_in(await browser.open(signed(item)))))


async def test_a_login_for_another_domain_is_refused_before_it_begins(browser: Browser) -> None:
    await browser.world.company(allowedRedirectDomains=["corp.example"])
    page = await browser.world.http.get(signed(await discovered(browser.world)))
    assert page.status_code == 403 and "location" not in page.headers
    assert "does not allow its users to be redirected to app.example" in page.text


async def test_a_login_that_began_before_the_limit_gets_no_token(browser: Browser) -> None:
    world = browser.world
    for query in ({}, {"useBackchannelPolling": "true"}):
        await world.company()
        away = await browser.open(signed(await discovered(world, **query)))
        await world.company(allowedRedirectDomains=["corp.example"])
        page = await world.http.get(await browser.sign_in(away))
        assert page.status_code == 403 and "location" not in page.headers
        assert "tkn=" not in page.text and "<form" not in page.text


async def test_the_global_single_sign_on_knows_the_limit_when_it_knows_the_user(browser: Browser, issuer: str) -> None:
    world = browser.world
    world.service.settings.global_identity = GlobalIdentity(issuer=issuer, client_id="svc", client_secret="x")
    await world.company(authenticationType="GLOBAL_OIDC", allowedRedirectDomains=["corp.example"])
    away = await browser.open(signed(await discovered(world)))
    assert (await world.http.get(await browser.sign_in(away))).status_code == 403


async def test_an_application_without_an_address_uses_the_web_client_which_is_always_allowed(browser: Browser) -> None:
    world = browser.world
    world.service.settings.web_client_url = "https://web.svc.example/"
    await world.company(allowedRedirectDomains=["corp.example"])
    await world.application(ssoAuthenticationRedirectUrl=None, isSvcClientDefault=True)
    home = await browser.open(await browser.sign_in(await browser.open(signed(await discovered(world)))))
    assert home.startswith("https://web.svc.example/?tkn=")


async def test_a_stored_address_that_runs_scripts_is_replaced_by_the_web_client(browser: Browser) -> None:
    world = browser.world
    hostile = {"ssoAuthenticationRedirectUrl": "javascript:alert(1)", "ssoLogoutRedirectUrl": "data:text/html,x"}
    await world.application(isSvcClientDefault=True, **hostile)
    home = await browser.open(await browser.sign_in(await browser.open(signed(await discovered(world)))))
    assert home.startswith(world.service.settings.web_client_url)
    token = query_of(home)["tkn"]
    assert await browser.open(f"{BASE}/oidc-client/logout?token={token}") == world.service.settings.web_client_url


async def test_a_logout_for_another_domain_ends_at_the_web_client(browser: Browser) -> None:
    world = browser.world
    await world.company(allowedRedirectDomains=["corp.example"])
    jane = await world.user("joe@example.com")
    address = f"{BASE}/oidc-client/logout?token={world.token(jane, oidc={})}"
    assert await browser.open(address) == world.service.settings.web_client_url
    await world.company(allowedRedirectDomains=["app.example"])
    assert await browser.open(address) == HOME
