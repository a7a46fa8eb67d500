"""The OAuth flow tried from the console, with a browser on the real pages of the service."""

from __future__ import annotations

import socket

import httpx
import pytest

from svc_tui.client.loopback import listening
from svc_tui.console.areas.applications import try_oauth
from svc_tui.console.areas.applications.try_oauth import TryOAuth
from svc_tui.interface.authentication.users import get_own_user
from svc_tui.server.demo.accounts import PASSWORD
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.forms import filled

DEMO = "demo@demo.example"
NAME = "Inventory Planner"


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address of this machine with a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = f"http://127.0.0.1:{probe.getsockname()[1]}/callback"
    monkeypatch.setattr(try_oauth, "ADDRESS", free)
    return free


async def on_application(person: Story, name: str) -> None:
    await person.is_ready()
    await person.goes("apps")
    await person.is_ready()
    await person.puts_cursor_on(name)


async def waits(person: Story) -> TryOAuth:
    """The dialog, when it waits for the browser."""
    await person.sees("Waiting for the browser")
    box = person.app.screen
    assert isinstance(box, TryOAuth)
    return box


async def decides(box: TryOAuth, decision: str) -> httpx.Response:
    """A browser on the pages of the service, to the page of this machine at the end."""
    service = httpx.URL(box.address)

    async with httpx.AsyncClient() as browser:
        page = await browser.get(service)
        for fields in ({"login": "user@demo.example", "password": PASSWORD}, {"decision": decision}):
            action, form = filled(page.text, **fields)
            page = await browser.post(service.join(action), data=form)
        return await browser.get(page.headers["location"])


async def is_accepted(url: str, token: str) -> bool:
    """Whether the service accepts an access token."""
    async with httpx.AsyncClient(base_url=url, headers={"authorization": f"Bearer {token}"}) as http:
        return (await http.get(get_own_user.path)).status_code == 200


async def test_the_flow_is_tried_refreshed_and_revoked_after_an_address_was_added(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, DEMO)) as person:
        await on_application(person, NAME)
        await person.press("T")
        await person.sees(f"Try OAuth of {NAME}: add an address", "PUT", "The change can be undone.")
        await person.press("enter")
        box = await waits(person)
        await person.sees("log in and allow")
        await person.sees_across_lines("code_challenge_method=S256")
        assert "Close this page" in (await decides(box, "allow")).text
        await person.sees(
            "The code was exchanged for tokens.", "user@demo.example", "1 h", "Discard the tokens and close"
        )
        tokens = box._tokens
        assert tokens is not None and tokens.refresh_token
        await person.does_not_see(tokens.access_token[:20], tokens.refresh_token[:20])
        wire.hold = b"POST /api/svc/authentication/"
        await person.press("r")
        await wire.held.wait()
        await person.sees("Waiting for the service…")
        # A refresh token works once: it is not sent again.
        await person.press("r", "x")
        wire.released.set()
        await person.sees("new refresh token, the old one is revoked")
        latest = box._tokens
        assert latest is not None and latest.refresh_token != tokens.refresh_token
        assert await is_accepted(service, latest.access_token)
        await person.press("x")
        await person.sees("The tokens were revoked and discarded.")
        assert box._tokens is None
        assert not await is_accepted(service, latest.access_token)
        await person.press("esc", "!")
        await person.sees("POST")
        written = "".join(map(repr, person.app.frame.workspace.log.exchanges))
        assert "oauth/token" in written
        assert tokens.access_token not in written and tokens.refresh_token not in written


async def test_a_denial_and_esc_end_the_wait_and_free_the_port(service: str, address: str) -> None:
    async with story(profile(service, DEMO)) as person:
        await on_application(person, "Dispatch Portal")
        await person.press("T", "enter")
        box = await waits(person)
        await decides(box, "deny")
        await person.sees("The browser returned without a code: the user denied the access.")
        await person.press("esc", "T")
        await waits(person)
        await person.press("esc")
        await person.does_not_see("Waiting for the browser")
        async with listening(address, "free"):
            await person.press("T")
            await person.sees("cannot be used: Address already in use", "esc Close")


async def test_what_prevents_the_flow_is_the_answer(service: str) -> None:
    async with story(profile(service, DEMO)) as person:
        await on_application(person, "Maintenance Pocket")
        await person.press("T")
        await person.sees("Try it: the application is stopped")
    async with story(profile(service, "support@demo.example"), read_only=True) as person:
        await on_application(person, NAME)
        await person.press("T")
        await person.sees("Try it: read-only")
