"""Comparison of invoices: lines matched by subscription and charge, the largest part first, to the cent."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from svc_tui.workspace.invoices.comparison import compare


def item(subscription: str, charge: str, amount: Any, quantity: Any = 1, tax: Any = 0, **fields: Any) -> dict[str, Any]:
    return {
        "subscriptionId": subscription,
        "subscriptionName": f"Subscription {subscription}",
        "chargeId": charge,
        "chargeName": f"Charge {charge}",
        "chargeAmount": amount,
        "quantity": quantity,
        "taxAmount": tax,
        **fields,
    }


def invoice(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"invoiceItems": list(items), **fields}


def summary(comparison: Any) -> list[tuple[str, str, list[str]]]:
    return [(part.charge.subscription_id, str(part.by), part.reasons) for part in comparison.parts]


def test_added_and_removed_charges_quantities_and_prices_are_listed_the_largest_first() -> None:
    before = invoice(item("a", "1", 100, 10), item("b", "1", 50, 5), item("c", "1", 7.5, 1), item("d", "1", 20, 2))
    after = invoice(item("a", "1", 140, 14), item("b", "1", 55, 5), item("e", "1", 30, 3), item("d", "1", 20, 2))
    found = compare(before, after)
    assert summary(found) == [
        ("a", "40", ["quantity 10 → 14, each 10.00"]),
        ("e", "30", ["new: 3 × 10.00"]),
        ("c", "-7.5", ["gone, was 1 × 7.50"]),
        ("b", "5", ["unit price 10.00 → 11.00"]),
    ]
    assert (found.before, found.after, found.by, found.rest) == (Decimal("177.5"), 245, Decimal("67.5"), 0)


def test_quantities_of_thousands_are_grouped() -> None:
    found = compare(invoice(item("a", "1", 18.75, 1875)), invoice(item("a", "1", 18.77, 1877)))
    assert summary(found)[0][2] == ["quantity 1,875 → 1,877, each 0.01"]


def test_the_same_charge_of_two_subscriptions_is_two_charges() -> None:
    before = invoice(item("a", "1", 10), item("b", "1", 10))
    after = invoice(item("a", "1", 12), item("b", "1", 10))
    assert [part.charge.subscription_id for part in compare(before, after).parts] == ["a"]


def test_a_price_below_a_cent_is_shown_with_its_digits() -> None:
    before, after = invoice(item("a", "1", 0.9, 900)), invoice(item("a", "1", 0.8, 800), item("b", "1", 0.1, 100))
    assert [each for _, _, each in summary(compare(before, after))] == [
        ["quantity 900 → 800, each 0.001"],
        ["new: 100 × 0.001"],
    ]


def test_parts_with_tax_are_recognised() -> None:
    assert not compare(invoice(item("a", "1", 10)), invoice(item("a", "1", 12))).taxed
    assert compare(invoice(item("a", "1", 10, 1, 2)), invoice()).taxed


def test_two_charges_of_one_subscription_are_kept_apart() -> None:
    before = invoice(item("a", "1", 10), item("a", "discount", -2))
    after = invoice(item("a", "1", 10), item("a", "discount", -1))
    assert [(part.charge.name, part.by) for part in compare(before, after).parts] == [("Charge discount", 1)]


def test_quantity_and_price_may_both_have_changed() -> None:
    found = compare(invoice(item("a", "1", 100, 10)), invoice(item("a", "1", 132, 12)))
    assert summary(found) == [("a", "32", ["quantity 10 → 12", "unit price 10.00 → 11.00"])]


def test_an_incomplete_first_month_is_not_a_price_change() -> None:
    part = item("a", "1", 50, 10, serviceStartDate="2026-09-16", serviceEndDate="2026-09-30")
    whole = item("a", "1", 100, 10, serviceStartDate="2026-10-01", serviceEndDate="2026-10-31")
    assert summary(compare(invoice(part), invoice(whole))) == [("a", "50", ["days 15 → 31"])]


def test_lines_of_one_charge_are_added_up_an_add_on_is_seen() -> None:
    before = invoice(item("a", "1", 100, 10))
    after = invoice(item("a", "1", 100, 10), item("a", "1", 40, 4))
    assert summary(compare(before, after)) == [("a", "40", ["quantity 10 → 14, each 10.00", "lines 1 → 2"])]


def test_a_change_of_tax_alone_is_listed() -> None:
    found = compare(invoice(item("a", "1", 100, 10, 19)), invoice(item("a", "1", 100, 10, 21)))
    assert summary(found) == [("a", "2", ["tax 19.00 → 21.00"])]


def test_a_difference_without_lines_is_a_separate_part() -> None:
    found = compare(invoice(item("a", "1", 100), amount=100), invoice(item("a", "1", 110), amount=104.99))
    assert (found.by, found.parts[0].by, found.rest) == (Decimal("4.99"), 10, Decimal("-5.01"))


def test_cents_do_not_get_lost_in_binary() -> None:
    before = invoice(*(item(str(number), "1", 0.1) for number in range(10)))
    found = compare(before, invoice(item("0", "1", 0.3)))
    assert found.by == Decimal("-0.7") == sum(part.by for part in found.parts)


def test_invoices_without_lines_or_with_invalid_lines_are_compared() -> None:
    odd = {"invoiceItems": ["x", {"chargeAmount": "?", "quantity": None}], "amount": 3}
    assert compare({}, odd).rest == 3
    assert compare({"invoiceItems": None}, {}).by == 0


cents = some.integers(-(10**7), 10**7).map(lambda value: Decimal(value) / 100)
items = some.lists(
    some.builds(item, some.sampled_from("abc"), some.sampled_from("12"), cents, some.integers(0, 60), cents), max_size=8
)


# Slow generation of examples says something about the machine, nothing about the comparison.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(items, items, cents | some.none())
def test_the_parts_and_the_rest_are_the_difference_exactly(before: Any, after: Any, amount: Any) -> None:
    found = compare(invoice(*before), invoice(*after, amount=amount))
    assert sum((part.by for part in found.parts), Decimal(0)) + found.rest == found.after - found.before
    sizes = [abs(part.by) for part in found.parts]
    assert sizes == sorted(sizes, reverse=True)


def test_a_price_below_a_cent_that_changed_is_the_reason_and_rounding_is_none() -> None:
    """An accountant looks for the price of a second that went from 0.0035 to 0.0040, and not for half a cent."""
    before, after = invoice(item("a", "1", 12.60, 3600)), invoice(item("a", "1", 14.40, 3600))
    assert [each for _, _, each in summary(compare(before, after))] == [["unit price 0.0035 → 0.004"]]
    before, after = invoice(item("a", "1", 3.33, 1)), invoice(item("a", "1", 10.00, 3))
    assert [each for _, _, each in summary(compare(before, after))] == [["quantity 1 → 3, each 3.333"]]
