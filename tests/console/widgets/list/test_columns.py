"""Columns share the width of a terminal and draw any value safely."""

import dataclasses
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.terminal.text import width
from svc_tui.console.widgets.list.columns import (
    GAP,
    WIDEST_GAP,
    Column,
    arranged,
    draw_cell,
    draw_title,
    lay_out,
    sort_letters,
    unformatted,
)

NAME = Column(field="name", title="Name", width=10, flex=2)
STATE = Column(
    field="state", title="State", width=8, priority=1, state={"active": ("active", "ok"), "stopped": ("stopped", "bad")}
)
SEATS = Column(field="seats.used", title="Seats", width=5, align="right", priority=3, sort_field="seats")
NOTE = Column(field="note", title="Note", width=6, flex=1, limit=12, priority=2)
COLUMNS = (NAME, STATE, SEATS, NOTE)


def names(cells: int) -> list[str]:
    """The fields of the columns that are drawn in this many cells."""
    return [place.column.field for place in lay_out(COLUMNS, cells)]


def test_a_narrow_terminal_drops_columns_by_priority() -> None:
    assert names(80) == ["name", "state", "seats.used", "note"]
    assert names(34) == ["name", "state", "seats.used", "note"]
    assert names(33) == ["name", "state", "note"]
    assert names(27) == ["name", "state"]
    assert names(18) == ["name"]
    assert names(4) == ["name"]


def test_a_wide_terminal_gives_flexible_columns_more_up_to_their_limit() -> None:
    places = lay_out(COLUMNS, 34 + 9)
    assert [place.width for place in places] == [16, 10, 5, 8]
    # What no value needs separates the columns, and is then left.
    places = lay_out(COLUMNS, 132)
    assert [place.width for place in places] == [44, 10, 5, 12]
    assert [place.x for place in places] == [0, 47, 60, 68]


def test_a_number_is_apart_from_the_text_behind_it_where_columns_can_grow() -> None:
    columns = (
        Column(field="name", title="NAME", width=6, flex=1),
        Column(field="used", title="USED", width=4, align="right"),
        Column(field="free", title="FREE", width=4, align="right"),
        Column(field="ends", title="ENDS", width=5),
    )
    for cells, starts in ((22, [0, 7, 12, 17]), (23, [0, 7, 12, 18]), (30, [0, 14, 19, 25])):
        places = lay_out(columns, cells)
        assert [place.x for place in places] == starts
        assert places[-1].x + places[-1].width == cells


def test_chosen_columns_are_in_their_order_and_the_last_ones_are_left_out_first() -> None:
    chosen = arranged(COLUMNS, ["note", "gone", "name", "note"])
    assert [column.field for column in chosen] == ["note", "name"]
    assert [place.column.field for place in lay_out(chosen, 10)] == ["note"]
    assert arranged(COLUMNS, []) == arranged(COLUMNS, ["gone"]) == COLUMNS


def test_a_share_has_a_bar_where_there_is_room_for_it() -> None:
    column = Column(
        field="n",
        title="N",
        width=9,
        flex=1,
        limit=18,
        align="right",
        of=lambda row: "41/50",
        part=lambda row: row["n"],
    )
    (narrow,), (middle,), (wide,) = lay_out([column], 9), lay_out([column], 12), lay_out([column], 30)
    assert draw_cell(narrow, {"n": (41, 50)}).text == "    41/50"
    assert draw_cell(middle, {"n": (41, 50)}).text == "━━━·   41/50"
    assert draw_cell(wide, {"n": (41, 50)}).text == "━━━━━━━·     41/50"
    assert draw_cell(wide, {"n": (41, 50)}, unicode=False).text == "-------.     41/50"
    assert draw_cell(wide, {"n": None}).text == "             41/50"
    # The number is whole before it has a bar.
    large = dataclasses.replace(column, of=lambda row: "9000/12000")
    (middle,) = lay_out([large], 12)
    assert draw_cell(middle, {"n": (9, 12)}).text == "  9000/12000"


