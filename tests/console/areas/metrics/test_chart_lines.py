"""The chart: bars of the right height, the slice under the cursor in sight, hostile names drawn as marks."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from svc_tui.console.areas.metrics.chart_lines import chart, lay_out, short
from svc_tui.workspace.metrics.series import Series


def drawn(*series: Series, cursor: int = 0, size: tuple[int, int] = (40, 9), unicode: bool = True) -> list[str]:
    width, height = size
    layout = lay_out(series, width, height, cursor, 0)
    return ["".join(run.text for run in line) for line in chart(series, layout, width, cursor, unicode=unicode)]


def days(*values: int | None, name: str = "A") -> Series:
    return Series(name, tuple(f"2026-10-{day + 1:02d}" for day in range(len(values))), values)


def test_bars_are_as_high_as_their_numbers() -> None:
    lines = drawn(days(80, 40, 0, 1, None), cursor=1, size=(40, 7))
    assert lines[0].split()[:4] == ["A", "2026-10-02", "40", "total"]
    columns = ["".join(line[4 + 6 * slot] for line in lines[1:5]) for slot in range(5)]
    assert columns == ["████", "  ██", "    ", "   ▁", "    "]
    assert lines[1].startswith(" 80 ")


def test_the_mark_of_the_cursor_stands_under_its_bar_and_begins_are_named() -> None:
    lines = drawn(days(1, 2, 3), cursor=2)
    assert lines[-2].index("▲") == lines[-3].rindex("█") - 4
    assert lines[-1].split() == ["10-01", "10-03"]


def test_the_cursor_stays_visible_and_hidden_slices_are_marked() -> None:
    many = days(*range(1, 32))
    layout = lay_out([many], 20, 9, 30, 0)
    assert layout.first + layout.visible == 31 and layout.first > 0
    lines = ["".join(run.text for run in line) for line in chart([many], layout, 20, 30, unicode=True)]
    assert "‹" in lines[-2] and "›" not in lines[-2]
    assert lay_out([many], 20, 9, 3, layout.first).first == 3


def test_several_series_share_one_scale_and_those_without_room_are_counted() -> None:
    lines = drawn(days(100, 50, name="first"), days(50, 50, name="second"), size=(60, 12))
    assert "(above: +100.0 %)" in next(line for line in lines if "second" in line)
    assert sum(line.startswith(" 100 ") for line in lines) == 2
    lines = drawn(*(days(1, name=f"s{n}") for n in range(9)), size=(60, 12))
    assert "6 more in the table" in lines[-1]


def test_a_chart_is_never_higher_than_its_room() -> None:
    for width in (8, 20, 47, 120):
        for height in (4, 9, 30):
            lines = drawn(days(*range(90), name="A very long name " * 5), days(5), size=(width, height), cursor=89)
            assert len(lines) <= max(height, 5)


def test_hostile_names_are_marks_and_ascii_needs_no_blocks() -> None:
    lines = drawn(days(3, 1, name="\x1b[2J[/x]"), unicode=False)
    assert "\x1b" not in "".join(lines) and "[/x]" in lines[0]
    assert "#" in "".join(lines) and "█" not in "".join(lines)


def test_a_missing_count_is_not_shown_as_zero() -> None:
    assert "not counted" in drawn(days(None, 4))[0]
    assert " 0 " in drawn(days(0, 4))[0]


def test_large_numbers_are_short() -> None:
    assert [short(number) for number in (0, 99_999, 123_456, 1_234_567, 2_500_000_000)] == [
        "0",
        "99,999",
        "123.5k",
        "1.2M",
        "2.5bn",
    ]


def test_wide_names_do_not_push_numbers_out() -> None:
    (title, *_) = drawn(days(7, name="日本語" * 20), size=(60, 9))
    assert "2026-10-01 7" in title and cell_len(title) <= 60


@pytest.mark.parametrize(
    ("highest", "top", "half"),
    [
        (0, "2", "1"),
        (3, "4", "2"),
        (10, "10", "5"),
        (11, "12", "6"),
        (97, "100", "50"),
        (12_345, "16,000", "8,000"),
        (123_456, "160k", "80,000"),
        (999_999, "1M", "500k"),
        (1_234_567, "1.6M", "800k"),
        (2_500_000_001, "3bn", "1.5bn"),
    ],
)
def test_the_axis_has_round_marks_that_hold_all_bars(highest: int, top: str, half: str) -> None:
    """A reader estimates a bar between 0 and 16,000, not between 0 and 12,345 with 6,172 in the middle."""
    marks = [line.split("│")[0].split()[:1] for line in drawn(days(highest, 1), size=(60, 14))[1:-2]]
    shown = [each[0] for each in marks if each and each[0][0].isdigit()]
    assert shown == [top, half]
