"""The chart of days on the dashboard: its scale, its weeks, and the marks of the week before."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from svc_tui.console.areas.metrics.customer_bars import NAME, CustomerBars
from svc_tui.console.areas.metrics.day_chart import (
    a_week_before,
    day_chart,
    day_words,
    days_for,
    places_of,
    weeks_change,
)
from svc_tui.workspace.metrics.series import Series

FRIDAY = date(2026, 11, 20)


def series(*values: int | None, last: date = FRIDAY) -> Series:
    """A value for each day up to the last one."""
    starts = tuple((last - timedelta(days=back)).isoformat() for back in range(len(values) - 1, -1, -1))
    return Series("all", starts, values, additive=False)


def text(whole: Series, width: int = 80, height: int = 14, **more: bool) -> list[str]:
    days, before = a_week_before(whole, days_for(width))
    lines = day_chart(days, before, width, height, len(days.starts) - 1, **more)
    return ["".join(piece.text for piece in line) for line in lines]


def test_each_day_is_compared_with_the_same_weekday_a_week_before() -> None:
    days, before = a_week_before(series(*range(1, 22)), 14)
    assert days.values == tuple(range(8, 22))
    assert before.values == tuple(range(1, 15))
    assert weeks_change(series(*range(1, 22))) == (21, 14)
    # A day that was not counted has no bar and is no zero, and there may be no week before.
    assert weeks_change(series(5)) == (5, None)
    assert a_week_before(series(1, *[None] * 6, 3), 1)[1].values == (1,)


@pytest.mark.parametrize(("width", "height"), [(80, 8), (120, 17), (200, 28), (200, 40), (40, 6)])
def test_the_chart_fills_its_width_and_height_and_no_line_is_wider(width: int, height: int) -> None:
    lines = text(series(*[100 + day % 7 * 5 for day in range(60)]), width, height)
    assert len(lines) == height
    assert all(len(line) <= width for line in lines)
    assert max(len(line.rstrip()) for line in lines) > width * 0.9


def test_bars_stand_on_a_scale_and_weekends_have_brackets() -> None:
    lines = text(series(*[160 if day % 7 else 80 for day in range(21)]), 80, 14)
    assert lines[0].startswith("160 ")
    assert any(line.startswith(" 80 ") for line in lines)
    assert lines[-3].startswith("  0 ")
    assert lines[-2].split() == [
        "(Sa)",
        "(Su)",
        "Mo",
        "Tu",
        "We",
        "Th",
        "Fr",
        "(Sa)",
        "(Su)",
        "Mo",
        "Tu",
        "We",
        "Th",
        "▲Fr",
    ]
    assert lines[-1].split() == ["11-07", "11-09", "11-16"]
    # The lower days are half as high.
    assert sum("█" in line for line in lines) == 12
    assert lines[2].count("██") > lines[-4].count("██") - 4


@pytest.mark.parametrize("height", [9, 10, 14, 17])
def test_half_of_the_scale_stands_where_a_bar_of_its_height_ends(height: int) -> None:
    lines = text(series(*[160 if day % 7 else 80 for day in range(21)]), 80, height)
    half = next(number for number, line in enumerate(lines) if line.startswith(" 80 "))
    first_day = [line[4] for line in lines]
    assert first_day[half] in "▄█" and first_day[half - 1] not in "▄█"


def test_the_week_before_is_another_shape_at_its_own_height() -> None:
    lines = text(series(*[50] * 7, *[100] * 7), 60, 12)
    marked = [number for number, line in enumerate(lines) if "─" in line]
    assert marked == [5]
    ascii_lines = text(series(*[50] * 7, *[100] * 7), 60, 12, unicode=False)
    assert all(line.isascii() for line in ascii_lines[:-2])
    assert [number for number, line in enumerate(ascii_lines) if "--" in line] == [5]
    assert "##" in ascii_lines[-4]


def test_days_without_numbers_and_a_company_without_users_are_no_error() -> None:
    assert len(text(series(*[0] * 30), 80, 12)) == 12
    assert len(text(series(None, None), 80, 12)) == 12
    assert len(text(series(), 80, 12)) == 12


def test_the_day_under_the_cursor_is_shown_in_words() -> None:
    days, before = a_week_before(series(*range(100, 121)), 14)
    assert day_words(days, before, 13) == "Fr 2026-11-20: 120, a week before 113"
    assert day_words(series(None), series(None), 0) == "Fr 2026-11-20: not counted"


def test_a_column_of_the_screen_belongs_to_one_day() -> None:
    places = places_of(series(*[10] * 14), 80)
    found = [places.day_at(x) for x in range(80)]
    assert found[0] is None
    known = [day for day in found if day is not None]
    assert known == sorted(known)
    assert set(known) == set(range(14))


def customers(bars: CustomerBars, width: int = 60) -> list[str]:
    panel = bars.panel({}, unicode=True)
    assert panel is not None
    return ["".join(piece.text for piece in item.lines[0]) for item in panel.draw(width, 20)]


def test_customers_are_sorted_by_any_column_and_the_bar_follows() -> None:
    bars = CustomerBars()
    assert bars.panel({}, unicode=True) is None
    bars.take(
        [
            {"companyId": "1", "companyName": "Aloe", "users": {"total": 9}, "usages": {"_types": {"webrtc": 1}}},
            {"companyId": "2", "companyName": "Cedar", "users": {"total": 3}, "usages": {"_types": {"webrtc": 8}}},
            {"companyId": "3", "companyName": "Birch\x1b[2J", "users": {"total": 5}, "usages": {}},
        ]
    )
    assert [line.split()[0][:5] for line in customers(bars)] == ["NAME", "Aloe", "Birch", "Cedar"]
    assert "USERS ▼" in customers(bars)[0]
    assert customers(bars)[1].count("━") > customers(bars)[2].count("━") > customers(bars)[3].count("━") > 0
    bars.sort_by("usages_webrtc")
    assert [line.split()[0][:5] for line in customers(bars)][1:] == ["Cedar", "Aloe", "Birch"]
    assert customers(bars)[1].count("━") > customers(bars)[2].count("━")
    bars.sort_by(NAME)
    assert [line.split()[0][:5] for line in customers(bars)][1:] == ["Aloe", "Birch", "Cedar"]
    bars.sort_by(NAME)
    assert [line.split()[0][:5] for line in customers(bars)][1:] == ["Cedar", "Birch", "Aloe"]
    assert "\x1b" not in "".join(customers(bars))
    assert all(len(line) == width for width in (36, 60, 90) for line in customers(bars, width))
