"""Amounts in records: exact to the cent, and malformed ones do not prevent a sum."""

from __future__ import annotations

from decimal import Decimal

import pytest

from svc_tui.interface.money import amount, price, rounded, unit_price, written


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


@pytest.mark.parametrize(
    ("total", "quantity", "each"),
    [
        # The report: `3 × 0.00 = 0.01`. What is shown multiplies to the amount, to the cent.
        ("0.01", "3", "0.003"),
        ("307.50", "41", "7.50"),
        ("100", "3", "33.333"),
        ("-0.01", "3", "-0.003"),
        ("12.60", "3600", "0.0035"),
        ("0", "5", "0.00"),
        ("1234.00", "1", "1,234.00"),
    ],
)
def test_a_unit_price_has_the_digits_that_its_product_needs(total: str, quantity: str, each: str) -> None:
    assert unit_price(Decimal(total), Decimal(quantity)) == each
    assert rounded(Decimal(each.replace(",", "")) * Decimal(quantity)) == Decimal(total)


def test_a_declared_price_keeps_its_digits() -> None:
    assert [price(value) for value in (0.0035, "4.9", 5, "x", None)] == ["0.0035", "4.90", "5.00", "", ""]
