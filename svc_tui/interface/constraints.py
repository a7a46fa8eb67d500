"""Constraints of a field in a few words; each text is empty where there is no such constraint."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.language import _


def choices_text(choices: Sequence[str], *, one: bool) -> str:
    """The values that can be chosen: one of them, or any."""
    if not choices:
        return ""
    several = _("one of ") if one else _("any of ")
    between = "; " if any("," in choice for choice in choices) else ", "
    return (several if len(choices) > 1 else _("only ")) + between.join(choices)


def length_text(least: int | None, most: int | None) -> str:
    """The length of a text."""
    if most is None:
        return ""
    return _("{min_length}..{max_length} characters").format(min_length=least or 0, max_length=most)


def range_text(minimum: float | None, maximum: float | None, unit: str) -> str:
    """The smallest and the largest number."""
    if minimum is None and maximum is None:
        return ""
    low, high = (f"{each:.15g}" if each is not None else "" for each in (minimum, maximum))
    if low and high:
        within = f"{low}..{high}"
    else:
        within = _("at least {low}").format(low=low) if low else _("at most {high}").format(high=high)
    return f"{within} {_(unit)}".rstrip()


def most_text(most: int | None) -> str:
    """The number of items of a list."""
    return "" if most is None else _("at most {most_items}").format(most_items=most)
