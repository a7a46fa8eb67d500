"""What a start loads: each of these is time that a person waits before the first picture."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.repository.files import ROOT

SERVER_SIDE = ("svc_tui.server", "sqlalchemy", "starlette", "uvicorn", "alembic", "argon2", "joserfc")


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after the code."""
    script = f"{code}\nimport json, sys\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(modules)


def within(modules: set[str], packages: tuple[str, ...]) -> set[str]:
    return {module for module in modules if any(module == p or module.startswith(p + ".") for p in packages)}


def test_the_version_is_told_without_loading_screens_or_records() -> None:
    code = "from svc_tui.__main__ import main\ntry:\n    main(['--version'])\nexcept SystemExit:\n    pass"
    assert not within(loaded(code), ("textual", "pydantic", "cyclopts", "httpx", *SERVER_SIDE))


@pytest.mark.parametrize("module", ["svc_tui.console.shell.app", "svc_tui.console.shell.login"])
def test_opening_the_login_screen_loads_nothing_of_the_server(module: str) -> None:
    assert not within(loaded(f"import {module}"), SERVER_SIDE)


def test_the_client_and_the_workspace_load_nothing_of_the_server() -> None:
    modules = loaded("import svc_tui.client, svc_tui.workspace, svc_tui.cache")
    assert not within(modules, (*SERVER_SIDE, "textual", "httpx"))


def test_the_command_line_is_parsed_without_loading_the_console_or_the_server() -> None:
    code = "from svc_tui.__main__ import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    assert not within(loaded(code), ("textual", "httpx", *SERVER_SIDE))
