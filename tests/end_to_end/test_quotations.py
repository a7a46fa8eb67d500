"""The quotation workbench on a slow line: what a key in it costs at 80x24."""

from __future__ import annotations

import re

from tests.support.pty import Terminal

CURSOR_MOVE = 300
#: A key that changes a value: it, the figures that do not hold any more, and those that come in their place.
CHANGE = 1_200
OPENED = 3_100
#: The link at the end of the top line: its measured round trip depends on the machine.
LINK = re.compile(rb"\x1b\[1;[67]\dH(?:\x1b\[[\d;]*m[^\x1b]*)+")


def test_a_live_quotation_sends_little(environment: dict[str, str], svc_tui: str) -> None:
    with Terminal([svc_tui, "demo", "--as", "bp_finance@demo.example"], environment=environment) as terminal:
        terminal.wait_for("Needs attention")
        terminal.press(":")
        terminal.type("companies")
        terminal.press("enter")
        terminal.wait_for("Bluebird")
        _goes_to(terminal, "Northwind Telecom")
        terminal.press("B")
        terminal.wait_for("LICENCES")
        _goes_to(terminal, "Business, one")
        terminal.settle(0.5)
        before = len(terminal.received)
        terminal.press("u")
        terminal.wait_for(r"Next invoice .*\d")
        terminal.settle(0.5)
        assert len(terminal.received) - before <= OPENED
        terminal.press("ctrl+d", "ctrl+d")
        terminal.settle(0.5)
        still = len(terminal.received)
        terminal.settle(1.5)
        assert LINK.sub(b"", bytes(terminal.received[still:])) == b""
        for key in ("9", "0"):
            before = len(terminal.received)
            terminal.press(key)
            terminal.wait_for(r"C  [\d.,]+ EUR per month")
            terminal.settle(0.6)
            assert len(terminal.received) - before <= CHANGE
        moves = [len(terminal.press("down")) for _ in range(6)]
        assert max(moves) <= CURSOR_MOVE, moves


def _goes_to(terminal: Terminal, name: str) -> None:
    for _ in range(60):
        if re.search(rf"^▌{name}", terminal.text, re.MULTILINE):
            return
        terminal.press("down")
    raise AssertionError(f"no {name}\n{terminal.text}")
