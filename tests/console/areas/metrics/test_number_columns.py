"""Above numbers stand the names of the series where they can be read, else letters with a key."""

from __future__ import annotations

from svc_tui.console.areas.metrics.series_view import columns_of
from svc_tui.console.widgets.list.columns import lay_out
from svc_tui.workspace.metrics.series import Series, by_name, by_slice

DAYS = ("2026-03-01", "2026-03-02")


def titles(count: int, room: int, name: str = "Northwind Telecom number") -> tuple[list[str], str]:
    series = [Series(f"{name} {place}", DAYS, (1_234, 56_789)) for place in range(count)]
    columns, key = columns_of(by_slice(series), room)
    return [place.column.title for place in lay_out(columns, room - 1)], key


def test_names_that_fit_stay() -> None:
    assert titles(2, 80, "Shop") == (["start", "Shop 0", "Shop 1", "difference", "percent"], "")


def test_long_names_become_letters_with_a_legend() -> None:
    found, key = titles(2, 80)
    assert found == ["start", "A", "B", "difference", "percent"]
    assert key == "A Northwind Telecom number 0   B Northwind Telecom number 1"


def test_eight_series_fit_side_by_side_at_80_columns() -> None:
    found, key = titles(8, 80)
    assert found == ["start", *"ABCDEFGH"]
    assert "H Northwind Telecom number 7" in key


def test_start_times_have_the_letter_of_their_series() -> None:
    series = [Series(f"Maintenance Desk of the company {day}", (day,), (1,)) for day in DAYS]
    columns, _ = columns_of(by_slice(series), 80)
    assert [each.title for each in columns][:4] == ["start A", "start B", "A", "B"]


def test_names_are_drawn_safely_in_the_legend() -> None:
    _, key = columns_of(by_name([{"login": 1}, {"login": 2}], ["\x1b[2J" + "x" * 30, "B"], "group"), 80)
    assert "\x1b" not in key and key.endswith("B B")
