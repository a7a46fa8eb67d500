"""What terms come to: by month, over the term, and on the next invoice. Decimal, in whole cents a line."""

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
class Line:
    """A line of the next invoice: a charge from one day to another (both count), or what a promotion takes `off`."""

    since: date
    until: date
    amount: Decimal
    quantity: int
    name: str
    said: str
    off: bool = False


@dataclass(frozen=True, slots=True)
class Priced:
    """Terms with their price a month for one, and the promotion that still works on them.

    `promoted_until` is the last day of the promotion, None where it works for the whole term.
    """

    terms: Terms
    unit: Decimal
    promotion: Promotion | None = None
    promoted_until: date | None = None

    @property
    def month(self) -> Decimal:
        """A month, before what a promotion takes off."""
        return self.unit * self.terms.seats

    @property
    def off(self) -> Decimal:
        """What a promotion takes off a month."""
        return rounded(self.month * self.promotion.percent / 100) if self.promotion else Decimal(0)

    @property
    def months(self) -> int:
        """The months that are agreed on: the term, those until the last day, or this one."""
        terms = self.terms
        if terms.months:
            return terms.months
        if terms.ends is None:
            return 1
        whole = (terms.ends.year - terms.starts.year) * 12 + terms.ends.month - terms.starts.month
        return max(whole, 1)

    @property
    def value(self) -> Decimal:
        """The whole term, before what a promotion takes off."""
        return self.month * self.months

    @property
    def value_off(self) -> Decimal:
        """What a promotion takes off the whole term."""
        if self.promotion is None:
            return Decimal(0)
        months = min(self.promotion.months or self.months, self.months)
        return rounded(self.month * months * self.promotion.percent / 100)


def next_invoice(wanted: Priced, standing: Priced | None, today: date) -> tuple[date, list[Line]]:
    """The day of the next invoice and its lines: what is paid beforehand is billed today, a month when it is over."""
    if wanted.terms.months:
        # What went on month by month has no bill that was paid beforehand: its new term is billed like a first one.
        return _prepaid(wanted, standing if standing and standing.terms.months else None, today)
    return _monthly(wanted, standing, today)


def _monthly(wanted: Priced, standing: Priced | None, today: date) -> tuple[date, list[Line]]:
    first = today.replace(day=1)
    days = monthrange(today.year, today.month)[1]
    last = first + timedelta(days=days - 1)
    lines = []
    if standing is not None and standing.terms.seats:
        since = max(first, standing.terms.starts)
        lines += _lines(standing, standing.terms.seats, since, last, Decimal((last - since).days + 1) / days, "")
    more = wanted.terms.seats - (standing.terms.seats if standing else 0)
    left = Decimal((last - today).days + 1) / days
    if more:
        lines += _lines(wanted, more, today, last, left, _change(standing, more))
    elif standing is not None and _a_month(wanted) != _a_month(standing):
        difference = rounded((_a_month(wanted) - _a_month(standing)) * left)
        lines.append(_line(wanted, today, last, difference, wanted.terms.seats, "Price", "other price from today on"))
    return last + _DAY, lines


def _a_month(priced: Priced) -> Decimal:
    return priced.month - priced.off


def _prepaid(wanted: Priced, standing: Priced | None, today: date) -> tuple[date, list[Line]]:
    terms = wanted.terms
    since, until = _period(terms, today)
    whole = _months_of(wanted, since, until)
    if standing is None:
        return today, _lines(wanted, terms.seats, since, until, whole, _paid(terms))
    lines = []
    if more := terms.seats - standing.terms.seats:
        # Licences in a running term are paid from today to the end of what is paid already.
        paid_until = _period(standing.terms, today)[1]
        span = max((paid_until - since).days + 1, 1)
        part = _months_of(standing, since, paid_until) * max((paid_until - today).days + 1, 0) / span
        lines += _lines(wanted, more, today, paid_until, part, _change(standing, more))
    longer = terms.months - standing.terms.months
    if longer > 0 and terms.upfront:
        end = _period(standing.terms, today)[1]
        lines += _lines(wanted, terms.seats, end + _DAY, until, Decimal(longer), "longer term")
    if lines:
        return today, lines
    if until < _last_day(terms):
        end = min(months_after(until + _DAY, 12) - _DAY, _last_day(terms))
        return until + _DAY, _lines(wanted, terms.seats, until + _DAY, end, _months_of(wanted, until + _DAY, end), "")
    if terms.renewal_months:
        end = months_after(until + _DAY, terms.renewal_months) - _DAY
        amount = Decimal(terms.renewal_months)
        return until + _DAY, _lines(wanted, terms.renewal_seats, until + _DAY, end, amount, "renewal", promoted=False)
    return today, []


def _last_day(terms: Terms) -> date:
    return months_after(terms.starts, terms.months) - _DAY


def _period(terms: Terms, today: date) -> tuple[date, date]:
    """What is paid with one bill on a day: the whole term, or the year of the term that runs."""
    if terms.upfront:
        return terms.starts, _last_day(terms)
    year = 0
    while year + 12 < terms.months and months_after(terms.starts, year + 12) <= today:
        year += 12
    since = months_after(terms.starts, year)
    return since, min(months_after(terms.starts, year + 12) - _DAY, _last_day(terms))


def _months_of(priced: Priced, since: date, until: date) -> Decimal:
    """The whole months of a period of the term."""
    after = until + _DAY
    return Decimal((after.year - since.year) * 12 + after.month - since.month)


def _lines(
    priced: Priced, quantity: int, since: date, until: date, months: Decimal, said: str, *, promoted: bool = True
) -> list[Line]:
    """A charge for so many months, and beside it what the promotion takes off."""
    net = priced.unit * quantity * months
    found = [_line(priced, since, until, rounded(net), quantity, _name(priced), said)]
    promotion = priced.promotion if promoted else None
    if promotion is not None and (counted := _promoted(priced, promotion, since, until, months)):
        off = rounded(priced.unit * quantity * counted * promotion.percent / 100)
        words = f"{promotion.percent} % off"
        if priced.promoted_until is not None:
            words += f" until {priced.promoted_until}"
        found.append(Line(since, until, -off, 1, f"Promotion {promotion.name}", words, off=True))
    return found


def _promoted(priced: Priced, promotion: Promotion, since: date, until: date, months: Decimal) -> Decimal:
    """How much of these months from one day to another a promotion works for."""
    last = priced.promoted_until
    if last is None or last >= until:
        return min(Decimal(promotion.months or priced.months), months)
    if last < since:
        return Decimal(0)
    if months > 1 and (last + _DAY).day == since.day:
        return _months_of(priced, since, last)
    return months * ((last - since).days + 1) / ((until - since).days + 1)


def _line(priced: Priced, since: date, until: date, amount: Decimal, quantity: int, name: str, said: str) -> Line:
    product = str(priced.terms.offer.get("name") or "")
    return Line(since, until, amount, quantity, name, f"{product}: {said}" if said else product)


def _name(priced: Priced) -> str:
    return {"flat_fee": "Flat fee", "nb_services": "Services"}.get(
        str(priced.terms.offer.get("businessModel")), "Licences"
    )


def _paid(terms: Terms) -> str:
    return f"{terms.months} months" if terms.upfront else f"first year of {terms.months} months"


def _change(standing: Priced | None, more: int) -> str:
    if standing is None:
        return "from today on"
    return f"{abs(more)} {'more' if more > 0 else 'less'} from today on"
