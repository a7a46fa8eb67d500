"""OAuth in the place of an application: what is asked for, what the loopback page accepts, what is not logged."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import socket
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from svc_tui.client import oauth
from svc_tui.client.client import Client
from svc_tui.client.loopback import listening
from svc_tui.client.oauth import OAuthApplication
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session

PROFILE = Profile(name="x", base_url="https://svc.example", app_id="console", app_secret="s" * 20)
APPLICATION = OAuthApplication("app1", "http://127.0.0.1:1/callback", "top secret/1")


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/callback"


def test_each_authorization_has_its_own_state_and_challenge_and_shows_no_secret() -> None:
    client = Client(PROFILE, Session(PROFILE))
    first, second = oauth.authorization(client, APPLICATION), oauth.authorization(client, APPLICATION)
    query = parse_qs(urlsplit(first.url).query)
    assert first.url.startswith("https://svc.example/api/svc/authentication/v1.0/oauth/authorize?response_type=code&")
    assert query["redirect_uri"] == [APPLICATION.redirect_uri]
    assert query["code_challenge_method"] == ["S256"]
    digest = base64.urlsafe_b64encode(hashlib.sha256(first.verifier.encode()).digest()).decode().rstrip("=")
    assert query["code_challenge"] == [digest]
    assert query["state"] == [first.state]
    assert first.state != second.state and first.verifier != second.verifier
    assert first.verifier not in first.url + repr(first)
    assert APPLICATION.secret not in first.url + repr(APPLICATION)


def test_id_and_secret_are_encoded_as_in_a_form() -> None:
    scheme, value = APPLICATION.sign()()["authorization"].split()
    assert (scheme, base64.b64decode(value)) == ("Basic", b"app1:top+secret%2F1")


async def test_only_the_redirect_with_the_state_ends_the_wait() -> None:
    address = free_address()
    async with listening(address, "s1") as listener, httpx.AsyncClient() as browser:
        waiting = asyncio.ensure_future(listener.wait())
        foreign = [
            (await browser.get(f"{address}?code=evil&state=other")).status_code,
            (await browser.get(f"{address}?code=evil")).status_code,
            (await browser.get(address.replace("callback", "favicon.ico"))).status_code,
            (await browser.post(f"{address}?code=evil&state=s1")).status_code,
        ]
        assert foreign == [400, 400, 404, 405]
        assert not waiting.done()
        page = await browser.get(f"{address}?code=c1&state=s1")
        assert await waiting == {"code": "c1", "state": "s1"}
        again = await browser.get(f"{address}?code=c2&state=s1")
        assert await listener.wait() == {"code": "c1", "state": "s1"}
    assert page.status_code == again.status_code == 200
    assert "Close this page" in page.text and "c1" not in page.text
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


_NO_REQUESTS = (b"nonsense\r\n\r\n", b"GET /callback\r\n\r\n", b"\xff\r\n\r\n", b"GET " + b"x" * 20_000)


@pytest.mark.parametrize("sent", _NO_REQUESTS)
async def test_what_is_no_request_of_a_browser_closes_the_connection(sent: bytes) -> None:
    address = free_address()
    async with listening(address, "s1") as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(address).port)
        writer.write(sent)
        writer.write_eof()
        assert b" 200 " not in await reader.read()
        writer.close()
        waiting = asyncio.ensure_future(listener.wait())
        async with httpx.AsyncClient() as browser:
            await browser.get(f"{address}?error=access_denied&state=s1")
        assert (await waiting)["error"] == "access_denied"


async def test_a_port_in_use_is_refused_and_free_again_afterwards() -> None:
    address = free_address()
    async with listening(address, "s1"):
        with pytest.raises(OSError, match="in use"):
            async with listening(address, "s2"):
                pass
    async with listening(address, "s3"):
        pass
