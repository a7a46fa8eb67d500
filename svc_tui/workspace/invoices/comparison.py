"""Two invoices side by side: what makes the difference between them, to the cent. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from svc_tui.interface.money import amount, rounded

Invoice = Mapping[str, Any]
ZERO = Decimal(0)


@dataclass(slots=True)
class Charge:
    """What one charge of one subscription comes to in an invoice: all its lines together, with tax."""

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
        """Net for one unit; None where nothing is counted."""
        return self.net / self.quantity if self.quantity else None


@dataclass(frozen=True, slots=True)
class Difference:
    """One charge in both invoices. `before` or `after` is None where it is in one of them only."""

    before: Charge | None
    after: Charge | None

    @property
    def charge(self) -> Charge:
        """The newer of the two, for its names."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def by(self) -> Decimal:
        """What it adds to the difference."""
        return (self.after.total if self.after else ZERO) - (self.before.total if self.before else ZERO)

    @property
    def reasons(self) -> list[str]:
        """Why, in a few words each; empty where nothing differs."""
        if self.before is None:
            return [f"new{_counted(self.charge, ': ')}"]
        if self.after is None:
            return [f"gone{_counted(self.charge, ', was ')}"]
        return list(_reasons(self.before, self.after))


@dataclass(frozen=True, slots=True)
class Comparison:
    """What makes the difference, the largest parts first. The parts and `rest` are `by` exactly."""

    before: Decimal
    after: Decimal
    parts: tuple[Difference, ...] = field(default=())
    rest: Decimal = ZERO

    @property
    def by(self) -> Decimal:
        return self.after - self.before

    @property
    def taxed(self) -> bool:
        """Whether the parts hold taxes beside what the reasons tell of quantities and prices."""
        charged = [each for part in self.parts for each in (part.before, part.after) if each]
        return any(each.tax for each in charged)


def compare(before: Invoice, after: Invoice) -> Comparison:
    """Match the lines of two invoices by subscription and charge."""
    old, new = charges(before), charges(after)
    both = [Difference(old.get(key), new.get(key)) for key in dict.fromkeys((*new, *old))]
    parts = [part for part in both if part.by or part.reasons]
    parts.sort(key=lambda part: -abs(part.by))
    was, now = _amount(before, old), _amount(after, new)
    return Comparison(was, now, tuple(parts), now - was - sum((part.by for part in parts), ZERO))


def charges(invoice: Invoice) -> dict[tuple[str, str], Charge]:
    """The charges of an invoice, by what a charge of another month is matched with."""
    found: dict[tuple[str, str], Charge] = {}
    for item in _items(invoice):
        subscription = str(item.get("subscriptionId") or item.get("subscriptionName") or "")
        # An identifier of a charge outlives its name; a discount on it is a charge of its own.
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
    """What a line is for, in the words of the billing system."""
    names = ("chargeDescription", "productName", "subscriptionName", "subscriptionId")
    return next((str(item[name]) for name in names if item.get(name)), "")


def _items(invoice: Invoice) -> Iterable[Mapping[str, Any]]:
    items = invoice.get("invoiceItems")
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _amount(invoice: Invoice, found: Mapping[tuple[str, str], Charge]) -> Decimal:
    """What the invoice says that it comes to; where it does not, its lines do."""
    told = amount(invoice.get("amount"))
    return sum((charge.total for charge in found.values()), ZERO) if told is None else told


def _days(item: Mapping[str, Any]) -> int:
    """Days of service, both ends counted; 0 where nobody said."""
    try:
        start = date.fromisoformat(str(item.get("serviceStartDate"))[:10])
        end = date.fromisoformat(str(item.get("serviceEndDate"))[:10])
    except ValueError:
        return 0
    return (end - start).days + 1


def _reasons(before: Charge, after: Charge) -> Iterator[str]:
    old, new = before.price, after.price
    if before.quantity != after.quantity:
        known = old is not None and new is not None and rounded(old) == rounded(new)
        each = f", each {rounded(new):,.2f}" if known and new is not None and rounded(new) else ""
        yield f"quantity {number(before.quantity)} → {number(after.quantity)}{each}"
    if before.lines != after.lines:
        yield f"lines {before.lines} → {after.lines}"
    if old is not None and new is not None and rounded(old) != rounded(new):
        if _is_another_period(before, after):
            yield f"days {before.days} → {after.days}"
        else:
            yield f"unit price {rounded(old):,.2f} → {rounded(new):,.2f}"
    elif (old is None or new is None) and before.net != after.net and before.quantity == after.quantity:
        yield f"amount {before.net:,.2f} → {after.net:,.2f}"
    if before.tax != after.tax and before.net == after.net:
        yield f"tax {before.tax:,.2f} → {after.tax:,.2f}"


def _counted(charge: Charge, joined: str) -> str:
    """`: 10 × 4.50`, so that an amount can be followed; empty where nothing is counted."""
    price = charge.price
    # A price below a cent says nothing.
    return f"{joined}{number(charge.quantity)} × {rounded(price):,.2f}" if price is not None and rounded(price) else ""


def _is_another_period(before: Charge, after: Charge) -> bool:
    """Whether the service ran longer in one of them, by more than months differ in length."""
    return bool(before.days and after.days) and abs(before.days - after.days) > 3


def number(value: Decimal) -> str:
    """A quantity without noughts behind the point: `41`, `2.5`."""
    return f"{value.normalize():f}" if value else "0"
