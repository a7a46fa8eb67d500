"""Columns share the width of a terminal and draw any value safely."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.console.terminal.text import width
from svc_tui.console.widgets.list.columns import GAP, Column, draw_cell, draw_title, lay_out, plain, sort_letters

NAME = Column(field="name", title="Name", width=10, flex=2)
STATE = Column(field="state", title="State", width=8, priority=1, state={"active": ("active", "ok")})
SEATS = Column(field="seats.used", title="Seats", width=5, align="right", priority=3, sort_field="seats")
NOTE = Column(field="note", title="Note", width=6, flex=1, limit=12, priority=2)
COLUMNS = (NAME, STATE, SEATS, NOTE)


def names(cells: int) -> list[str]:
    """The fields of the columns that are drawn in this many cells."""
    return [place.column.field for place in lay_out(COLUMNS, cells)]


def test_a_narrow_terminal_drops_columns_by_priority() -> None:
    assert names(80) == ["name", "state", "seats.used", "note"]
    assert names(32) == ["name", "state", "seats.used", "note"]
    assert names(31) == ["name", "state", "note"]
    assert names(25) == ["name", "state"]
    assert names(18) == ["name"]
    assert names(4) == ["name"]


def test_a_wide_terminal_gives_flexible_columns_more_up_to_their_limit() -> None:
    places = lay_out(COLUMNS, 32 + 9)
    assert [place.width for place in places] == [16, 8, 5, 9]
    places = lay_out(COLUMNS, 132)
    assert [place.width for place in places] == [132 - 3 - 8 - 5 - 12, 8, 5, 12]


def test_translated_words_get_room_before_flexible_columns_and_take_up_to_a_quarter_of_them() -> None:
    state = dataclasses.replace(STATE)
    object.__setattr__(state, "wanted", width("geschlossen"))
    assert [place.width for place in lay_out((NAME, state), 40)] == [40 - 1 - 11, 11]
    assert [place.width for place in lay_out((NAME, state), 23)] == [11, 11]
    assert [place.width for place in lay_out((NAME, state), 19)] == [8, 10]
    assert [place.width for place in lay_out((NAME, STATE), 40)] == [40 - 1 - 8, 8]


@given(
    st.lists(
        st.builds(
            Column,
            field=st.just("f"),
            title=st.just("T"),
            width=st.integers(1, 20),
            flex=st.integers(0, 3),
            priority=st.integers(0, 3),
        ),
        min_size=1,
        max_size=9,
    ),
    st.integers(0, 200),
)
def test_columns_never_leave_the_line_and_never_overlap(columns: list[Column], cells: int) -> None:
    places = lay_out(columns, cells)
    assert places
    end = -GAP
    for place in places:
        assert place.x == end + GAP
        end = place.x + place.width
    assert end <= cells
    if cells >= sum(column.width for column in columns) + len(columns) - 1 and any(column.flex for column in columns):
        assert end == cells


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "—"),
        ("", "—"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        ([], "—"),
        (["a", None, 2], "a, —, 2"),
        ({"a": 1, "b": [2]}, "a=1, b=2"),
        ("text", "text"),
    ],
)
def test_every_value_is_shown_as_readable_text(value: Any, words: str) -> None:
    assert plain(value) == words


def test_a_state_is_a_word_with_a_style_and_an_unknown_one_is_drawn_as_it_is() -> None:
    (place,) = lay_out([STATE], 8)
    assert draw_cell(place, {"state": "active"}) == ("active  ", "ok")
    assert draw_cell(place, {"state": "odd"}) == ("odd     ", "")
    assert draw_cell(place, {"state": ["odd"]}) == ("odd     ", "")
    assert draw_cell(place, {}) == ("—       ", "")


def test_a_path_leads_to_a_nested_field_or_to_nothing() -> None:
    (place,) = lay_out([SEATS], 5)
    assert draw_cell(place, {"seats": {"used": 41}}).text == "   41"
    assert draw_cell(place, {"seats": "garbled"}).text == "    —"


def test_a_garbled_value_does_not_break_the_list() -> None:
    column = Column(field="n", title="N", width=8, format=lambda value, row: f"{value:.2f}{row['unit']}")
    (place,) = lay_out([column], 8)
    assert draw_cell(place, {"n": 1.5, "unit": "s"}).text == "1.50s   "
    assert draw_cell(place, {"n": "one", "unit": "s"}).text == "one     "
    assert draw_cell(place, {"n": 1.5}).text == "1.5     "


def test_a_value_of_several_fields_that_are_garbled_is_drawn_as_the_field_alone() -> None:
    column = Column(field="n", title="N", width=8, of=lambda row: f"{int(row['n']) + row['m']}")
    (place,) = lay_out([column], 8)
    assert draw_cell(place, {"n": "1", "m": 2}).text == "3       "
    assert draw_cell(place, {"n": "one", "m": 2}).text == "one     "
    assert draw_cell(place, {"n": "1", "m": None}).text == "1       "


def test_dangerous_text_is_marked_with_a_warning_sign() -> None:
    (place,) = lay_out([NAME], 12)
    assert draw_cell(place, {"name": "\x1b[2Jbad"}).text == "⚠ ␛[2Jbad   "
    assert draw_cell(place, {"name": "\x1b[2Jbad"}, unicode=False).text == "! <1B>[2Jbad"
    assert draw_cell(place, {"name": "good"}).text == "good        "


def test_a_formatted_value_is_made_safe_too() -> None:
    column = Column(field="n", title="N", width=9, format=lambda value, row: f"<{value}>")
    (place,) = lay_out([column], 9)
    assert draw_cell(place, {"n": "\x07"}).text == "⚠ <␇>    "


def test_the_sorted_title_carries_its_mark_even_when_it_is_cut() -> None:
    (place,) = lay_out([Column(field="x", title="Renewal", width=8)], 8)
    assert draw_title(place, "") == "RENEWAL "
    assert draw_title(place, "▲") == "RENEW… ▲"
    (right,) = lay_out([SEATS], 5)
    assert draw_title(right, "▼") == "SE… ▼"
    assert width(draw_title(place, "▲")) == 8


def test_every_sortable_column_has_a_letter_of_its_own() -> None:
    columns = [Column(field=t, title=t, sort_field=t) for t in ("Name", "Number", "N", "No sort")]
    columns[3] = Column(field="No sort", title="No sort")
    assert {letter: column.title for letter, column in sort_letters(columns).items()} == {
        "n": "Name",
        "u": "Number",
        "a": "N",
    }
