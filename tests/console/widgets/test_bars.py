"""Lines of keys in narrow windows: the most important ones stay, and the last one always."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.widget import Widget

from svc_tui.console.dialogs.box import Box, KeyLine, plain
from svc_tui.console.dialogs.table import TableEditor
from svc_tui.console.widgets.bars import Footer, Piece, fitting, tight

TABLE = "n New  enter Change  x Delete  J K Move  ctrl+o Keep  esc Back"


def test_keys_that_fit_stay_as_they_are() -> None:
    assert fitting(TABLE, 62) == TABLE


@pytest.mark.parametrize("room", range(8, 62))
def test_the_key_line_keeps_the_last_key_and_prefers_the_first_ones(room: int) -> None:
    line = fitting(TABLE, room)
    assert cell_len(line) <= room
    assert line.endswith("esc Back")
    assert room < 15 or line.startswith("n New  ")


def test_a_question_closes_its_gaps_before_it_is_cut() -> None:
    asked = [
        Piece(" sort by   ", "accent"),
        Piece("n", "key"),
        Piece(" Name   "),
        Piece("s", "key"),
        Piece(" State   "),
    ]
    assert tight(asked, 40) == asked
    assert "".join(piece.text for piece in tight(asked, 28)) == " sort by n Name s State "


class Window(App[None]):
    def compose(self) -> ComposeResult:
        yield Footer()


@pytest.mark.parametrize("width", [12, 20, 40, 60, 80])
async def test_the_footer_always_leads_to_help(width: int) -> None:
    keys = [("enter", "Open", "open"), ("e", "Edit", "edit"), ("x", "Delete", "delete"), ("/", "Filter", "filter")]
    app = Window()
    async with app.run_test(size=(width, 3)):
        footer = app.query_one(Footer)
        footer.show_keys([*keys, ("?", "Help", "help")])
        assert footer.text.rstrip().endswith("? Help")
        assert cell_len(footer.text) <= width + 1
        assert width < 24 or footer.text.startswith(" enter Open")


async def test_the_same_keys_are_laid_out_once_and_again_in_another_width(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []
    fill = Footer._fill

    def counted(footer: Footer) -> None:
        laid_out.append(footer.size.width)
        fill(footer)

    monkeypatch.setattr(Footer, "_fill", counted)
    app = Window()
    async with app.run_test(size=(60, 3)) as pilot:
        footer = app.query_one(Footer)
        laid_out.clear()
        for label in ("Edit", "Edit", "Options", "Options"):
            footer.show_keys([("e", label, "edit"), ("?", "Help", "help")])
        assert laid_out == [60, 60]
        await pilot.resize_terminal(20, 3)
        assert laid_out[2:] == [20]


class Table(Box[None]):
    KEYS = TableEditor.KEYS

    def body(self) -> Iterable[Widget]:
        yield plain("rows")


async def test_a_dialog_in_a_narrow_window_shows_the_key_that_closes_it() -> None:
    app = App[None]()
    async with app.run_test(size=(54, 10)) as pilot:
        app.push_screen(Table("Numbers"))
        await pilot.pause()
        keys = app.screen.query_one(KeyLine)
        assert str(keys.visual).endswith("esc Close")
        keys.update("enter or tab Next cell   ↑↓ Row   esc Done with this row")
        assert str(keys.visual) == "enter or tab Next cell  esc Done with this row"
        await pilot.resize_terminal(80, 10)
        assert str(keys.visual) == "enter or tab Next cell   ↑↓ Row   esc Done with this row"
