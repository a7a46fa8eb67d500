"""The menu of places in columns: the reason why a place is greyed out is read whole where it fits beside the name."""

from __future__ import annotations

from textual.app import App, ComposeResult

from svc_tui.console.widgets.menu import Menu, MenuLine

LINES = (
    MenuLine("clientsversions", "Client versions", reason="needs superadmin"),
    MenuLine("allrecordings", "Recordings across companies", reason="needs superadmin or organization_admin"),
    MenuLine("applications", "Applications", count="58"),
    MenuLine("home", "What needs attention, and where to begin"),
)


class Window(App[None]):
    def compose(self) -> ComposeResult:
        yield Menu()


async def test_a_reason_replaces_a_title_that_would_cut_it() -> None:
    app = Window()
    async with app.run_test(size=(60, 10)) as pilot:
        menu = app.query_one(Menu)
        menu.show(LINES)
        await pilot.pause()
        assert [menu.render_line(row).text.strip() for row in range(len(LINES))] == [
            "clientsversions       Client versions  needs superadmin",
            "allrecordings  needs superadmin or organization_admin",
            "applications          Applications                  58",
            "home                  What needs attention, and where to…",
        ]


async def test_a_narrow_menu_shows_whole_names_around_the_chosen_entry() -> None:
    app = Window()
    names = [f"destination{number:02}" for number in range(30)]
    async with app.run_test(size=(40, 12)) as pilot:
        menu = app.query_one(Menu)
        menu.show([MenuLine(name) for name in names])
        await pilot.pause()
        assert menu.render_line(0).text.split() == ["destination00", "destination09"]
        menu.show([MenuLine(name) for name in names], names[29])
        await pilot.pause()
        assert menu.render_line(2).text.split() == ["destination20", "destination29"]


async def test_columns_that_fit_have_nearly_the_same_height() -> None:
    app = Window()
    names = [f"destination{number:02}" for number in range(12)]
    async with app.run_test(size=(80, 14)) as pilot:
        menu = app.query_one(Menu)
        menu.show([MenuLine("", "Places"), *(MenuLine(name) for name in names)])
        await pilot.pause()
        rows = [menu.render_line(row).text.split() for row in range(menu.size.height)]
        assert rows[:1] == [["Places", "destination06"]]
        assert rows[1:] == [[f"destination{n:02}", f"destination{n + 7:02}"] for n in range(5)] + [["destination05"]]
