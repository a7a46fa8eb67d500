"""The order of a subscriber's DDI numbers: the requests that change it (4.7)."""

from __future__ import annotations

from collections.abc import Sequence


def moves(current: Sequence[str], requested: Sequence[str]) -> tuple[list[str], list[str]]:
    """The numbers to unassign, and the numbers to assign again after that, each in this order.

    The first number is the main one, and a newly assigned number comes last: no operation moves a number. Numbers that
    are already in the requested order stay assigned, so that as few numbers as possible are unreachable in between.
    """
    kept = 0
    at = 0
    for number in requested:
        if number not in current[at:]:
            break
        at = current.index(number, at) + 1
        kept += 1
    stays = set(requested[:kept])
    return [number for number in current if number not in stays], list(requested[kept:])
