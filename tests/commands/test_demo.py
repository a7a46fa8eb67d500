"""The demo service: private, and removed with all its files however it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, Shell
from tests.commands.terminal import Terminal

#: Starts the demo service, prints its address, and keeps it until standard input ends. A signal that comes just before
#: it waits has no system call to interrupt: a byte for each signal ends the wait.
HOLDER = """
import json, os, select, signal, sys
from svc_tui.commands.demo_service import demo_service
signalled, wakeup = os.pipe()
os.set_blocking(wakeup, False)
signal.set_wakeup_fd(wakeup)
with demo_service("small") as service:
    service.wait()
    profile = service.profile("company_admin@demo.example")
    print(json.dumps([str(service.folder), service.address, service.pid, profile.password]), flush=True)
    select.select([sys.stdin, signalled], [], [])
"""


@pytest.fixture
def holder(shell: Shell) -> subprocess.Popen[str]:
    """A process with a demo service, in its own folder for temporary files."""
    temporary = shell.folder / "tmp"
    temporary.mkdir()
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        env=shell.environment({"TMPDIR": str(temporary)}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def details(holder: subprocess.Popen[str]) -> tuple[Path, str, int]:
    """Folder, address and process id of the service."""
    assert holder.stdout is not None
    folder, address, pid, password = json.loads(holder.stdout.readline())
    assert password == PASSWORDS[ADMIN]
    return Path(folder), address, pid


def wait_for_end(pid: int) -> None:
    """Wait until a process that is not our child has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([handle], [], [], PATIENCE)[0], "the service outlives the demo"
    finally:
        os.close(handle)


def test_the_demo_service_is_private_and_removed_at_the_end(shell: Shell, holder: subprocess.Popen[str]) -> None:
    folder, address, pid = details(holder)
    assert address.startswith("http://127.0.0.1:")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert shell.use(address).log_in().run("whoami").returncode == 0
    holder.communicate(timeout=PATIENCE)
    assert holder.returncode == 0
    wait_for_end(pid)
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_the_demo_and_removes_its_files(holder: subprocess.Popen[str], number: signal.Signals) -> None:
    folder, _, pid = details(holder)
    holder.send_signal(number)
    holder.wait(PATIENCE)
    assert holder.returncode != 0
    wait_for_end(pid)
    assert not folder.exists()


def test_a_killed_demo_service_leaves_no_files(holder: subprocess.Popen[str]) -> None:
    folder, _, pid = details(holder)
    os.kill(pid, signal.SIGKILL)
    wait_for_end(pid)
    holder.communicate(timeout=PATIENCE)
    assert holder.returncode == 0
    assert not folder.exists()


def test_a_demo_service_that_cannot_start_is_reported_in_one_sentence(shell: Shell) -> None:
    (shell.folder / "uvicorn.py").write_text("raise RuntimeError('no such luck')\n")
    temporary = shell.folder / "tmp"
    temporary.mkdir()
    with Terminal(shell, "demo", PYTHONPATH=str(shell.folder), TMPDIR=str(temporary)) as terminal:
        assert terminal.end() == 4
    assert "The demo service did not start" in terminal.text
    assert "no such luck" in terminal.text
    assert "Traceback" not in terminal.text
    assert list(temporary.iterdir()) == []


def test_quitting_while_the_data_is_prepared_ends_at_once_and_leaves_no_files(shell: Shell) -> None:
    temporary = shell.folder / "tmp"
    temporary.mkdir()
    with Terminal(shell, "demo", "--scale", "large", TMPDIR=str(temporary)) as terminal:
        terminal.see("Needs attention")
        terminal.press(b"q")
        assert terminal.end() == 0
    assert "The demo has ended." in terminal.text
    assert list(temporary.iterdir()) == []


def test_an_unknown_demo_account_is_refused_before_the_service_starts(shell: Shell) -> None:
    with Terminal(shell, "demo", "--as", "superadmn@demo.example") as terminal:
        assert terminal.end() == 2
    assert 'Did you mean "superadmin@demo.example"?' in terminal.text
