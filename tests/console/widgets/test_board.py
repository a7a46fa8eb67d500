"""A board: which panels are shown, in how many lines, and where the cursor goes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.app import App, ComposeResult

from svc_tui.console.widgets.board import Board
from svc_tui.console.widgets.board_layout import Column, Item, Panel, Row, Share, place, shares


def panel(name: str, count: int, *, grows: bool = False, least: int = 2) -> Panel:
    items = [Item.text(f"{name} {number}", key=f"{name}{number}") for number in range(count)]
    return Panel(name, name.upper(), lambda *_: items, 1 + count, least=least, grows=grows)


ROWS: tuple[Row, ...] = (
    (Column((panel("a", 1),)), Column((panel("b", 1),))),
    (Column((panel("chart", 1, grows=True),)),),
    (Column((panel("c", 9),), 2), Column((panel("d", 2), panel("e", 2)))),
)


def test_each_part_gets_its_least_then_what_it_would_like_and_the_rest_grows() -> None:
    assert shares(20, [Share(2, 4, False), Share(3, 5, True), Share(2, 6, False)]) == [4, 10, 6]
    assert shares(9, [Share(2, 4, False), Share(3, 5, True), Share(2, 6, False)]) == [4, 3, 2]
    # What does not fit is not there, and what comes behind it may be.
    assert shares(5, [Share(2, 4, False), Share(4, 9, True), Share(2, 2, False)]) == [3, 0, 2]


@pytest.mark.parametrize(("width", "height"), [(80, 21), (120, 37), (200, 57), (40, 9)])
def test_panels_fill_the_width_and_the_height_without_touching(width: int, height: int) -> None:
    placed = list(place(ROWS, width, height))
    cells = [
        (x, y)
        for each in placed
        for x in range(each.x, each.x + each.width)
        for y in range(each.y, each.y + each.height)
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) == width - 1
    assert max(y for _, y in cells) == height - 1


def test_a_long_panel_leaves_its_short_neighbours_only_a_few_blank_lines() -> None:
    rows = ((Column((panel("chart", 1, grows=True),)),), (Column((panel("c", 40),)), Column((panel("d", 2),))))
    placed = {each.panel.name: each for each in place(rows, 80, 57)}
    assert placed["c"].height == 3 + 5
    assert placed["chart"].height == 57 - 8


def test_a_row_without_panels_takes_no_room() -> None:
    assert [each.y for each in place(((Column(()),), (Column((panel("a", 1, grows=True),)),)), 40, 10)] == [0]


class BoardApp(App[None]):
    def __init__(self, rows: Sequence[Row] = ROWS) -> None:
        super().__init__()
        self.rows = rows
        self.clicked: list[str] = []

    def compose(self) -> ComposeResult:
        yield Board()

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def on_mount(self) -> None:
        self.board.show(lambda width, height: self.rows)

    def on_board_clicked(self, event: Board.Clicked) -> None:
        self.clicked.append(event.key)


async def test_the_cursor_goes_through_the_items_of_a_panel_and_on_to_the_nearest_one() -> None:
    app = BoardApp()
    async with app.run_test(size=(80, 24)):
        board = app.board
        seen = [board.key]
        for by in (1, 1, 1, 1):
            board.move(by)
            seen.append(board.key)
        assert seen == ["a0", "chart0", "c0", "c1", "c2"]
        assert board.step(1)
        assert board.panel in ("d", "e")
        board.move(9)
        assert board.key == "e1"
        board.step(-1)
        assert board.panel == "c"
        board.home()
        assert board.key == "c0"
        board.home()
        assert board.key == "a0"
        assert board.step(1) and board.key == "b0"
        assert not board.step(1)
        board.next_panel()
        assert board.key == "chart0"
        assert board.go("d1") and board.key == "d1"
        assert not board.go("nothing")


async def test_the_cursor_stays_on_its_item_when_others_come_and_in_its_panel_when_it_goes() -> None:
    app = BoardApp()
    async with app.run_test(size=(80, 24)):
        app.board.go("c2")
        more = [Item.text("new", key="new"), *(Item.text("", key=f"c{number}") for number in range(3))]
        rows = (((Column((Panel("c", "C", lambda *_: more, 5),)),)),)
        app.board.show(lambda *_: rows)
        assert app.board.key == "c2"
        more[:] = [Item.text("", key="c0"), Item.text("a note")]
        app.board.show()
        assert app.board.key == "c0"


async def test_a_panel_that_is_too_short_scrolls_with_the_cursor() -> None:
    app = BoardApp(((Column((panel("c", 30),)),),))
    async with app.run_test(size=(40, 10)):
        app.board.end()
        lines = [app.board.render_line(y).text.strip() for y in range(10)]
        assert lines[0] == "C"
        assert lines[-1] == "c 29"
        app.board.home()
        assert app.board.render_line(1).text.strip() == "c 0"


async def test_a_click_takes_the_cursor_and_opens() -> None:
    app = BoardApp()
    async with app.run_test(size=(80, 24)) as pilot:
        spot = next(each for each in app.board._drawn.spots if each.panel == "d" and each.item == 1)
        await pilot.click(Board, offset=(spot.region.x + 1, spot.region.y))
        assert app.board.key == "d1"
        assert app.clicked == ["d1"]


async def test_only_the_two_lines_of_a_move_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = BoardApp()
    async with app.run_test(size=(80, 24)):
        app.board.go("c0")
        drawn: list[int] = []
        monkeypatch.setattr(app.board, "refresh", lambda *regions, **more: drawn.extend(each.y for each in regions))
        app.board.move(1)
        assert len(drawn) == 2
        app.board.show()
        assert len(drawn) == 2


async def test_a_board_is_read_as_titles_with_items() -> None:
    app = BoardApp(((Column((panel("c", 2),)),),))
    async with app.run_test(size=(40, 10)):
        assert list(app.board.as_text()) == [("C:", False), ("c 0", True), ("c 1", False)]
