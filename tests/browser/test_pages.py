"""The pages of the service in a real browser, by keyboard only: OAuth, and the end of a single sign-on (4.1, 5.5)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx
import pyotp
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth
from svc_tui.interface.authentication.single_sign_on import comparison_code
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET
from tests.browser.chromium import Tab, new_tab
from tests.browser.support import Site, reachable, site
from tests.server.authentication.attacker_support import MALLORY, hostile_provider
from tests.server.authentication.provider_support import discovered, provider, running_provider, signed
from tests.support.forms import filled
from tests.support.process import ServerProcess
from tests.support.world import APP, PASSWORD, World

BASE = "/api/svc/authentication/v1.0"
MFA_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
LOGIN, SECRET = "Login (email address)", "Password"
SSO_LOGIN = "sso@demo.example"


@dataclass
class Service:
    """A service with one application, the site of the application, and a tab."""

    world: World
    origin: str
    app: Site
    tab: Tab

    def authorize(self, **query: str) -> str:
        asked = {"response_type": "code", "client_id": APP, "state": "s1", **query}
        return str(httpx.URL(f"{self.origin}{BASE}/oauth/authorize", params=asked))

    async def log_in(self, password: str = PASSWORD, login: str = "jane@example.com") -> None:
        """Fill in the login page, from the element that has the focus."""
        if await self.tab.focused() == LOGIN:
            await self.tab.type(login)
            await self.tab.press("Tab")
        assert await self.tab.focused() == SECRET
        await self.tab.type(password)
        async with self.tab.loading():
            await self.tab.press("Enter")


@pytest.fixture
async def service(world: World, tab: Tab) -> AsyncIterator[Service]:
    async with reachable(world) as origin, site() as app:
        await world.application(
            name="Timesheets & more",
            oauthRedirectUris=[app.address("/callback")],
            termsOfServiceUrl=["https://app.example/terms"],
        )
        await world.user()
        yield Service(world, origin, app, tab)


async def is_accessible_and_strict(tab: Tab, *, alert: str = "") -> None:
    """What every page of the service promises, in the words of the browser."""
    nodes = await tab.nodes()
    assert [node.name for node in nodes if node.role == "heading"] == [await tab.evaluate("document.title")]
    assert await tab.evaluate("document.documentElement.lang") == "en"
    assert "main" in {node.role for node in nodes}
    for node in nodes:
        if node.role in ("textbox", "button", "link"):
            assert node.name, node
        if node.role == "textbox":
            assert node.required, node
    assert ("alert" in {node.role for node in nodes}) is bool(alert)
    assert alert in await tab.text()
    policy = dict(each.strip().split(" ", 1) for each in tab.headers["content-security-policy"].split(";"))
    assert (policy["default-src"], policy["frame-ancestors"], policy["base-uri"]) == ("'none'", "'none'", "'none'")
    assert "unsafe" not in str(policy) and policy["form-action"].startswith("'self'")
    assert tab.headers["cache-control"] == "no-store"
    assert tab.headers["referrer-policy"] == "no-referrer"
    assert tab.headers["x-content-type-options"] == "nosniff"
    assert tab.errors == []


async def test_login_and_consent_with_the_keyboard(service: Service) -> None:
    tab = service.tab
    await tab.go(service.authorize())
    await is_accessible_and_strict(tab)
    assert await tab.focused() == LOGIN
    await service.log_in("Wr0ng-horse")
    await is_accessible_and_strict(tab, alert="Wrong login or password.")
    (login,) = (node for node in await tab.nodes() if (node.role, node.name) == ("textbox", LOGIN))
    assert login.value == "jane@example.com"
    await service.log_in()
    await is_accessible_and_strict(tab)
    assert await tab.names("heading") == ["Allow access to Timesheets & more?"]
    assert await tab.names("link") == ["Terms of service (opens a new tab)"]
    assert await tab.names("button") == ["Allow", "Deny"]
    assert "jane@example.com" in await tab.text()
    await tab.choose("Allow")
    assert await tab.evaluate("document.title") == "Application"
    values = service.app.arrived("/callback")
    assert values["state"] == "s1" and len(values["code"]) == 64
    assert tab.errors == []


async def test_a_denial_with_the_keyboard(service: Service) -> None:
    await service.tab.go(service.authorize())
    await service.log_in()
    await service.tab.choose("Deny")
    values = service.app.arrived("/callback")
    assert (values["error"], values["state"], "code" in values) == ("access_denied", "s1", False)


async def test_the_second_factor_with_the_keyboard(service: Service) -> None:
    world, tab = service.world, service.tab
    jane = await world.user("joe@example.com", mfaSvcAuth={"mfaStatus": "enabled"})
    async with world.service.database.unit() as store:
        secrets = await store.user_secrets.get(jane["id"]) or {}
        await store.user_secrets.put({**secrets, "mfaSecret": MFA_SECRET})
    await tab.go(service.authorize())
    await service.log_in(login="joe@example.com")
    await is_accessible_and_strict(tab)
    assert await tab.focused() == "Code of the authenticator, or recovery code"
    await tab.type("000000")
    await tab.choose("Verify")
    await is_accessible_and_strict(tab, alert="Wrong code.")
    await tab.type(pyotp.TOTP(MFA_SECRET).at(world.clock.now()))
    await tab.choose("Verify")
    assert await tab.names("button") == ["Allow", "Deny"]


async def test_single_sign_on_from_the_login_page_with_the_keyboard(service: Service) -> None:
    world, tab = service.world, service.tab
    with running_provider() as issuer:
        world.clock.set(datetime.now(UTC))
        await world._put("identity_providers", provider(issuer))
        await tab.go(service.authorize())
        assert await tab.names("button") == ["Log in", "Log in with single sign-on"]
        await tab.type("jane@example.com")
        await tab.choose("Log in with single sign-on")
        await is_accessible_and_strict(tab)
        assert await tab.names("heading") == ["Log in at Example sign-on"]
        assert await tab.focused() == "Continue"
        async with tab.loading():
            await tab.press("Enter")
        assert tab.address.startswith(issuer)
        # The page of the provider loads a style sheet from elsewhere.
        tab.errors.clear()
        await tab.type("jane@example.com")
        await tab.choose("Authorize")
        await is_accessible_and_strict(tab)
        assert "jane@example.com" in await tab.text()
        await tab.choose("Allow")
    assert len(service.app.arrived("/callback")["code"]) == 64


@pytest.mark.parametrize(
    ("query", "alert"),
    [
        ({"client_id": "ff" * 12}, "The application is unknown, or not in use."),
        ({"redirect_uri": "https://evil.example/"}, "The redirect address is not registered for this application."),
        ({"redirect_uri": "javascript:alert(1)"}, "The redirect address is not registered for this application."),
    ],
)
async def test_a_request_that_cannot_be_answered_stays_here(
    service: Service, query: dict[str, str], alert: str
) -> None:
    await service.tab.go(service.authorize(**query))
    assert (service.tab.status, await service.tab.names("heading")) == (400, ["Authorization failed"])
    assert service.tab.address.startswith(service.origin)
    # The browser logs the status of the page.
    service.tab.errors.clear()
    await is_accessible_and_strict(service.tab, alert=alert)


async def test_a_page_that_has_expired_or_of_another_browser_is_an_error(service: Service, devtools: str) -> None:
    tab = service.tab
    await tab.go(service.authorize())
    request = await tab.evaluate("document.querySelector('[name=request]').value")
    async with new_tab(devtools) as other:
        await other.go(service.authorize())
        async with other.loading():
            await other.evaluate(f"document.querySelector('[name=request]').value = {request!r}")
            await other.evaluate("document.forms[0].submit()")
        assert (other.status, await other.names("heading")) == (400, ["Authorization failed"])
    service.world.clock.forward(minutes=11)
    await service.log_in()
    assert tab.status == 400
    tab.errors.clear()
    await is_accessible_and_strict(tab, alert="This page has expired, or belongs to another browser.")


async def test_another_site_can_neither_answer_the_consent_nor_frame_it(service: Service) -> None:
    """The worst case: the other site knows the request of the page."""
    tab, app = service.tab, service.app
    await tab.go(service.authorize())
    await service.log_in()
    request = await tab.evaluate("document.querySelector('[name=request]').value")
    app.pages["/attack"] = (
        f'<form method="post" action="{service.origin}{BASE}/oauth/consent"><input name="request" value="{request}">'
        '<input name="decision" value="allow"></form><script>document.forms[0].submit()</script>'
    )
    app.pages["/frame"] = f'<iframe src="{service.authorize()}"></iframe>'
    await tab.go(app.address("/frame", "localhost"))
    assert any("frame-ancestors" in error for error in tab.errors), tab.errors
    # For the browser, localhost and 127.0.0.1 are different sites.
    async with tab.loading():
        await tab.send("Page.navigate", url=app.address("/attack", "localhost"))
    assert await tab.evaluate("document.title") == "Authorization failed"
    assert not any("code=" in visit for visit in app.visits)


async def test_a_provider_that_forwards_a_browser_to_another_one_gets_no_code(service: Service) -> None:
    """The mix-up: the page of the attacker's provider leads to the provider of the victim, with its own values."""
    world, tab = service.world, service.tab
    world.clock.set(datetime.now(UTC))
    with running_provider() as issuer:
        async with hostile_provider(world) as attacker:
            await world._put("identity_providers", provider(issuer))
            own, begun = [await discovered(world, login) for login in ("jane@example.com", MALLORY)]
            asked = (
                (await world.http.get(signed(own)))
                .headers["location"]
                .replace("svc.test", urlsplit(service.origin).netloc)
            )
            attacker.site.pages["/authorize"] = (
                f"<a autofocus>Continue</a><script>const asked = new URL({asked!r});"
                "const mine = new URLSearchParams(location.search);"
                "for (const name of ['state', 'nonce', 'code_challenge']) asked.searchParams.set(name, mine.get(name));"
                "document.querySelector('a').href = asked.href;"
                "document.querySelector('a').focus()</script>"
            )
            await tab.go(signed(begun).replace("http://svc.test", service.origin))
            await tab.choose("Continue")
            assert tab.address.startswith(issuer)
            await tab.type("jane@example.com")
            await tab.choose("Authorize")
            assert (urlsplit(tab.address).netloc, tab.status) == (urlsplit(service.origin).netloc, 401)
            assert attacker.codes == []


