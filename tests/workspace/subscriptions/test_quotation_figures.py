"""The amounts of a quotation: promotion, months with a discount, and names of charges."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from svc_tui.workspace.subscriptions.quoting import charge_name, promoted_months, without_promotion

#: Twelve months for 12.00 each, of which a promotion takes off a tenth for six; today the discount continues.
SERVICE = {"productRatePlanChargeId": "c1", "mrr": 12.0, "dmrr": 2.0, "tcv": 144.0, "dtcv": 24.0}
OFF = {"productRatePlanChargeId": "p1", "mrr": -1.2, "dmrr": -0.2, "tcv": -7.2, "dtcv": -1.2}


def quoted(*charges: dict[str, Any]) -> dict[str, Any]:
    """A quotation of these charges, with a line of the invoice for the service."""
    items = [{"productRatePlanChargeId": "c1", "chargeName": "Licences"}]
    return {"chargeMetrics": list(charges), "invoiceItems": items}


def test_the_costs_after_the_promotion_are_the_charges_without_discounts() -> None:
    found = without_promotion(quoted(SERVICE, OFF))
    assert (found.today, found.then) == (Decimal("10.0"), Decimal("12.0"))


def test_without_a_promotion_there_are_no_costs_after_it() -> None:
    found = without_promotion(quoted(SERVICE))
    assert (found.today, found.then) == (None, None)
    ended = without_promotion(quoted(SERVICE, {**OFF, "mrr": 0.0, "dmrr": 1.0}))
    assert (ended.today, ended.then) == (Decimal("10.0"), None)


@pytest.mark.parametrize(
    ("charges", "months"),
    [
        ([SERVICE, OFF], 6),
        ([SERVICE], None),
        ([{**SERVICE, "tcv": 12.0}, {**OFF, "tcv": -1.2}], None),
        ([SERVICE, {**OFF, "tcv": -7.0}], None),
        ([SERVICE, OFF, {**OFF, "tcv": -1.2}], None),
    ],
)
def test_the_months_of_a_promotion_follow_from_monthly_amount_and_term(
    charges: list[dict[str, Any]], months: int | None
) -> None:
    assert promoted_months(quoted(*charges)) == months


def test_a_charge_has_the_name_of_its_invoice_line() -> None:
    quotation = quoted(SERVICE, OFF)
    assert charge_name(SERVICE, quotation, "Business") == "Licences"
    assert charge_name(OFF, quotation, "Business") == "Discount"
    assert charge_name({**SERVICE, "productRatePlanChargeId": "c2"}, quotation, "Business") == "Business"
