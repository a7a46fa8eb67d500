"""Tables on standard output: numbers are aligned to the right, amounts at their point."""

from __future__ import annotations

import pytest

from svc_tui.commands.output import Table, write_table

INVOICES = [
    {"number": "A-1", "amount": 1105.2, "lines": 3, "status": None},
    {"number": "A-22", "amount": 7, "lines": 12, "status": "paid"},
    {"number": "A-3", "amount": -0.5, "lines": 104, "status": "open"},
]


def test_amounts_have_their_cents_and_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(INVOICES, ["number", "amount", "lines", "status"])
    assert capsys.readouterr().out.splitlines() == [
        "NUMBER   AMOUNT  LINES  STATUS",
        "A-1     1105.20      3",
        "A-22       7.00     12  paid",
        "A-3       -0.50    104  open",
    ]


def test_a_price_below_a_cent_keeps_its_digits_in_later_rows_too(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(["price"], [{"price": 0.0035}, {"price": 12.0}])
    table.write([{"price": 0.0035}, {"price": 12.0}, {"price": 0.00001234}, {"price": 0.123456}])
    assert capsys.readouterr().out.splitlines() == ["  PRICE", " 0.0035", "12.0000", "1.234e-05", "0.123456"]


def test_parts_in_per_cent_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(
        [{"in use": "6 %", "name": "a"}, {"in use": "100 %", "name": "b"}], ["in use", "name"], right={"in use"}
    )
    assert capsys.readouterr().out.splitlines() == ["IN USE  NAME", "   6 %  a", " 100 %  b"]


@pytest.mark.parametrize("value", [True, "12.50", ["x"], {"a": 1}])
def test_columns_of_other_values_stay_left(capsys: pytest.CaptureFixture[str], value: object) -> None:
    write_table([{"value": value}, {"value": 1}, {"value": 22}], ["value"])
    assert capsys.readouterr().out.splitlines()[-2:] == ["1", "22"]
