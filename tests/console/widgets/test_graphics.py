"""Small graphics: what they draw for few and many, in Unicode and in ASCII."""

from __future__ import annotations

import pytest

from svc_tui.console.views.board_view import cut_parts
from svc_tui.console.widgets.graphics import bar, change_of, gauge, left_of, small_line, tall_line


def drawn(used: int, most: int, width: int = 10, **more: bool) -> list[tuple[str, str]]:
    return [(piece.text, piece.style) for piece in gauge(used, most, width, **more) if piece.text]


def test_a_small_line_ends_with_the_newest_day_and_shows_days_that_were_not_counted_as_gaps() -> None:
    assert small_line([0, None, 4, 8], 4) == "▁ ▄█"
    assert small_line([1, 2, 4], 5) == "  ▂▄█"
    assert small_line([9, 1, 2, 4], 3) == "▂▄█"
    assert small_line([0, 0], 2) == "▁▁"
    assert small_line([], 3) == "   "
    assert small_line([0, 4, 8], 3, unicode=False) == "_=#"


def test_a_bar_above_zero_is_seen_and_none_is_wider_than_its_column() -> None:
    assert bar(50, 100, 10) == "━━━━━     "
    assert bar(1, 1000, 10).rstrip() == "━"
    assert bar(0, 10, 4) == bar(3, 0, 4) == "    "
    assert bar(7, 5, 4) == "━━━━"
    assert bar(50, 100, 4, unicode=False) == "##  "


def test_used_free_and_over_differ_without_colours() -> None:
    assert drawn(5, 10) == [("━━━━━", "bar"), ("─────", "left")]
    assert drawn(9, 10)[0] == ("━━━━━━━━━", "warn")
    assert drawn(9, 10, warns=False)[0] == ("━━━━━━━━━", "bar")
    assert drawn(12, 10) == [("━━━━━━━━", "bad"), ("╋╋", "bad")]
    assert drawn(12, 10, unicode=False) == [("########", "bad"), ("!!", "bad")]
    # One of a thousand is not none, and one that is free is not nothing.
    assert drawn(1, 1000)[0][0] == "━"
    assert drawn(999, 1000)[1][0] == "─"
    assert drawn(0, 0) == [("──────────", "left")]


@pytest.mark.parametrize("used", range(0, 30, 3))
@pytest.mark.parametrize("width", [5, 8, 16])
def test_a_gauge_is_as_wide_as_asked_for(used: int, width: int) -> None:
    assert sum(len(text) for text, _ in drawn(used, 12, width)) == width


def test_what_is_left_and_what_changed_are_words_and_signs() -> None:
    assert [left_of(*each) for each in ((41, 50), (50, 50), (53, 50))] == ["9 free", "none free", "3 over"]
    assert change_of(110, 100) == ("▲ 10 %", 1)
    assert change_of(90, 100) == ("▼ 10 %", -1)
    assert change_of(7, 7) == ("=", 0)
    assert change_of(7, 0) == ("▲ 7", 1)
    assert change_of(None, 3) == change_of(3, None) == ("", 0)


def test_a_tall_line_stands_on_its_zero_and_is_as_high_as_asked_for() -> None:
    lines = tall_line([0, 4, 8], 15, 4, ("", "today"))
    assert [line.rstrip() for line in lines] == [
        "8 ··· ··· ███",
        "          ███",
        "      ███ ███",
        "0 ··· ███ ███",
        "         today",
    ]
    assert [line.rstrip() for line in tall_line([0, 4, 8], 8, 2, ("", ""), unicode=False)] == ["8 . . #", "0 . # #", ""]
    assert all(len(line) <= 5 for line in tall_line(list(range(20)), 5, 3, ("", "")))


def test_below_a_tall_line_its_first_and_its_last_day_are_named_where_there_is_room_for_both() -> None:
    assert tall_line([1] * 14, 44, 3, ("13 days earlier", "today"))[-1] == "  13 days earlier                     today"
    assert tall_line([1] * 14, 20, 3, ("13 days earlier", "today"))[-1].strip() == "today"


def test_one_or_two_do_not_fill_a_tall_line() -> None:
    top, *__, zero, _axis = tall_line([0, 1, 2], 15, 4, ("", ""))
    assert top.startswith("4 ") and "█" not in top and "█" in zero


def test_the_scale_of_a_tall_line_has_each_number_once() -> None:
    for days in ([0, 0], [0, 1], [3, 2, 0]):
        scale = [line.split()[0] for line in tall_line(days, 20, 5, ("", "")) if line[0] != " "]
        assert scale == [*(["4"] if max(days) else []), "0"]


def test_of_a_label_with_two_parts_the_first_one_gives_way() -> None:
    label = "Northwind Telecom · Dial In"
    assert cut_parts(label, 27) == label
    assert cut_parts(label, 20) == "Northwind… · Dial In"
    assert cut_parts(label, 12) == "Northwi… · Dial In"
    assert cut_parts("Northwind Telecom", 9) == "Northwind Telecom"
