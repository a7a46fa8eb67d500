"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from svc_tui.language import _


def suggestion(name: str, known: Iterable[str], otherwise: str, *, most: int = 1, cutoff: float = 0.6) -> str:
    """`Did you mean "x" or "y"?` with the known names closest to `name`, in any case, or the other sentence."""
    by_lower = {each.lower(): each for each in known}
    close = get_close_matches(name.lower(), by_lower, n=most, cutoff=cutoff)
    if not close:
        return otherwise
    *first, last = (f'"{by_lower[each]}"' for each in close)
    return _("Did you mean {first}{last}?").format(first=", ".join(first) + " or " if first else "", last=last)
