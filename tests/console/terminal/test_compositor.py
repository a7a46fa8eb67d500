"""The composed lines for a change of the screen."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.console.shell.view_stack import VisibleCompositor


class Noted(Widget):
    """A widget that notes the lines that are drawn of it."""

    DEFAULT_CSS = "Noted { width: 1fr; height: 1fr; }"

    def __init__(self, *children: Widget, classes: str = "") -> None:
        super().__init__(*children, classes=classes)
        self.drawn: list[Region] = []

    def render_lines(self, crop: Region) -> list[Strip]:
        """Record each drawing."""
        self.drawn.append(crop)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """An empty line."""
        return Strip.blank(self.size.width)


class Window(App[None]):
    """A list in a container, with something small over it."""

    CSS = "Screen { layers: base over; } .over { layer: over; width: 10; height: 3; }"

    def __init__(self) -> None:
        super().__init__()
        self.rows, self.small = Noted(), Noted(classes="over")
        self.around, self.below = Noted(self.rows), Noted()

    def get_default_screen(self) -> Screen[None]:
        """A screen with this compositor."""
        screen = Screen[None](id="_default")
        screen._compositor = VisibleCompositor()
        return screen

    def compose(self) -> Iterator[Widget]:
        """The container and another widget, both of the height of half the screen."""
        yield self.around
        yield self.below
        yield self.small

    def forget(self) -> None:
        """Note from now on."""
        for widget in self.query(Noted):
            widget.drawn.clear()


async def test_a_change_of_one_line_draws_this_line_and_nothing_that_cannot_be_seen() -> None:
    app = Window()
    async with app.run_test(size=(40, 20)) as pilot:
        await pilot.pause()
        app.forget()
        app.rows.refresh(Region(0, 5, 40, 1))
        await pilot.pause()
        assert app.rows.drawn == [Region(0, 5, 40, 1)]
        assert not app.around.drawn and not app.below.drawn and not app.small.drawn


async def test_widgets_over_a_change_and_beside_it_are_drawn_with_it() -> None:
    app = Window()
    async with app.run_test(size=(40, 20)) as pilot:
        await pilot.pause()
        app.forget()
        app.rows.refresh(Region(0, 2, 40, 1))
        await pilot.pause()
        assert app.small.drawn == [Region(0, 2, 10, 1)] and app.rows.drawn == [Region(0, 2, 40, 1)]
        app.forget()
        app.small.refresh(Region(0, 1, 10, 1))
        await pilot.pause()
        assert app.small.drawn == [Region(0, 1, 10, 1)] and not app.rows.drawn
