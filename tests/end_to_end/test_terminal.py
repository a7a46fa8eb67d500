"""The console on a pseudo-terminal: what reaches the terminal, byte by byte."""

from __future__ import annotations

import re
import signal
import sys
import termios

import pytest

from tests.support.pty import Terminal

#: Every sequence that the console itself has reason to send.
OURS = re.compile(
    rb"\x1b\[[?>=<]?[\d;:]*[ \"$']?[A-Za-z@`]"
    rb"|\x1b[=>78MDEc]|\x1b\(B"
    rb"|\x1b\](?:2|22|0|11|10|8|52);[^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|\x1bP[^\x1b]*\x1b\\"
)
#: Sequences by which data could act: clipboard, titles, screen clearing by erase, cursor reports, device control.
ACTS = re.compile(rb"\x1b\]52;|\x1b\[[0-3]?J.{0,3}Cleared|\x1bc|\x1b\[(?:\d+;)*5m|\x1bP(?!=)")


#: The demo without events, which polls four times a second.
POLLING = """
import sys
from svc_tui.client import event_receiver
from svc_tui.commands.start import run
from svc_tui.workspace.changes import polling
polling.SECONDS = 0.25
event_receiver.address_of = lambda profile: "ws://127.0.0.1:9/websocket"
sys.exit(run(["demo", "--as", "company_admin"]))
"""


def test_no_escape_from_data_ever_reaches_the_terminal(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal(
        [svc_tui, "demo", "--scale", "hostile", "--as", "hostile@demo.example"], environment=environment
    ) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"\d+ applications")
        terminal.wait_for("⚠")
        for _ in range(40):
            terminal.press("down")
        for keys in (["home", "enter", "end", "home"], ["d", "tab", "pagedown"], ["escape", "escape", "2"], ["?"]):
            terminal.press(*keys)
            terminal.settle(0.3)
        terminal.press("escape", "1")
        terminal.wait_for(r"▸ Applications")
        for _ in range(12):
            terminal.press("down", "enter")
            terminal.wait_for(r"Identity")
            terminal.press("escape")
            terminal.wait_for(r"NAME")
        terminal.press("*", "ctrl+p", "escape", ":", "escape", "Y", "escape", "!")
        terminal.settle(0.5)
        assert terminal.running
        sent = bytes(terminal.received)
    assert not ACTS.search(sent), ACTS.search(sent)
    left = OURS.sub(b"", sent)
    assert b"\x1b" not in left, left[max(0, left.index(b"\x1b") - 60) :][:160]
    text = left.decode("utf-8", "replace")
    assert not [
        char
        for char in text
        if "\x80" <= char <= "\x9f" or char in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\u200e\u200f\x7f"
    ]