async def test_a_planted_cookie_does_not_let_another_browser_consent(service: Service) -> None:
    """An attacker plants the cookies of their own authorization and leads the victim to its login page."""
    tab, app = service.tab, service.app
    async with httpx.AsyncClient(base_url=service.origin, trust_env=False) as attacker:
        page = await attacker.get(service.authorize())
        action, values = filled(page.text, login="jane@example.com", password="unknown")
        for name, value in attacker.cookies.items():
            await tab.send("Network.setCookie", name=name, value=value, url=service.origin, path="/")
        fields = "".join(f'<input name="{name}" value="{value}">' for name, value in values.items())
        app.pages["/attack"] = (
            f'<form method="post" action="{service.origin}{action}">{fields}<button>Go</button></form>'
        )
        await tab.go(app.address("/attack"))
        await tab.choose("Go")
        await service.log_in()
        assert await tab.names("button") == ["Allow", "Deny"]
        request = {"request": values["request"], "decision": "allow"}
        assert (await attacker.post(f"{BASE}/oauth/consent", data=request)).status_code == 400
        await tab.choose("Allow")
    assert len(app.arrived("/callback")["code"]) == 64


@dataclass
class Device:
    """A client that waits for a login in the browser."""

    http: httpx.AsyncClient
    item: dict[str, Any]

    @property
    def address(self) -> str:
        proof = app_auth(APP_ID, APP_SECRET, self.item["challenge"]).removeprefix("Basic ")
        return str(httpx.URL(self.item["loginUrl"]).copy_merge_params({APP_AUTH: proof}))

    async def poll(self) -> httpx.Response:
        session = self.item["backchannelSession"]
        headers = {"authorization": f"Bearer {session['token']}"}
        return await self.http.get(f"{BASE}/backchannel-sessions/{session['id']}", headers=headers)


