"""The console as a command: it opens, and leaves the terminal and the machine as they were, however it ends."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.commands.conftest import ADMIN, PASSWORDS, Shell
from tests.commands.terminal import Terminal

LEAVES_THE_SCREEN = "\x1b[?1049l"

FAULTY = """
import sys
from svc_tui.console.shell import app
def fault(self): raise RuntimeError("a fault")
app.Console.on_mount = fault
from svc_tui.__main__ import main
main([])
"""


@pytest.fixture
def temporary(shell: Shell) -> Path:
    """The folder for temporary files that the shell's commands see."""
    folder = shell.folder / "tmp"
    folder.mkdir()
    shell.variables["TMPDIR"] = str(folder)
    return folder


def test_the_demo_opens_logged_in_and_leaves_nothing(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        terminal.see("company_admin")
        assert len(list(temporary.glob("svc-tui-demo-*"))) == 1
        terminal.press(b"q")
        assert terminal.end() == 0
    assert LEAVES_THE_SCREEN in terminal.text
    assert list(temporary.iterdir()) == []
    for kind in ("config", "cache", "data"):
        assert not (shell.folder / kind).exists()


def test_a_demo_that_is_told_to_end_gives_the_terminal_back(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
    assert LEAVES_THE_SCREEN in terminal.text
    assert "Traceback" not in terminal.text
    assert list(temporary.iterdir()) == []


def test_a_terminal_that_is_closed_takes_the_demo_with_it(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        # What a terminal multiplexer sends when its window is closed.
        terminal.process.send_signal(signal.SIGHUP)
        terminal.process.send_signal(signal.SIGCONT)
        assert terminal.end() == 128 + signal.SIGHUP
    assert list(temporary.iterdir()) == []
    assert not (shell.folder / "data").exists()


def test_the_console_opens_where_it_is_told_to(person: Shell) -> None:
    with Terminal(person, "open", "applications", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]) as terminal:
        terminal.see("applications")
        terminal.press(b"q")
        assert terminal.end() == 0


def test_a_fault_inside_the_console_is_one_sentence_and_a_log(shell: Shell) -> None:
    with Terminal(shell, program=FAULTY) as terminal:
        assert terminal.end() == 70
    assert LEAVES_THE_SCREEN in terminal.text
    after = terminal.text.rpartition(LEAVES_THE_SCREEN)[2]
    assert "Something went wrong inside svc-tui (RuntimeError)" in after
    assert "Traceback" not in after
    assert len(list((shell.folder / "data").glob("crash-*.log"))) == 1


def test_the_first_time_the_demo_is_one_key_away(shell: Shell, temporary: Path) -> None:
    with Terminal(shell) as terminal:
        terminal.see("looks around in a demo")
        terminal.press(b"d")
        terminal.see("company_admin")
        terminal.press(b"q")
        assert terminal.end() == 0
    assert list(temporary.iterdir()) == []