@pytest.mark.parametrize("cells", [78, 117])
def test_licences_have_a_bar_in_80_and_in_200_columns(cells: int) -> None:
    subscription = {"offerName": "Business", "numberAssignedUsers": 41, "maxNumberUsers": 50}
    places = lay_out(BY_NAME["subscriptions"].display.columns, cells)
    assert any(re.fullmatch("━+·+ +41/50", draw_cell(place, subscription).text) for place in places)


def test_an_age_is_drawn_and_its_day_is_found() -> None:
    column = Column(field="at", title="At", width=14, aged=True)
    (place,) = lay_out([column], 14)
    row = {"at": "2020-01-31T10:00:00Z"}
    assert draw_cell(place, row).text.strip().endswith("years ago")
    assert "2020-01-31" in column.words(row)
    assert draw_cell(place, {}).text == "—" + " " * 13


def test_translated_words_get_room_before_flexible_columns_and_take_up_to_a_quarter_of_them() -> None:
    state = dataclasses.replace(STATE)
    object.__setattr__(state, "wanted", width("● geschlossen"))
    assert [place.width for place in lay_out((NAME, state), 40)] == [40 - 1 - 13, 13]
    assert [place.width for place in lay_out((NAME, state), 23)] == [9, 13]
    assert [place.width for place in lay_out((NAME, state), 21)] == [8, 12]
    assert [place.width for place in lay_out((NAME, STATE), 40)] == [40 - 1 - 10, 10]


def test_a_column_that_identifies_records_is_whole_where_others_can_be_left_out_for_it() -> None:
    login = Column(field="login", title="Login", width=12, whole=20, flex=1, limit=20, priority=1)
    as_important = dataclasses.replace(NOTE, priority=1)

    def widths(columns: tuple[Column, ...], cells: int) -> dict[str, int]:
        return {place.column.field: place.width for place in lay_out(columns, cells)}

    assert widths((NAME, login, NOTE), 38) == {"name": 10, "login": 20, "note": 6}
    assert widths((NAME, login, NOTE), 37) == {"name": 16, "login": 20}
    # It is narrowed where it would be left out itself, or one that is as important.
    assert widths((NAME, login, NOTE), 30) == {"name": 10, "login": 12, "note": 6}
    assert widths((NAME, login, as_important), 37) == {"name": 14, "login": 14, "note": 7}


@given(
    st.lists(
        st.builds(
            Column,
            field=st.just("f"),
            title=st.just("T"),
            width=st.integers(1, 20),
            whole=st.sampled_from([0, 0, 25]),
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
    ends = [place.x + place.width for place in places]
    gaps = {place.x - end for place, end in zip(places[1:], ends, strict=False)}
    assert len(gaps) <= 1 and all(GAP <= gap <= WIDEST_GAP for gap in gaps)
    assert places[0].x == 0 and ends[-1] <= cells
    open_ones = any(place.column.flex and place.width < place.column.most for place in places)
    if cells >= sum(column.width for column in columns) + len(columns) - 1 and open_ones:
        assert ends[-1] == cells


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
    assert unformatted(value) == words


def test_words_that_need_no_attention_have_no_sign() -> None:
    direction = Column(field="direction", title="", width=3, state={"in": ("in", "ok"), "out": ("out", "accent")})
    place = lay_out((direction,), 40)[0]
    assert draw_cell(place, {"direction": "in"}).text.strip() == "in"


def test_a_state_is_a_word_with_a_style_and_an_unknown_one_is_drawn_as_it_is() -> None:
    (place,) = lay_out([STATE], 8)
    assert draw_cell(place, {"state": "active"}) == ("● active", "ok")
    assert draw_cell(place, {"state": "active"}, unicode=False) == ("* active", "ok")
    assert draw_cell(place, {"state": "odd"}) == ("  odd   ", "")
    assert draw_cell(place, {"state": ["odd"]}) == ("  odd   ", "")
    assert draw_cell(place, {}) == ("  —     ", "")


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
