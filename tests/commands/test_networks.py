"""Proxies of the environment, and sessions that the service refuses, for commands as processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import ADMIN, PASSWORDS, Shell
from tests.commands.gateway import ENDED, Gateway, gateway

#: A port on which nothing listens.
NOTHING = "127.0.0.1:9"


@pytest.fixture
def between(service: str) -> Iterator[Gateway]:
    with gateway(service) as made:
        yield made


@pytest.mark.parametrize(
    ("variables", "shown"),
    [
        ({"HTTPS_PROXY": f"http://me:secret@{NOTHING}"}, "The proxy 127.0.0.1:9 (HTTPS_PROXY) refused the connection"),
        ({"https_proxy": "http://me:secret@nowhere.invalid:3128"}, "nowhere.invalid:3128 (https_proxy) is unknown"),
        ({"ALL_PROXY": "socks://me:secret@127.0.0.1:1080"}, "(ALL_PROXY) uses SOCKS"),
        ({"HTTPS_PROXY": "http://me:se#secret@proxy:1"}, "HTTPS_PROXY is not the address of a proxy"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_named_without_its_password(
    shell: Shell, variables: dict[str, str], shown: str
) -> None:
    done = shell.use("https://service.example").run("login", SVC_TUI_PASSWORD="x", **variables)
    assert done.returncode == 4
    assert shown in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize(
    ("scheme", "login", "status", "shown"),
    [
        ("https", "", 407, "requires a login"),
        ("http", "me:secret@", 407, "does not accept the login"),
        ("https", "", 403, "refused the request to service.example (403"),
    ],
)
def test_a_refusal_of_the_proxy_names_it(
    shell: Shell, between: Gateway, scheme: str, login: str, status: int, shown: str
) -> None:
    between.answer = lambda _line: (status, b"")
    variable = f"{scheme.upper()}_PROXY"
    done = shell.use(f"{scheme}://service.example").run(
        "call", "ping", **{variable: f"http://{login}{between.address}"}
    )
    assert done.returncode == 4
    assert f"{between.address} ({variable})" in done.stderr
    assert shown in done.stderr
    assert "secret" not in done.stderr
    assert len(between.seen) == 1


def test_a_service_is_reached_through_the_proxy_and_past_it(shell: Shell, service: str, between: Gateway) -> None:
    port = service.rpartition(":")[2]
    # This address leads to this machine, and is none of the loopback interface.
    shell.use(f"http://0.0.0.0:{port}")
    assert shell.run("call", "ping", HTTP_PROXY=f"http://{between.address}").returncode == 0
    assert between.seen == ["GET /api/svc/ping"]
    assert shell.run("call", "ping", HTTP_PROXY=f"http://{NOTHING}").returncode == 4
    assert shell.run("call", "ping", HTTP_PROXY=f"http://{NOTHING}", NO_PROXY="10.0.0.0/8,0.0.0.0/8").returncode == 0


def test_doctor_shows_the_proxy_also_when_it_cannot_be_used(shell: Shell) -> None:
    shell.use("https://service.example")

    def shown(**variables: str) -> dict[str, str]:
        return dict(json.loads(shell.run("doctor", "--json", **variables).stdout)["connection"])

    found = shown(HTTPS_PROXY=f"http://me:secret@{NOTHING}")
    assert found["proxy"] == f"{NOTHING} (HTTPS_PROXY)"
    assert "refused" in found["connection"]
    assert shown(HTTPS_PROXY=NOTHING, NO_PROXY=".example")["proxy"] == "none: .example in NO_PROXY"
    assert "SOCKS5" in shown(ALL_PROXY="socks5://127.0.0.1:1080")["proxy"]
    shell.use(f"http://{NOTHING}")
    assert "this machine" in shown(HTTP_PROXY=NOTHING)["proxy"]


def break_session(shell: Shell) -> Path:
    """Make the stored token one that the service refuses; the file."""
    [file] = (shell.folder / "data" / "sessions").glob("*.json")
    text = file.read_text()
    end = text.index('"', text.index('"token": "') + 10) - 20
    file.write_text(text[:end] + "A" * 10 + text[end + 10 :])
    return file


@pytest.mark.parametrize("words", [("whoami",), ("call", "list_applications", "--output", "json")])
def test_a_refused_session_is_dropped(admin: Shell, words: tuple[str, ...]) -> None:
    file = break_session(admin)
    assert admin.run(*words).returncode == 3
    assert not file.exists()


def test_a_refused_session_is_replaced_where_credentials_are_at_hand(admin: Shell) -> None:
    file = break_session(admin)
    assert admin.run("whoami", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    assert file.exists()
    assert admin.run("whoami").returncode == 0


def test_a_session_that_ends_between_two_pages_is_replaced_once(logged_out: Shell, between: Gateway) -> None:
    words = ("call", "list_applications", "--all", "limit=2", "--output", "jsonl")
    logged_out.use(f"http://{between.address}")
    whole = logged_out.run(*words, SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).stdout
    lists = [line for line in between.seen if line.endswith("/applications")]
    assert len(lists) > 1
    between.seen.clear()
    between.answer = lambda line: ENDED if between.seen.count(line) == 2 and line.endswith("/applications") else None
    done = logged_out.run(*words, SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert (done.returncode, done.stdout) == (0, whole), done.stderr
    assert [line for line in between.seen if line.endswith("/login")] == between.seen[2:3]


def test_a_session_that_ends_during_an_import_is_replaced_once(logged_out: Shell, between: Gateway) -> None:
    logged_out.use(f"http://{between.address}")
    file = logged_out.folder / "contacts.csv"
    file.write_text("firstName;lastName;workPhoneNumber0;country\nAna;Silva;0142685300;FRA\n")
    ended: list[str] = []

    def answer(line: str) -> tuple[int, bytes] | None:
        # The first question about the progress, after the upload.
        if (
            line.startswith("GET")
            and not ended
            and any(each.startswith("POST") and "/directories/" in each for each in between.seen)
        ):
            ended.append(line)
            return ENDED
        return None

    between.answer = answer
    words = ("directory", "import", str(file), "--personal", "--yes", "--output", "json")
    done = logged_out.run(*words, SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["created"] == 1
    assert ended
    assert sum(line.endswith("/login") for line in between.seen) == 2


def test_a_refused_password_is_not_repeated(logged_out: Shell, between: Gateway) -> None:
    logged_out.use(f"http://{between.address}")
    assert logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    between.seen.clear()
    between.answer = lambda line: ENDED if not line.endswith("/login") else None
    # The new session is refused too: it is not replaced again.
    assert logged_out.run("whoami", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 3
    assert sum(line.endswith("/login") for line in between.seen) == 1
    assert logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    between.seen.clear()
    file = logged_out.folder / "contacts.csv"
    file.write_text("displayName,phone\nAda,+14155550100\n")
    done = logged_out.run("directory", "import", str(file), "--yes", SVC_TUI_PASSWORD="wrong")
    assert done.returncode == 1
    assert "Wrong login or password" in done.stderr
    assert sum(line.endswith("/login") for line in between.seen) == 1
