"""The least that must be sent to turn one picture into another: changed cells, and lines moved by the terminal itself.

Moving lines is decided from the two pictures alone, so overlays, panes and toasts need no care: a line is moved only
where that leaves less to send, and every cell that is wrong afterwards is sent.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import get_character_cell_size

from svc_tui.console.terminal.pens import PLAIN, Pen, blank_of, change
from svc_tui.console.terminal.picture import UNKNOWN, Line, Picture

#: Unchanged cells that cost less to send again than to jump over.
_JUMP = 5
#: What a changed stretch costs beside its characters, roughly: where, how, and back to plain.
_STRETCH = 10
#: Bytes of the sequences around a move of lines.
_MOVE = 20
#: Fewer changed lines than this are sent as they are.
_FEW = 3
_NO_CURSOR = (-1, -1)


class Move(NamedTuple):
    """Lines `top` to `bottom`, both included, move up by `by` (down when negative)."""

    top: int
    bottom: int
    by: int


class Terminal:
    """What a terminal shows, as far as is known, and the sequences that make it show something else."""

    def __init__(self, scroll_region: bool = True) -> None:
        self.picture = Picture()
        self._scroll_region = scroll_region
        self._out: list[str] = []
        self._pen = PLAIN
        self._at = _NO_CURSOR
        #: Whether the last sequences moved lines: then they must be seen together.
        self.moved = False

    def forget(self) -> None:
        """Nothing is known of the terminal any more: all that is drawn next is sent."""
        self.picture.lines.clear()
        self._at = _NO_CURSOR

    def show(self, wanted: Picture) -> str:
        """The sequences that make the terminal show a picture; empty when it does already."""
        self._out = []
        self.moved = False
        width = wanted.width
        while len(self.picture.lines) < len(wanted.lines):
            self.picture.lines.append(Line())
        if self._scroll_region:
            move = best_move(self.picture.lines, wanted.lines)
            if move is not None:
                self.moved = True
                self._scroll(move, width)
        for y, line in enumerate(wanted.lines):
            if line != self.picture.lines[y]:
                self._line(y, line, width)
                self.picture.lines[y] = line.copy()
        self._use(PLAIN)
        # Where nobody types, Textual leaves the hidden cursor at the origin: not worth the bytes.
        if wanted.cursor != (0, 0) and self._at != wanted.cursor:
            self._place(*wanted.cursor)
        return "".join(self._out)

    def _scroll(self, move: Move, width: int) -> None:
        top, bottom, by = move
        # Index and reverse index at the margin: every terminal with margins has them, the Linux console too.
        edge, step = (bottom, "\x1bD") if by > 0 else (top, "\x1bM")
        self._out.append(f"\x1b[{top + 1};{bottom + 1}r\x1b[{edge + 1}H{step * abs(by)}\x1b[r")
        # Setting margins moves the cursor; to place it anew costs little and relies on nobody.
        self._at = _NO_CURSOR
        lines = self.picture.lines
        blank = [Line([" "] * width, [PLAIN] * width) for _ in range(abs(by))]
        kept = lines[top + by : bottom + 1] if by > 0 else lines[top : bottom + 1 + by]
        lines[top : bottom + 1] = [*kept, *blank] if by > 0 else [*blank, *kept]

    def _line(self, y: int, wanted: Line, width: int) -> None:
        before = self.picture.lines[y].copy()
        before.reach(len(wanted.texts))
        end = len(wanted.texts)
        tail = _blank_tail(wanted) if end == width else end
        for start, stop in _stretches(before, wanted):
            if stop > tail and stop - max(start, tail) > 3:
                self._cells(y, start, tail, wanted)
                self._place(max(start, tail), y)
                self._use(PLAIN)
                self._out.append("\x1b[K")
                return
            self._cells(y, start, stop, wanted)

    def _cells(self, y: int, start: int, stop: int, wanted: Line) -> None:
        if start >= stop:
            return
        self._place(start, y)
        for x in range(start, stop):
            text = wanted.texts[x]
            if text in ("", UNKNOWN):
                continue
            if self._at != (x, y):
                self._place(x, y)
            self._use(wanted.pens[x] if text != " " else self._for_blank(wanted, x, stop))
            self._out.append(text)
            after = x + _advance(text)
            self._at = (after, y) if x < after < len(wanted.texts) else _NO_CURSOR

    def _for_blank(self, wanted: Line, x: int, stop: int) -> Pen:
        """A pen that draws this blank: the one in hand, else the one needed next, else the blank's own."""
        blank = wanted.pens[x]
        if blank_of(self._pen) == blank:
            return self._pen
        for later in range(x + 1, stop):
            if wanted.texts[later] != " ":
                return wanted.pens[later] if blank_of(wanted.pens[later]) == blank else blank
            if wanted.pens[later] != blank:
                break
        return blank

    def _use(self, wanted: Pen) -> None:
        if wanted != self._pen:
            self._out.append(change(self._pen, wanted))
            self._pen = wanted

    def _place(self, x: int, y: int) -> None:
        if self._at == (x, y):
            return
        at_x, at_y = self._at
        if at_y == y and 0 <= at_x < x:
            self._out.append(f"\x1b[{x - at_x}C" if x - at_x > 1 else "\x1b[C")
        elif x:
            self._out.append(f"\x1b[{y + 1};{x + 1}H")
        else:
            self._out.append(f"\x1b[{y + 1}H" if y else "\x1b[H")
        self._at = (x, y)


