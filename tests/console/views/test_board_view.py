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


def test_a_graphic_is_short_where_its_name_needs_the_room() -> None:
    def drawn(name: str, width: int = 46) -> str:
        row = GlanceRow(name, "10/10", used=10, most=10, warns=True)
        (item,) = glance_items([row], lambda row: row.label, True, width, 5)
        return "".join(piece.text for piece in item.lines[0])

    assert drawn("Northwind Telecom · Voice Business") == " Northwind T… · Voice Business ━━━━━━━━ 10/10"
    assert drawn("Business").count("━") == 16
    # Fewer than six cells of a gauge say less than the name.
    assert drawn("Northwind Telecom · Voice Business", 36) == " Northwind … · Voice Business 10/10"


def test_where_a_value_has_no_room_beside_its_name_all_values_are_brief() -> None:
    row = GlanceRow("Business", "41/50  9 left", brief="41/50", used=41, most=50, warns=True)
    full = GlanceRow("Voice", "3/3  0 left", brief="3/3", used=3, most=3, warns=True)

    def texts(width: int) -> list[str]:
        items = glance_items([row, full], lambda row: row.label, True, width, 5)
        return [item.lines[0][-1].text.strip() for item in items]

    assert texts(26) == ["41/50  9 left", "3/3  0 left"]
    assert texts(25) == ["41/50", "3/3"]
