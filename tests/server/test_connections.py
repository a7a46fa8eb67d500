"""Clients that send slowly, nothing or too much: others are answered, and the log stays readable."""

from __future__ import annotations

import json
import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import trustme

from svc_tui.server.http.connections import LARGEST_HEAD, MOST_HELD
from svc_tui.server.http.request_headers import group_of
from tests.support.process import ServerProcess, serving

PING = "/api/svc/ping"
HALF = b"GET /api/svc/ping HTTP/1.1\r\nhost: x\r\n"
#: The limit that systems have by default.
DESCRIPTORS = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({1024}, {1024}))"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with little patience."""
    folder = tmp_path_factory.mktemp("quick")
    (folder / "server.toml").write_text('head_seconds = 0.4\ntrusted_proxies = ["127.0.0.1"]\n')
    with serving(folder, config=folder / "server.toml") as server:
        yield server


@contextmanager
def connected(server: ServerProcess, *parts: bytes) -> Iterator[socket.socket]:
    at = urlsplit(server.url)
    with socket.create_connection((str(at.hostname), int(at.port or 0)), timeout=20) as connection:
        for part in parts:
            connection.sendall(part)
        yield connection


def answer_of(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and body of what arrives until the server closes the connection."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def test_fifteen_hundred_half_requests_do_not_stop_the_service(tmp_path: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with serving(tmp_path, before=DESCRIPTORS) as server, ExitStack() as opened:
        for _ in range(1500):
            opened.enter_context(connected(server, HALF))
        for _ in range(20):
            assert httpx.get(server.url + PING, timeout=20).status_code == 200
        descriptors = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        log = server.log
    assert descriptors < 1024
    assert "the most for this process" in log
    assert "Traceback" not in log
    assert len(log) < 10_000


def test_a_connection_without_a_complete_head_is_closed(quick: ServerProcess) -> None:
    for sent in (b"", HALF, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n" + HALF):
        with connected(quick, sent) as connection:
            received = b""
            while chunk := connection.recv(65536):
                received += chunk
        assert b"408 Request Timeout" in received
        assert b'"errorCode": 408' in received


def test_a_head_that_grows_all_the_time_is_refused_when_its_time_is_over(quick: ServerProcess) -> None:
    received = b""
    with connected(quick, HALF, b"x: ") as connection:
        connection.settimeout(0.05)
        for _ in range(LARGEST_HEAD // 100):
            connection.sendall(b"a" * 100)
            with suppress(TimeoutError):
                received = connection.recv(65536)
                break
    assert received.startswith(b"HTTP/1.1 408 ")


def test_a_body_that_arrives_too_slowly_is_refused(quick: ServerProcess) -> None:
    head = b"POST /api/svc/authentication/v1.0/apikeys HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n"
    with connected(quick, head, b"{") as connection:
        status, body = answer_of(connection)
    assert (status, body["errorDetails"]) == (408, "The request did not arrive in time.")


def test_a_long_response_is_complete(quick: ServerProcess) -> None:
    with connected(quick, b"GET /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n") as connection:
        status, document = answer_of(connection)
    assert (status, document["openapi"]) == (200, "3.1.0")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /api/svc/ping HTTP/1.1\r\n\r\n", 400),
        (HALF + b"host: y\r\n\r\n", 400),
        (b"GET /api/svc/ping HTTP/1.1\r\nhost: a b/<x>\r\n\r\n", 400),
        (b"GET /api/svc/ping HTTP/0.9\r\nhost: x\r\n\r\n", 400),
        (b"GET /api/svc/ping HTTP/2.0\r\nhost: x\r\n\r\n", 400),
        (b"GET /websocket HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 400),
        (HALF + b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (HALF + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}", 400),
        (HALF + b"transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400),
        (HALF + b"transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        (HALF + b"transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (HALF + b"transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400),
        (HALF + b"transfer-encoding: identity\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (HALF + b"transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"a" * 70_000, 431),
        (b"GET /" + b"a" * 70_000, 431),
        (b"GET / HTTP/1.1\r\nhost: x\r\n" + b"x: a\r\n" * 20_000, 431),
    ],
)
def test_an_invalid_request_has_an_error_body(quick: ServerProcess, sent: bytes, status: int) -> None:
    with connected(quick, sent) as connection:
        answered, body = answer_of(connection)
    assert (answered, body["errorCode"]) == (status, status)
    assert body["errorMsg"]
    assert body["errorDetails"]


@pytest.mark.parametrize(
    "host", [b"localhost:8080", b"[::1]:8080", b"[fe80::1%25eth0]", b"svc_tui", b"xn--bcher-kva.example."]
)
def test_names_and_addresses_of_hosts_are_accepted(quick: ServerProcess, host: bytes) -> None:
    sent = b"GET /api/svc/ping HTTP/1.1\r\nconnection: close\r\nhost: " + host + b"\r\n\r\n"
    with connected(quick, sent) as connection:
        assert answer_of(connection)[0] == 200


def test_incomplete_requests_hold_a_limited_number_of_bytes(tmp_path: Path) -> None:
    head = b"PUT /api/svc/applications/v1.0/applications/" + b"0" * 24 + b" HTTP/1.1\r\nhost: x\r\n"
    with serving(tmp_path, host="0.0.0.0") as server, ExitStack() as opened:
        port = int(urlsplit(server.url).port or 0)
        patient = opened.enter_context(socket.create_connection(("127.0.0.2", port), 20, ("127.0.0.2", 0)))
        patient.sendall(head + b"content-length: 200000\r\n\r\n" + b" " * 199_999)
        before = _resident(server)
        first = opened.enter_context(socket.create_connection(("127.0.0.1", port), 20, ("127.0.0.1", 0)))
        first.sendall(head + b"content-length: 250000\r\n\r\n" + b" " * 240_000)
        for _ in range(1000):
            each = opened.enter_context(socket.create_connection(("127.0.0.1", port), 20, ("127.0.0.1", 0)))
            each.sendall(head + b"content-length: 250000\r\n\r\n" + b" " * 240_000)
        status, body = answer_of(first)
        assert (status, body["errorDetails"]) == (503, "The server is reading too many large requests. Try again.")
        assert _resident(server) - before < 2 * MOST_HELD
        # Another address keeps its time.
        patient.sendall(b" ")
        assert patient.recv(1000).startswith(b"HTTP/1.1 401")
        assert "Traceback" not in server.log


def _resident(server: ServerProcess) -> int:
    """The memory of a server, in bytes."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_trailers_are_not_read_as_headers(quick: ServerProcess) -> None:
    """A proxy passes the trailers of its client on, and checks only the headers."""
    trailer = b"x-forwarded-for: 192.0.2.66\r\nx-request-id: of-the-trailer\r\nconnection: keep-alive\r\n"
    sent = b"POST /api/svc/trailers HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\nconnection: close\r\n"
    with connected(
        quick, sent + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + trailer + b"\r\n"
    ) as connection:
        assert answer_of(connection)[0] == 404
    [line] = [line for line in quick.log.splitlines() if "/api/svc/trailers" in line]
    assert "address=192.0.2.1 " in line
    assert "of-the-trailer" not in line


@pytest.mark.parametrize("endless", [b"x: y\r\n", b"z"])
def test_trailers_without_end_end_the_connection(quick: ServerProcess, endless: bytes) -> None:
    sent = b"PUT /api/svc/applications/v1.0/applications/" + b"0" * 24 + b" HTTP/1.1\r\nhost: x\r\n"
    body = b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    many, taken = endless * (LARGEST_HEAD // len(endless)), 0
    with connected(quick, sent + body) as connection, suppress(OSError):
        while taken < 1000:
            connection.sendall(many)
            taken += 1
    # The buffers of the system are some of them.
    assert taken < 500


def test_the_busiest_address_loses_its_connections_first(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text("most_connections = 10\n")
    with serving(tmp_path, config=tmp_path / "server.toml", host="0.0.0.0") as server, ExitStack() as opened:
        port = int(urlsplit(server.url).port or 0)
        patient = opened.enter_context(socket.create_connection(("127.0.0.2", port), 20, ("127.0.0.2", 0)))
        patient.sendall(HALF)
        for _ in range(50):
            each = opened.enter_context(socket.create_connection(("127.0.0.1", port), 20, ("127.0.0.1", 0)))
            each.sendall(HALF)
        assert httpx.get(f"http://127.0.0.1:{port}{PING}", timeout=20).status_code == 200
        patient.sendall(b"connection: close\r\n\r\n")
        assert answer_of(patient)[0] == 200


def test_connections_that_ended_keep_nothing_of_their_requests(tmp_path: Path) -> None:
    with serving(tmp_path) as server:

        def ask(times: int) -> None:
            for _ in range(times):
                with connected(server, HALF + b"x: y\r\n" * 9_000 + b"\r\n") as connection:
                    # It closes before it has read the response: the server gets an error.
                    assert connection.recv(10)

        ask(10)
        before = _resident(server)
        ask(150)
        assert _resident(server) - before < 32 * 1024 * 1024


def test_half_tls_handshakes_end_like_half_requests(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "tls.pem"))
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    (tmp_path / "server.toml").write_text("most_connections = 10\n")
    certified = {"tls_cert": tmp_path / "tls.pem", "tls_key": tmp_path / "tls.pem"}
    with serving(tmp_path, config=tmp_path / "server.toml", host="0.0.0.0", **certified) as server:
        port = int(urlsplit(server.url).port or 0)
        with ExitStack() as opened:
            for _ in range(10):
                raw = socket.create_connection(("127.0.0.1", port), 20)
                tls = opened.enter_context(trust.wrap_socket(raw, server_hostname="127.0.0.1"))
                tls.sendall(b"GET " + PING.encode() + b" HTTP/1.1\r\nhost: x\r\n\r\n")
                assert b"200 OK" in tls.recv(1000)
        # A connection and its handshake are one.
        assert "the most for this process" not in server.log
        with ExitStack() as opened:
            silent = [
                opened.enter_context(socket.create_connection(("127.0.0.1", port), 20, ("127.0.0.2", 0)))
                for _ in range(50)
            ]
            assert httpx.get(f"https://127.0.0.1:{port}{PING}", verify=trust, timeout=20).status_code == 200
            # The first ones are closed, the last ones have their time.
            with suppress(ConnectionResetError):
                assert silent[0].recv(1) == b""
            silent[-1].settimeout(0)
            with pytest.raises(BlockingIOError):
                silent[-1].recv(1)
        assert "the most for this process" in server.log
        with socket.create_connection(("127.0.0.1", port), 20) as plain:
            plain.sendall(HALF + b"\r\n")
            assert b"HTTP" not in plain.recv(100)
        # The request arrives together with the end of the handshake.
        with socket.create_connection(("127.0.0.1", port), 20) as raw:
            assert b"200 OK" in _answer_at_once(raw, trust)
        assert "Traceback" not in server.log


def test_neither_half_tls_handshakes_nor_idle_clients_delay_the_end_of_the_server(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "tls.pem"))
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    with serving(tmp_path, tls_cert=tmp_path / "tls.pem", tls_key=tmp_path / "tls.pem") as server:
        address = ("127.0.0.1", int(urlsplit(server.url).port or 0))
        with (
            socket.create_connection(address, 20) as raw,
            socket.create_connection(address, 20) as half,
            httpx.Client(verify=trust, timeout=20) as idle,
        ):
            tls = trust.wrap_socket(raw, server_hostname="127.0.0.1")
            # Of a message of the handshake, whose head announces 512 bytes.
            half.sendall(b"\x16\x03\x01\x02\x00\x01")
            tls.sendall(b"POST /api/svc/authentication/v1.0/apikeys HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{")
            assert idle.get(f"{server.url}{PING}").status_code == 200
            server.process.terminate()
            assert half.recv(1) == b""
            # A request in progress is completed.
            tls.sendall(b"}")
            assert tls.recv(1000).startswith(b"HTTP/1.1 401")
            assert server.process.wait(20) == 0
        assert "Traceback" not in server.log


def _answer_at_once(connection: socket.socket, trust: ssl.SSLContext) -> bytes:
    """The response to a request that is sent in one piece with the last message of the handshake."""
    arrived, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trust.wrap_bio(arrived, sent, server_hostname="127.0.0.1")
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            connection.sendall(sent.read())
            arrived.write(connection.recv(65536))
    tls.write(b"GET " + PING.encode() + b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    connection.sendall(sent.read())
    answer = b""
    while b"\r\n\r\n" not in answer and (more := connection.recv(65536)):
        arrived.write(more)
        with suppress(ssl.SSLWantReadError):
            while part := tls.read(65536):
                answer += part
    return answer


def test_addresses_of_one_network_count_as_one_client() -> None:
    assert group_of("2001:db8::1") == group_of("2001:db8::ffff:1") != group_of("2001:db8:0:1::1")
    assert group_of("::ffff:192.0.2.1") == group_of("192.0.2.1") != group_of("192.0.2.2")
    assert group_of("testclient") == "testclient"
