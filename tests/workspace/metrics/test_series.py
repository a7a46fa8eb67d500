"""Responses as series, and series as table rows."""

from __future__ import annotations

from typing import Any

from svc_tui.workspace.metrics.series import (
    CounterSlices,
    Series,
    Slice,
    aligned,
    by_name,
    by_slice,
    daily,
    last_days,
    named,
    numbers_of,
    percent,
    single,
    summed,
    usage,
)

ANSWER = {
    "data": [
        {"groupCounters": [{"group": "login", "count": 3}], "aggregationStartDate": "2026-09-30T22:00:00.000Z"},
        {
            "groupCounters": [{"group": "login", "count": 4}, {"group": "files", "count": 6}],
            "aggregationStartDate": "x",
        },
    ],
    "aggregationPeriod": "day",
}


def rows_of(rows: Any) -> list[dict[str, Any]]:
    found = [rows.row(index) for index in range(rows.total)]
    return [{name: row[name] for name in rows.columns} for row in found]


def test_slices_start_in_the_requested_time_zone() -> None:
    counted = usage("Shop", ANSWER, "day", "Europe/Paris")
    assert [each.start for each in counted.slices] == ["2026-10-01", "x"]
    assert summed(counted).values == (3, 10) and summed(counted, ("files",)).values == (0, 6)
    assert counted.totals == {"login": 7, "files": 6}


def test_invalid_responses_give_the_readable_numbers() -> None:
    for answer in ({}, {"data": None}, {"data": [1, {"groupCounters": [None, {"group": "a", "count": "9"}]}]}):
        assert summed(usage("", answer, "hour", "UTC")).total == 0
    assert daily("", {"dailyStats": [None, {"date": None, "users": 3}]}).slices == (Slice("", {}),)


def test_the_numbers_of_statistics_have_the_names_of_the_flat_export() -> None:
    stats = {
        "companies": 3,
        "users": {"total": 5, "funnel": True},
        "usages": {"_types": {"chat": 2}, "_any": {"_any": 1}},
        "subscriptions": {"businessMax": 7},
    }
    assert numbers_of(stats) == {"users_total": 5, "usages_chat": 2, "usages_any_any": 1, "profiles_business": 7}


def test_two_series_have_a_difference_column() -> None:
    march = Series("2026-03", ("2026-03-01", "2026-03-02"), (12, 0))
    february = Series("2026-02", ("2026-02-01",), (8,))
    found = by_slice([march, february])
    assert found.columns == ("start of 2026-03", "start of 2026-02", "2026-03", "2026-02", "difference", "percent")
    assert [list(row.values()) for row in rows_of(found)] == [
        ["2026-03-01", "2026-02-01", 12, 8, 4, "+50.0 %"],
        ["2026-03-02", "", 0, None, None, ""],
    ]


def test_series_of_the_same_days_share_one_start_column() -> None:
    same = [Series(name, ("2026-03-01",), (value,)) for name, value in (("A", 1), ("A", 2), ("id", 3))]
    assert rows_of(by_slice(same)) == [{"start": "2026-03-01", "A": 1, "A (2)": 2, "id (2)": 3}]


def test_series_with_the_same_starts_share_a_start_column() -> None:
    now, before = ("2026-03-01",), ("2026-02-01",)
    found = by_slice([Series(name, starts, (1,)) for name in "AB" for starts in (now, before)])
    assert found.columns == ("start of A", "start of A (2)", "A", "A (2)", "B", "B (2)")


def test_groups_are_sorted_by_use() -> None:
    rows = rows_of(by_name([{"login": 1, "files": 5}, {"login": 9}], ["A", "B"], "group"))
    assert [row["group"] for row in rows] == ["login", "files"]
    assert rows[0] == {"group": "login", "A": 1, "B": 9, "difference": -8, "percent": "-88.9 %"}


def test_there_is_no_percentage_of_zero() -> None:
    assert percent(0, 5) == percent(None, 5) == percent(5, None) == ""
    assert percent(200, 150) == "-25.0 %"


def test_aligned_values_are_of_the_same_day() -> None:
    old, young = Series("A", ("d1", "d2", "d3"), (1, 2, 3)), Series("B", ("d3", "d4"), (30, 40))
    first, second = aligned([old, young])
    assert first.starts == second.starts == ("d1", "d2", "d3", "d4")
    assert (first.values, second.values) == ((1, 2, 3, None), (None, None, 30, 40))


def test_the_newest_days_and_the_days_before_them() -> None:
    counted = CounterSlices("A", tuple(Slice(f"d{n}", {"x": n}) for n in range(10)))
    whole = single(counted, "x")
    assert last_days(whole, 3).values == (7, 8, 9)
    assert last_days(whole, 3, back=3).starts == ("d4", "d5", "d6")
    assert last_days(whole, 0).values == whole.values
    assert last_days(whole, 8, back=8).values == (0, 1)
    assert single(counted, "unknown").values == (None,) * 10


def test_rows_are_named_after_what_they_count() -> None:
    rows = by_slice([Series("Northwind", ("2026-10-01", "2026-10-02"), (3, 4))])
    assert rows_of(named(rows, "number", "users_total")) == [
        {"number": "users_total", "start": "2026-10-01", "Northwind": 3},
        {"number": "users_total", "start": "2026-10-02", "Northwind": 4},
    ]
    company = by_slice([Series("number", ("2026-10-01",), (3,))])
    assert rows_of(named(company, "number", "users_total")) == [
        {"number (2)": "users_total", "start": "2026-10-01", "number": 3}
    ]


def test_hours_have_different_names_on_a_day_of_25_hours_and_in_zones_with_half_hours() -> None:
    """Rows of a table and of a CSV file differ in their start."""

    def starts(*texts: str, zone: str) -> list[str]:
        answer = {"data": [{"groupCounters": [], "aggregationStartDate": text} for text in texts]}
        return [each.start for each in usage("", answer, "hour", zone).slices]

    hours = ("2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z")
    assert starts(*hours, zone="Europe/Paris") == [
        "2026-10-25 01:00",
        "2026-10-25 02:00 CEST",
        "2026-10-25 02:00 CET",
        "2026-10-25 03:00",
    ]
    assert starts("2026-11-18T18:15:00Z", zone="Asia/Kathmandu") == ["2026-11-19 00:00"]
