"""The console asks its terminal for the background before it draws: the theme fits, and no key is lost by it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from svc_tui.console.terminal import background
from tests.end_to_end.test_tmux import Pane
from tests.support.pty import Terminal

QUESTION = b"\x1b]11;?"
#: A local terminal, whose colours the console chooses.
LOCAL = {"COLORTERM": "truecolor"}
DARK, LIGHT = "121212", "ffffff"


def theme(terminal: Terminal) -> str:
    """The background of the welcome screen, once it is drawn."""
    terminal.wait_for("no connection profile")
    terminal.settle(0.2)
    return str(terminal.screen.buffer[0][0].bg)


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", True),
        (b"\x1b]11;rgb:fd/f6/e3\x07", True),
        (b"\x1b]11;rgb:28/28/28\x07", False),
    ],
)
def test_the_theme_fits_the_background(environment: dict[str, str], svc_tui: str, answer: bytes, light: bool) -> None:
    with Terminal([svc_tui], environment=environment | LOCAL, background=answer) as terminal:
        assert theme(terminal) == (LIGHT if light else DARK)
        assert terminal.received.count(QUESTION) == 1
        assert "11;" not in terminal.text


@pytest.mark.parametrize(("declared", "light"), [("0;15", True), ("", False)])
def test_a_terminal_that_does_not_answer_is_not_waited_for(
    environment: dict[str, str], svc_tui: str, declared: str, light: bool
) -> None:
    answers = environment | LOCAL | {"COLORFGBG": declared}
    with Terminal([svc_tui], environment=answers, known=False) as terminal:
        assert theme(terminal) == (LIGHT if light else DARK)
        # What it answers now is no text either, in one piece or in two.
        terminal.press("n")
        terminal.wait_for("Service address")
        terminal.type("ht\x1b]11;rgb:ffff/ffff/ffff\x1b\\t\x1b]11;rgb:ff")
        terminal.wait_for("htt ")
        terminal.type("/ff/ff\x1b\\ps")
        terminal.wait_for("https ")


def test_keys_that_are_typed_while_the_terminal_is_asked_are_not_lost(
    environment: dict[str, str], svc_tui: str
) -> None:
    answer = b"n\x1b]11;rgb:ffff/ffff/ffff\x1b\\ht\xc3"
    with Terminal([svc_tui], environment=environment | LOCAL, background=answer) as terminal:
        terminal.wait_for("Service address")
        terminal.settle(0.2)
        assert str(terminal.screen.buffer[0][0].bg) == LIGHT
        terminal.wait_for(r"\bht")
        assert "rgb" not in terminal.text


@pytest.mark.parametrize("other", [{"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, {"TERM": "dumb"}])
def test_where_the_colours_are_those_of_the_terminal_nothing_is_asked(
    environment: dict[str, str], svc_tui: str, other: dict[str, str]
) -> None:
    with Terminal([svc_tui], environment=environment | LOCAL | other) as terminal:
        terminal.wait_for("no connection profile")
        assert QUESTION not in terminal.received


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (Debian: apt-get install tmux)")
@pytest.mark.parametrize(("style", "seen"), [("bg=#fdf6e3", "48;2;255;255;255"), ("default", "48;2;18;18;18")])
def test_tmux_answers_for_its_window(
    tmp_path: Path, environment: dict[str, str], svc_tui: str, style: str, seen: str
) -> None:
    pane = Pane(tmp_path, environment)
    try:
        pane.start("cat")
        pane.run("set", "-g", "window-style", style)
        pane.run("set", "-g", "default-terminal", "tmux-256color")
        pane.run("respawn-window", "-k", f"COLORTERM=truecolor {svc_tui}")
        pane.sees("no connection profile")
        drawn = pane.run("capture-pane", "-p", "-e")
        assert "11;" not in pane.text
        # With 256 colours: the background, or the panel of the welcome that is drawn first.
        nearest = ("48;5;231", "48;5;254", "48;5;255") if style != "default" else ("48;5;233", "48;5;234")
        assert any(colour in drawn for colour in (seen, *nearest)), drawn
    finally:
        subprocess.run(["tmux", "-S", str(tmp_path / "tmux"), "kill-server"], capture_output=True, check=False)


@pytest.mark.parametrize(
    ("report", "light"),
    [
        (b"\x1b]11;rgb:f/f/f\x07", True),
        (b"\x1b]11;rgb:fff/000/fff\x07", False),
        (b"\x1b]11;#FFFFFF\x07", True),
        (b"\x1b]11;rgb:8080/8080/8080\x07", True),
        (b"\x1b]11;rgb:7f/7f/7f\x07", False),
        (b"\x1b]11;rgba:eeee/eeee/eeee/ffff\x1b\\", True),
        (b"\x1b]11;rgb:0000/2b2b/3636\x1b\\", False),
        (b"\x1b]11;nonsense\x07", None),
        (b"\x1b]11;rgb:ff/ff\x07", None),
        (b"\x1b]10;rgb:ff/ff/ff\x07", None),
        (b"\x1b]11;rgb:ff/ff/ff", None),
    ],
)
def test_a_colour_is_read_with_as_many_digits_as_it_has(report: bytes, light: bool | None) -> None:
    assert background.is_light(report) is light
