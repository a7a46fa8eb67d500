"""Pickers: the selected entry looks different in each theme, and the current value is selected first."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from textual.widgets import OptionList, Static

from svc_tui.console.core.choice import Choice, matching
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.terminal.theme import THEMES
from tests.console.dialogs.test_dialog_keys import Console


def _looks(options: OptionList, row: int) -> Mapping[str, object]:
    style = next(segment.style for segment in options.render_line(row) if segment.text.strip())
    assert style is not None
    return {"colour": style.color, "behind": (style.bgcolor, style.reverse), "dim": style.dim}


@pytest.mark.parametrize("name", THEMES)
async def test_the_selected_entry_and_one_that_is_not_possible_look_different(name: str) -> None:
    app = Console()
    app.register_theme(THEMES[name])
    app.theme = name
    async with app.run_test(size=(80, 24)) as pilot:
        picker = Picker("Actions", [Choice(each, each) for each in "abc"] + [Choice("d", "d", reason="needs a role")])
        await app.push_screen(picker)
        await pilot.pause()
        options = picker.query_one(OptionList)
        selected, other, last, impossible = (_looks(options, row) for row in range(4))
        assert selected["behind"] != other["behind"] == last["behind"]
        assert impossible != other == last


async def test_the_current_value_is_selected_until_something_is_typed() -> None:
    app = Console()
    async with app.run_test(size=(80, 24)) as pilot:
        picker = Picker("Type", [Choice(each, each) for each in ("web", "mobile", "server")], current="server")
        await app.push_screen(picker)
        await pilot.pause()
        options = picker.query_one(OptionList)
        assert options.highlighted == 2
        await pilot.press("e")
        await pilot.pause()
        assert options.highlighted == 0


async def test_a_search_starts_on_the_chosen_value_and_with_what_was_typed_and_explains_an_empty_list() -> None:
    asked: list[str] = []

    async def search(text: str) -> list[Choice]:
        asked.append(text)
        return [] if text == "x" or not asked[0] else [Choice("1", "Lisbon"), Choice("2", "Porto")]

    app = Console()
    async with app.run_test(size=(80, 24)) as pilot:
        typed = Picker("Site", search=search, current="2", text="p")
        await app.push_screen(typed)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert asked == ["p"]
        assert typed.query_one(OptionList).highlighted == 0
        typed.dismiss(None)
        asked.clear()
        empty = Picker("Site", search=search, empty="There are no sites.")
        await app.push_screen(empty)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert str(empty.query_one("#error", Static).content) == "There are no sites."


@pytest.mark.parametrize(("columns", "shown"), [(120, 90), (80, 70), (40, 32)])
async def test_as_much_of_a_description_is_shown_as_the_terminal_has_room_for(columns: int, shown: int) -> None:
    app = Console()
    async with app.run_test(size=(columns, 24)) as pilot:
        picker = Picker("Copy", [Choice("link", "Link", "x" * 200)])
        await app.push_screen(picker)
        await pilot.pause()
        drawn = picker.query_one(OptionList).render_line(0).text
        assert drawn.startswith("Link  x")
        assert drawn.rstrip().endswith("…")
        assert len(drawn.rstrip()) >= shown


FOUND = [
    Choice("report", "Report", "Show the report on the import under the cursor"),
    Choice("recordings", "Recordings", "calls, retention"),
    Choice("retention", "Recording retention", "How long recordings are kept"),
    Choice("ete", "Été", "Summer"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("retention", ["retention", "recordings"]),
        ("rec", ["recordings", "retention"]),
        ("RECORDING  kept", ["retention"]),
        ("cursor", ["report"]),
        ("ÉTÉ", ["ete", "retention", "recordings"]),
        # No word: the letters in their order, in labels only.
        ("rcdgs", ["recordings"]),
        ("xyz", []),
    ],
)
def test_words_are_found_best_first_and_never_from_letters_of_a_description(text: str, found: list[str]) -> None:
    assert [choice.value for choice in matching(FOUND, text)] == found


async def test_a_text_that_is_a_choice_itself_is_chosen_by_enter() -> None:
    """A span of time is typed where spans are listed."""
    app = Console()
    async with app.run_test(size=(80, 24)) as pilot:
        chosen: list[str | None] = []
        picker = Picker(
            "Span",
            [Choice("0", "last month"), Choice("1", "2026-10 and before")],
            read=lambda text: Choice(f"={text}", "October") if text == "2026-10" else None,
        )
        await app.push_screen(picker, chosen.append)
        await pilot.press(*"2026-1")
        assert [option.prompt.plain for option in picker.query_one(OptionList).options] == ["2026-10 and before"]
        await pilot.press("0", "enter")
        await pilot.pause()
        assert chosen == ["=2026-10"]