@pytest.mark.parametrize("theme", ["dark", "terminal"])
def test_the_console_keeps_its_budget_on_the_wire(environment: dict[str, str], svc_tui: str, theme: str) -> None:
    colours = {"COLORTERM": "truecolor"} if theme == "dark" else {}
    with Terminal([svc_tui, "demo", "--as", "company_admin"], environment={**environment, **colours}) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"58 applications")
        terminal.settle(1.0)
        idle = len(terminal.received)
        terminal.settle(2.0)
        assert len(terminal.received) == idle
        moves = [len(terminal.press("down")) for _ in range(18)]
        terminal.press("down", "down", "down")
        scrolled = [len(terminal.press("down")) for _ in range(10)]
        pages = [len(terminal.press(key)) for key in ("pagedown", "pageup", "pagedown")]
    # On a busy machine the cursor rests between two keys, and the footer follows the row: not at most of them.
    assert sorted(moves)[len(moves) // 2] <= 300, moves
    assert sorted(scrolled)[len(scrolled) // 2] <= 400, scrolled
    assert max(moves + scrolled) <= 900, moves
    assert max(pages) <= 2_000, pages


@pytest.mark.parametrize(("size", "rested", "page"), [((120, 40), 1_700, 3_600), ((200, 60), 2_600, 6_300)])
def test_a_pane_beside_the_list_is_sent_when_the_cursor_rests(
    environment: dict[str, str], svc_tui: str, size: tuple[int, int], rested: int, page: int
) -> None:
    columns, rows = size
    demo = [svc_tui, "demo", "--as", "company_admin"]
    with Terminal(demo, environment=environment, columns=columns, rows=rows) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"58 applications")
        terminal.settle(1.0)
        # The pane follows within half a second.
        moves = [len(terminal.press("down", quiet=0.6)) for _ in range(4)]
        held = [len(terminal.press("down")) for _ in range(12)]
        terminal.settle(0.6)
        # To the last one of the 58 rows: there, a key sends nothing.
        down = [len(terminal.press("down", quiet=0.02)) for _ in range(58 - 1 - len(moves) - len(held))]
        terminal.settle(0.6)
        pages = [len(terminal.press(key, quiet=0.6)) for key in ("pageup", "pagedown")]
    # A busy machine may let the cursor rest between two keys, and the record come late: not at all of them.
    assert min(moves) <= rested, moves
    assert sorted(held)[len(held) // 2] <= 400, held
    # Rows scroll by half a page at once, because each scrolled row would be sent with all others.
    assert sum(down) / len(down) <= 600, down
    assert min(pages) <= page, pages


def test_polling_sends_nothing_to_the_terminal_while_nothing_changes(environment: dict[str, str]) -> None:
    with Terminal([sys.executable, "-c", POLLING], environment=environment) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"58 applications +polling")
        terminal.settle(1.0)
        idle = len(terminal.received)
        terminal.settle(1.5)
        assert len(terminal.received) == idle


def test_forty_columns_without_unicode_and_colours_stay_usable(environment: dict[str, str], svc_tui: str) -> None:
    plain = {**environment, "LANG": "C", "LC_ALL": "C", "TERM": "vt100", "NO_COLOR": "1"}
    with Terminal([svc_tui, "demo", "--as", "company_admin"], environment=plain, columns=40, rows=16) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press("1")
        terminal.wait_for(r"58 applications")
        terminal.press("down", "enter")
        terminal.wait_for(r"Identity")
        assert terminal.text.isascii()
        terminal.resize(80, 24)
        terminal.wait_for(r"Branch Studio")
        terminal.press("escape")
        terminal.wait_for(r"NAME")
        terminal.press("q")
        assert terminal.wait_until_closed() == 0


def test_a_console_that_was_stopped_and_continued_can_be_left(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo"], environment=environment) as terminal:
        terminal.wait_for("Needs attention")
        terminal.settle(0.5)
        terminal.signal(signal.SIGSTOP)
        terminal.wait_until_stopped()
        terminal.settle(0.2)
        terminal.signal(signal.SIGCONT)
        terminal.settle(1.0)
        terminal.type("1")
        terminal.wait_for(r"\d+ applications")
        terminal.settle(0.5)
        terminal.type("\x03")
        assert terminal.wait_until_closed() == 0
        # What is typed in the shell is seen again.
        assert termios.tcgetattr(terminal._master)[3] & termios.ECHO


def test_doctor_measures_the_terminal_and_explains_what_follows(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "doctor"], environment=environment, columns=100, rows=60) as terminal:
        terminal.wait_for(r"to the terminal +\d+ ms, fast")
        terminal.wait_for(r"slow_link +auto")
        terminal.wait_for(r"colours +those of the theme")
        assert terminal.wait_until_closed() == 0


def test_a_terminal_that_cannot_draw_gets_lines_of_text(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo"], environment={**environment, "TERM": "dumb"}) as terminal:
        terminal.wait_for(r"1 of \d+, 2 applications are blocked")
        terminal.press("1")
        terminal.wait_for(r"^Row 1 of \d+: .*state")
        terminal.press("j")
        terminal.wait_for(r"^Row 2 of \d+: .*state")
        cursor, lines = terminal.screen.cursor, [line.rstrip() for line in terminal.screen.display]
        assert lines[cursor.y] and not any(lines[cursor.y + 1 :])
        assert cursor.x == len(lines[cursor.y])
        terminal.press("q", "q")
        assert terminal.wait_until_closed() == 0
    assert b"\x1b" not in terminal.received
