"""One story in tmux, as support staff meet the console."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (Debian: apt-get install tmux)")

PATIENCE = 30.0
#: A small application with the driver of the console.
HOST = Path(__file__).parents[1] / "bench" / "host.py"


class Pane:
    """A tmux server of its own with one pane of 80x24."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._socket = str(folder / "tmux")
        self._environment = environment

    def run(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True).stdout

    def start(self, command: str) -> None:
        self.run("new-session", "-d", "-x", "80", "-y", "24", command)

    @property
    def text(self) -> str:
        return self.run("capture-pane", "-p")

    def sees(self, pattern: str) -> None:
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text, re.MULTILINE):
            assert time.monotonic() < end, f"{pattern!r} is not seen:\n{self.text}"
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)


@pytest.fixture
def pane(tmp_path: Path, environment: dict[str, str]) -> Iterator[Pane]:
    opened = Pane(tmp_path, environment)
    yield opened
    subprocess.run(["tmux", "-S", str(tmp_path / "tmux"), "kill-server"], capture_output=True, check=False)


def test_the_demo_in_tmux_from_opening_to_leaving(pane: Pane, svc_tui: str) -> None:
    pane.start(f"{svc_tui} demo --as company_admin; echo ended $?; exec sleep 60")
    pane.sees(r"demo ▸ Home .*company_admin")
    pane.press("1")
    pane.sees(r"demo ▸ Applications .*company_admin")
    pane.sees(r"58 applications")
    pane.press("/")
    pane.type("contract sync")
    pane.press("Enter")
    pane.sees(r"▌Contract Sync +● active")
    pane.press("Enter")
    pane.sees(r"Applications ▸ Contract Sync")
    pane.press("e")
    pane.sees(r"▸ Edit")
    pane.press("Down", "Down")
    pane.type("typed in tmux")
    pane.press("C-o")
    pane.sees(r"Origin: partner programme → .*typed in tmux")
    pane.press("Enter")
    pane.sees(r"Changed\. ctrl\+z undoes it\.")
    pane.press("y")
    pane.sees(r"ID: .*tmux")
    assert re.fullmatch(r"[0-9a-f]{24}", pane.run("show-buffer"))
    pane.press("Escape")
    pane.sees(r"▌Contract Sync")
    pane.press("q")
    pane.sees(r"The demo has ended\. Its data and your changes are deleted\.")
    pane.sees(r"^ended 0")


def test_leaving_after_a_resize_leaves_no_line_of_the_console(pane: Pane) -> None:
    pane.start(f"echo before; {sys.executable} {HOST} 300; echo ended $?; exec sleep 60")
    pane.sees(r"R000020")
    pane.run("resize-window", "-x", "120", "-y", "40")
    pane.sees(r"R000035")
    pane.press("q")
    pane.sees(r"^ended 0")
    assert pane.text.split() == ["before", "ended", "0"]