@lru_cache(maxsize=2048)
def _advance(text: str) -> int:
    """How far the cursor goes; 0 where terminals disagree, such as for most emoji: then it must be placed anew."""
    if len(text) > 1 or "\u2300" <= text < "\u2400" or "\u2600" <= text < "\u2e80" or text > "\uffff":
        return 0
    return get_character_cell_size(text)


def _blank_tail(line: Line) -> int:
    """Where the plain blanks at the end of a line begin: one sequence erases them."""
    x = len(line.texts)
    while x and line.texts[x - 1] == " " and line.pens[x - 1] == PLAIN:
        x -= 1
    return x


def _stretches(before: Line, wanted: Line) -> Iterator[tuple[int, int]]:
    """The stretches of cells to send; short unchanged pieces between them are sent too."""
    start = stop = -1
    for x in _changed(before, wanted):
        if start < 0:
            start = x
        elif x - stop > _JUMP:
            yield start, stop
            start = x
        stop = x + 1
        while stop < len(wanted.texts) and wanted.texts[stop] == "":
            stop += 1
    if start >= 0:
        yield start, stop


def _changed(before: Line, wanted: Line) -> Iterator[int]:
    previous = -1
    for x, text in enumerate(wanted.texts):
        if text == UNKNOWN or (text == before.texts[x] and (text == "" or wanted.pens[x] == before.pens[x])):
            continue
        while x and wanted.texts[x] == "":
            x -= 1
        if x != previous:
            yield x
        previous = x


def best_move(before: list[Line], wanted: list[Line]) -> Move | None:
    """The move of lines after which the least is left to send, None when none helps."""
    changed = [y for y, line in enumerate(wanted) if line != before[y]]
    if len(changed) < _FEW:
        return None
    best: Move | None = None
    most = 0
    for by in _likely(before, wanted, changed):
        move = _band(before, wanted, changed, by)
        saved = _saving(before, wanted, move) if move else 0
        if saved > most:
            best, most = move, saved
    return best


def _likely(before: list[Line], wanted: list[Line], changed: list[int]) -> list[int]:
    """The two distances over which most changed lines are found again."""
    found: dict[int, int] = {}
    where: dict[tuple[str, ...], list[int]] = {}
    for y, line in enumerate(before):
        where.setdefault(tuple(line.texts), []).append(y)
    for y in changed:
        for origin in where.get(tuple(wanted[y].texts), ()):
            if before[origin] == wanted[y]:
                found[origin - y] = found.get(origin - y, 0) + 1
    return sorted((by for by in found if by), key=lambda by: -found[by])[:2]


def _band(before: list[Line], wanted: list[Line], changed: list[int], by: int) -> Move | None:
    same = [y for y in changed if 0 <= y + by < len(before) and before[y + by] == wanted[y]]
    if not same:
        return None
    return Move(min(same[0], same[0] + by), max(same[-1], same[-1] + by), by)


def _saving(before: list[Line], wanted: list[Line], move: Move) -> int:
    top, bottom, by = move
    nothing = Line()
    saved = -_MOVE - 2 * abs(by)
    for y in range(top, bottom + 1):
        origin = before[y + by] if top <= y + by <= bottom else nothing
        saved += _cost(before[y], wanted[y]) - _cost(origin, wanted[y])
    return saved


def _cost(before: Line, wanted: Line) -> int:
    """About how many bytes turn one line into another."""
    if before == wanted:
        return 0
    end = _blank_tail(wanted)
    known = len(before.texts)
    wrong = sum(
        1 for x in range(end) if x >= known or before.texts[x] != wanted.texts[x] or before.pens[x] != wanted.pens[x]
    )
    return wrong + _STRETCH
