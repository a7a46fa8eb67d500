"""What importing the client may load: the first paint does not wait for HTTP or records."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIGHT = [
    "svc_tui.client",
    "svc_tui.client.profile",
    "svc_tui.client.errors",
    "svc_tui.client.call_log",
    "svc_tui.client.session",
    "svc_tui.client.session_store",
]


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("module", LIGHT)
def test_imports_of_the_first_screen_load_neither_http_nor_records(module):
    assert not loaded_by(f"import {module}") & {"httpx", "httpcore", "pydantic"}


def test_the_python_api_loads_neither_the_console_nor_the_server():
    loaded = loaded_by("import svc_tui.client.api")
    assert not loaded & {"textual", "rich", "PIL", "starlette", "uvicorn", "sqlalchemy", "alembic", "cyclopts", "httpx"}
    statement = "import svc_tui.client.api, sys; print(*(n for n in sys.modules if n.startswith('svc_tui.')))"
    run = subprocess.run([sys.executable, "-c", statement], capture_output=True, text=True, check=True)
    packages = {name.split(".")[1] for name in run.stdout.split()}
    assert packages <= {"client", "interface", "language", "lazy_import"}


def test_a_client_is_created_without_loading_http():
    made = (
        "from svc_tui.client.client import Client\n"
        "from svc_tui.client.profile import Profile\n"
        "from svc_tui.client.session import Session\n"
        "profile = Profile('p', 'https://svc.example')\n"
        "Client(profile, Session(profile))"
    )
    loaded = loaded_by(made)
    assert "pydantic" in loaded
    assert not loaded & {"httpx", "httpcore", "sqlalchemy", "starlette"}


def test_httpx_is_imported_in_one_module_only():
    from pathlib import Path

    import svc_tui.client

    folder = Path(svc_tui.client.__file__).parent
    importing = {path.name for path in folder.glob("*.py") if "\nimport httpx" in path.read_text()}
    assert importing == {"transport.py"}
