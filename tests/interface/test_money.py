"""Amounts in records: exact to the cent, and malformed ones do not prevent a sum."""

from __future__ import annotations

from decimal import Decimal

import pytest

from svc_tui.interface.money import amount, rounded, written


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (0.1, "0.1"),
        ("12.345", "12.345"),
        (" 7 ", "7"),
        (-3, "-3"),
        ("9999999999999999.99", "9999999999999999.99"),
    ],
)
def test_numbers_and_texts_are_amounts(value: object, found: str) -> None:
    assert amount(value) == Decimal(found)


@pytest.mark.parametrize("value", [None, "", True, "x", "NaN", "Infinity", "1e16", "-1e30", "1e999999999", 1e300, []])
def test_other_values_are_no_amounts(value: object) -> None:
    assert amount(value) is None
    assert written(value, "EUR") == ""


def test_halves_are_rounded_away_from_zero_for_every_magnitude() -> None:
    assert (rounded(Decimal("0.125")), rounded(Decimal("-0.125"))) == (Decimal("0.13"), Decimal("-0.13"))
    assert rounded(Decimal(10) / Decimal("1e-300")) == Decimal("1e301")
    assert rounded(Decimal("1e-300")) == 0
