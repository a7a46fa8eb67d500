"""What a sheet cuts first: a constraint before a value, and a label never."""

from __future__ import annotations

from functools import partial

import pytest
from textual.app import App, ComposeResult

from svc_tui.console.terminal.theme import DARK
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line

LINES = (
    Line("heading", "OAuth 2.0"),
    Line("field", "Rotate OAuth refresh tokens", "yes", key="rotate"),
    Line("field", "Backchannel login redirect URL", "https://one.example/path", key="back"),
    Line("field", "", "and the rest of it", key="back"),
    Line("field", "Name", "Campus Client", note="1 to 255 characters", key="name", constraint=True),
    Line("field", "Code", "Campus Client", note="is refused by the service", key="code", note_style="bad"),
)


class SafeText(App[None]):
    """One sheet."""

    def __init__(self, lines: tuple[Line, ...], label_width: int, whole: bool) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.sheet = Sheet(label_width=label_width, whole_labels=whole)
        self._shown = lines

    def compose(self) -> ComposeResult:
        yield self.sheet

    def on_mount(self) -> None:
        self.call_after_refresh(lambda: self.sheet.show(lambda: iter(self._shown)))

    @property
    def texts(self) -> list[str]:
        """The lines that are drawn."""
        return ["".join(each.text for each in self.sheet.render_line(y)).rstrip() for y in range(self.size.height)]


async def test_labels_are_whole_beside_the_lines_of_their_value_and_below_it() -> None:
    app = SafeText(LINES, 20, whole=True)
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        assert app.texts[:7] == [
            " OAuth 2.0",
            "  Rotate OAuth refresh  yes",
            "  tokens",
            "  Backchannel login     https://one.example/path",
            "  redirect URL          and the rest of it",
            "  Name                  Campus Client  1 to 255 …",
            "  Code                  Campus Clie…  is refused…",
        ]


def _width_of_labels(sheet: Sheet) -> Line:
    return Line("field", "Width", f"{sheet.label_width}", key="width")


@pytest.mark.parametrize("wrapped", [True, False], ids=["for a width", "as they are"])
async def test_labels_after_a_resize_are_those_of_a_start_in_that_width(wrapped: bool) -> None:
    drawn = {}
    for start in (40, 100):
        app = SafeText(LINES, 40, whole=True)
        async with app.run_test(size=(start, 12)) as pilot:
            await pilot.pause()
            width = partial(_width_of_labels, app.sheet)
            app.sheet.show((lambda width=width: (*LINES, width())) if wrapped else LINES)
            for columns in (40, 100):
                await pilot.resize_terminal(columns, 12)
                await pilot.pause()
                drawn.setdefault(columns, []).append(app.texts)
    assert drawn[40][0] == drawn[40][1] and drawn[100][0] == drawn[100][1]
    assert "  Rotate OAuth refresh tokens     yes" in drawn[100][0]
    assert drawn[40][0][1:3] == ["  Rotate OAuth     yes", "  refresh tokens"]


async def test_the_cursor_passes_the_rest_of_a_label() -> None:
    app = SafeText(LINES, 20, whole=True)
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.sheet.home()
        keys = []
        for _ in range(4):
            keys.append(app.sheet.line.key if app.sheet.line else "")
            app.sheet.move(1)
        assert keys == ["rotate", "back", "name", "code"]


async def test_in_a_table_a_label_is_cut_and_every_line_stays_at_its_index() -> None:
    app = SafeText(LINES, 20, whole=False)
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        assert app.texts[1] == "  Rotate OAuth refre…  yes"
        assert len(app.sheet.lines) == len(LINES)


@pytest.mark.parametrize(
    ("columns", "constraint", "problem"),
    [
        (60, "Campus Client  1 to 255 characters", "Campus Client  is refused by the service"),
        (34, "Campus Client  1 to …", "Campus Cl…  is refus…"),
        (26, "Campus Client", "Campu…  is r…"),
    ],
)
async def test_constraints_are_cut_before_values_and_values_before_half_of_a_problem(
    columns: int, constraint: str, problem: str
) -> None:
    app = SafeText(LINES[-2:], 4, whole=True)
    async with app.run_test(size=(columns, 4)) as pilot:
        await pilot.pause()
        assert app.texts[0][12:] == constraint
        assert app.texts[1][12:] == problem
        # The last column stays free beside the edge.
        assert max(map(len, app.texts)) < columns


async def test_a_label_with_nothing_beside_it_has_the_whole_line() -> None:
    lines = (Line("field", "Recordings across companies", key="a"), Line("field", "Other calls of companies", "9"))
    app = SafeText(lines, 12, whole=False)
    async with app.run_test(size=(40, 4)) as pilot:
        await pilot.pause()
        assert app.texts[:2] == ["  Recordings across companies", "  Other calls…  9"]


async def test_notes_of_a_wide_form_stay_near_their_values() -> None:
    sheet = Sheet(label_width=20, notes_right=True, notes_within=60)
    app = SafeText((Line("field", "Name", "Campus Client", note="1 to 255 characters", key="name"),), 20, False)
    app.sheet = sheet
    async with app.run_test(size=(160, 5)) as pilot:
        await pilot.pause()
        drawn = sheet.render_line(0).text.rstrip()
        assert drawn.endswith("1 to 255 characters")
        assert len(drawn) == 4 + sheet.label_width + 60
        first, width = sheet.value_span(sheet.lines[0])
        # The input of the value leaves its note visible, with a column between them.
        assert drawn[first + width :] == " 1 to 255 characters"


@pytest.mark.parametrize(("width", "room"), [(46, 17), (80, 32)])
async def test_labels_take_two_fifths_of_the_width_unless_an_id_would_be_cut(width: int, room: int) -> None:
    app = SafeText((Line("field", "Accept invitations automatically", "0123456789abcdef01234567"),), 32, whole=True)
    async with app.run_test(size=(width, 5)) as pilot:
        await pilot.pause()
        assert app.sheet.label_width == room
        assert app.texts[0].endswith("0123456789abcdef01234567")


async def test_what_warns_has_its_sign_before_it_also_under_the_cursor() -> None:
    lines = (
        Line("field", "Calls", "no device", key="calls", style="bad"),
        Line("field", "", "is registered", key="calls", style="bad"),
        Line("field", "Licences", "none free", key="licences", style="warn"),
        Line("field", "Name", "Campus", key="name", style="warn", changed=True),
        Line("field", "Login", "kim", key="login"),
    )
    app = SafeText(lines, 10, whole=True)
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        assert app.sheet.cursor == 0
        assert [text.split("  ")[0] for text in app.texts[:5]] == ["× Calls", "", "▲ Licences", "* Name", ""]
        assert app.texts[4] == "  Login     kim"
