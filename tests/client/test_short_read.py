"""Reading without the client: only a whole response is used, and no wait is repeated."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Callable

import pytest

from svc_tui.client import short_read
from svc_tui.client.errors import Unreachable
from svc_tui.client.profile import Profile
from svc_tui.client.raw_response import RawResponse
from svc_tui.client.timeouts import Timeouts

BODY = b'{"data": [' + b"1," * 500 + b"1]}"
PACKED = gzip.compress(BODY)


def response(body: bytes, *fields: str, length: int | None = None) -> bytes:
    """A response with a length that can differ from that of its body."""
    lines = ["HTTP/1.1 200 OK", f"content-length: {len(body) if length is None else length}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


def read_from(answer: Callable[[socket.socket], None]) -> RawResponse | None:
    """What is read from a service that answers one request like this."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                answer(connection)

        served = threading.Thread(target=serve)
        served.start()
        try:
            profile = Profile(name="work", base_url=f"http://127.0.0.1:{listening.getsockname()[1]}")
            return short_read.read(profile, "token", "/api/svc/applications", "limit=2")
        finally:
            served.join()


@pytest.mark.parametrize(
    "sent",
    [response(BODY), response(PACKED, "content-encoding: gzip")],
    ids=["as it is", "packed"],
)
def test_a_whole_response_is_read(sent: bytes) -> None:
    found = read_from(lambda connection: connection.sendall(sent))
    assert found is not None
    assert (found.status, found.body) == (200, BODY)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"no response\r\n\r\n",
        response(BODY[:-1], length=len(BODY)),
        response(PACKED[:-1], "content-encoding: gzip"),
        response(BODY, "content-encoding: gzip"),
        response(BODY, "content-encoding: br"),
    ],
    ids=["nothing", "no HTTP", "cut", "packed and cut", "not packed", "packed in another way"],
)
def test_any_other_response_is_left_to_the_client(sent: bytes) -> None:
    assert read_from(lambda connection: connection.sendall(sent)) is None


@pytest.mark.parametrize(
    "sent", [response(BODY), response(PACKED, "content-encoding: gzip")], ids=["as it is", "packed"]
)
def test_a_response_that_is_too_long_is_left_to_the_client(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(short_read, "MOST_BYTES", len(BODY) - 1)
    assert read_from(lambda connection: connection.sendall(sent)) is None


@pytest.mark.parametrize(
    "timeouts", [Timeouts(read=0.05), Timeouts(total=0.0)], ids=["no response", "a response that takes too long"]
)
def test_a_long_wait_is_an_error_and_not_repeated(timeouts: Timeouts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(short_read, "_TIMEOUTS", timeouts)

    def answer(connection: socket.socket) -> None:
        if not timeouts.total:
            connection.sendall(response(BODY))
        # Returns when the reader has closed the connection.
        connection.recv(1)

    with pytest.raises(Unreachable) as raised:
        read_from(answer)
    assert raised.value.sent and not raised.value.temporary
