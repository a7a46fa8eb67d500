"""Logging in from the command line: what is said, and with which exit code, when it works and when it does not."""

from __future__ import annotations

import json

import pyotp
import pytest

from svc_tui.server.demo.accounts import TOTP_SECRET
from tests.commands import browser
from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, SUPERADMIN, Shell
from tests.commands.terminal import Terminal


def one_sentence(text: str) -> bool:
    """No traceback, and the first line is a sentence of the program."""
    return "Traceback" not in text and text.startswith("svc-tui: ")


def test_the_session_of_a_login_serves_the_next_commands(person: Shell) -> None:
    assert person.run("whoami").returncode == 3
    done = person.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert (done.returncode, done.stdout) == (0, "")
    assert ADMIN in done.stderr
    told = json.loads(person.run("whoami", "--json").stdout)
    assert told["login"] == ADMIN
    assert "company_admin" in told["roles"]
    assert told["secondsLeft"] > 0


def test_a_password_is_typed_without_echo(person: Shell) -> None:
    with Terminal(person, "login") as terminal:
        terminal.see("Password of")
        terminal.type(PASSWORDS[ADMIN])
        terminal.see("Logged in to")
        assert terminal.end() == 0
        assert PASSWORDS[ADMIN] not in terminal.text


def test_the_password_is_kept_nowhere(person: Shell) -> None:
    assert person.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    kept = [path for path in person.folder.rglob("*") if path.is_file()]
    assert kept
    for path in kept:
        assert PASSWORDS[ADMIN].encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("login", "password", "code"),
    [
        (ADMIN, "wrong", 401500),
        ("locked@demo.example", "", 401501),
        ("voiceonly@demo.example", "", 401223),
    ],
)
def test_a_refused_login_ends_with_1_and_the_code_of_the_service(
    person: Shell, login: str, password: str, code: int
) -> None:
    done = person.run("login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=password or PASSWORDS[login])
    assert done.returncode == 1
    assert done.stdout == ""
    assert one_sentence(done.stderr)
    assert str(code) in done.stderr


def test_a_client_that_is_too_old_is_told_so(person: Shell) -> None:
    person.log_in(SUPERADMIN)
    app_id = person.variables["SVC_TUI_APP_ID"]
    body = json.dumps({"id": app_id, "version": "99.0"})
    assert person.run("call", "create_client_version", "--body", body).returncode == 0
    try:
        done = person.run("login", SVC_TUI_LOGIN=ADMIN, SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    finally:
        assert person.run("call", "delete_client_version", f"clientId={app_id}").returncode == 0
    assert done.returncode == 1
    assert "403020" in done.stderr
    assert one_sentence(done.stderr)


def test_the_second_factor_is_asked_for(person: Shell) -> None:
    login = "mfa@demo.example"
    with Terminal(person, "login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login]) as terminal:
        terminal.see("Code of your authenticator")
        terminal.type(pyotp.TOTP(TOTP_SECRET).now())
        terminal.see("Logged in to")
        assert terminal.end() == 0


def test_without_a_terminal_the_code_comes_on_standard_input_or_is_said_to_be_missing(person: Shell) -> None:
    login = "mfa@demo.example"
    done = person.run("login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login])
    assert done.returncode == 3
    assert "A code is needed" in done.stderr
    wrong = person.run("login", input="nonsense\n", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login])
    assert wrong.returncode == 1
    assert "Traceback" not in wrong.stderr


def test_single_sign_on_prints_an_address_and_goes_on_when_the_browser_is_through(person: Shell) -> None:
    login = "sso@demo.example"
    process = person.start("login", "--sso", more={"SVC_TUI_LOGIN": login})
    assert process.stderr is not None
    address = next(line.strip() for line in process.stderr if line.startswith("http"))
    assert browser.log_in(address, login) == "You are logged in"
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert f"as {login}" in said
    assert json.loads(person.run("whoami", "--json").stdout)["login"] == login
    done = person.run("logout")
    assert done.returncode == 0
    assert "ends the login in the browser too" in done.stderr


def test_single_sign_on_of_somebody_with_a_password_is_wrong_usage(person: Shell) -> None:
    done = person.run("login", "--sso")
    assert done.returncode == 2
    assert "password" in done.stderr


def test_without_a_password_and_without_a_terminal_it_is_said_how_to_give_one(person: Shell) -> None:
    done = person.run("login")
    assert done.returncode == 3
    assert "SVC_TUI_PASSWORD" in done.stderr


def test_after_logout_nobody_is_logged_in(admin: Shell) -> None:
    assert admin.run("logout").returncode == 0
    done = admin.run("whoami")
    assert done.returncode == 3
    assert "svc-tui login" in done.stderr
    assert admin.run("logout").returncode == 0


def test_a_command_logs_in_by_itself_with_a_password_from_the_environment(person: Shell) -> None:
    done = person.run("whoami", "--json", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert done.returncode == 0
    assert json.loads(done.stdout)["login"] == ADMIN


def test_an_api_key_needs_no_login(admin: Shell) -> None:
    body = json.dumps({"description": "for a test", "isActive": True, "scope": ["all"]})
    made = json.loads(admin.run("call", "create_api_key", "--body", body).stdout)["data"]
    other = Shell(admin.folder / "other", dict(admin.variables))
    done = other.run("whoami", "--json", SVC_TUI_API_KEY=made["apiKey"], SVC_TUI_LOGIN="")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["login"] == ADMIN
    refused = other.run("whoami", SVC_TUI_API_KEY="no-key-of-ours", SVC_TUI_LOGIN="")
    assert refused.returncode == 3
    assert one_sentence(refused.stderr)
