"""What a typed text can be, in every notation that users know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.workspace.kinds.search_rule import Meaning
from svc_tui.workspace.search.recognition import WORDS, in_words, meanings

MAC = "0274a12b79cd"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ana.lopes@northwind.example", {"email"}),
        ("@northwind.example", {"email"}),
        ("ana lopes @ work", {"name"}),
        ("+351 210 992 005", {"number"}),
        ("00351-210-992-005", {"number"}),
        ("(0113) 496 0001", {"number"}),
        ("+44 (0)113 496 0001", {"number"}),
        ("210992005", {"number", "reference"}),
        ("2005", {"extension", "reference"}),
        ("*21", {"extension"}),
        ("02:74:a1:2b:79:cd", {"mac"}),
        ("02-74-A1-2B-79-CD", {"mac"}),
        ("0274.a12b.79cd", {"mac"}),
        ("0274a1-2b79cd", {"mac"}),
        ("0274A12B79CD", {"mac"}),
        ("a1:2b", {"mac"}),
        ("c2d232585acdc3ac7a1f49a3", {"id", "reference"}),
        ("C2D232585ACDC3AC7A1F49A3", {"id", "reference"}),
        ("123e4567-e89b-12d3-a456-426614174000", {"uuid", "reference"}),
        ("INV-2026-11-13297", {"reference", "name", "word"}),
        ("cnovak", {"name", "word"}),
        ("Clara Novak", {"name"}),
        ("décadé", {"name", "word"}),
        ("3M", {"name", "word"}),
        ("x", set()),
        ("   ", set()),
    ],
)
def test_a_text_is_recognised_by_its_notation(text: str, expected: set[Meaning]) -> None:
    assert set(meanings(text)) == expected


@pytest.mark.parametrize(
    "text", ["02:74:a1:2b:79:cd", "02-74-A1-2B-79-CD", "0274.a12b.79cd", "0274A12B79CD", "0274a1-2b79cd"]
)
def test_a_mac_address_is_the_same_in_every_notation(text: str) -> None:
    assert meanings(text)["mac"] == MAC


@given(st.text(max_size=60))
def test_every_text_can_be_searched_for_and_named(text: str) -> None:
    found = meanings(text)
    assert all(value and value == value.strip() for value in found.values())
    assert in_words(found).count(",") == max(len(found) - 1, 0)
    assert set(found) <= set(WORDS)


@given(st.text("0123456789abcdef", min_size=12, max_size=12), st.sampled_from([":", "-", " "]))
def test_pairs_of_hexadecimal_digits_are_a_mac_address(digits: str, between: str) -> None:
    pairs = between.join(digits[at : at + 2] for at in range(0, 12, 2))
    assert meanings(pairs)["mac"] == meanings(digits)["mac"] == digits


@given(st.text("0123456789", min_size=9, max_size=12), st.lists(st.sampled_from(" -./"), min_size=12, max_size=12))
def test_separators_do_not_change_that_digits_are_a_number(digits: str, between: list[str]) -> None:
    spread = "".join(f"{digit}{between[at] if at % 3 == 2 else ''}" for at, digit in enumerate(digits)).rstrip(" -./")
    assert "number" in meanings(f"+{spread}")
