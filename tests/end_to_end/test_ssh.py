"""The console over a real SSH connection on a slow line; `python -m tests.bench.ssh` tries all terminals."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories.driver import profile
from tests.support.process import serving_demo
from tests.support.pty import Terminal
from tests.support.ssh import SshServer, missing, ssh_server

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

#: The last line of a screen that is complete.
KEYS = r"\? Help"
#: The list with its rows; its number of rows gives way to a message about the link.
LIST = r"Branch Planner"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("ssh")) as running:
        yield running


@pytest.fixture(scope="module")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a shell on the far machine, with a service and a login; later starts have a cache."""
    folder = tmp_path_factory.mktemp("far")
    with serving_demo(tmp_path_factory.mktemp("service")) as service:
        known = profile(service.url)
        yield {
            **{f"SVC_TUI_{kind.upper()}_DIR": str(folder / kind) for kind in ("config", "cache", "data")},
            "LANG": "C.UTF-8",
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "SVC_TUI_BASE_URL": known.base_url,
            "SVC_TUI_APP_ID": known.app_id,
            "SVC_TUI_APP_SECRET": known.app_secret,
            "SVC_TUI_LOGIN": known.login,
            "SVC_TUI_PASSWORD": known.password,
        }


OPEN = ("svc-tui", "open", "applications")


def until_no_process(server: SshServer, word: str) -> None:
    end = time.monotonic() + 20
    while left := server.processes(word):
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.05)


def picture_is_that_of_a_repaint(terminal: Terminal) -> None:
    """After a resize to the same size everything is drawn again: nothing may differ."""
    terminal.settle(0.5)
    before = terminal.screen.cells()
    terminal.resize(terminal.screen.columns, terminal.screen.lines)
    terminal.settle(0.6)
    assert terminal.screen.cells() == before, terminal.text


def test_a_session_on_a_slow_line(server: SshServer, account: dict[str, str]) -> None:
    with server.open(OPEN, account) as terminal:
        terminal.wait_for(r"▸ Applications", timeout=60)
        # While it loads.
        terminal.resize(100, 30)
        terminal.wait_for(LIST + r"[\s\S]*\? Help", timeout=60)
        terminal.wait_for(r"Slow terminal link \(\d+ ms\)")
        terminal.wait_for(r"terminal \d+ ms")
        terminal.wait_for(lambda screen: "? Help" in screen.display[29])
        # All keys in one write: to a record, its form, a value, and back.
        terminal.type("jj\re")
        terminal.wait_for(r"▸ Edit")
        # Escape twice and a move, also in one write.
        terminal.type("\x1b\x1bj")
        terminal.wait_for(r"^▌Claims Companion")
        picture_is_that_of_a_repaint(terminal)
        console = server.processes(account["SVC_TUI_DATA_DIR"])
        assert len(console) == 1
        os.kill(console[0], signal.SIGSTOP)
        terminal.type("G")
        terminal.settle(0.3)
        os.kill(console[0], signal.SIGCONT)
        terminal.wait_for(r"^▌W")
        picture_is_that_of_a_repaint(terminal)
        terminal.type("q")
        assert terminal.wait_until_closed() == 0
    assert b"\x1b[?1049l" in terminal.received


def test_after_the_connection_is_cut_nothing_is_left(server: SshServer, account: dict[str, str]) -> None:
    with server.open(OPEN, account) as terminal:
        terminal.wait_for(LIST, timeout=60)
        terminal.type("n")
        terminal.wait_for("Name")
        terminal.type("Not sent")
        terminal.signal(signal.SIGKILL)
    until_no_process(server, account["SVC_TUI_DATA_DIR"])


def test_on_a_dumb_terminal_lines_are_read_to_the_end_and_after_a_resize(
    server: SshServer, account: dict[str, str]
) -> None:
    with server.open(OPEN, account, term="dumb") as terminal:
        terminal.wait_for(r"Row 1 of 58: ", timeout=60)
        terminal.type("G")
        terminal.wait_for(r"Row 58 of 58: ")
        terminal.resize(40, 12)
        terminal.type("g" + "j" * 20)
        terminal.wait_for(r"Row 21 of 58: ")
        # Lines are appended: no sequence but those of a plain terminal.
        assert b"\x1b[" not in terminal.received
        terminal.type("\r")
        terminal.wait_for(r"1 of \d+, Name: ")
        terminal.signal(signal.SIGKILL)
    until_no_process(server, account["SVC_TUI_DATA_DIR"])


def test_in_tmux_on_the_far_machine(server: SshServer, account: dict[str, str], tmp_path: Path) -> None:
    tmux = ("tmux", "-S", str(tmp_path / "tmux"), "-f", "/dev/null", "new-session", *OPEN)
    with server.open(tmux, account, term="xterm-256color") as terminal:
        terminal.wait_for(LIST, timeout=60)
        terminal.type("jj\r")
        terminal.wait_for("Identity")
        terminal.type("\x1b")
        terminal.wait_for(LIST)
        terminal.type("q")
        assert terminal.wait_until_closed() == 0
    until_no_process(server, account["SVC_TUI_DATA_DIR"])


def test_on_a_plain_narrow_terminal(server: SshServer, account: dict[str, str]) -> None:
    plain = {**account, "LANG": "C", "LC_ALL": "C", "NO_COLOR": "1"}
    with server.open(OPEN, plain, term="vt220", columns=40, rows=16) as terminal:
        terminal.wait_for(LIST, timeout=60)
        terminal.type("jj\r")
        terminal.wait_for("Identity")
        assert terminal.text.isascii()
        terminal.type("?\x1b~")
        # A message of two lines.
        terminal.wait_for(r"does nothing here")
        terminal.type("\x1bq")
        assert terminal.wait_until_closed() == 0
