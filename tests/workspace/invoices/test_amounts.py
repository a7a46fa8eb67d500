"""Amounts of invoicing files in the forms of programs and accountants; a total that lacks one is marked."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest

from svc_tui.workspace.invoices.amounts import read_amount
from svc_tui.workspace.invoices.lines import AMOUNTS, Summary, Totals, summarise


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1234.5", "1234.5"),
        ("1,234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1\u00a0234\u202f567,5", "1234567.5"),
        ("1'234.50", "1234.50"),
        ("1’234’567.50", "1234567.50"),
        ("12,34,567.89", "1234567.89"),
        ("1.234.567", "1234567"),
        ("12,50", "12.50"),
        (",5", "0.5"),
        (".5", "0.5"),
        ("4.00-", "-4.00"),
        ("(7.00)", "-7.00"),
        ("( 1,234.56 )", "-1234.56"),
        ("\u22127,00", "-7.00"),
        ("- 7.00", "-7.00"),
        ("+7.00", "7.00"),
        ("$1,234.56", "1234.56"),
        ("-€ 12,50", "-12.50"),
        ("€ -12,50", "-12.50"),
        ("12.50 EUR", "12.50"),
        ("CHF 1'000.00", "1000.00"),
        ("(12,50 €)", "-12.50"),
        ("0.125", "0.125"),
        ("1234.567", "1234.567"),
        ("0", "0"),
    ],
)
def test_amounts_in_the_usual_forms_are_read(text: str, value: str) -> None:
    read = read_amount(text)
    assert read is not None and read.value == Decimal(value)
    assert read.doubt == ""


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "-",
        "()",
        "(7.00",
        "7.00)",
        "-(7.00)",
        "(7.00)-",
        "-7-",
        "1,2,3",
        "1.23,456,7",
        "12.34.56",
        "1,234.56.7",
        "1e30",
        "7 8",
        "NaN",
        "12.50 EUR USD",
    ],
)
def test_anything_else_is_no_amount(text: str) -> None:
    assert read_amount(text) is None


def of(*amounts: str) -> Summary:
    """A file with these amounts of the partner, in lines of one customer."""
    lines = "".join(f'EUR;1;Elm;Voice;User;1;0;"{each}";0\r\n' for each in amounts)
    names = "currency;endCustomerCompanyId;endCustomerCompanyName;svcServiceId;unit;volume"
    return summarise(io.BytesIO(f"{names};{';'.join(AMOUNTS)}\r\n{lines}".encode()))


def test_a_file_of_mixed_forms_is_added_up_whole() -> None:
    """The four forms of the report: an accountant adds 1,234.56 + 12.50 - 4.00 - 7.00."""
    found = of("1,234.56", "12,50", "4.00-", "(7.00)")
    assert (found.currencies[0].amounts[1], found.unreadable) == (Decimal("1236.06"), 0)
    assert found.customers[0].amounts == found.services[0].amounts == found.currencies[0].amounts


@pytest.mark.parametrize(
    ("amounts", "total"),
    [
        # What the other amounts of the file show decides one that stands for two numbers.
        (("1.234", "12,50"), "1246.50"),
        (("1,234", "12.50"), "1246.50"),
        (("1.234", "12.50"), "13.734"),
        (("1,234", "12,50"), "13.734"),
        (("1.234", "1.234.567"), "1235801"),
        # Programs write a point before decimals.
        (("1.234", "7"), "8.234"),
    ],
)
def test_an_amount_with_two_meanings_is_read_as_the_others_of_its_file(amounts: tuple[str, ...], total: str) -> None:
    for order in (amounts, amounts[::-1]):
        found = of(*order)
        assert (found.currencies[0].amounts[1], found.unreadable) == (Decimal(total), 0)


@pytest.mark.parametrize("amounts", [("1,234", "7"), ("1,234", "12,50", "12.50"), ("1.234", "12,50", "12.50")])
def test_an_amount_that_stays_in_doubt_is_not_guessed_and_its_total_is_marked(amounts: tuple[str, ...]) -> None:
    found = of(*amounts)
    assert found.unreadable == found.currencies[0].incomplete == 1
    row = Totals(found.customers).row(0)
    assert row is not None and row["incomplete"] == [AMOUNTS[1]] and row["unreadable"] == 1


def test_a_total_is_complete_beside_one_that_is_not() -> None:
    lines = "EUR,1,Elm,2.00\r\nEUR,1,Elm,n/a\r\nEUR,2,Oak,3.00\r\nEUR,2,Oak\r\nEUR,3,Fir,\r\n"
    head = f"currency,endCustomerCompanyId,endCustomerCompanyName,{AMOUNTS[0]}\r\n"
    found = summarise(io.BytesIO((head + lines).encode()))
    by_name = {total.name: total for total in found.customers}
    # An amount that is no number and a line that is cut off are missing; an empty amount is none.
    assert {name: total.incomplete for name, total in by_name.items()} == {"Elm": 1, "Oak": 1, "Fir": 0}
    assert found.currencies[0].incomplete == found.unreadable == 2
    # A column that the file does not have has no sum, rather than 0.00.
    assert [by_name["Elm"].amount(name) for name in AMOUNTS] == [Decimal("2.00"), None, None]
