"""The items of a panel of a dashboard."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.views.board_view import glance_items

ROWS = [
    GlanceRow("Northwind Telecom · Business, one year", "renews in 11 days", brief="in 11 days"),
    GlanceRow("Browser", "4", part=(4, 9)),
]


@pytest.mark.parametrize("width", [24, 38, 60])
def test_the_lines_of_a_panel_end_one_column_before_its_edge(width: int) -> None:
    for item in glance_items(ROWS, lambda row: row.label, True, width, 5):
        assert cell_len("".join(piece.text for line in item.lines for piece in line)) == width - 1
