"""The simulator's taxes, by the country of the paying company."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from svc_tui.interface.money import rounded

#: Tax rates on services in percent by country; unlisted countries have no tax.
RATES: Mapping[str, Decimal] = {
    country: Decimal(percent)
    for country, percent in (
        ("AUT", "20"),
        ("BEL", "21"),
        ("CHE", "8.1"),
        ("CHN", "6"),
        ("DEU", "19"),
        ("DNK", "25"),
        ("ESP", "21"),
        ("FIN", "25.5"),
        ("FRA", "20"),
        ("GBR", "20"),
        ("IRL", "23"),
        ("ITA", "22"),
        ("LUX", "17"),
        ("NLD", "21"),
        ("NOR", "25"),
        ("POL", "23"),
        ("PRT", "23"),
        ("SWE", "25"),
    )
}


def tax(net: Decimal, country: str) -> Decimal:
    """The tax on an amount, in whole cents."""
    return rounded(net * RATES.get(country, Decimal(0)) / 100)
