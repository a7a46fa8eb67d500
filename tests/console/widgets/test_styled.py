"""Lines that a widget draws itself look as those that Textual draws around borders, and are drawn once."""

from __future__ import annotations

import pytest
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from svc_tui.console.terminal.theme import THEMES
from svc_tui.console.widgets.bars import Bar, Piece
from svc_tui.console.widgets.list.record_list import RecordList
from tests.bench.host import COLUMNS, Records

LINES = 8


class CountedList(RecordList):
    """A list that remembers which lines it drew."""

    def __init__(self) -> None:
        super().__init__(COLUMNS, Records(50))
        self.drawn: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.drawn.append(y)
        return super().render_line(y)


class Shown(App[None]):
    """A list and a bar."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield CountedList()


@pytest.mark.parametrize("colours", ["", "1"], ids=["colours", "NO_COLOR"])
@pytest.mark.parametrize("theme", sorted(THEMES))
async def test_the_lines_are_those_that_textual_draws(
    theme: str, colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", colours)
    app = Shown(theme)
    async with app.run_test(size=(60, LINES + 1)):
        app.query_one(Bar).show([Piece("left", "key")], [Piece("right")])
        for widget in (app.query_one(CountedList), app.query_one(Bar)):
            size = widget.size
            crops = [size.region, Region(0, 0, size.width, 1), Region(7, 0, 11, size.height), Region(59, 0, 1, 1)]
            for crop in crops:
                assert widget.render_lines(crop) == StylesCache().render_widget(widget, crop)


async def test_a_line_is_drawn_when_it_changes_and_not_before() -> None:
    app = Shown("dark")
    async with app.run_test(size=(60, LINES + 1)) as pilot:
        records = app.query_one(CountedList)
        await pilot.pause()
        everything = records.size.region
        records.render_lines(everything)
        records.drawn.clear()
        records.render_lines(everything)
        assert records.drawn == []
        records.refresh(Region(0, 3, 60, 1))
        records.render_lines(everything)
        assert records.drawn == [3]
        records.refresh()
        records.render_lines(everything)
        assert records.drawn[1:] == list(range(LINES))
        records.drawn.clear()
        await pilot.resize_terminal(50, LINES + 1)
        assert set(records.drawn) == set(range(LINES))
        assert all(strip.cell_length == 50 for strip in records.render_lines(records.size.region))
