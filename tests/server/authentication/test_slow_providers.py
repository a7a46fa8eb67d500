"""An identity provider that never answers, or answers with anything, does no harm to other users (4.1)."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
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


class HostileProvider:
    """Answers each request with the same bytes."""

    def __init__(self) -> None:
        self.status, self.head, self.body = b"200", b"", b""
        self.asked = 0
        self.issuer = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        head = b"HTTP/1.1 %s Found\r\ncontent-length: %d\r\n" % (self.status, len(self.body))
        writer.write(head + (self.head + b"\r\n" if self.head else b"") + b"connection: close\r\n\r\n" + self.body)
        writer.close()


@pytest.fixture
async def hostile() -> AsyncIterator[HostileProvider]:
    found = HostileProvider()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield found


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


async def test_a_compressed_answer_of_a_provider_is_not_expanded(world: World, hostile: HostileProvider) -> None:
    # Two layers: some hundred bytes for 64 MB.
    hostile.head = b"content-encoding: gzip, gzip"
    hostile.body = gzip.compress(gzip.compress(b" " * 64_000_000, 1))
    tracemalloc.start()
    with pytest.raises(IdentityProviderError):
        await OpenIdClient(world.clock, insecure=True).metadata(Provider(hostile.issuer, "svc"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize(
    ("status", "head", "body"),
    [
        (b"200", b"", b"[" * 200_000),
        (b"200", b"", b'{"issuer":' + b"9" * 200_000 + b"}"),
        (b"200", b"", b'{"issuer": "\xff"}'),
        (b"302", b"location: /elsewhere", b""),
    ],
)
async def test_a_hostile_answer_of_a_provider_is_an_error_of_the_provider(
    world: World, hostile: HostileProvider, status: bytes, head: bytes, body: bytes
) -> None:
    hostile.status, hostile.head, hostile.body = status, head, body
    with pytest.raises(IdentityProviderError):
        await OpenIdClient(world.clock, insecure=True).metadata(Provider(hostile.issuer, "svc"))
    assert hostile.asked == 1


async def test_a_response_of_a_provider_is_read_up_to_its_limit(world: World, hostile: HostileProvider) -> None:
    hostile.body = b'{"issuer": "' + b"x" * 600_000 + b'"}'
    with pytest.raises(IdentityProviderError, match="too large"):
        await OpenIdClient(world.clock, insecure=True).metadata(Provider(hostile.issuer, "svc"))


@pytest.mark.parametrize(
    "address",
    [
        "http://[",
        "javascript:alert(1)",
        "http://id.example/\r\nset-cookie: svc-sso=mine",
        "http://id.example\\@other.example/",
        "http://id.example/\ud800",
        "http://id.example/ü",
        "ftp://id.example/",
        7,
    ],
)
async def test_no_browser_is_sent_to_an_address_of_a_provider_that_is_no_url(
    world: World, hostile: HostileProvider, address: object
) -> None:
    addresses = dict.fromkeys(("token_endpoint", "jwks_uri"), f"{hostile.issuer}/x")
    metadata = {"issuer": hostile.issuer, "authorization_endpoint": address, **addresses}
    hostile.body = json.dumps(metadata).encode()
    await world.user()
    await world._put("identity_providers", provider(hostile.issuer))
    item = await discovered(world)
    assert item["type"] == "OIDC"
    assert "authorizationEndpoint" not in item
