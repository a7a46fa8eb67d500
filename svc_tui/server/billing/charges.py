"""Charges of terms: per month, for the whole term, and on the next invoice. Decimal, in whole cents per line."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from svc_tui.interface.money import rounded
from svc_tui.interface.months import months_after
from svc_tui.server.billing.interface import Promotion, Terms

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ChargeLine:
    """A line of the next invoice: a charge from its first to its last day, or a `discount` by a promotion."""

    since: date
    until: date
    amount: Decimal
    quantity: int
    name: str
    description: str
    discount: bool = False


@dataclass(frozen=True, slots=True)
class PricedTerms:
    """Terms with the monthly price per unit and the promotion that applies.

    `promoted_until` is the last day of the promotion, None if it applies to the whole term.
    """

    terms: Terms
    unit: Decimal
    promotion: Promotion | None = None
    promoted_until: date | None = None

    @property
    def month(self) -> Decimal:
        """The price per month before the discount."""
        return self.unit * self.terms.seats

    @property
    def discount(self) -> Decimal:
        """The discount per month."""
        return rounded(self.month * self.promotion.percent / 100) if self.promotion else Decimal(0)

    @property
    def months(self) -> int:
        """The number of agreed months: the term, the months until the last day, or one."""
        terms = self.terms
        if terms.months:
            return terms.months
        if terms.ends is None:
            return 1
        whole = (terms.ends.year - terms.starts.year) * 12 + terms.ends.month - terms.starts.month
        return max(whole, 1)

    @property
    def value(self) -> Decimal:
        """The price of the whole term before the discount."""
        return self.month * self.months

    @property
    def value_discount(self) -> Decimal:
        """The discount for the whole term."""
        if self.promotion is None:
            return Decimal(0)
        months = min(self.promotion.months or self.months, self.months)
        return rounded(self.month * months * self.promotion.percent / 100)


def next_invoice(requested: PricedTerms, current: PricedTerms | None, today: date) -> tuple[date, list[ChargeLine]]:
    """The day of the next invoice and its lines. Prepaid terms are billed today, months at their end."""
    if requested.terms.months:
        # A monthly subscription has no prepaid bill: its new term is billed like a first one.
        return _prepaid(requested, current if current and current.terms.months else None, today)
    return _monthly(requested, current, today)


def _monthly(requested: PricedTerms, current: PricedTerms | None, today: date) -> tuple[date, list[ChargeLine]]:
    first = today.replace(day=1)
    days = monthrange(today.year, today.month)[1]
    last = first + timedelta(days=days - 1)
    lines = []
    if current is not None and current.terms.seats:
        since = max(first, current.terms.starts)
        lines += _lines(current, current.terms.seats, since, last, Decimal((last - since).days + 1) / days, "")
    more = requested.terms.seats - (current.terms.seats if current else 0)
    left = Decimal((last - today).days + 1) / days
    if more:
        lines += _lines(requested, more, today, last, left, _change(current, more))
    elif current is not None and _net_month(requested) != _net_month(current):
        difference = rounded((_net_month(requested) - _net_month(current)) * left)
        lines.append(_line(requested, today, last, difference, requested.terms.seats, "Price", "new price from today"))
    return last + _DAY, lines


def _net_month(priced: PricedTerms) -> Decimal:
    return priced.month - priced.discount


def _prepaid(requested: PricedTerms, current: PricedTerms | None, today: date) -> tuple[date, list[ChargeLine]]:
    terms = requested.terms
    since, until = _period(terms, today)
    whole = _months_of(requested, since, until)
    if current is None:
        return today, _lines(requested, terms.seats, since, until, whole, _paid(terms))
    lines = []
    if more := terms.seats - current.terms.seats:
        # Licences added during a term are charged from today to the end of the period already paid.
        paid_until = _period(current.terms, today)[1]
        span = max((paid_until - since).days + 1, 1)
        part = _months_of(current, since, paid_until) * max((paid_until - today).days + 1, 0) / span
        lines += _lines(requested, more, today, paid_until, part, _change(current, more))
    longer = terms.months - current.terms.months
    if longer > 0 and terms.upfront:
        end = _period(current.terms, today)[1]
        lines += _lines(requested, terms.seats, end + _DAY, until, Decimal(longer), "longer term")
    if lines:
        return today, lines
    next_day = until + _DAY
    if until < _last_day(terms):
        end = min(months_after(next_day, 12) - _DAY, _last_day(terms))
        return next_day, _lines(requested, terms.seats, next_day, end, _months_of(requested, next_day, end), "")
    if terms.renewal_months:
        end = months_after(next_day, terms.renewal_months) - _DAY
        months = Decimal(terms.renewal_months)
        return next_day, _lines(requested, terms.renewal_seats, next_day, end, months, "renewal", promoted=False)
    return today, []


def _last_day(terms: Terms) -> date:
    return months_after(terms.starts, terms.months) - _DAY


def _period(terms: Terms, today: date) -> tuple[date, date]:
    """The period covered by one bill on a day: the whole term, or the current year of the term."""
    if terms.upfront:
        return terms.starts, _last_day(terms)
    year = 0
    while year + 12 < terms.months and months_after(terms.starts, year + 12) <= today:
        year += 12
    since = months_after(terms.starts, year)
    return since, min(months_after(terms.starts, year + 12) - _DAY, _last_day(terms))


def _months_of(priced: PricedTerms, since: date, until: date) -> Decimal:
    """The whole months of a period of the term."""
    after = until + _DAY
    return Decimal((after.year - since.year) * 12 + after.month - since.month)


def _lines(
    priced: PricedTerms,
    quantity: int,
    since: date,
    until: date,
    months: Decimal,
    description: str,
    *,
    promoted: bool = True,
) -> list[ChargeLine]:
    """A charge for a number of months, and the discount of the promotion."""
    net = priced.unit * quantity * months
    lines = [_line(priced, since, until, rounded(net), quantity, _name(priced), description)]
    promotion = priced.promotion if promoted else None
    if promotion is not None and (counted := _promoted(priced, promotion, since, until, months)):
        discount = rounded(priced.unit * quantity * counted * promotion.percent / 100)
        text = f"{promotion.percent} % off"
        if priced.promoted_until is not None:
            text += f" until {priced.promoted_until}"
        lines.append(ChargeLine(since, until, -discount, 1, f"Promotion {promotion.name}", text, discount=True))
    return lines


def _promoted(priced: PricedTerms, promotion: Promotion, since: date, until: date, months: Decimal) -> Decimal:
    """The part of these months, between two days, to which a promotion applies."""
    last = priced.promoted_until
    if last is None or last >= until:
        return min(Decimal(promotion.months or priced.months), months)
    if last < since:
        return Decimal(0)
    if months > 1 and (last + _DAY).day == since.day:
        return _months_of(priced, since, last)
    return months * ((last - since).days + 1) / ((until - since).days + 1)


def _line(
    priced: PricedTerms, since: date, until: date, amount: Decimal, quantity: int, name: str, text: str
) -> ChargeLine:
    product = priced.terms.offer.name or ""
    return ChargeLine(since, until, amount, quantity, name, f"{product}: {text}" if text else product)


def _name(priced: PricedTerms) -> str:
    return {"flat_fee": "Flat fee", "nb_services": "Services"}.get(priced.terms.offer.business_model or "", "Licences")


def _paid(terms: Terms) -> str:
    return f"{terms.months} months" if terms.upfront else f"first year of {terms.months} months"


def _change(current: PricedTerms | None, more: int) -> str:
    if current is None:
        return "from today"
    return f"{abs(more)} {'more' if more > 0 else 'fewer'} from today"
