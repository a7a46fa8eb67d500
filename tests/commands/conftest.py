"""A shell that runs commands as processes, and the services that they reach."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from svc_tui.server.demo.accounts import accounts
from svc_tui.server.demo.repeatable import Scale
from tests.support.databases import demo
from tests.support.keys import share_signing_key

ADMIN = "company_admin@demo.example"
SUPERADMIN = "superadmin@demo.example"
PASSWORDS = {one["login"]: one["password"] for one in accounts()["accounts"]}
#: Seconds after which a command counts as hanging.
PATIENCE = 60


#: Sessions by service and account: many tests share one login.
_SESSIONS: dict[tuple[str, str], str] = {}


@dataclass
class Shell:
    """Runs `svc-tui` with its own folders and without the developer's environment."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def environment(self, more: Mapping[str, str] = {}) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("SVC_TUI_", "LC_", "NO_COLOR"))
        }
        folders = {f"SVC_TUI_{kind}_DIR": str(self.folder / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}
        return {**kept, "LANG": "C.UTF-8", "TERM": "xterm-256color", **folders, **self.variables, **more}

    def run(self, *words: str, input: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, with further environment variables by name."""
        return subprocess.run(
            [sys.executable, "-m", "svc_tui", *words],
            env=self.environment(more),
            input=input,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def start(self, *words: str, **options: Any) -> subprocess.Popen[str]:
        """Start a command, or another Python program; the test ends it."""
        more, program = options.pop("more", {}), options.pop("program", "")
        return subprocess.Popen(
            [sys.executable, *(["-c", program] if program else ["-m", "svc_tui"]), *words],
            env=self.environment(more),
            text=True,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )

    def use(self, address: str, login: str = ADMIN) -> Shell:
        """Use this service and this account from now on; the password is not set."""
        self.variables |= {
            "SVC_TUI_BASE_URL": address,
            "SVC_TUI_LOGIN": login,
            "SVC_TUI_APP_ID": accounts()["appId"],
            "SVC_TUI_APP_SECRET": accounts()["appSecret"],
        }
        return self

    def log_in(self, login: str = ADMIN) -> Shell:
        """Log in as this account and keep the session for the next commands."""
        self.variables["SVC_TUI_LOGIN"] = login
        known = (self.variables["SVC_TUI_BASE_URL"], login)
        sessions = self.folder / "data" / "sessions"
        if known in _SESSIONS:
            sessions.mkdir(mode=0o700, parents=True, exist_ok=True)
            (sessions / "environment.json").touch(0o600)
            (sessions / "environment.json").write_text(_SESSIONS[known])
            return self
        done = self.run("login", SVC_TUI_PASSWORD=PASSWORDS[login])
        assert done.returncode == 0, done.stderr
        _SESSIONS[known] = (sessions / "environment.json").read_text()
        return self


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell without any profile or session."""
    return Shell(tmp_path)


@contextlib.contextmanager
def serving(folder: Path, *options: str, scale: Scale = "small") -> Iterator[str]:
    """A service process with today's demo data, which is copied and not made again; its address."""
    share_signing_key(folder)
    database = demo(datetime.now(UTC).date(), scale).copy(folder / "svc.db")
    process = Shell(folder).start(
        "serve", "--port", "0", "--data-dir", str(folder), "--database", database, "--demo-data", scale, *options,
        stderr=(folder / "service.log").open("w"), cwd=folder,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on "), (folder / "service.log").read_text()
        yield line.removeprefix("listening on ").strip()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running service with demo data."""
    with serving(tmp_path_factory.mktemp("service")) as address:
        yield address


@pytest.fixture
def logged_out(shell: Shell, service: str) -> Shell:
    """A shell whose environment names the service, its application and an account, without a session."""
    return shell.use(service)


@pytest.fixture
def admin(logged_out: Shell) -> Shell:
    """The administrator of the demo company, logged in."""
    return logged_out.log_in()
