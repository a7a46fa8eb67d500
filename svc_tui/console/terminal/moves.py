"""Lines that the terminal moves, found from two pictures alone, if that saves bytes."""

from collections.abc import Iterator
from itertools import accumulate
from operator import ne
from typing import NamedTuple

from svc_tui.console.terminal.pens import PLAIN
from svc_tui.console.terminal.picture import PictureLine

#: The approximate bytes of a changed run beside its characters: position, style and reset.
_STRETCH = 10
#: The bytes of the sequences around a move of lines.
_MOVE = 20
#: The fewest changed lines for which a move is tried.
_FEW = 3


class Move(NamedTuple):
    """A move of the lines `top` to `bottom`, both included, up by `by` (down when negative)."""

    top: int
    bottom: int
    by: int


def blank_tail(line: PictureLine) -> int:
    """The start of the plain spaces at the end of a line, which one sequence erases."""
    x = len(line.texts)
    while x and line.texts[x - 1] == " " and line.pens[x - 1] == PLAIN:
        x -= 1
    return x


def best_move(before: list[PictureLine], target: list[PictureLine], changed: list[int]) -> Move | None:
    """The move of lines that saves most bytes, None when none does. `changed`: the lines that differ."""
    if len(changed) < _FEW:
        return None
    moves = [move for by in _likely(before, target, changed) if (move := _band(before, target, changed, by))]
    if len(moves) == 1:
        # What it saves exactly does not matter.
        return moves[0] if any(saved > 0 for saved in accumulate(_savings(before, target, moves[0]))) else None
    saved = {move: sum(_savings(before, target, move)) for move in moves}
    return max((move for move in moves if saved[move] > 0), key=saved.__getitem__, default=None)


def _likely(before: list[PictureLine], target: list[PictureLine], changed: list[int]) -> list[int]:
    """The two most frequent distances between changed lines and equal lines of the other picture."""
    found: dict[int, int] = {}
    where: dict[str, list[int]] = {}
    for y, line in enumerate(before):
        where.setdefault("".join(line.texts), []).append(y)
    for y in changed:
        for origin in where.get("".join(target[y].texts), ()):
            if before[origin] == target[y]:
                found[origin - y] = found.get(origin - y, 0) + 1
    return sorted((by for by in found if by), key=lambda by: -found[by])[:2]


def _band(before: list[PictureLine], target: list[PictureLine], changed: list[int], by: int) -> Move | None:
    same = [y for y in changed if 0 <= y + by < len(before) and before[y + by] == target[y]]
    if not same:
        return None
    return Move(min(same[0], same[0] + by), max(same[-1], same[-1] + by), by)


def _savings(before: list[PictureLine], target: list[PictureLine], move: Move) -> Iterator[int]:
    """The bytes of a move and of what it leaves wrong, as a negative number, then the bytes that it saves by line."""
    top, bottom, by = move
    nothing = PictureLine()
    lines = range(top, bottom + 1)
    moved = (before[y + by] if top <= y + by <= bottom else nothing for y in lines)
    yield -_MOVE - 2 * abs(by) - sum(map(_cost, moved, target[top : bottom + 1]))
    for y in lines:
        yield _cost(before[y], target[y])


def _cost(before: PictureLine, target: PictureLine) -> int:
    """The approximate bytes from one line to another."""
    if before == target:
        return 0
    end = blank_tail(target)
    known = min(end, len(before.texts))
    old, new = zip(before.texts, before.pens, strict=True), zip(target.texts[:known], target.pens, strict=False)
    wrong: int = sum(map(ne, new, old))
    return wrong + end - known + _STRETCH
