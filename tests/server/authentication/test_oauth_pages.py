"""The pages of an OAuth 2.0 authorization: login, second factor, consent, denial, and what they never do (5.5)."""

from __future__ import annotations

import pyotp
import pytest

from tests.server.authentication.oauth_support import AUTHORIZE, CALLBACK, CONSENT, Browser, application, arrived
from tests.support.forms import filled
from tests.support.world import APP, World, granted, refused

MFA_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
ASKED = {"response_type": "code", "client_id": APP, "state": "s1"}


@pytest.fixture
async def browser(world: World) -> Browser:
    await application(world)
    await world.user()
    opened = Browser(world)
    await opened.open(**ASKED)
    return opened


def alert(browser: Browser) -> str:
    return browser.page.text.partition('role="alert">')[2].partition("<")[0]


async def test_login_and_consent_lead_back_with_a_code(browser: Browser) -> None:
    page = await browser.log_in()
    assert "Allow access to Application a0a0?" in page.text and "jane@example.com" in page.text
    values = arrived(await browser.submit(decision="allow"))
    assert values["state"] == "s1" and len(values["code"]) == 64
    assert "error" not in values


async def test_a_denial_leads_back_with_access_denied(browser: Browser) -> None:
    await browser.log_in()
    values = arrived(await browser.submit(decision="deny"))
    assert (values["error"], values["state"]) == ("access_denied", "s1") and "code" not in values


async def test_a_wrong_password_shows_the_page_again_and_counts_for_the_lock(world: World, browser: Browser) -> None:
    for _ in range(5):
        page = await browser.log_in(password="Wr0ng-horse")
        assert page.status_code == 200 and alert(browser) == "Wrong login or password."
        assert 'value="jane@example.com"' in page.text and "Wr0ng-horse" not in page.text
    await browser.log_in()
    assert "locked" in alert(browser)
    assert (await world.login()).status_code == 401


async def test_a_login_on_the_page_resets_the_failures(world: World, browser: Browser) -> None:
    for _ in range(4):
        refused(await world.login(password="wrong"), 401500)
    await browser.log_in()
    for _ in range(4):
        refused(await world.login(password="wrong"), 401500)
    granted(await world.login())


@pytest.mark.parametrize("login", ["", "stranger@example.com", "jane\x00@example.com"])
async def test_an_unknown_login_is_refused_like_a_wrong_password(browser: Browser, login: str) -> None:
    await browser.log_in(password="wrong")
    wrong = alert(browser)
    await browser.log_in(login)
    assert alert(browser) == wrong or "\x00" in login


async def test_the_second_factor_is_asked_for(world: World) -> None:
    await application(world)
    jane = await world.user(mfaSvcAuth={"mfaStatus": "enabled"})
    async with world.service.database.unit() as store:
        secrets = await store.user_secrets.get(jane["id"]) or {}
        await store.user_secrets.put({**secrets, "mfaSecret": MFA_SECRET})
    browser = Browser(world)
    await browser.open(**ASKED)
    page = await browser.log_in()
    assert 'name="code"' in page.text
    first = page
    await browser.submit(code="000000")
    assert alert(browser) == "Wrong code."
    code = pyotp.TOTP(MFA_SECRET).at(world.clock.now())
    page = await browser.submit(code=code)
    assert 'value="allow"' in page.text
    arrived(await browser.submit(decision="allow"))
    # The password alone never reaches the consent.
    browser.page = first
    assert (await browser.submit(decision="allow", code=code)).status_code == 400


async def test_a_company_that_limits_redirects_limits_applications_too(world: World, browser: Browser) -> None:
    await world.company(allowedRedirectDomains=["corp.example"])
    login = browser.page
    assert (await browser.log_in()).status_code == 400
    assert alert(browser) == "This company does not allow its users to be redirected to app.example."
    browser.page = login
    assert (await browser.send(CONSENT, **filled(login.text, decision="allow")[1])).status_code == 400
    await world.company(allowedRedirectDomains=["app.example"])
    browser.page = login
    await browser.log_in()
    arrived(await browser.submit(decision="allow"))


async def test_the_consent_can_be_switched_off(world: World, browser: Browser) -> None:
    await application(world, disableOAuthConsentScreen=True)
    assert "code" in arrived(await browser.log_in())


async def test_the_consent_needs_a_login_the_same_browser_and_an_answer(world: World, browser: Browser) -> None:
    request = browser.page.text.partition('name="request" value="')[2].partition('"')[0]
    form = {"request": request, "decision": "allow"}
    assert (await world.http.post(CONSENT, data=form)).status_code == 400
    assert (await browser.send(CONSENT, **form)).status_code == 400
    consent = await browser.log_in()
    # A page of another site can neither know the request nor send the cookie of this browser.
    assert (await world.http.post(CONSENT, data=form)).status_code == 400
    assert (await browser.submit(decision="")).status_code == 400
    browser.page = consent
    arrived(await browser.submit(decision="allow"))
    browser.page = consent
    assert (await browser.submit(decision="allow")).status_code == 400


async def test_another_browser_cannot_go_on_with_a_page(browser: Browser) -> None:
    browser.forget()
    answer = await browser.log_in()
    assert answer.status_code == 400 and "another browser" in alert(browser)


async def test_a_page_expires(world: World, browser: Browser) -> None:
    world.clock.forward(minutes=11)
    assert (await browser.log_in()).status_code == 400


async def test_pages_are_accessible_and_load_nothing(browser: Browser) -> None:
    for page in (browser.page, await browser.log_in(password="wrong"), await browser.log_in()):
        text, headers = page.text, page.headers
        assert '<html lang="en">' in text and "<title>" in text and "<h1>" in text and "<script" not in text
        for name in ("login", "password"):
            assert f'for="{name}"' in text or f'name="{name}"' not in text
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert "form-action 'self' https://app.example;" in policy
        assert headers["cache-control"] == "no-store" and headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"


async def test_the_cookie_is_for_this_server_only(browser: Browser, world: World) -> None:
    cookie = (await world.http.get(AUTHORIZE, params=ASKED)).headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie


async def test_terms_and_privacy_are_linked_and_hostile_texts_are_text(world: World) -> None:
    await application(
        world,
        name="<script>alert(1)</script>",
        termsOfServiceUrl=["https://app.example/terms", "javascript:alert(1)"],
        privacyPoliciesUrl=['https://app.example/privacy"onclick="x'],
    )
    await world.user()
    browser = Browser(world)
    await browser.open(**ASKED)
    page = await browser.log_in()
    assert '<a href="https://app.example/terms" target="_blank" rel="noopener noreferrer">' in page.text
    assert "<script" not in page.text and "javascript:" not in page.text
    assert "privacy&quot;onclick=" in page.text


async def test_without_an_address_the_first_registered_one_is_used(browser: Browser) -> None:
    await browser.log_in()
    assert (await browser.submit(decision="allow")).headers["location"].startswith(CALLBACK)
    await browser.open(**ASKED, redirect_uri="myapp://oauth")
    assert "form-action 'self' myapp:;" in browser.page.headers["content-security-policy"]
    await browser.log_in()
    assert (await browser.submit(decision="allow")).headers["location"].startswith("myapp://oauth?code=")
