"""Real sockets: certificates, unknown hosts, refused connections, services that die or dawdle."""

from __future__ import annotations

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from svc_tui.client import trust
from svc_tui.client.client import Client
from svc_tui.client.errors import NotTrusted, OutcomeUnknown, Unreachable
from svc_tui.client.in_flight import Timeouts
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.interface.applications.operations import create_application
from svc_tui.interface.authentication.sessions import ping
from tests.client.support import at_once, json_reply, jwt, listening, request_of

PONG = {"status": "OK"}


@pytest.fixture
def reach(made):
    """Makes clients of what listens on a port."""

    def reach(base_url, *, timeout=None, token="", **fields):
        profile = Profile("test", base_url, **fields)
        session = Session(profile)
        if token:
            session.accept({"token": token})
        made.append(Client(profile, session, timeout=timeout or Timeouts(), sleep=at_once))
        return made[-1]

    return reach


async def pongs(reader, writer):
    while True:
        await request_of(reader)
        writer.write(json_reply(PONG))
        await writer.drain()


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


def serving(authority, *names, **options):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*(names or ("127.0.0.1",)), **options).configure_cert(context)
    return context


@pytest.fixture
def bundle(authority, tmp_path):
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


async def test_an_authority_of_the_ca_bundle_is_trusted(reach, authority, bundle):
    async with listening(pongs, serving(authority)) as port:
        client = reach(f"https://127.0.0.1:{port}", ca_bundle=bundle)
        assert (await client.send(ping)).body == PONG


async def test_an_unknown_authority_is_not_trusted_and_ca_bundle_is_named(reach, authority):
    async with listening(pongs, serving(authority)) as port:
        client = reach(f"https://127.0.0.1:{port}")
        with pytest.raises(NotTrusted, match=r"an unknown authority. Set ca_bundle"):
            await client.send(ping)
        assert len(client.log.exchanges) == 1


async def test_a_self_signed_certificate_is_not_trusted_and_ca_bundle_is_named(reach, tmp_path):
    lonely = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    both = tmp_path / "self.pem"
    both.write_bytes(lonely.private_key_pem.bytes() + lonely.cert_pem.bytes())
    context.load_cert_chain(both)
    async with listening(pongs, context) as port:
        with pytest.raises(NotTrusted, match=r"is self-signed. .* set ca_bundle"):
            await reach(f"https://127.0.0.1:{port}").send(ping)


async def test_an_expired_certificate_is_reported(reach, authority, bundle):
    yesterday = datetime.now(UTC) - timedelta(days=1)
    context = serving(authority, "127.0.0.1", not_before=yesterday - timedelta(days=9), not_after=yesterday)
    async with listening(pongs, context) as port:
        with pytest.raises(NotTrusted, match="has expired"):
            await reach(f"https://127.0.0.1:{port}", ca_bundle=bundle).send(ping)


@pytest.mark.parametrize("name", ["other.example", "127.0.0.2"])
async def test_a_certificate_for_another_name_is_reported(reach, authority, bundle, name):
    async with listening(pongs, serving(authority, name)) as port:
        with pytest.raises(NotTrusted, match="is for another name"):
            await reach(f"https://127.0.0.1:{port}", ca_bundle=bundle).send(ping)


async def test_verification_is_skipped_only_by_the_profile(reach, authority):
    async with listening(pongs, serving(authority, "other.example")) as port:
        client = reach(f"https://127.0.0.1:{port}", verify=False)
        assert (await client.send(ping)).body == PONG
        assert not client.profile.verified


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_a_ca_bundle_that_cannot_be_read_is_named(reach, tmp_path, content):
    path = tmp_path / "bundle.pem"
    if content:
        path.write_text(content)
    with pytest.raises(NotTrusted, match=r"bundle\.pem has no readable certificates"):
        await reach("https://127.0.0.1:1", ca_bundle=str(path)).send(ping)


async def test_a_service_without_tls_is_reported(reach):
    async def plain(reader, writer):
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    async with listening(plain) as port:
        with pytest.raises(Unreachable, match=r"does not use TLS\. Check the http://"):
            await reach(f"https://127.0.0.1:{port}").send(ping)


async def test_an_unknown_host_is_named(reach):
    with pytest.raises(Unreachable, match=r"Unknown host nowhere\.invalid\. Check base_url"):
        await reach("http://nowhere.invalid").send(ping)


async def test_a_refused_connection_suggests_that_the_service_is_not_running(reach):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        with pytest.raises(Unreachable, match=rf"The connection to 127\.0\.0\.1:{port} was refused"):
            await reach(f"http://127.0.0.1:{port}").send(ping)


