"""`svc-tui login`, `logout` and `whoami`: their messages and exit codes."""

from __future__ import annotations

import json
from typing import IO

import pyotp
import pytest

from svc_tui.server.demo.accounts import TOTP_SECRET
from tests.commands import browser
from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, SUPERADMIN, Shell
from tests.commands.terminal import Terminal


def one_sentence(text: str) -> bool:
    """Whether the output has no traceback and starts with a message of the program."""
    return "Traceback" not in text and text.startswith("svc-tui: ")


def test_commands_after_a_login_use_its_session(logged_out: Shell) -> None:
    assert logged_out.run("whoami").returncode == 3
    done = logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert (done.returncode, done.stdout) == (0, "")
    assert ADMIN in done.stderr
    shown = json.loads(logged_out.run("whoami", "--json").stdout)
    assert shown["login"] == ADMIN
    assert "company_admin" in shown["roles"]
    assert shown["secondsLeft"] > 0


def test_another_login_in_the_environment_is_never_the_user_before(logged_out: Shell) -> None:
    assert logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    other = {"SVC_TUI_LOGIN": SUPERADMIN, "SVC_TUI_PASSWORD": PASSWORDS[SUPERADMIN]}
    assert json.loads(logged_out.run("whoami", "--json", **other).stdout)["login"] == SUPERADMIN
    refused = logged_out.run("whoami", SVC_TUI_LOGIN=ADMIN)
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "Not logged in to" in refused.stderr


def test_a_password_is_typed_without_echo(logged_out: Shell) -> None:
    with Terminal(logged_out, "login") as terminal:
        terminal.see("Password of")
        terminal.type(PASSWORDS[ADMIN])
        terminal.see("Logged in to")
        assert terminal.end() == 0
        assert PASSWORDS[ADMIN] not in terminal.text


def test_the_password_is_not_stored(logged_out: Shell) -> None:
    assert logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    kept = [path for path in logged_out.folder.rglob("*") if path.is_file()]
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
    logged_out: Shell, login: str, password: str, code: int
) -> None:
    done = logged_out.run("login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=password or PASSWORDS[login])
    assert done.returncode == 1
    assert done.stdout == ""
    assert one_sentence(done.stderr)
    assert str(code) in done.stderr


def test_a_client_that_is_too_old_is_refused(logged_out: Shell) -> None:
    logged_out.log_in(SUPERADMIN)
    app_id = logged_out.variables["SVC_TUI_APP_ID"]
    body = json.dumps({"id": app_id, "version": "99.0"})
    assert logged_out.run("call", "create_client_version", "--body", body).returncode == 0
    try:
        done = logged_out.run("login", SVC_TUI_LOGIN=ADMIN, SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    finally:
        assert logged_out.run("call", "delete_client_version", f"clientId={app_id}").returncode == 0
    assert done.returncode == 1
    assert "403020" in done.stderr
    assert one_sentence(done.stderr)


def test_login_prompts_for_the_second_factor(logged_out: Shell) -> None:
    login = "mfa@demo.example"
    with Terminal(logged_out, "login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login]) as terminal:
        terminal.see("Authenticator code")
        terminal.type(pyotp.TOTP(TOTP_SECRET).now())
        terminal.see("Logged in to")
        assert terminal.end() == 0


def test_without_a_terminal_the_code_comes_from_standard_input_or_is_required(logged_out: Shell) -> None:
    login = "mfa@demo.example"
    done = logged_out.run("login", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login])
    assert done.returncode == 3
    assert "A code is required" in done.stderr
    wrong = logged_out.run("login", input="nonsense\n", SVC_TUI_LOGIN=login, SVC_TUI_PASSWORD=PASSWORDS[login])
    assert wrong.returncode == 1
    assert "Traceback" not in wrong.stderr


def test_single_sign_on_prints_an_address_and_continues_after_the_login_in_the_browser(logged_out: Shell) -> None:
    login = "sso@demo.example"
    process = logged_out.start("login", "--sso", more={"SVC_TUI_LOGIN": login})
    assert process.stderr is not None
    address, code = _address_and_code(process.stderr)
    assert browser.log_in(address, login, code) == "You are logged in"
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert f"as {login}" in said
    assert json.loads(logged_out.run("whoami", "--json", SVC_TUI_LOGIN=login).stdout)["login"] == login
    done = logged_out.run("logout", SVC_TUI_LOGIN=login)
    assert done.returncode == 0
    assert "end the session in the browser too" in done.stderr


def test_a_single_sign_on_that_was_denied_in_the_browser_ends_with_the_reason(logged_out: Shell) -> None:
    login = "sso@demo.example"
    process = logged_out.start("login", "--sso", more={"SVC_TUI_LOGIN": login})
    assert process.stderr is not None
    address, code = _address_and_code(process.stderr)
    assert browser.log_in(address, login, code, "deny") == "Login failed"
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "svc-tui: The login was denied in the browser.\n" in said


def _address_and_code(lines: IO[str]) -> tuple[str, str]:
    """The address to open, and the code to compare, of `svc-tui login --sso`."""
    address = next(line.strip() for line in lines if line.startswith("http"))
    return address, next(line for line in lines if line.startswith("Code to compare")).split()[-1]


def test_single_sign_on_with_a_password_account_is_wrong_usage(logged_out: Shell) -> None:
    done = logged_out.run("login", "--sso")
    assert done.returncode == 2
    assert "password" in done.stderr


def test_without_a_password_and_a_terminal_the_message_names_the_variable(logged_out: Shell) -> None:
    done = logged_out.run("login")
    assert done.returncode == 3
    assert "SVC_TUI_PASSWORD" in done.stderr


def test_after_a_logout_there_is_no_session(admin: Shell) -> None:
    assert admin.run("logout").returncode == 0
    done = admin.run("whoami")
    assert done.returncode == 3
    assert "svc-tui login" in done.stderr
    assert admin.run("logout").returncode == 0


@pytest.mark.parametrize(
    ("decision", "says", "left"),
    [
        ("always", "; `svc-tui cache clear` removes them.", True),
        ("until_logout", " until the next login; `svc-tui cache clear` removes them.", True),
        ("never", "The cached records were removed.", False),
    ],
)
def test_a_logout_keeps_or_removes_cached_records_as_the_profile_sets(
    logged_out: Shell, decision: str, says: str, left: bool
) -> None:
    address = logged_out.variables.pop("SVC_TUI_BASE_URL")
    options = ("--base-url", address, "--login", ADMIN, "--browse-cache", decision)
    assert logged_out.run("profile", "add", "work", *options).returncode == 0
    assert logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0
    cache, data = (logged_out.folder / kind / "work" for kind in ("cache", "data"))
    files = [cache / "u1.db", data / "journal-u1.json", data / "preferences.json"]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('{"user": {"id": "u1"}, "history": ["users"]}')
    for message in ("Logged out of ", "Not logged in to "):
        done = logged_out.run("logout")
        assert done.returncode == 0
        assert message in done.stderr
        assert done.stderr.rstrip().endswith(says), done.stderr
    assert [file.exists() for file in files] == [left, left, True]
    preferences = json.loads(files[-1].read_text())
    assert bool(preferences["user"]) == (decision == "always")
    assert preferences["history"] == ["users"]


def test_a_command_logs_in_with_a_password_from_the_environment(logged_out: Shell) -> None:
    done = logged_out.run("whoami", "--json", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
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
