"""Charges of terms: per month, for the whole term, and on the next invoice. Decimal, in whole cents per line."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from svc_tui.interface.dates import last_day_of, months_after, months_between
from svc_tui.interface.money import rounded, written
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

    `promoted_until` is the last day of the promotion, None if it applies to the whole term. `renewal_unit` is the price
    in the term after the renewal, None if it is the same.
    """

    terms: Terms
    unit: Decimal
    promotion: Promotion | None = None
    promoted_until: date | None = None
    renewal_unit: Decimal | None = None

    @property
    def month(self) -> Decimal:
        """The price per month before the discount."""
        return self.unit * self.terms.seats

    @property
    def discount(self) -> Decimal:
        """The discount per month."""
        return rounded(self.month * self.promotion.percent / 100) if self.promotion else Decimal(0)

    @property
    def months(self) -> Fraction:
        """The agreed months: until the last day, also with a part of a month; of the term without one; or one."""
        terms = self.terms
        if terms.ends is None:
            return Fraction(terms.months or 1)
        return months_between(terms.starts, terms.ends, terms.anchor)

    @property
    def value(self) -> Decimal:
        """The price of the whole term before the discount."""
        return _for_months(self.month, self.months)

    @property
    def value_discount(self) -> Decimal:
        """The discount for the whole term."""
        if self.promotion is None:
            return Decimal(0)
        months = min(Fraction(self.promotion.months) or self.months, self.months)
        return _for_months(self.month * self.promotion.percent / 100, months)


def next_invoice(requested: PricedTerms, current: PricedTerms | None, today: date) -> tuple[date, list[ChargeLine]]:
    """The day of the next invoice and its lines. Prepaid terms are billed today, months at their end."""
    if requested.terms.months:
        # A monthly subscription has no prepaid bill: its new term is billed like a first one.
        return _prepaid(requested, current if current and current.terms.months else None, today)
    return _monthly(requested, current, today)


def _monthly(requested: PricedTerms, current: PricedTerms | None, today: date) -> tuple[date, list[ChargeLine]]:
    first = today.replace(day=1)
    days = monthrange(today.year, today.month)[1]
    target = first + timedelta(days=days)
    # What is charged ends where the subscription ends.
    last = min(target - _DAY, requested.terms.ends or date.max)
    lines = []
    if current is not None and current.terms.seats:
        since, until = max(first, current.terms.starts), min(target - _DAY, current.terms.ends or date.max)
        if since <= until:
            lines += _lines(current, current.terms.seats, since, until, Fraction((until - since).days + 1, days), "")
    if today > last:
        return target, lines
    more = requested.terms.seats - (current.terms.seats if current else 0)
    left = Fraction((last - today).days + 1, days)
    if more:
        lines += _lines(requested, more, today, last, left, _change(current, more))
    elif current is not None and _net_month(requested) != _net_month(current):
        difference = _for_months(_net_month(requested) - _net_month(current), left)
        lines.append(_line(requested, today, last, difference, requested.terms.seats, "Price", "new price from today"))
    return target, lines


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
        part = _months_of(current, since, paid_until) * Fraction(max((paid_until - today).days + 1, 0), span)
        lines += _lines(requested, more, today, paid_until, part, _change(current, more))
    end = _period(current.terms, today)[1]
    if terms.months > current.terms.months and terms.upfront and end < until:
        longer = _months_of(requested, end + _DAY, until)
        lines += _lines(requested, terms.seats, end + _DAY, until, longer, "longer term")
    if lines:
        return today, lines
    next_day = until + _DAY
    if until < _last_day(terms):
        end = min(last_day_of(next_day, 12, terms.anchor), _last_day(terms))
        return next_day, _lines(requested, terms.seats, next_day, end, _months_of(requested, next_day, end), "")
    if terms.renewal_months:
        return next_day, [_renewal(requested, next_day)]
    return today, []


