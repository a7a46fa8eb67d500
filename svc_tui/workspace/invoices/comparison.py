"""Comparison of two invoices: the charges that explain their difference, to the cent. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.money import CENT, amount, rounded, unit_price
from svc_tui.language import _, number_text

ZERO = Decimal(0)


@dataclass(slots=True)
class Charge:
    """One charge of one subscription in an invoice: the sum of its lines, with tax."""

    about: str = ""
    name: str = ""
    unit: str = ""
    net: Decimal = ZERO
    tax: Decimal = ZERO
    quantity: Decimal = ZERO
    days: int = 0
    lines: int = 0
    subscription_id: str = ""

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    @property
    def price(self) -> Decimal | None:
        """Net price of one unit; None without a quantity."""
        return self.net / self.quantity if self.quantity else None

    @property
    def price_text(self) -> str:
        """The same with the digits that it needs; empty without a quantity."""
        return unit_price(self.net, self.quantity) if self.quantity else ""


@dataclass(frozen=True, slots=True)
class ChargeDifference:
    """One charge in both invoices. `before` or `after` is None where it is in one of them only."""

    before: Charge | None
    after: Charge | None

    @property
    def charge(self) -> Charge:
        """The newer charge, for its names."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def by(self) -> Decimal:
        """Its part of the difference."""
        return (self.after.total if self.after else ZERO) - (self.before.total if self.before else ZERO)

    @property
    def reasons(self) -> list[str]:
        """The reasons of the difference as short texts; empty without a difference."""
        if self.before is None:
            return [_("new") + _counted(self.charge, ": ")]
        if self.after is None:
            return [_("gone") + _counted(self.charge, _(", was "))]
        return list(_reasons(self.before, self.after))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The parts of the difference, the largest first. The sum of the parts and `rest` is `by`."""

    before: Decimal
    after: Decimal
    parts: tuple[ChargeDifference, ...] = field(default=())
    rest: Decimal = ZERO

    @property
    def by(self) -> Decimal:
        return self.after - self.before

    @property
    def taxed(self) -> bool:
        """Whether the parts include taxes besides the quantities and prices of the reasons."""
        charged = [each for part in self.parts for each in (part.before, part.after) if each]
        return any(each.tax for each in charged)


def compare(before: RecordData, after: RecordData) -> Comparison:
    """Match the lines of two invoices by subscription and charge."""
    old, new = charges(before), charges(after)
    both = [ChargeDifference(old.get(key), new.get(key)) for key in dict.fromkeys((*new, *old))]
    parts = [part for part in both if part.by or part.reasons]
    parts.sort(key=lambda part: -abs(part.by))
    first, second = _amount(before, old), _amount(after, new)
    return Comparison(first, second, tuple(parts), second - first - sum((part.by for part in parts), ZERO))


def charges(invoice: RecordData) -> dict[tuple[str, str], Charge]:
    """The charges of an invoice by subscription and charge, for the match with another month."""
    found: dict[tuple[str, str], Charge] = {}
    for item in _items(invoice):
        subscription = str(item.get("subscriptionId") or item.get("subscriptionName") or "")
        # The identifier of a charge outlives its name; a discount is a separate charge.
        name = str(item.get("chargeId") or item.get("chargeName") or item.get("productName") or "")
        _add(found.setdefault((subscription, name), Charge()), item)
    return found


def _add(charge: Charge, item: Mapping[str, Any]) -> None:
    charge.subscription_id = charge.subscription_id or str(item.get("subscriptionId") or "")
    charge.about = charge.about or about(item)
    charge.name = charge.name or str(item.get("chargeName") or "")
    charge.unit = charge.unit or str(item.get("unitOfMeasure") or "")
    charge.net += amount(item.get("chargeAmount")) or ZERO
    charge.tax += amount(item.get("taxAmount")) or ZERO
    charge.quantity += amount(item.get("quantity")) or ZERO
    charge.days += _days(item)
    charge.lines += 1


def about(item: Mapping[str, Any]) -> str:
    """The description of a line, as the billing system names it."""
    names = ("chargeDescription", "productName", "subscriptionName", "subscriptionId")
    return next((str(item[name]) for name in names if item.get(name)), "")


def _items(invoice: RecordData) -> Iterable[Mapping[str, Any]]:
    items = invoice.get("invoiceItems")
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _amount(invoice: RecordData, found: Mapping[tuple[str, str], Charge]) -> Decimal:
    """The amount of an invoice, or the sum of its lines where the invoice has none."""
    total = amount(invoice.get("amount"))
    return sum((charge.total for charge in found.values()), ZERO) if total is None else total


def _days(item: Mapping[str, Any]) -> int:
    """Days of service, including both ends; 0 when unknown."""
    try:
        start = date.fromisoformat(str(item.get("serviceStartDate"))[:10])
        end = date.fromisoformat(str(item.get("serviceEndDate"))[:10])
    except ValueError:
        return 0
    return (end - start).days + 1


def _reasons(before: Charge, after: Charge) -> Iterator[str]:
    old, new = before.price, after.price
    if before.quantity != after.quantity:
        known = old is not None and new is not None and _same_price(before, after)
        each = _(", each {rounded}").format(rounded=after.price_text) if known else ""
        yield _("quantity {number} → {number_2}{each}").format(
            number=number(before.quantity), number_2=number(after.quantity), each=each
        )
    if before.lines != after.lines:
        yield _("lines {lines} → {lines_2}").format(lines=before.lines, lines_2=after.lines)
    if old is not None and new is not None and not _same_price(before, after):
        if _is_another_period(before, after):
            yield _("days {days} → {days_2}").format(days=before.days, days_2=after.days)
        else:
            yield _("unit price {rounded} → {rounded_2}").format(rounded=before.price_text, rounded_2=after.price_text)
    elif (old is None or new is None) and before.net != after.net and before.quantity == after.quantity:
        yield _("amount {before} → {after}").format(before=_cents(before.net), after=_cents(after.net))
    if before.tax != after.tax and before.net == after.net:
        yield _("tax {tax} → {tax_2}").format(tax=_cents(before.tax), tax_2=_cents(after.tax))


def _cents(amount: Decimal) -> str:
    return number_text(rounded(amount), ",.2f")


def _counted(charge: Charge, joined: str) -> str:
    """Quantity and price, such as `: 10 × 4.50`; empty without a quantity."""
    return f"{joined}{number(charge.quantity)} × {charge.price_text}" if charge.net and charge.quantity else ""


def _same_price(before: Charge, after: Charge) -> bool:
    """Whether the unit prices are equal but for the rounding of each line to whole cents."""
    old, new = before.price, after.price
    if old is None or new is None:
        return old is new
    rounding = sum((CENT / 2 * each.lines / abs(each.quantity) for each in (before, after)), ZERO)
    return abs(new - old) <= rounding


def _is_another_period(before: Charge, after: Charge) -> bool:
    """Whether the periods differ by more days than months do."""
    return bool(before.days and after.days) and abs(before.days - after.days) > 3


def number(value: Decimal) -> str:
    """A quantity without trailing zeros: `1,041`, `2.5`."""
    return number_text(value.normalize(), ",f") if value else "0"
