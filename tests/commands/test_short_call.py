"""The short way of `svc-tui call`: what it loads, and the same output as the long way with the client."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docs.making import outlines
from svc_tui.client import short_read
from svc_tui.client.profile import Profile
from svc_tui.client.session_store import SessionStore, StoredSession
from svc_tui.interface.outlines import TABLE, outline_of
from tests.client.support import jwt
from tests.commands.conftest import PATIENCE, Shell
from tests.repository.test_imports import within

#: An option that only the parser knows, so that a call takes the long way.
LONG = "--read-only"
HEAVY = ("asyncio", "cyclopts", "httpx", "pydantic", "textual", "svc_tui.client.client", "svc_tui.interface.records")
HERE = Profile("here", "http://127.0.0.1:9", app_id="a" * 24)


#: A command, then the modules that it has loaded, on standard error.
REPORT = """
import sys
from svc_tui.__main__ import main
try:
    main(sys.argv[1:])
finally:
    print("MODULES", *sys.modules, file=sys.stderr)
"""


def imported(shell: Shell, *words: str) -> tuple[set[str], str]:
    """The modules that a command has loaded, and its output."""
    out, messages = shell.start(*words, program=REPORT).communicate(timeout=PATIENCE)
    return set(messages.rpartition("MODULES")[2].split()), out


def test_a_reading_call_loads_neither_the_client_nor_declarations_nor_the_parser(admin: Shell) -> None:
    modules, answer = imported(admin, "call", "list_applications", "limit=2")
    assert len(json.loads(answer)["data"]) == 2
    assert "svc_tui.client.short_read" in modules
    assert not within(modules, HEAVY)


def test_the_help_loads_no_parser(shell: Shell) -> None:
    modules, answer = imported(shell, "--help")
    assert "Run `svc-tui COMMAND --help`" in answer
    assert not within(modules, (*HEAVY, "svc_tui.commands.parser"))


@pytest.mark.parametrize(
    "words",
    [
        ("list_applications", "limit=3", "offset=1", "format=medium"),
        ("list_applications", "limit=2", "--output", "table"),
        ("list_applications", "name=é & ö"),
    ],
)
def test_the_short_and_the_long_way_print_the_same(admin: Shell, words: tuple[str, ...]) -> None:
    short, long = admin.run("call", *words), admin.run("call", *words, LONG)
    assert (short.stdout, short.stderr, short.returncode) == (long.stdout, long.stderr, long.returncode)
    assert short.returncode == 0


class Counting(BaseHTTPRequestHandler):
    """A service with one answer to everything, which counts requests."""

    protocol_version = "HTTP/1.1"
    status, body, fields, paths = 200, b"", dict[str, str](), list[str]()

    def do_GET(self) -> None:
        type(self).paths.append(self.path)
        self.send_response(self.status)
        for name, value in self.fields.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def counting(shell: Shell) -> Iterator[type[Counting]]:
    """The service that a shell with a stored session reaches."""
    handler = type("Handler", (Counting,), {"paths": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shell.use(f"http://127.0.0.1:{server.server_address[1]}")
        session = stored(
            received=time.time(),
            base_url=shell.variables["SVC_TUI_BASE_URL"],
            app_id=shell.variables["SVC_TUI_APP_ID"],
            profile_login=shell.variables["SVC_TUI_LOGIN"],
        )
        SessionStore(shell.folder / "data" / "sessions", "environment").write(session)
        yield handler
        server.shutdown()


NOT_FOUND = b'{"errorCode":404,"errorMsg":"Not Found","errorDetails":"Application not found","errorDetailsCode":404100}'


@pytest.mark.parametrize(
    ("status", "body", "fields", "code"),
    [
        (404, NOT_FOUND, {}, 1),
        (403, gzip.compress(NOT_FOUND), {"content-encoding": "gzip"}, 1),
        (500, b"", {}, 1),
        (200, b"<html>", {"content-type": "text/html"}, 1),
        (200, b"[]", {}, 1),
        (302, b"", {"location": "https://elsewhere.example/"}, 1),
        # The service asks for a longer pause than the client waits.
        (503, b"", {"retry-after": "900"}, 1),
    ],
    ids=["not found", "compressed", "empty", "a page", "another shape", "elsewhere", "later"],
)
def test_a_call_that_fails_is_sent_once_and_reported_as_by_the_client(
    shell: Shell, counting: type[Counting], status: int, body: bytes, fields: dict[str, str], code: int
) -> None:
    counting.status, counting.body, counting.fields = status, body, {"x-request-id": "one", **fields}
    short = shell.run("call", "list_applications", "limit=2", "name=é & ö")
    assert len(counting.paths) == 1, short.stderr
    long = shell.run("call", "list_applications", "limit=2", "name=é & ö", LONG)
    assert counting.paths[0] == counting.paths[1]
    assert (short.stdout, short.stderr, short.returncode) == (long.stdout, long.stderr, long.returncode)
    assert short.returncode == code
    assert short.stderr


def test_the_end_of_a_session_is_reported_after_one_request(shell: Shell, counting: type[Counting]) -> None:
    counting.status, counting.body = 401, b'{"errorCode":401,"errorDetailsCode":401000}'
    short = shell.run("call", "list_applications")
    assert counting.paths == [counting.paths[0]]
    assert "log in" in short.stderr
    assert short.returncode == 3


@pytest.mark.parametrize("values", [("limit=0",), ("limit=x",), ("limit=2", "limit=3"), ("colour=red",), ("limit",)])
def test_what_is_not_surely_right_takes_the_long_way_before_anything_is_sent(
    admin: Shell, values: tuple[str, ...]
) -> None:
    modules, answer = imported(admin, "call", "list_applications", *values)
    assert answer == ""
    assert "svc_tui.client.short_read" not in modules


def test_only_operations_that_change_nothing_and_give_json_take_the_short_way() -> None:
    for name in ("delete_application", "create_application", "login", "get_avatar", "renew_token"):
        found = outline_of(name)
        assert found is not None and found.answer is None, name


def stored(**changes: object) -> StoredSession:
    values = {"token": jwt(iat=0, exp=3600), "received": 0.0, "base_url": HERE.base_url, "app_id": HERE.app_id}
    return StoredSession(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("session", "usable"),
    [
        (lambda now: stored(received=now), True),
        (lambda now: stored(received=now - 1900), False),
        (lambda now: stored(received=now, base_url="http://127.0.0.1:10"), False),
        (lambda now: stored(received=now, app_id="b" * 24), False),
        (lambda now: stored(received=now, token=jwt(iat=0, exp=3600, mfaType="totp")), False),
        (lambda now: stored(received=now, token="none"), False),
    ],
)
def test_only_a_fresh_session_of_this_service_takes_the_short_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: Callable[[float], StoredSession], usable: bool
) -> None:
    now = 1_800_000_000.0
    monkeypatch.setattr("svc_tui.client.short_read.time.time", lambda: now)
    store = SessionStore(tmp_path, "here")
    store.write(session(now))
    assert bool(short_read.token_of(HERE, store)) is usable


@pytest.mark.parametrize(
    ("changes", "fits"),
    [
        ({}, True),
        ({"brand": "acme"}, False),
        ({"method": "api_key", "api_key": "k"}, False),
        ({"base_url": "http://service.example"}, False),
        ({"base_url": "https://service.example"}, True),
        ({"base_url": "https://service.example", "verify": False}, False),
    ],
)
def test_only_a_plain_profile_takes_the_short_way(changes: dict[str, object], fits: bool) -> None:
    assert short_read.fits(Profile(**{"name": "here", "base_url": HERE.base_url, **changes})) is fits  # type: ignore[arg-type]


def test_a_service_behind_a_proxy_takes_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert not short_read.fits(Profile("there", "https://service.example"))
    assert short_read.fits(HERE)


def test_the_table_of_outlines_is_current() -> None:
    assert TABLE.read_text("utf-8") == outlines.text(), "run `python -m docs.making.outlines`"
