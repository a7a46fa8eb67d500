"""Moves of the cursor of a sheet: what is drawn fits where the sheet is."""

from __future__ import annotations

from textual.app import App, ComposeResult

from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line


class Window(App[None]):
    def compose(self) -> ComposeResult:
        yield Sheet()


async def test_a_jump_to_the_first_line_draws_the_whole_page_again() -> None:
    app = Window()
    async with app.run_test(size=(40, 10)) as pilot:
        sheet = app.query_one(Sheet)
        sheet.show([Line("heading", "First"), *(Line("text", value=f"line {n}", key=str(n)) for n in range(40))])
        sheet.end()
        await pilot.pause()
        assert "line 39" in _drawn(app)
        sheet.home()
        await pilot.pause()
        lines = _drawn(app).split("\n")
        assert [line.strip() for line in lines[:4]] == ["First", "line 0", "line 1", "line 2"]


async def test_the_page_is_drawn_again_when_the_selected_line_is_elsewhere_among_new_lines() -> None:
    app = Window()
    async with app.run_test(size=(40, 10)) as pilot:
        sheet = app.query_one(Sheet)
        lines = [Line("text", value=f"line {n}", key=str(n)) for n in range(40)]
        sheet.show(lines)
        sheet.end()
        await pilot.pause()
        # Only the first and the last line differ.
        sheet.show([lines[39], *lines[1:39], lines[0]])
        await pilot.pause()
        assert [line.strip() for line in _drawn(app).split("\n")[:3]] == ["line 39", "line 1", "line 2"]


async def test_a_sheet_that_is_covered_is_scrolled_as_it_was_when_it_is_seen_again() -> None:
    app = Window()
    async with app.run_test(size=(40, 10)) as pilot:
        sheet = app.query_one(Sheet)
        lines = [Line("heading", "First"), *(Line("text", value=f"line {n}", key=str(n)) for n in range(40))]
        sheet.show(lines)
        sheet.go_to("3")
        sheet.display = False
        await pilot.pause()
        sheet.show([*lines, Line("text", value="one more", key="more")])
        sheet.display = True
        await pilot.pause()
        assert [line.strip() for line in _drawn(app).split("\n")[:2]] == ["First", "line 0"]


async def test_the_mark_of_a_changed_field_has_another_style_than_its_label() -> None:
    app = Window()
    async with app.run_test(size=(40, 10)) as pilot:
        sheet = app.query_one(Sheet)
        sheet.show([Line("field", "First", "1"), Line("field", "Name", "2", changed=True)])
        await pilot.pause()
        mark, label, *_ = sheet.render_line(1)
        assert (mark.text, label.text.strip()) == ("* ", "Name") and mark.style != label.style


def _drawn(app: Window) -> str:
    """The lines of the screen, with those of the widget that were not drawn again."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))
