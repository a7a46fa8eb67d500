"""Money: decimal everywhere; on the wire a JSON number, in front of people with its currency."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import PlainSerializer

#: Digits behind the point of every currency the service charges in.
CENT = Decimal("0.01")
#: Digits before the point from which on a number is no amount: sums and products of amounts stay exact to the cent.
_NO_AMOUNT = 16

#: A decimal amount. JSON has numbers only: the shortest text of such a number is the amount that was meant.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


def amount(value: Any) -> Decimal | None:
    """The amount behind a value of the wire (a number or a text); None where it is none, or larger than any."""
    if value is None or value == "" or isinstance(value, bool):
        return None
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() and found.adjusted() < _NO_AMOUNT else None


def rounded(value: Decimal) -> Decimal:
    """To whole cents, halves away from zero; what is too large to have any stays as it is."""
    try:
        return value.quantize(CENT, ROUND_HALF_UP)
    except InvalidOperation:
        return value


def written(value: Any, currency: str | None = None, *, signed: bool = False) -> str:
    """`1,234.50 EUR`; with `signed` a `+` in front of what is more than nothing. Empty where there is no amount."""
    found = amount(value)
    if found is None:
        return ""
    text = f"{rounded(found):+,.2f}" if signed and found else f"{rounded(found):,.2f}"
    return f"{text} {currency}" if currency else text
