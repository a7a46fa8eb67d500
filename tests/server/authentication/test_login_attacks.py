"""Attacks on logins in a browser: a provider that mixes up its answers with those of another, and planted cookies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from html import unescape
from urllib.parse import urlsplit

import httpx
import pytest

from tests.server.authentication import oauth_support as oauth
from tests.server.authentication.attacker_support import Attacker, hostile_provider
from tests.server.authentication.provider_support import (
    BASE,
    Browser,
    browsing,
    discovered,
    provider,
    query_of,
    running_provider,
    signed,
)
from tests.support.world import APP, COMPANY, OTHER_COMPANY, World, refused

ASKED = {"response_type": "code", "client_id": APP, "state": "s1"}


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@pytest.fixture
async def browser(world: World, issuer: str) -> AsyncIterator[Browser]:
    async with browsing(world, issuer) as found:
        await world.user()
        yield found


@pytest.fixture
async def attacker(world: World) -> AsyncIterator[Attacker]:
    async with hostile_provider(world) as found:
        yield found


async def test_a_provider_cannot_get_the_code_of_another_one(browser: Browser, attacker: Attacker, issuer: str) -> None:
    """The mix-up: the victim is forwarded to their own provider with the values of the attacker's login."""
    own = query_of(await browser.open(signed(await discovered(browser.world))))
    begun = await attacker.begun(browser)
    mixed = {**own, **{name: begun[name] for name in ("state", "nonce", "code_challenge")}}
    for redirect_uri in (own["redirect_uri"], f"{own['redirect_uri']}/"):
        asked = {**mixed, "redirect_uri": redirect_uri}
        back = await browser.sign_in(str(httpx.URL(f"{issuer}/oauth2/authorize", params=asked)))
        answer = await browser.world.http.get(back)
        assert answer.status_code in (401, 404) and "location" not in answer.headers
    assert attacker.codes == []
    assert own["redirect_uri"] != begun["redirect_uri"]


async def test_the_address_that_all_providers_shared_has_ended(browser: Browser) -> None:
    asked = query_of(await browser.open(signed(await discovered(browser.world))))
    assert asked["redirect_uri"].endswith(f"/oidc-client/callback/{COMPANY}")
    answer = await browser.world.get(f"{BASE}/oidc-client/callback", params={"state": asked["state"], "code": "x"})
    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["oidc-client/callback/" + OTHER_COMPANY, "global-sso/oidc/callback"])
async def test_a_response_at_the_address_of_another_provider_is_refused(browser: Browser, path: str) -> None:
    back = urlsplit(await browser.sign_in(await browser.open(signed(await discovered(browser.world)))))
    refused(await browser.world.get(f"{BASE}/{path}?{back.query}"), 401102)


@pytest.mark.parametrize(
    ("advertised", "iss", "sent"),
    [
        (True, "own", True),
        (False, "own", True),
        (False, None, True),
        (True, None, False),
        (True, "", False),
        (True, "https://other.example", False),
        (False, "https://other.example", False),
    ],
)
@pytest.mark.parametrize("answer", ["code", "error"])
async def test_a_response_that_another_provider_says_it_has_sent_is_refused(
    browser: Browser, attacker: Attacker, advertised: bool, iss: str | None, sent: bool, answer: str
) -> None:
    attacker.publish(authorization_response_iss_parameter_supported=advertised)
    asked = await attacker.begun(browser)
    query = {"state": asked["state"], answer: "access_denied"}
    if iss is not None:
        query["iss"] = attacker.issuer if iss == "own" else iss
    home = query_of(await browser.open(str(httpx.URL(asked["redirect_uri"], params=query))))
    assert bool(attacker.codes) is (sent and answer == "code")
    assert home["errcode"] == ("401102" if sent and answer == "error" else "401203")


@pytest.mark.parametrize("changed", [{"issuer": "https://new.example"}, {"clientId": "another"}])
async def test_a_code_is_not_sent_to_a_provider_that_came_during_the_login(
    browser: Browser, attacker: Attacker, issuer: str, changed: dict[str, str]
) -> None:
    back = await browser.sign_in(await browser.open(signed(await discovered(browser.world))))
    await browser.world._put("identity_providers", {**provider(attacker.issuer), **changed})
    assert query_of(await browser.open(back))["errcode"] == "401102"
    assert attacker.codes == []


