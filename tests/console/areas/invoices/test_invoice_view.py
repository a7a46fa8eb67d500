"""Why an invoice changed, as lines: whatever the service put into names and currencies, a terminal only shows it."""

from __future__ import annotations

import pytest

from svc_tui.console.areas.invoices.actions import common_currency
from svc_tui.console.areas.invoices.invoice_view import ComparisonView, money_of
from svc_tui.console.core.places import Place
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.invoices.comparison import compare

HOSTILE = "\x1b[2J\u202e"


def invoice(amount: float) -> dict[str, object]:
    item = {
        "subscriptionId": f"s{HOSTILE}",
        "chargeId": f"c{HOSTILE}",
        "chargeName": f"Licences{HOSTILE}",
        "productName": f"Business{HOSTILE}",
        "unitOfMeasure": HOSTILE,
        "quantity": 10,
        "chargeAmount": amount,
    }
    return {"invoiceNumber": f"INV-1{HOSTILE}", "invoiceDate": HOSTILE, "amount": amount, "invoiceItems": [item]}


def test_invoice_texts_are_drawn_safely() -> None:
    before, after = invoice(10), invoice(12)
    found = compare(before, after)
    view = ComparisonView(Place(("invoices",)), BY_NAME["invoices"], before, after, found, f"EUR{HOSTILE}")
    drawn = "".join(f"{line.label}{line.value}{line.note}" for line in view._lines(80))
    assert "Business" in drawn and "EUR" in drawn
    assert not set(drawn) & set(HOSTILE[:1] + HOSTILE[-1])


def test_invoices_are_compared_in_the_currency_that_they_have() -> None:
    euros, dollars, unknown = {"currency": "EUR"}, {"currency": "USD"}, dict[str, object]()
    # The partner pays in dollars now.
    assert common_currency(euros, euros, dollars) == "EUR"
    assert common_currency(unknown, dollars, dollars) == "USD"
    for other in (dollars, unknown):
        with pytest.raises(ReadError, match="One invoice is in EUR, the other in USD"):
            common_currency(euros, other, dollars)


def test_a_credit_note_shows_its_refund() -> None:
    note = {"amount": -20.0, "balance": -5.5, "creditBalanceAdjustmentAmount": -1.0}
    assert [money_of(note, wire, "EUR") for wire in note] == [
        "-20.00 EUR, a credit note",
        "5.50 EUR to be refunded",
        "-1.00 EUR",
    ]
    assert money_of({"balance": 0}, "balance", "EUR") == "0.00 EUR"