def renewed(terms: Terms) -> Terms:
    """The terms after the renewal, at the price list of its day."""
    starts, months = _last_day(terms) + _DAY, terms.renewal_months
    return replace(
        terms,
        starts=starts,
        ends=last_day_of(starts, months, terms.anchor),
        months=months,
        seats=terms.renewal_seats,
        locked=None,
        promo="",
    )


def _renewal(priced: PricedTerms, starts: date) -> ChargeLine:
    """The first bill of the term after the renewal: of its first year, or of the whole term, which is named too."""
    terms = renewed(priced.terms)
    new = PricedTerms(terms, priced.unit if priced.renewal_unit is None else priced.renewal_unit)
    since, until = _period(terms, starts)
    net = _for_months(new.month, _months_of(new, since, until))
    text = f"renewal, {_paid(terms)}"
    if until < _last_day(terms):
        text += f" (whole term {written(new.value, terms.currency)})"
    return _line(new, since, until, net, terms.seats, _name(new), text)


def _last_day(terms: Terms) -> date:
    """The last day that is charged: the end of the subscription, or of its term where no end is known."""
    return terms.ends or last_day_of(terms.starts, terms.months, terms.anchor)


def _period(terms: Terms, today: date) -> tuple[date, date]:
    """The period covered by one bill on a day: the whole term, or the current year of the term."""
    if terms.upfront:
        return terms.starts, _last_day(terms)
    year, last = 0, _last_day(terms)
    while months_after(terms.starts, year + 12, terms.anchor) <= min(today, last):
        year += 12
    since = months_after(terms.starts, year, terms.anchor)
    return since, min(last_day_of(since, 12, terms.anchor), last)


def _months_of(priced: PricedTerms, since: date, until: date) -> Fraction:
    """The months of a period of the term."""
    return months_between(since, until, priced.terms.anchor)


def _for_months(month: Decimal, months: Fraction) -> Decimal:
    """An amount per month for a number of months, to the cent. Divided last, so that half cents are exact."""
    return rounded(month * months.numerator / months.denominator)


def _lines(
    priced: PricedTerms,
    quantity: int,
    since: date,
    until: date,
    months: Fraction,
    description: str,
) -> list[ChargeLine]:
    """A charge for a number of months, and the discount of the promotion."""
    whole = priced.unit * quantity
    lines = [_line(priced, since, until, _for_months(whole, months), quantity, _name(priced), description)]
    promotion = priced.promotion
    if promotion is not None and (counted := _promoted(priced, promotion, since, until, months)):
        discount = _for_months(whole * promotion.percent / 100, counted)
        text = f"{promotion.percent} % off"
        if priced.promoted_until is not None:
            text += f" until {priced.promoted_until}"
        lines.append(ChargeLine(since, until, -discount, 1, f"Promotion {promotion.name}", text, discount=True))
    return lines


def _promoted(priced: PricedTerms, promotion: Promotion, since: date, until: date, months: Fraction) -> Fraction:
    """The part of these months, between two days, to which a promotion applies."""
    last = priced.promoted_until
    if last is None or last >= until:
        return min(Fraction(promotion.months) or priced.months, months)
    if last < since:
        return Fraction(0)
    if months > 1 and months_between(since, last, priced.terms.anchor).denominator == 1:
        return _months_of(priced, since, last)
    return months * Fraction((last - since).days + 1, (until - since).days + 1)


def _line(
    priced: PricedTerms, since: date, until: date, amount: Decimal, quantity: int, name: str, text: str
) -> ChargeLine:
    product = priced.terms.offer.name or ""
    return ChargeLine(since, until, amount, quantity, name, f"{product}: {text}" if text else product)


def _name(priced: PricedTerms) -> str:
    return {"flat_fee": "Flat fee", "nb_services": "Services"}.get(priced.terms.offer.business_model or "", "Licences")


def _paid(terms: Terms) -> str:
    return f"{terms.months} months" if terms.upfront or terms.months <= 12 else f"first year of {terms.months} months"


def _change(current: PricedTerms | None, more: int) -> str:
    if current is None:
        return "from today"
    return f"{abs(more)} {'more' if more > 0 else 'fewer'} from today"
