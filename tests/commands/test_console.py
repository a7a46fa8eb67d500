"""The console as a command: it restores the terminal and leaves no files, however it ends."""

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

#: A console that ends while a generator is being read, so that the event loop cannot close it.
READING = """
import asyncio
from svc_tui.console.shell import app
async def values():
    yield await asyncio.get_running_loop().create_future()
mount = app.Console.on_mount
async def reads(self):
    self.values = values()
    self.reader = anext(self.values).__await__()
    self.reader.send(None)
    await mount(self)
app.Console.on_mount = reads
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


def test_the_demo_opens_logged_in_and_leaves_no_files(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        terminal.see("bp_admin")
        assert len(list(temporary.glob("svc-tui-demo-*"))) == 1
        terminal.press(b"q")
        assert terminal.end() == 0
    assert LEAVES_THE_SCREEN in terminal.text
    assert list(temporary.iterdir()) == []
    for kind in ("config", "cache", "data"):
        assert not (shell.folder / kind).exists()


#: The muted text of the light theme; it is one of the 256 colours.
LIGHT = "38;5;239m"


def test_the_theme_of_the_configuration_needs_no_other_setting(shell: Shell) -> None:
    (shell.folder / "config").mkdir()
    (shell.folder / "config" / "config.toml").write_text('theme = "light"\n')
    with Terminal(shell, COLORTERM="truecolor") as terminal:
        terminal.see("starts a demo")
        terminal.press(b"q")
    assert LIGHT in terminal.text


def test_the_demo_has_the_theme_of_the_configuration(shell: Shell, temporary: Path) -> None:
    (shell.folder / "config" / "themes").mkdir(parents=True)
    (shell.folder / "config" / "config.toml").write_text('theme = "sand"\n')
    (shell.folder / "config" / "themes" / "sand.toml").write_text('base = "light"\nbackground = "#fafaf0"\n')
    with Terminal(shell, "demo", COLORTERM="truecolor") as terminal:
        terminal.see("applications")
        terminal.press(b"q")
        assert terminal.end() == 0
    assert "48;2;250;250;240" in terminal.text


def test_the_demo_has_the_keys_and_commands_of_the_configuration(shell: Shell, temporary: Path) -> None:
    (shell.folder / "config").mkdir()
    (shell.folder / "config" / "config.toml").write_text(
        '[keymap]\nquit = "Z"\n\n[commands.everyone]\nkey = "f9"\nopen = "users"\n'
    )
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        terminal.press(b"\x1b[20~")
        terminal.see("Adam Arslan")
        terminal.press(b"Z")
        terminal.press(b"Z")
        assert terminal.end() == 0


def test_the_demo_is_read_as_lines_with_linear_in_the_configuration(shell: Shell, temporary: Path) -> None:
    (shell.folder / "config").mkdir()
    (shell.folder / "config" / "config.toml").write_text("linear = true\n")
    with Terminal(shell, "demo") as terminal:
        terminal.see("Needs attention")
        terminal.press(b"q")
        assert terminal.end() == 0
    assert LEAVES_THE_SCREEN not in terminal.text


def test_sigterm_ends_the_demo_and_restores_the_terminal(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
    assert LEAVES_THE_SCREEN in terminal.text
    assert "Traceback" not in terminal.text
    assert list(temporary.iterdir()) == []


def test_sigterm_during_a_read_is_no_internal_error(shell: Shell) -> None:
    with Terminal(shell, program=READING) as terminal:
        terminal.see("starts a demo")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
    assert "Traceback" not in terminal.text
    assert not list(shell.folder.rglob("crash-*.log"))


def test_closing_the_terminal_ends_the_demo(shell: Shell, temporary: Path) -> None:
    with Terminal(shell, "demo") as terminal:
        terminal.see("applications")
        # What a terminal multiplexer sends when its window is closed.
        terminal.process.send_signal(signal.SIGHUP)
        terminal.process.send_signal(signal.SIGCONT)
        assert terminal.end() == 128 + signal.SIGHUP
    assert list(temporary.iterdir()) == []
    assert not (shell.folder / "data").exists()


def test_open_shows_the_requested_place(logged_out: Shell) -> None:
    with Terminal(logged_out, "open", "applications", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]) as terminal:
        terminal.see("applications")
        terminal.press(b"q")
        assert terminal.end() == 0


def test_an_internal_error_of_the_console_is_one_sentence_and_a_log(shell: Shell) -> None:
    with Terminal(shell, program=FAULTY) as terminal:
        assert terminal.end() == 70
    assert LEAVES_THE_SCREEN in terminal.text
    after = terminal.text.rpartition(LEAVES_THE_SCREEN)[2]
    assert "Internal error in svc-tui (RuntimeError)" in after
    assert "Traceback" not in after
    assert len(list((shell.folder / "data").glob("crash-*.log"))) == 1


def test_the_welcome_screen_opens_the_demo(shell: Shell, temporary: Path) -> None:
    with Terminal(shell) as terminal:
        terminal.see("starts a demo")
        terminal.press(b"d")
        terminal.see("bp_admin")
        terminal.press(b"q")
        assert terminal.end() == 0
    assert list(temporary.iterdir()) == []
