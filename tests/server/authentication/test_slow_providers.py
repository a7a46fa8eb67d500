"""An identity provider that never answers does not delay other users (4.1)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from svc_tui.server.openid_connect import Attempt, OpenIdClient, Provider
from svc_tui.server.provider_requests import FAILURE_REMEMBERED, MOST_AT_ONCE, IdentityProviderError
from tests.server.authentication.provider_support import BASE, discovered, provider
from tests.support.world import World, granted


class SilentProvider:
    """Accepts connections. It serves its discovery document, if it has one, and answers nothing else."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.asked = asyncio.Event()
        self.published: dict[str, str] = {}
        self._ends = asyncio.Event()
        self.issuer = ""

    def end(self) -> None:
        """Close all connections."""
        self._ends.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line = head.split(b"\r\n")[0].decode()
        if "well-known" in line and self.published:
            body = json.dumps(self.published).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
        else:
            self.requests.append(line)
            self.asked.set()
            await self._ends.wait()
        writer.close()


@pytest.fixture
async def silent() -> AsyncIterator[SilentProvider]:
    found = SilentProvider()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield found
        found.end()


async def test_sixty_discoveries_at_a_silent_provider_hold_no_connection_to_the_database(
    world_on_both: World, silent: SilentProvider
) -> None:
    world = world_on_both
    await world.user()
    await world._put("identity_providers", provider(silent.issuer))
    waiting = [asyncio.create_task(discovered(world)) for _ in range(60)]
    await silent.asked.wait()
    granted(await world.login())
    # There are 30 connections: the login would have waited for the end of the discoveries.
    assert not any(each.done() for each in waiting)
    silent.end()
    items = await asyncio.gather(*waiting)
    assert all(item["type"] == "OIDC" and "authorizationEndpoint" not in item for item in items)
    assert len({item["challenge"] for item in items}) == 60
    assert len(silent.requests) == 1


async def test_a_failure_is_remembered_for_a_short_time(world: World, silent: SilentProvider) -> None:
    await world.user()
    await world._put("identity_providers", provider(silent.issuer))
    silent.end()
    for _ in range(3):
        assert "authorizationEndpoint" not in await discovered(world)
    assert len(silent.requests) == 1
    world.clock.forward(seconds=FAILURE_REMEMBERED.total_seconds() + 1)
    silent.published = {
        "issuer": silent.issuer,
        **dict.fromkeys(("authorization_endpoint", "token_endpoint", "jwks_uri"), f"{silent.issuer}/x"),
    }
    assert (await discovered(world))["authorizationEndpoint"] == f"{silent.issuer}/x"


async def test_a_caller_who_goes_away_does_not_end_the_request_of_others(world: World, silent: SilentProvider) -> None:
    await world.user()
    await world._put("identity_providers", provider(silent.issuer))
    first = asyncio.create_task(world.get(f"{BASE}/urls", params={"uid": "jane@example.com"}))
    await silent.asked.wait()
    second = asyncio.create_task(discovered(world))
    first.cancel()
    silent.end()
    assert (await second)["type"] == "OIDC"
    assert len(silent.requests) == 1


async def test_logins_that_wait_for_a_silent_token_endpoint_are_limited(world: World, silent: SilentProvider) -> None:
    silent.published = {
        "issuer": silent.issuer,
        **dict.fromkeys(("authorization_endpoint", "token_endpoint", "jwks_uri"), f"{silent.issuer}/x"),
    }
    client = OpenIdClient(world.clock, insecure=True)
    found = Provider(silent.issuer, "svc", "secret")
    attempt = Attempt("state", "nonce", "verifier", "https://svc.example/callback")
    logins = [asyncio.create_task(client.redeem(found, attempt, "code")) for _ in range(MOST_AT_ONCE + 5)]
    done, waiting = await asyncio.wait(logins, return_when=asyncio.FIRST_COMPLETED)
    while len(done) < 5:
        more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        done |= more
    assert {str(each.exception()) for each in done} == {"too many logins wait for the identity provider"}
    assert len(waiting) == MOST_AT_ONCE
    silent.end()
    for each in waiting:
        with pytest.raises(IdentityProviderError, match="does not respond"):
            await each
    # Later logins do not wait for it at all.
    asked = len(silent.requests)
    with pytest.raises(IdentityProviderError, match="does not respond"):
        await client.redeem(found, attempt, "code")
    assert len(silent.requests) == asked <= MOST_AT_ONCE
