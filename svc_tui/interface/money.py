"""Money: decimal everywhere, a JSON number on the wire, with its currency on screens."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from svc_tui.language import number_text

#: Digits after the point, in every currency of the service.
CENT = Decimal("0.01")
#: Currencies of companies without a setting, by country (ISO 3166-1 alpha-3).
_CURRENCIES = {"USA": "USD", "CHN": "CNY"}
#: Digits before the point at which a number is not an amount: sums and products of amounts stay exact to the cent.
_NO_AMOUNT = 16
#: The most digits after the point of a price.
_MOST_DIGITS = 12


def currency_in(country: str | None) -> str:
    """The currency of companies in a country that chose none."""
    return _CURRENCIES.get(country or "", "EUR")


def amount(value: Any) -> Decimal | None:
    """The amount of a value on the wire (a number or a text). None when it is not an amount, or too large."""
    if value is None or value == "" or isinstance(value, bool):
        return None
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() and found.adjusted() < _NO_AMOUNT else None


def rounded(value: Decimal) -> Decimal:
    """To whole cents, halves away from zero. A number that is too large for cents stays unchanged."""
    try:
        return value.quantize(CENT, ROUND_HALF_UP)
    except InvalidOperation:
        return value


def unit_price(total: Decimal, quantity: Decimal) -> str:
    """The price of one unit with as many digits as its product needs: `7.50`, `0.003` for 0.01 in three units.

    Prices below a cent, such as those of a second, are no free ones. `quantity` is not zero.
    """
    exact, wanted = total / quantity, rounded(total)
    for digits in range(2, _MOST_DIGITS):
        price = round(exact, digits)
        if rounded(price * quantity) == wanted:
            break
    return number_text(price, f",.{digits}f")


def price(value: Any) -> str:
    """A price as it is declared, with at least two digits after the point. Empty without an amount."""
    found = amount(value)
    if found is None:
        return ""
    digits = -int(found.normalize().as_tuple().exponent)
    return number_text(found, f",.{min(max(2, digits), _MOST_DIGITS)}f")


def written(value: Any, currency: str | None = None, *, signed: bool = False) -> str:
    """`1,234.50 EUR`, with `signed` and a `+` before a positive amount. Empty without an amount."""
    found = amount(value)
    if found is None:
        return ""
    text = number_text(rounded(found), "+,.2f" if signed and found else ",.2f")
    return f"{text} {currency}" if currency else text
