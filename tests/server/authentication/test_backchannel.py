"""A login that another device has requested: the user compares, then allows or denies it in the browser (4.1)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from svc_tui.interface.authentication.single_sign_on import comparison_code
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
from tests.support.forms import filled
from tests.support.world import World, granted, refused

CLOSE = "https://app.example/close-me"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


@dataclass
class Device:
    """A client that polls, and the browser that its user was sent to."""

    browser: Browser
    jane: dict[str, Any]
    item: dict[str, Any] = field(default_factory=dict)

    @property
    def world(self) -> World:
        return self.browser.world

    async def discover(self) -> None:
        self.item = await discovered(self.world, useBackchannelPolling="true")

    async def poll(self) -> httpx.Response:
        session = self.item["backchannelSession"]
        path = f"{BASE}/backchannel-sessions/{session['id']}"
        return await self.world.http.get(path, headers={"authorization": f"Bearer {session['token']}"})

    async def confirmation(self) -> httpx.Response:
        """The page after the login at the provider."""
        away = await self.browser.open(signed(self.item))
        return await self.world.http.get(await self.browser.sign_in(away))

    async def decide(self, page: httpx.Response, decision: str) -> httpx.Response:
        action, values = filled(page.text, decision=decision)
        return await self.world.http.post(action, data=values)


@pytest.fixture
async def device(world: World, issuer: str) -> AsyncIterator[Device]:
    async with browsing(world, issuer) as browser:
        await world.application(ssoAuthenticationRedirectUrl=HOME, backchannelAuthenticationRedirectUrl=CLOSE)
        found = Device(browser, await world.user())
        await found.discover()
        yield found


async def test_the_page_names_application_requester_time_and_code(device: Device) -> None:
    requested = device.world.clock.now()
    device.world.clock.forward(minutes=2)
    page = await device.confirmation()
    assert page.status_code == 200
    code = comparison_code(device.item["backchannelSession"]["id"])
    facts = {
        "Application": "Application a0a0",
        "Code": code,
        "Requested by": "127.0.0.1",
        "Requested at": f"{requested:%Y-%m-%d %H:%M} UTC",
    }
    for name, value in facts.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page.text
    assert "jane@example.com" in page.text
    assert len(code) == 9
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "form-action 'self' https://app.example;" in policy
    assert (page.headers["cache-control"], page.headers["referrer-policy"]) == ("no-store", "no-referrer")


async def test_only_allow_gives_the_login_once_and_the_address_contains_no_token(device: Device) -> None:
    assert granted(await device.poll()) == {"data": {"status": "pending"}}
    page = await device.confirmation()
    assert granted(await device.poll()) == {"data": {"status": "pending"}}
    home = await device.decide(page, "allow")
    assert (home.status_code, home.headers["location"]) == (302, CLOSE)
    body = granted(await device.poll())
    assert body["loggedInUser"]["loginEmail"] == "jane@example.com"
    granted(await device.world.get(f"{BASE}/validator", headers={"authorization": f"Bearer {body['token']}"}))
    refused(await device.poll(), 404000)


async def test_a_denial_ends_the_session_with_the_reason_on_both_sides(device: Device) -> None:
    page = await device.confirmation()
    home = await device.decide(page, "deny")
    assert home.headers["location"].startswith(f"{CLOSE}?")
    assert query_of(home.headers["location"])["errmsg"] == "the login was denied"
    for _ in range(2):
        body = refused(await device.poll(), 401102)
        assert body["errorDetails"] == "the login was denied in the browser"
    assert (await device.decide(page, "allow")).status_code == 400
    refused(await device.poll(), 401102)


@pytest.mark.parametrize("decision", ["", "yes"])
async def test_without_a_clear_answer_the_client_gets_nothing(device: Device, decision: str) -> None:
    page = await device.confirmation()
    assert (await device.decide(page, decision)).status_code == 400
    assert granted(await device.poll()) == {"data": {"status": "pending"}}


async def test_another_browser_or_a_made_up_request_cannot_allow(device: Device) -> None:
    page = await device.confirmation()
    action, values = filled(page.text, decision="allow")
    assert (await device.world.http.post(action, data={**values, "request": "made-up"})).status_code == 400
    device.world.http.cookies.clear()
    assert (await device.decide(page, "allow")).status_code == 400
    assert granted(await device.poll()) == {"data": {"status": "pending"}}


async def test_a_page_expires_with_the_session_that_waits(device: Device) -> None:
    page = await device.confirmation()
    device.world.clock.forward(minutes=6)
    home = await device.decide(page, "allow")
    assert "expired" in query_of(home.headers["location"])["errmsg"]
    refused(await device.poll(), 404000)
    assert (await device.decide(page, "allow")).status_code == 400


async def test_a_user_who_became_inactive_gets_no_login(device: Device) -> None:
    page = await device.confirmation()
    await device.world._put("users", {**device.jane, "isActive": False})
    await device.decide(page, "allow")
    refused(await device.poll(), 401520)


async def test_hostile_names_are_text_on_the_page(device: Device) -> None:
    await device.world.application(name="<script>alert(1)</script>", ssoAuthenticationRedirectUrl=HOME)
    page = await device.confirmation()
    assert "<script" not in page.text and "&lt;script&gt;" in page.text
