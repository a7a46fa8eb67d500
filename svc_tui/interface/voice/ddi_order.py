"""The order of a subscriber's DDI numbers: which requests bring about another one (4.7)."""

from __future__ import annotations

from collections.abc import Sequence


def moves(now: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which numbers are released, and which are given again after that, each in this order.

    The first number is the main one, and a number that is given comes last: no operation moves one. What stands in
    the wanted order already stays, so that as few numbers as possible reach nobody for a moment.
    """
    kept = 0
    at = 0
    for number in wanted:
        if number not in now[at:]:
            break
        at = now.index(number, at) + 1
        kept += 1
    stays = set(wanted[:kept])
    return [number for number in now if number not in stays], list(wanted[kept:])
