"""Ranges and lists of DDI numbers, as administrators and spreadsheets write them."""

from __future__ import annotations

import pytest

from svc_tui.workspace.voice.number_ranges import MOST_NUMBERS, summary, typed_numbers


def _numbers(text: str, country: str = "PRT") -> list[str]:
    found = typed_numbers(text, country)
    assert not any(each.problem for each in found), found
    return [each.number for each in found]


@pytest.mark.parametrize(
    "text",
    [
        *("210996100-119", "210996100 – 119", "210 996 100-210 996 119", "+351210996100..119", "00351210996100-119"),
        *("210996100 to 210996119", "210996100 x20", "210996100 × 20", "210 996 100 * 20", "210996100;20"),
        *("210996100\t20", "210996100-109\n210996110 x 10", "210996100-109; 210996110-119"),
        "\n".join(f"210 996 {number}" for number in range(100, 120)),
    ],
)
def test_ranges_sizes_and_lists_are_the_same_numbers(text: str) -> None:
    assert _numbers(text) == [f"+351210996{number}" for number in range(100, 120)]


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("210-996-100", "PRT", "+351210996100"),
        ("0211-123456", "DEU", "+49211123456"),
        ("(212) 555-0100", "USA", "+12125550100"),
        ("+44 20 7946 0958", "PRT", "+442079460958"),
    ],
)
def test_a_number_with_signs_inside_is_no_range(text: str, country: str, number: str) -> None:
    assert _numbers(text, country) == [number]


def test_the_end_of_a_range_may_have_any_length() -> None:
    assert _numbers("210996098-103") == [f"+351210996{number:03}" for number in range(98, 104)]
    assert _numbers("210996100-1") == ["+351210996100", "+351210996101"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("210996119-100", "is no range: the last number must follow the first one"),
        ("210996100 x 0", "is a range of no number"),
        ("reception", "contains the words: reception"),
        ("210996100\n210996100", "is in the list twice"),
        ("210996105", "exists already"),
    ],
)
def test_what_cannot_be_created_is_shown_with_the_reason(text: str, problem: str) -> None:
    found = typed_numbers(text, "PRT", {"+351210996105"})
    assert [each.problem for each in found if each.problem] == [problem]
    assert summary(found, "PRT")[1].endswith(problem)


def test_the_summary_has_the_number_and_the_bounds() -> None:
    found = typed_numbers("210996100-119\nreception", "PRT", {"+351210996100"})
    assert summary(found, "PRT") == ("19 numbers: 21 099 6101 to 21 099 6119", "21 099 6100 exists already")
    assert summary([], "PRT") == ("", "")


def test_a_mistyped_range_does_not_create_a_million_numbers() -> None:
    assert len(_numbers(f"210990000 x {MOST_NUMBERS}")) == MOST_NUMBERS
    for text in (f"210990000 x {MOST_NUMBERS + 1}", "210000000-999999", "210000000-9999999\n210996100"):
        with pytest.raises(ValueError, match="At most 1,000 numbers are created at once"):
            typed_numbers(text, "PRT")
