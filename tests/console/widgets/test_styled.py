"""Lines that a widget draws itself look as those that Textual draws around borders, and are drawn once."""

from __future__ import annotations

import pytest
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.dom import DOMNode
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

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


class EagerBar(Bar):
    """A bar whose styles Textual makes all at the start."""

    get_component_styles = Widget.get_component_styles
    _get_component_classes = DOMNode.__dict__["_get_component_classes"]


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


async def test_a_style_is_made_when_it_is_first_drawn_and_follows_the_theme() -> None:
    app = Shown("dark")
    async with app.run_test(size=(60, LINES + 1)) as pilot:
        bar, eager = app.query_one(Bar), EagerBar("eager")
        await app.mount(eager, after=bar)
        bar.show([Piece("left", "key")])
        await pilot.pause()
        assert set(bar._component_styles) == {"styled--key"}
        names = [name.removeprefix("styled--") for name in eager._component_styles]
        assert {"dim", "red", "key"} < set(names)
        keys = set()
        for theme in THEMES:
            app.theme = theme
            await pilot.pause()
            keys.add(bar.named_style("key"))
            assert {name: bar.named_style(name) for name in names} == {name: eager.named_style(name) for name in names}
        assert len(keys) > 1
        with pytest.raises(KeyError):
            bar.named_style("unknown")
