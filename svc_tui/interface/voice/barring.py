"""What a CloudPBX prohibits: the barring options, and the company's list of prohibited numbers (2.14)."""

from __future__ import annotations

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record


class BarringChoice(Record):
    """A barring option and its meaning."""

    id: str | None = None
    description: str | None = None


class BarringChoices(Record):
    """The barring options of a CloudPBX."""

    permissions: list[BarringChoice] | None = field(None, help="Options for permitted calls")
    restrictions: list[BarringChoice] | None = field(None, help="Options for prohibited numbers")


class ProhibitedNumber(Record):
    """A number, or the first digits of numbers, that must not be called."""

    pattern: str = field(..., min_length=1, max_length=64, help="Number, or first digits of numbers", personal=True)
    description: str | None = field(None, max_length=255, help="Reason", personal=True)


class ProhibitedNumbers(Record):
    """The custom list of prohibited numbers. An update sends the complete list."""

    patterns: list[ProhibitedNumber] = field(
        ..., max_length=1000, unique="pattern", help="Numbers, or first digits of numbers, that must not be called"
    )


__all__ = ["BarringChoice", "BarringChoices", "ProhibitedNumber", "ProhibitedNumbers"]
