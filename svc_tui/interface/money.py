"""Money: decimal everywhere; on the wire a JSON number, in front of people with its currency."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import PlainSerializer

#: Digits behind the point of every currency the service charges in.
CENT = Decimal("0.01")

#: A decimal amount. JSON has numbers only: the shortest text of such a number is the amount that was meant.
Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


def amount(value: Any) -> Decimal | None:
    """The amount behind a value of the wire (a number or a text); None where it is none."""
    if value is None or value == "" or isinstance(value, bool):
        return None
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def rounded(value: Decimal) -> Decimal:
    """To whole cents, halves away from zero."""
    return value.quantize(CENT, ROUND_HALF_UP)


def written(value: Any, currency: str | None = None, *, signed: bool = False) -> str:
    """`1,234.50 EUR`; with `signed` a `+` in front of what is more than nothing. Empty where there is no amount."""
    found = amount(value)
    if found is None:
        return ""
    text = f"{rounded(found):+,.2f}" if signed and found else f"{rounded(found):,.2f}"
    return f"{text} {currency}" if currency else text
