"""Lines that the terminal moves, found from two pictures alone, if that saves bytes."""

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
    best: Move | None = None
    most = 0
    for by in _likely(before, target, changed):
        move = _band(before, target, changed, by)
        saved = _saving(before, target, move) if move else 0
        if saved > most:
            best, most = move, saved
    return best


def _likely(before: list[PictureLine], target: list[PictureLine], changed: list[int]) -> list[int]:
    """The two most frequent distances between changed lines and equal lines of the other picture."""
    found: dict[int, int] = {}
    where: dict[tuple[str, ...], list[int]] = {}
    for y, line in enumerate(before):
        where.setdefault(tuple(line.texts), []).append(y)
    for y in changed:
        for origin in where.get(tuple(target[y].texts), ()):
            if before[origin] == target[y]:
                found[origin - y] = found.get(origin - y, 0) + 1
    return sorted((by for by in found if by), key=lambda by: -found[by])[:2]


def _band(before: list[PictureLine], target: list[PictureLine], changed: list[int], by: int) -> Move | None:
    same = [y for y in changed if 0 <= y + by < len(before) and before[y + by] == target[y]]
    if not same:
        return None
    return Move(min(same[0], same[0] + by), max(same[-1], same[-1] + by), by)


def _saving(before: list[PictureLine], target: list[PictureLine], move: Move) -> int:
    top, bottom, by = move
    nothing = PictureLine()
    saved = -_MOVE - 2 * abs(by)
    for y in range(top, bottom + 1):
        origin = before[y + by] if top <= y + by <= bottom else nothing
        saved += _cost(before[y], target[y]) - _cost(origin, target[y])
    return saved


def _cost(before: PictureLine, target: PictureLine) -> int:
    """The approximate bytes from one line to another."""
    if before == target:
        return 0
    end = blank_tail(target)
    known = min(end, len(before.texts))
    old, new = zip(before.texts, before.pens, strict=True), zip(target.texts[:known], target.pens, strict=False)
    wrong: int = sum(map(ne, new, old))
    return wrong + end - known + _STRETCH
