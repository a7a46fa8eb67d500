"""Titled panes: how many a width shows, when they have borders, and what moving in them sends."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.widget import Widget

from svc_tui.console.terminal.theme import DARK
from svc_tui.console.widgets.panes import Pane, Panes


class Focusable(Widget, can_focus=True):
    """A widget in a pane."""


class Three(App[None]):
    """Three panes; the title of the last one comes from the service."""

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name

    def compose(self) -> ComposeResult:
        with Panes():
            yield Pane(Focusable(), title="Applications", weight=3)
            yield Pane(Focusable(), title="Campus Client", weight=2)
            yield Pane(Focusable(), title="[red]\x1b[2J", weight=1)


def lines(app: App[None]) -> list[str]:
    """The text on the screen."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


@pytest.mark.parametrize(("columns", "titles"), [(80, 1), (109, 1), (110, 2), (179, 2), (180, 3)])
async def test_wider_terminals_show_more_panes(columns: int, titles: int) -> None:
    app = Three()
    async with app.run_test(size=(columns, 30)):
        assert len(app.query_one(Panes).shown) == titles


@pytest.mark.parametrize(
    ("size", "framed"), [((80, 24), False), ((40, 30), False), ((120, 24), False), ((120, 40), True)]
)
async def test_borders_take_nothing_from_small_terminals(size: tuple[int, int], framed: bool) -> None:
    app = Three()
    async with app.run_test(size=size):
        first = app.query(Focusable).first()
        assert ("╭─ Applications ─" in lines(app)[0]) is framed
        assert first.size.height == size[1] - (2 if framed else 0)
        if size[0] < 110:
            assert first.size.width == size[0]
        between = {line[first.size.width] for line in lines(app)[1:-1]} if size == (120, 24) else {"│"}
        assert between == {"│"}, "a line between the panes"


async def test_a_resize_shows_the_panes_of_its_width() -> None:
    app = Three()
    async with app.run_test(size=(80, 40)) as pilot:
        counts = []
        for columns in (200, 120, 80, 180):
            await pilot.resize_terminal(columns, 40)
            await pilot.pause()
            counts.append(len(app.query_one(Panes).shown))
        assert counts == [3, 2, 1, 3]


async def test_a_title_of_the_service_is_safe_and_no_markup() -> None:
    app = Three()
    async with app.run_test(size=(200, 40)):
        assert "─ [red]␛[2J ─" in lines(app)[0]


async def test_a_hidden_pane_leaves_its_space_to_the_others() -> None:
    app = Three()
    async with app.run_test(size=(200, 40)) as pilot:
        panes = app.query_one(Panes)
        panes.panes[1].wanted = False
        panes.rearrange()
        await pilot.pause()
        assert [pane.title for pane in panes.shown] == ["Applications", "[red]␛[2J"]
        assert sum(pane.outer_size.width for pane in panes.shown) == 200


async def test_the_focus_goes_through_the_visible_panes_only() -> None:
    app = Three()
    async with app.run_test(size=(120, 40)) as pilot:
        panes = app.query_one(Panes)
        order = []
        app.query(Focusable).first().focus()
        for _ in range(3):
            await pilot.pause()
            order.append([pane.has_focus_within for pane in panes.panes].index(True))
            panes.focus_next()
        assert order == [0, 1, 0]
