"""Bytes that the chart sends to a terminal of 80x24, through a real pseudo terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench.test_budgets import CURSOR_MOVE, TRUE_COLOUR
from tests.support.pty import Terminal

CHART_HOST = [sys.executable, str(Path(__file__).with_name("chart_host.py"))]


def test_a_chart_costs_little_and_the_same_numbers_again_nothing() -> None:
    with Terminal(CHART_HOST, environment=TRUE_COLOUR) as terminal:
        terminal.wait_for("2026-10-31")
        terminal.settle()
        moves = [len(terminal.press("left")) for _ in range(5)]
        assert 0 < min(moves) <= max(moves) <= CURSOR_MOVE
        assert "2026-10-26" in terminal.text
        assert terminal.press("r", answer=0.4) == b""
