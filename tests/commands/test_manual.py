"""The manual page."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from docs.making.manual import FILE
from svc_tui.commands.manual import VARIABLES, page
from svc_tui.commands.table import COMMANDS
from svc_tui.workspace.profiles.profiles import ENVIRONMENT
from tests.commands.conftest import Shell


def test_the_manual_page_is_current() -> None:
    assert FILE.read_text("utf-8") == page(), "run `python -m docs.making.manual`"


def test_the_manual_page_names_every_command_and_variable() -> None:
    text = page().replace("\\-", "-")
    assert all(f"svc-tui {command.name}" in text for command in COMMANDS)
    assert set(ENVIRONMENT) <= set(VARIABLES)


def test_man_shows_the_page_without_a_warning(shell: Shell) -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    source = shell.run("man").stdout
    done = subprocess.run(
        ["man", "--warnings", "-l", "-"],
        input=source,
        capture_output=True,
        text=True,
        env=shell.environment({"MANWIDTH": "80", "LC_ALL": "C.UTF-8"}),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "svc-tui call OPERATION [NAME=VALUE] [OPTIONS]" in done.stdout
    assert "list_applications" in done.stdout
    assert "Secrets come from a prompt or from the environment" in " ".join(done.stdout.split())
