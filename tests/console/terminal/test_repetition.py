"""Whether a terminal repeats characters is asked without changing its screen; only then they are repeated."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from tests.support import pty
from tests.support.pty import Emulator

HOST = [sys.executable, str(Path(__file__).parents[2] / "bench" / "host.py")]
COLUMNS = 30
REPEATED = re.compile(r"\x1b\[\d+b")


class WithoutRepetition(pty.Screen):
    """A terminal that ignores the sequence."""

    repeats = False


def drawn(*lines: str) -> tuple[Terminal, Picture]:
    """A terminal that shows these lines."""
    picture, terminal = Picture(), Terminal()
    terminal.show(show(picture, *lines))
    return terminal, picture


def show(picture: Picture, *lines: str) -> Picture:
    frame = "".join(f"\x1b[{y + 1};1H\x1b[31;44m{line.ljust(COLUMNS)}\x1b[0m" for y, line in enumerate(lines))
    picture.draw(f"{frame}\x1b[1;1H")
    return picture


@pytest.mark.parametrize(("kind", "repeats"), [(pty.Screen, True), (WithoutRepetition, False)])
def test_the_cursor_shows_whether_a_terminal_repeats(kind: type[pty.Screen], repeats: bool) -> None:
    picture, terminal, emulator = Picture(), Terminal(), Emulator(COLUMNS, 2, kind)
    emulator.feed(terminal.show(show(picture, "▌ name", "  state")).encode())
    before = emulator.screen.cells()
    question = terminal.question((0, 0))
    assert question.endswith("\x1b[6n")
    emulator.feed(question.encode())
    assert emulator.screen.cells() == before
    terminal.replied(emulator.screen.cursor.x, emulator.screen.cursor.y)
    changes = terminal.show(show(picture, "▌ name ========= next", "  other"))
    assert bool(REPEATED.search(changes)) == repeats
    emulator.feed(changes.encode())
    assert emulator.screen.display == ["▌ name ========= next".ljust(COLUMNS), "  other".ljust(COLUMNS)]


def test_a_late_reply_to_another_question_says_nothing() -> None:
    terminal, _ = drawn("  name")
    known = []
    for asks, x in ((False, 2), (True, 2), (False, 1), (True, 1)):
        if asks:
            terminal.question((0, 0))
        terminal.replied(x, 0)
        known.append(terminal.repeats)
    assert known == [False, True, True, False]


@pytest.mark.parametrize("lines", [("ab", "▌  wide"), ()])
def test_without_two_equal_cells_only_the_position_is_asked(lines: tuple[str, ...]) -> None:
    picture, terminal = Picture(), Terminal()
    for y, line in enumerate(lines):
        picture.draw(f"\x1b[{y + 1};1H{line}\x1b[1;1H")
    terminal.show(picture)
    assert terminal.question((0, 0)) == "\x1b[6n"
    terminal.replied(0, 0)
    assert not terminal.repeats


def test_an_input_keeps_its_cursor() -> None:
    terminal, picture = drawn("  name")
    emulator = Emulator(COLUMNS, 1)
    emulator.feed(terminal.question((5, 0)).encode())
    assert (emulator.screen.cursor.x, emulator.screen.cursor.y) == (5, 0)
    picture.cursor = (5, 0)
    assert terminal.show(picture) == ""


def test_nothing_is_repeated_that_is_shorter_itself_or_not_ascii() -> None:
    terminal, picture = drawn("  name")
    terminal.repeats = True
    assert "-----x" in terminal.show(show(picture, "-----x"))
    assert "=\x1b[5bx" in terminal.show(show(picture, "======x"))
    assert "────────" in terminal.show(show(picture, "────────"))


@pytest.mark.parametrize("repeats", [True, False])
def test_keys_in_a_list_repeat_where_the_terminal_does(repeats: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pty.Screen, "repeats", repeats)
    with pty.Terminal([*HOST, "300", "--theme", "dark", "--ask"], environment={"COLORTERM": "truecolor"}) as terminal:
        terminal.wait_for(lambda _: b"\x1b[6n" in terminal.received)
        terminal.settle()
        sent = b"".join(terminal.press(key) for key in ["down", "down", "pagedown", "up"])
        assert bool(REPEATED.search(sent.decode())) == repeats
        before = terminal.screen.cells()
        assert len(terminal.press("r")) > 1000
        assert terminal.screen.cells() == before
