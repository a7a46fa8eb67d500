"""What a key costs on the wire at 80x24, through a real pseudo terminal; bytes depend on no clock."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from svc_tui.console.terminal.round_trip import QUESTION
from svc_tui.console.widgets.list.drawn_list import FLASH_SECONDS
from tests.support.pty import Terminal

HOST = [sys.executable, str(Path(__file__).with_name("host.py"))]
TRUE_COLOUR = {"COLORTERM": "truecolor"}

CURSOR_MOVE = 300
SCROLLED_ROW = 300
PAGE = 1_800
#: A cell of a list that changed on the service, with its highlight; the same again when the highlight ends.
CHANGED_CELL = 100


def start(*options: str, **more: object) -> Terminal:
    """The host program, up to its first quiet screen."""
    terminal = Terminal([*HOST, *options], environment=TRUE_COLOUR, **more)  # type: ignore[arg-type]
    terminal.wait_for(r"\? Help")
    terminal.settle()
    return terminal


@pytest.fixture(params=["terminal", "dark", "light"])
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    with start("1000", "--theme", request.param, "--ask") as running:
        running.wait_for(lambda _: QUESTION.encode() in running.received)
        running.settle()
        yield running


def test_every_key_stays_within_its_budget(terminal: Terminal) -> None:
    moves = [len(terminal.press(key)) for key in ["down"] * 5 + ["up"] * 3]
    assert 0 < min(moves) <= max(moves) <= CURSOR_MOVE
    terminal.press(*["down"] * 20)
    assert "R000023" in terminal.text and "R000001" not in terminal.text
    scrolled = [len(terminal.press("down")) for _ in range(5)]
    assert 0 < min(scrolled) <= max(scrolled) <= SCROLLED_ROW
    pages = [len(terminal.press(key)) for key in ["pagedown", "pagedown", "end", "pageup", "home"]]
    assert 0 < min(pages) <= max(pages) <= PAGE
    scrolled_back = [len(terminal.press(key)) for key in ["end", *["up"] * 23]][-3:]
    assert 0 < min(scrolled_back) <= max(scrolled_back) <= SCROLLED_ROW
    assert "R000977" in terminal.text and "R001000" not in terminal.text
    marks = [len(terminal.press("space")) for _ in range(3)]
    assert 0 < min(marks) <= max(marks) <= CURSOR_MOVE


def test_a_still_screen_sends_nothing(terminal: Terminal) -> None:
    before = len(terminal.received)
    terminal.settle(1.5)
    assert len(terminal.received) == before


def test_a_key_that_changes_nothing_sends_nothing(terminal: Terminal) -> None:
    assert terminal.press("up", answer=0.4) == b""
    assert terminal.press("home", answer=0.4) == b""


def test_lists_of_any_length_cost_the_same() -> None:
    sent = []
    for rows in ("1000", "100000"):
        with start(rows) as terminal:
            sent.append([len(terminal.press(key)) for key in ["down", "pagedown", *["down"] * 3]])
    assert sent[0] == sent[1]


def test_a_scrolled_row_moves_lines_in_the_terminal() -> None:
    with start("1000") as terminal:
        terminal.press(*["down"] * 19)
        assert b"\x1bD\x1b[r" in terminal.press("down")


def test_without_synchronized_output_a_scroll_is_sent_in_one_piece() -> None:
    with start("1000", synchronized=False) as terminal:
        terminal.press(*["down"] * 19)
        sent = terminal.press("down")
        assert b"2026" not in sent
        assert len(sent) <= SCROLLED_ROW


def test_a_changed_cell_is_sent_twice_and_nothing_in_between() -> None:
    with start("1000") as terminal:
        assert 0 < len(terminal.press("c")) <= CHANGED_CELL
        before = len(terminal.received)
        terminal.settle(FLASH_SECONDS + 0.2)
        assert 0 < len(terminal.received) - before <= CHANGED_CELL
        assert "error" in terminal.text