@pytest.fixture
async def device(server_process: ServerProcess) -> AsyncIterator[Device]:
    async with httpx.AsyncClient(base_url=server_process.url, trust_env=False) as http:
        found = await http.get(f"{BASE}/urls", params={"uid": SSO_LOGIN, "useBackchannelPolling": "true"})
        yield Device(http, found.json()["data"][0])


async def test_a_single_sign_on_for_a_device_is_compared_allowed_and_ends_on_its_page(tab: Tab, device: Device) -> None:
    await tab.go(device.address)
    assert (await tab.focused()).endswith(SSO_LOGIN)
    async with tab.loading():
        await tab.press("Enter")
    await is_accessible_and_strict(tab)
    text = await tab.text()
    code = comparison_code(device.item["backchannelSession"]["id"])
    assert code in text and "127.0.0.1" in text and SSO_LOGIN in text
    assert await tab.names("button") == ["Allow", "Deny"]
    assert (await device.poll()).json() == {"data": {"status": "pending"}}
    await tab.choose("Allow")
    assert await tab.names("heading") == ["You are logged in"]
    assert "tkn" not in tab.address
    assert (await device.poll()).json()["loggedInUser"]["loginEmail"] == SSO_LOGIN
    assert tab.errors == []


async def test_a_single_sign_on_for_a_device_is_denied(tab: Tab, device: Device) -> None:
    await tab.go(device.address)
    assert (await tab.focused()).endswith(SSO_LOGIN)
    async with tab.loading():
        await tab.press("Enter")
    await tab.choose("Deny")
    assert await tab.names("heading") == ["Login failed"]
    assert "the login was denied" in await tab.text()
    assert (await device.poll()).json()["errorDetailsCode"] == 401102
