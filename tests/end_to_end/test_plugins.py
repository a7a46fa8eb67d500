"""Plug-ins, installed as users install them: their place and their key work, and a faulty one is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import accounts
from tests.support.process import ServerProcess
from tests.support.pty import Terminal

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "plugin"
_FAULTY = """
from svc_tui.console.core.actions import RECORDS, Action

def fails(context):
    raise KeyError("owner")

FAILS = Action(
    name="faulty.fails", keys=("f7",), label="Fails", help="Fail", run=fails, views=RECORDS, resource="applications"
)
TAKEN = Action(name="quit", keys=("f8",), label="Stop", help="Stop", run=fails)
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with the example package as pip installs it, and with a package of several faults."""
    target = tmp_path / "packages"
    pip = [str(Path(sys.base_prefix) / "bin" / "python3"), "-m", "pip", "--python", sys.executable]
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, "install", *options, str(EXAMPLE)], check=True)
    (target / "faulty.py").write_text(_FAULTY)
    (target / "faulty-1.0.dist-info").mkdir()
    (target / "faulty-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (target / "faulty-1.0.dist-info" / "entry_points.txt").write_text(
        "[svc_tui.actions]\nfails = faulty:FAILS\ntaken = faulty:TAKEN\n"
        "missing = faulty:NOTHING\nwrong = faulty:fails\n"
    )
    return target


def test_a_plug_in_adds_a_place_and_a_key_and_a_faulty_one_is_named(
    server_process: ServerProcess, environment: dict[str, str], svc_tui: str, tmp_path: Path, packages: Path
) -> None:
    known = accounts()
    password = next(one["password"] for one in known["accounts"] if one["login"] == "company_admin@demo.example")
    connection = {
        "SVC_TUI_BASE_URL": server_process.url,
        "SVC_TUI_APP_ID": known["appId"],
        "SVC_TUI_APP_SECRET": known["appSecret"],
        "SVC_TUI_LOGIN": "company_admin@demo.example",
        "SVC_TUI_PASSWORD": password,
        "PYTHONPATH": str(packages),
    }
    with Terminal([svc_tui, "open", "applications"], environment={**environment, **connection}) as terminal:
        terminal.wait_for("Plug-ins")
        for fault in ("another action has the name", "has no attribute 'NOTHING'", "function is not Action"):
            assert fault in " ".join(terminal.text.replace("│", " ").split()), terminal.text
        terminal.press("enter")
        terminal.wait_for("Branch Planner")
        terminal.type("\x1b[18~")
        terminal.wait_for("The plug-in faulty .* failed: KeyError: 'owner'")
        terminal.press("down")
        terminal.type("\x1bOS")
        terminal.wait_for("Copy message: the application is not blocked")
        terminal.type(":blocked\r")
        terminal.wait_for("▸ Blocked applications")
        terminal.wait_for("Branch Planner")
        assert "Branch Studio" not in terminal.text
        terminal.type("\x1bOS")
        terminal.wait_for("Message: ")
        terminal.press("enter")
        terminal.wait_for("Identity")
        terminal.press("escape", "?")
        terminal.wait_for("Copy a message to the owner")
        assert terminal.running
    with Terminal([svc_tui, "open", "blocked"], environment={**environment, **connection}) as terminal:
        terminal.wait_for("Plug-ins")
        terminal.press("enter")
        terminal.wait_for("▸ Blocked applications")
        terminal.wait_for("Branch Planner")
    check = subprocess.run(
        [svc_tui, "config", "check"], env={**environment, **connection}, capture_output=True, text=True
    )
    assert check.returncode == 2
    assert "The plug-in faulty (faulty:NOTHING) is ignored" in check.stderr
