"""The frugal driver in a real pseudo terminal: the picture is always the one that Textual meant."""

import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.pty import Terminal

HOST = [sys.executable, str(Path(__file__).parents[2] / "bench" / "host.py")]
KEYS = ["down", "up", "pagedown", "pageup", "home", "end", "space", "s", "t", "down", "down", "up", "up"]


def start(*options: str, environment: dict[str, str] | None = None, **more: Any) -> Terminal:
    """The host program, up to its first quiet screen."""
    terminal = Terminal([*HOST, *options], environment={"COLORTERM": "truecolor"} | (environment or {}), **more)
    terminal.wait_for(r"\? Help")
    terminal.settle()
    return terminal


def assert_alike(one: Terminal, other: Terminal) -> None:
    """Both screens become alike, every cell of them."""
    for _ in range(40):
        one.settle(0.05)
        other.settle(0.05)
        if one.screen.cells() == other.screen.cells():
            break
    assert one.text == other.text
    assert one.screen.cells() == other.screen.cells()


@pytest.mark.parametrize("options", [["300"], ["300", "--hostile", "--theme", "dark"]], ids=["ordinary", "hostile"])
def test_after_any_keys_the_picture_is_that_of_a_full_repaint(options: list[str]) -> None:
    chosen = random.Random(7)
    with start(*options) as frugal, start(*options, "--plain") as plain:
        for _ in range(10):
            keys = chosen.choices(KEYS, k=8)
            for terminal in (frugal, plain):
                terminal.press(*keys, answer=0.05, quiet=0.01)
            assert_alike(frugal, plain)
            before = frugal.screen.cells()
            assert len(frugal.press("r")) > 1000
            assert frugal.screen.cells() == before


def test_keys_held_down_leave_the_right_picture() -> None:
    with start("300") as frugal, start("300", "--plain") as plain:
        for terminal in (frugal, plain):
            terminal.type("\x1b[B" * 120)
            terminal.wait_for("▌R000121")
        assert_alike(frugal, plain)


@pytest.mark.parametrize("size", [(60, 15), (100, 30), (80, 12), (40, 24)])
def test_after_a_resize_the_picture_is_right_and_stays_so(size: tuple[int, int]) -> None:
    columns, rows = size
    with start("300") as frugal, start("300", "--plain") as plain:
        for terminal in (frugal, plain):
            terminal.press("pagedown", "space")
        for wide, high in ((columns, rows), (80, 24), (columns, rows)):
            for terminal in (frugal, plain):
                terminal.resize(wide, high)
                terminal.wait_for(lambda screen: "enter Open" in screen.display[-1])
                terminal.press("up", "down", "down")
            assert_alike(frugal, plain)
            frugal.press("r")
            assert_alike(frugal, plain)


def test_a_screen_lost_in_a_resize_is_drawn_again() -> None:
    with start("300") as terminal:
        before = terminal.screen.cells()
        terminal.screen.erase_in_display(2)
        terminal.resize(80, 24)
        terminal.wait_for("enter Open")
        terminal.settle()
        assert terminal.screen.cells() == before


def test_a_suspended_program_restores_the_terminal_and_draws_everything_when_it_resumes() -> None:
    with start("300") as terminal:
        terminal.press("pagedown")
        before = terminal.screen.cells()
        terminal.signal(signal.SIGTSTP)
        terminal.wait_until_stopped()
        assert b"\x1b[?1049l" in terminal.received
        assert terminal.screen.cursor.attrs == terminal.screen.default_char
        terminal.screen.reset()
        terminal.signal(signal.SIGCONT)
        terminal.wait_for("enter Open")
        terminal.settle()
        assert terminal.screen.cells() == before
        assert len(terminal.press("down")) < 300


def test_no_escape_in_the_data_reaches_the_terminal() -> None:
    with start("60", "--hostile") as terminal:
        terminal.press("down", "pagedown", "space", "end", "pageup", "s", "home")
        terminal.wait_for("⚠")
        sent = bytes(terminal.received).decode()
        assert "␛]52;" in terminal.text
    for harm in (
        "\x1b]52",
        "\x1b[2J",
        "\x1b]0;",
        "\x1bc",
        "\x1b(",
        "\u202e",
        "\u200b",
        "\u2066",
        "\x9b",
        "\x90",
        "\x7f",
    ):
        assert harm not in sent
    assert not [character for character in sent if "\x80" <= character < "\xa0"]
    # What is left are the sequences that a screen consists of.
    assert "\x1bP" not in sent


def test_without_unicode_only_ascii_is_sent() -> None:
    with start("60", environment={"LC_ALL": "C", "PYTHONUTF8": "1"}) as terminal:
        terminal.press("down", "t")
        assert bytes(terminal.received).isascii()
        assert "demo > Companies" in terminal.text


def test_a_terminal_without_colours_gets_none() -> None:
    with start("60", environment={"TERM": "vt100", "COLORTERM": ""}) as terminal:
        terminal.press("down", "space", "down")
        cells = [cell for line in terminal.screen.cells() for cell in line]
        assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
        assert any(cell.reverse for cell in cells)


def test_a_terminal_that_erases_in_colour_gets_no_coloured_spaces_and_shows_the_same() -> None:
    options = ("60", "--theme", "dark")
    with (
        start(*options, environment={"TERM": "xterm-256color"}) as erasing,
        start(*options, environment={"TERM": "tmux-256color"}) as other,
    ):
        assert_alike(erasing, other)
        assert len(erasing.received) < len(other.received)
        # The lines below the last row, or the ends of lines, are spaces where erasing has no colour.
        assert b" " * 20 in other.received
        assert b" " * 20 not in erasing.received


def test_after_the_program_the_terminal_is_as_before() -> None:
    with start("60") as terminal:
        terminal.press("pagedown")
        terminal.type("q")
        assert terminal.wait_until_closed() == 0
        assert b"\x1b[?1049l" in terminal.received
        assert b"\x1b[?25h" in terminal.received
        # Not every terminal has another screen with its own pen.
        assert terminal.screen.cursor.attrs == terminal.screen.default_char
