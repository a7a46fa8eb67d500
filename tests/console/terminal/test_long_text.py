"""Very long texts of records: what is drawn of them is bounded, and time grows no faster than the text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult

from svc_tui.commands import output
from svc_tui.console.core.record_lines import record_lines
from svc_tui.console.terminal.text import LONGEST_LINE, cut, safe_lines, safe_text, width
from svc_tui.console.widgets.bars import Piece, StatusBar
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.list.columns import Column, ColumnPlace, draw_cell
from svc_tui.console.widgets.list.lines import Painter
from svc_tui.console.widgets.sheet_lines import Line, LineKind, wrapped

#: Characters that are drawn in different ways: as they are, as marks, wide, with marks on them, in several lines.
CHARACTERS = ["a", "\x1b", "\u202e", "😀", "日", "é", "e\u0301", "ab ", "👩\u200d", "a\n", "\t", "\ud83d"]
every_character = pytest.mark.parametrize("character", CHARACTERS, ids=ascii)


def spent(work: Callable[[], object]) -> float:
    """The least processor time of several runs, in seconds."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def growth(work: Callable[[str], object], character: str) -> float:
    """How many times longer the work takes for a text of eight times the length."""
    short, long = character * 3_000, character * 24_000
    return spent(lambda: work(long)) / max(spent(lambda: work(short)), 0.0005)


@pytest.mark.parametrize(
    "work",
    [
        lambda text: safe_text(text),
        lambda text: safe_text(text, unicode=False),
        lambda text: safe_lines(text),
        lambda text: [wrapped(Line("text", value=line.text), 60) for line in safe_lines(text)],
        lambda text: width(safe_lines(text)[0].text),
        lambda text: list(record_lines({"note": text}, (), 60)),
    ],
    ids=["a line", "ascii", "lines", "wrapping", "width", "a field"],
)
@pytest.mark.parametrize("character", ["a", "\x1b", "😀", "e\u0301", "a\n"], ids=ascii)
def test_time_grows_with_the_length_and_not_with_its_square(work: Callable[[str], object], character: str) -> None:
    assert growth(work, character) < 24, "8 times the text; its square would take 64 times as long"


@every_character
def test_a_line_is_cut_at_its_longest(character: str) -> None:
    drawn = safe_text(character * 100_000).text
    assert len(drawn) == LONGEST_LINE + 1 and drawn.endswith("…")
    assert safe_text(drawn).text == drawn
    assert safe_text(character * 100_000, unicode=False).text.isascii()
    assert len(written(character * 100_000)) == LONGEST_LINE + 1


@pytest.mark.parametrize("value", [["abc"] * 100_000, {str(n): "abc" for n in range(100_000)}, [["a" * 50_000]] * 50])
def test_a_long_list_is_written_up_to_the_longest_line(value: object) -> None:
    assert len(written(value)) == LONGEST_LINE + 1


@every_character
def test_a_cell_draws_the_beginning_of_a_long_value(character: str) -> None:
    place = ColumnPlace(Column(field="note", title="Note"), 0, 20)
    short, long = ({"note": character * length} for length in (1_000, 300_000))
    assert draw_cell(place, long) == draw_cell(place, short)


@every_character
def test_a_field_is_drawn_in_a_bounded_number_of_lines_with_its_length(character: str) -> None:
    text = character * 300_000
    lines = [line for line in record_lines({"note": text}, (), 60) if line.kind == "field"]
    assert len(lines) <= LONGEST_LINE
    assert sum(len(line.value) for line in lines) <= LONGEST_LINE * len("·U+202E·") + len(lines) * 60
    assert lines[0].note in (
        f"first {LONGEST_LINE:,} of {len(text):,} characters",
        "⚠ unsafe characters",
    )


async def test_a_long_message_takes_its_three_lines() -> None:
    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield StatusBar()

    app = Host()
    async with app.run_test(size=(80, 10)) as pilot:
        app.query_one(StatusBar).show_message(Piece("x" * 300_000))
        await pilot.pause()
        assert app.query_one(StatusBar).size.height == 3


def test_the_note_of_a_list_is_wrapped_as_far_as_it_can_be_seen() -> None:
    painter = Painter((), 60, lambda look: Style(), unicode=True)
    assert painter.note("x" * 300_000, 0).text.startswith(" xxx")
    assert not painter.note("x" * 300_000, LONGEST_LINE).text.strip()


def cut_by_measuring_all(text: str, cells: int) -> str:
    """The longest beginning that fits, found without a bound."""
    kept = ""
    for place in range(len(text) + 1):
        if cell_len(text[:place]) <= cells:
            kept = text[:place]
    return kept


@given(st.text(st.sampled_from("ab 日😀é\u0301 "), max_size=60), st.integers(1, 12))
def test_the_bound_of_a_cut_changes_no_text(text: str, cells: int) -> None:
    drawn = safe_text(text).text
    assert cut(drawn, cells, "") == cut_by_measuring_all(drawn, cells)


@given(st.text(st.sampled_from("ab 日😀é\u0301 "), max_size=400), st.integers(8, 40))
def test_wrapped_lines_hold_the_whole_text_and_fit(text: str, columns: int) -> None:
    drawn = safe_text(text).text
    lines = [line.value for line in wrapped(Line("field", "Note", drawn), columns)]
    assert all(cell_len(line) <= columns for line in lines)
    assert "".join(lines).replace("↪", "").replace(" ", "") == drawn.replace(" ", "")


def test_a_broken_word_is_divided_at_a_sign_and_its_rest_is_marked() -> None:
    def values(text: str, kind: LineKind = "field") -> list[str]:
        return [line.value for line in wrapped(Line(kind, "URL", text), 24)]

    assert values("https://campus-client.northwind.example/login/done") == [
        "https://campus-client.",
        "↪ northwind.example/",
        "↪ login/done",
    ]
    assert values("4736a48c58984736a48c589812") == ["4736a48c58984736a48c5898", "↪ 12"]
    assert values("twenty-four columns wide: not broken") == ["twenty-four columns", "wide: not broken"]
    assert values("exactly24columns.in.one next") == ["exactly24columns.in.one", "next"]
    assert values("4736a48c58984736a48c589812", "text")[1] == "12"
    # A word that fits in a line of its own is not broken, however short the line before it becomes.
    assert values("Information, communication") == ["Information,", "communication"]
    # A date is not separated from its time.
    assert values("Prepaid until 2026-11-17 12:58, then monthly") == [
        "Prepaid until",
        "2026-11-17 12:58, then",
        "monthly",
    ]
    assert values("Id  4736a48c58984736a48c5898") == ["Id", "4736a48c58984736a48c5898"]


def test_commands_write_whole_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    output.write_json({"note": "x" * 300_000})
    output.write_fields({"note": "x" * 300_000})
    assert capsys.readouterr().out.count("x") == 600_000
