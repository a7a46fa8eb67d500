"""Why an invoice changed, as lines: whatever the service put into names and currencies, a terminal only shows it."""

from __future__ import annotations

from svc_tui.console.areas.invoices.invoice_view import ComparisonView
from svc_tui.console.core.places import Place
from svc_tui.console.shell.resources import BY_NAME
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