async def test_a_read_timeout_names_the_waited_time_and_is_not_repeated(reach):
    async def silent(reader, writer):
        await reader.read(-1)

    async with listening(silent) as port:
        client = reach(f"http://127.0.0.1:{port}", timeout=Timeouts(read=0.02))
        with pytest.raises(Unreachable, match=r"No response from 127\.0\.0\.1:\d+ within 0\.02 s"):
            await client.send(ping)
        assert len(client.log.exchanges) == 1


async def test_an_endless_slow_response_is_given_up(reach):
    async def dribbling(reader, writer):
        await request_of(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.005)

    async with listening(dribbling) as port:
        client = reach(f"http://127.0.0.1:{port}", timeout=Timeouts(total=0.05))
        with pytest.raises(Unreachable, match=r"within 0\.05 s"):
            await client.send(ping)


async def dies_after_the_request(reader, writer):
    await request_of(reader)


async def dies_mid_answer(reader, writer):
    await request_of(reader)
    writer.write(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"data"')
    await writer.drain()


@pytest.mark.parametrize("handler", [dies_after_the_request, dies_mid_answer])
async def test_a_change_has_an_unknown_outcome_when_the_service_dies_and_is_never_sent_twice(reach, handler):
    seen = 0

    async def counting(reader, writer):
        nonlocal seen
        seen += 1
        await handler(reader, writer)

    async with listening(counting) as port:
        client = reach(f"http://127.0.0.1:{port}", token=jwt())
        with pytest.raises(OutcomeUnknown, match="broke before the response was complete"):
            await client.send(create_application, body={"name": "a"})
    assert seen == 1


async def test_a_read_survives_a_service_that_dies_once(reach):
    seen = 0

    async def once(reader, writer):
        nonlocal seen
        seen += 1
        await (dies_mid_answer if seen == 1 else pongs)(reader, writer)

    async with listening(once) as port:
        assert (await reach(f"http://127.0.0.1:{port}").send(ping)).body == PONG


async def test_requests_share_a_connection(reach):
    connections = 0

    async def counting(reader, writer):
        nonlocal connections
        connections += 1
        await pongs(reader, writer)

    async with listening(counting) as port:
        client = reach(f"http://127.0.0.1:{port}")
        for _ in range(3):
            await client.send(ping)
    assert connections == 1


async def test_no_proxy_is_used_for_a_service_on_this_machine(reach, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with listening(pongs) as port:
        assert (await reach(f"http://127.0.0.1:{port}").send(ping)).body == PONG


async def test_the_proxy_of_the_environment_is_used_for_other_services(reach, monkeypatch):
    asked = []

    async def proxy(reader, writer):
        asked.append(await request_of(reader))
        writer.write(json_reply(PONG))
        await writer.drain()

    async with listening(proxy) as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        await reach("http://svc.invalid").send(ping)
    assert asked[0].startswith(b"GET http://svc.invalid/api/svc/ping")


async def test_cookies_are_not_stored(reach):
    heads = []

    async def baking(reader, writer):
        while True:
            heads.append(await request_of(reader))
            writer.write(json_reply(PONG).replace(b"\r\n\r\n", b"\r\nset-cookie: id=1\r\n\r\n", 1))
            await writer.drain()

    async with listening(baking) as port:
        client = reach(f"http://127.0.0.1:{port}")
        await client.send(ping)
        await client.send(ping)
    assert b"cookie" not in heads[1].lower()


async def test_a_cancelled_request_is_logged_and_leaves_the_client_usable(reach):
    started = asyncio.Event()
    seen = 0

    async def first_never(reader, writer):
        nonlocal seen
        seen += 1
        if seen > 1:
            await pongs(reader, writer)
        await request_of(reader)
        started.set()
        await reader.read(-1)

    async with listening(first_never) as port:
        client = reach(f"http://127.0.0.1:{port}")
        task = asyncio.create_task(client.send(ping))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await client.send(ping)).body == PONG
    assert client.log.exchanges[0].error == "Cancelled before the response arrived."


@pytest.mark.parametrize("file", ["/nonexistent/keys", "/"])
def test_a_key_log_that_cannot_be_written_is_no_fault_of_certificates(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", file)
    context = trust.trust(Profile("p", "https://svc.example"))
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname
    assert trust.key_log_fault()


def test_keys_are_written_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    assert trust.trust(Profile("p", "https://svc.example")).keylog_filename == str(tmp_path / "keys")
    assert trust.key_log_fault() == ""