def planted(attacker: oauth.Browser) -> oauth.Browser:
    """The browser of a victim in which the attacker planted all their cookies, on the page of the attacker."""
    victim = oauth.Browser(attacker.world)
    victim.cookies.update(attacker.cookies)
    victim.page = attacker.page
    return victim


async def consents(attacker: oauth.Browser) -> httpx.Response:
    """The attacker answers the consent of the request that they began."""
    return await attacker.send(oauth.CONSENT, request=attacker.request, decision="allow")


async def test_a_planted_cookie_does_not_let_the_attacker_consent(world: World) -> None:
    await oauth.application(world)
    await world.user()
    attacker = oauth.Browser(world)
    await attacker.open(**ASKED)
    victim = planted(attacker)
    assert 'value="allow"' in (await victim.log_in()).text
    assert victim.request != attacker.request
    assert (await consents(attacker)).status_code == 400
    # Nor with the new request of the page, should it become known.
    attacker.page = victim.page
    assert (await consents(attacker)).status_code == 400
    assert "code" in oauth.arrived(await victim.submit(decision="allow"))


async def test_a_planted_cookie_does_not_let_the_attacker_try_the_second_factor(world: World) -> None:
    await oauth.application(world)
    await world.user(mfaSvcAuth={"mfaStatus": "enabled"})
    attacker = oauth.Browser(world)
    await attacker.open(**ASKED)
    victim = planted(attacker)
    assert 'name="code"' in (await victim.log_in()).text
    tried = await attacker.send(oauth.LOGIN, request=attacker.request, code="000000")
    assert "This page has expired" in tried.text


async def test_a_planted_cookie_does_not_let_the_attacker_use_the_single_sign_on_of_the_victim(
    world: World, browser: Browser
) -> None:
    await oauth.application(world)
    attacker = oauth.Browser(world)
    await attacker.open(**ASKED)
    login = attacker.page
    page = await attacker.submit(login="jane@example.com", password="", way="sso")
    away = unescape(page.text.partition('<a href="')[2].partition('"')[0])
    victim = planted(attacker)
    assert 'value="allow"' in (await victim.open(await browser.sign_in(away))).text
    attacker.page = login
    assert (await consents(attacker)).status_code == 400


async def test_no_cookie_of_a_request_is_taken_over(world: World, browser: Browser) -> None:
    await oauth.application(world)
    for address in (str(httpx.URL(oauth.AUTHORIZE, params=ASKED)), signed(await discovered(world))):
        for cookie in ("svc-sso=mine", "svc-sso-0123456789abcdef=mine"):
            answers = [await world.http.get(address, headers={"cookie": cookie}) for _ in range(2)]
            values = {answer.headers["set-cookie"].partition(";")[0] for answer in answers}
            assert len(values) == 2 and not any("mine" in value for value in values)


async def test_over_tls_the_cookie_is_of_this_host_alone(world: World) -> None:
    world.service.settings.public_url = "https://svc.test"
    await oauth.application(world)
    await world.user()
    browser = oauth.Browser(world, "https://svc.test")
    page = await browser.open(**ASKED)
    (name, value), *others = browser.cookies.items()
    cookie = page.headers["set-cookie"].lower()
    assert name.startswith("__Host-svc-sso-") and not others
    assert "secure" in cookie and "path=/;" in cookie and "domain" not in cookie
    # A neighbouring host can set one without the prefix.
    browser.forget()
    browser.cookies.set(name.removeprefix("__Host-"), value)
    assert (await browser.log_in()).status_code == 400
    browser.page = page
    browser.cookies.set(name, value)
    await browser.log_in()
    assert "code" in oauth.arrived(await browser.submit(decision="allow"))


async def test_tabs_of_a_browser_do_not_end_each_others_logins(world: World) -> None:
    await oauth.application(world)
    await world.user()
    browser = oauth.Browser(world)
    tabs = [await browser.open(**ASKED) for _ in range(3)]
    for tab in tabs:
        browser.page = tab
        await browser.log_in()
        assert "code" in oauth.arrived(await browser.submit(decision="allow"))
    assert not list(browser.cookies)
