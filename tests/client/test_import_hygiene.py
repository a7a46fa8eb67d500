"""What importing the client may load: the first paint does not wait for HTTP or records."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from tests.repository.files import ROOT
from tests.repository.test_locks import pinned
from tests.support.process import ServerProcess

RECIPES = ROOT / "docs" / "python-recipes.md"

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


#: Runs a program without any package but those that are named, as if no other were installed.
ALONE = """
import importlib.metadata, importlib.abc, runpy, sys

homes = importlib.metadata.packages_distributions()
installed = {*sys.argv[1].split(), "svc-tui"}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if {home.lower().replace("_", "-") for home in homes.get(name.partition(".")[0], ())} - installed:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
runpy.run_path(sys.argv[2], run_name="__main__")
"""


def test_a_program_runs_with_the_dependencies_of_the_client_alone(
    server_process: ServerProcess, tmp_path: Path
) -> None:
    recipe = re.search(
        r"^### Log in from a program\n.*?^```python\n(.*?)^```$", RECIPES.read_text("utf-8"), re.M | re.S
    )
    assert recipe is not None
    modules = "svc_tui.client.transport", "svc_tui.client.event_receiver", "svc_tui.interface.telephone_numbers"
    program = "".join(f"import {each}\n" for each in modules) + recipe[1]
    environment = {
        "SVC_TUI_BASE_URL": server_process.url,
        "SVC_TUI_APP_ID": APP_ID,
        "SVC_TUI_APP_SECRET": APP_SECRET,
        "SVC_TUI_LOGIN": "demo@demo.example",
        "SVC_TUI_PASSWORD": PASSWORD,
    }

    def run(source: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "program.py").write_text(source, encoding="utf-8")
        installed = " ".join(pinned("requirements-client.lock"))
        command = [sys.executable, "-c", ALONE, installed, str(tmp_path / "program.py")]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)

    done = run(program)
    assert "Dana Moreno" in done.stdout, done.stderr
    assert "No module named 'platformdirs'" in run("import svc_tui.workspace.core.folders").stderr
    for command in ("[]", "['whoami']", "['profile', 'list']"):
        refused = run(f"from svc_tui.__main__ import main; main({command})")
        assert refused.returncode == 70
        assert re.fullmatch(r"svc-tui: the package \w+ is not installed; .*requirements.lock.*\n", refused.stderr)


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
