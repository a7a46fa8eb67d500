"""The first account of a new service: created once, on an empty database, and of use for a login."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.server.first_account import FirstAccount, create_first_account
from svc_tui.server.serve import ServerCommandError
from tests.commands.conftest import Shell
from tests.support.process import serving

_LOGIN, _PASSWORD = "owner@acme.example", "correct horse battery"


def _create(folder: Path, url: str, login: str = _LOGIN, password: str = _PASSWORD) -> FirstAccount:
    return create_first_account(login, password, company="Acme", data_dir=folder, database=url)


def test_the_first_account_logs_in_and_no_second_one_is_created(database_url: str, tmp_path: Path) -> None:
    account = _create(tmp_path / "data", database_url)
    with pytest.raises(ServerCommandError, match="has accounts already"):
        _create(tmp_path / "data", database_url, "other@acme.example")
    with serving(tmp_path / "data", database=database_url) as server:
        shell = Shell(tmp_path)
        shell.variables |= {
            "SVC_TUI_BASE_URL": server.url,
            "SVC_TUI_APP_ID": account.app_id,
            "SVC_TUI_APP_SECRET": account.app_secret,
            "SVC_TUI_LOGIN": _LOGIN,
        }
        assert shell.run("login", SVC_TUI_PASSWORD=_PASSWORD).returncode == 0
        done = shell.run("whoami")
        assert "superadmin" in done.stdout and "Acme" in done.stdout
        assert "Acme" in shell.run("call", "list_companies").stdout
        application = shell.run("call", "get_application", f"appId={account.app_id}", "format=full").stdout
        assert '"isSvcClientDefault": true' in application
        assert shell.run("login", SVC_TUI_PASSWORD="wrong password").returncode == 1


@pytest.mark.parametrize(
    ("login", "password", "reason"),
    [("owner", _PASSWORD, "is not an email address"), (_LOGIN, "short", "at least 12 characters")],
)
def test_an_unsuitable_login_or_password_creates_nothing(
    sqlite_url: str, tmp_path: Path, login: str, password: str, reason: str
) -> None:
    with pytest.raises(ServerCommandError, match=reason):
        _create(tmp_path / "data", sqlite_url, login, password)
    assert _create(tmp_path / "data", sqlite_url).login == _LOGIN


def test_the_command_prints_the_secret_once_and_takes_the_password_from_the_environment(tmp_path: Path) -> None:
    shell, data = Shell(tmp_path), str(tmp_path / "data")
    missing = shell.run("server", "init", _LOGIN, "--data-dir", data)
    assert missing.returncode == 2 and "SVC_TUI_PASSWORD" in missing.stderr
    done = shell.run("server", "init", _LOGIN, "--data-dir", data, SVC_TUI_PASSWORD=_PASSWORD)
    assert done.returncode == 0 and "appSecret" in done.stdout
    assert _PASSWORD not in done.stdout + done.stderr
    again = shell.run("server", "init", _LOGIN, "--data-dir", data, SVC_TUI_PASSWORD=_PASSWORD)
    assert (again.returncode, again.stdout) == (1, "")
    assert "has accounts already" in again.stderr
