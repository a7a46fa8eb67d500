"""The shortest update from one picture to another: changed cells, and lines that the terminal moves.

Lines are moved only if that saves bytes, and all cells that are wrong afterwards are sent. The pen is kept
between two pictures, and the cells that it draws come first.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import get_character_cell_size

from svc_tui.console.terminal.moves import Move, best_move, blank_tail
from svc_tui.console.terminal.pens import PLAIN, Pen, blank_of, change
from svc_tui.console.terminal.picture import UNKNOWN, Picture, PictureLine

#: The bytes that skip up to nine cells, and of a change of the pen among cells that are sent again.
_JUMP = 4
_CHANGE = 5
#: The most lines down, and cells back, that are stepped one by one.
_NEAR = 4
#: The fewest spaces of one background that are erased rather than sent.
_ERASED = 9
#: The fewest changed lines that are tried pen by pen.
_FEW = 3
_NO_CURSOR = (-1, -1)
#: Lines of a picture with their positions.
Lines = list[tuple[int, PictureLine]]


class _Part(NamedTuple):
    """A line that changes: the runs of cells to send, and the cell from which the end of the line is erased."""

    y: int
    line: PictureLine
    before: PictureLine
    runs: list[tuple[int, int]]
    erased_from: int | None


class Terminal:
    """The known content of a terminal, and the sequences that change it."""

    def __init__(self, scroll_region: bool = True, erases_cells: bool = True, erases_in_colour: bool = False) -> None:
        self.picture = Picture()
        self._scroll_region = scroll_region
        self._erases_cells = erases_cells
        self._erases_in_colour = erases_in_colour
        self._out: list[str] = []
        #: How the next cells look.
        self._pen = PLAIN
        #: Where the cursor is; behind the last column it waits for the next character to begin another line.
        self._at = _NO_CURSOR
        self._width = 0
        #: Whether the pen of the terminal may be another one.
        self._pen_lost = True
        #: The sequence for the same column in the next line; a line feed where the system leaves it as it is.
        self.down = "\x1bD"
        #: Whether the last sequences moved lines and must be one update.
        self.moved = False

    def forget(self) -> None:
        """Assume nothing about the terminal: the next picture is sent completely."""
        self.picture.lines.clear()
        self._at = _NO_CURSOR
        self._pen_lost = True

    def rest(self) -> str:
        """The sequence that gives the terminal its own pen, before something else is written; empty when it has it."""
        if self._pen == PLAIN:
            return ""
        ended, self._pen = change(self._pen, PLAIN), PLAIN
        return ended

    def show(self, target: Picture) -> str:
        """The sequences for a picture; empty when the terminal shows it."""
        self._out = []
        self.moved = False
        width = self._width = target.width
        if self._pen_lost:
            self._pen_lost = False
            self._pen = PLAIN
            self._out.append("\x1b[m")
        if not self.picture.lines:
            self._erase_all(target)
        while len(self.picture.lines) < len(target.lines):
            self.picture.lines.append(PictureLine())
        changed = self._changed_lines(target)
        if self._scroll_region:
            move = best_move(self.picture.lines, target.lines, [y for y, _ in changed])
            if move is not None:
                self.moved = True
                self._scroll(move, target)
                changed = self._changed_lines(target)
        self._draw(changed, width)
        for y, line in changed:
            self.picture.lines[y] = line.copy()
        # What a program that is killed leaves behind may have colours, but is no link.
        self._use(self._pen._replace(link=""))
        # Without an input, Textual leaves the hidden cursor at the origin, which need not be sent.
        if target.cursor != (0, 0) and self._at != target.cursor:
            self._place(*target.cursor)
        return "".join(self._out)

    def _erase_all(self, target: Picture) -> None:
        """Erase a screen of which nothing is known, in the colour of most spaces: these need not be sent then."""
        spaces = Counter(
            pen for line in target.lines for text, pen in zip(line.texts, line.pens, strict=True) if text == " "
        )
        [(pen, count)] = spaces.most_common(1) or [(PLAIN, 0)]
        if count > _ERASED and self._erasable(pen):
            self._use(pen)
            self._place(0, 0)
            self._out.append("\x1b[J")
            self.picture.lines = [PictureLine([" "] * self._width, [pen] * self._width) for _ in target.lines]

    def _changed_lines(self, target: Picture) -> Lines:
        return [(y, line) for y, line in enumerate(target.lines) if line != self.picture.lines[y]]

    def _scroll(self, move: Move, target: Picture) -> None:
        top, bottom, by = move
        new = target.lines[bottom + 1 - by : bottom + 1] if by > 0 else target.lines[top : top - by]
        if any(PLAIN in line.pens for line in new):
            self._use(PLAIN)
        # Index and reverse index at the margin work on every terminal with margins.
        edge, step = (bottom, "\x1bD") if by > 0 else (top, "\x1bM")
        self._out.append(f"\x1b[{top + 1};{bottom + 1}r\x1b[{edge + 1}H{step * abs(by)}\x1b[r")
        # Setting margins moves the cursor: its position must be sent again.
        self._at = _NO_CURSOR
        lines = self.picture.lines
        # Some terminals give new lines the background of the pen.
        cells = self._width if self._pen == PLAIN else 0
        blank = [PictureLine([" "] * cells, [PLAIN] * cells) for _ in new]
        kept = lines[top + by : bottom + 1] if by > 0 else lines[top : bottom + 1 + by]
        lines[top : bottom + 1] = [*kept, *blank] if by > 0 else [*blank, *kept]

    def _draw(self, changed: Lines, width: int) -> None:
        """Draw lines one by one, or their cells pen by pen if that is shorter: columns of a list have one pen each."""
        parts = [self._part(y, line, width) for y, line in changed]
        if len(parts) < _FEW:
            parts.sort(key=self._needs_pen)
        sent, begun = len(self._out), (self._pen, self._at)
        mixed = len(parts) >= _FEW or any(map(self._ends_with_pen, parts))
        for part in parts:
            self._line(part)
        if not mixed:
            return
        by_line, after = self._out[sent:], (self._pen, self._at)
        del self._out[sent:]
        self._pen, self._at = begun
        self._by_pen(parts)
        if _length(self._out[sent:]) > _length(by_line):
            self._out[sent:] = by_line
            self._pen, self._at = after

    def _by_pen(self, parts: list[_Part]) -> None:
        drawn: dict[Pen, list[tuple[_Part, int, int]]] = {}
        together = []
        for part in parts:
            # A character that is wider than assumed must not be drawn over the cell beside it.
            if all(map(_certain, part.line.texts)):
                together.append(part)
            else:
                self._line(part)
        for part in together:
            for start, stop in part.runs:
                for pen, first, last in _one_pen(part.before, part.line, start, stop):
                    drawn.setdefault(pen, []).append((part, first, last))
        for pen in sorted(drawn, key=lambda pen: pen != self._pen):
            for part, first, last in drawn[pen]:
                self._cells(part.y, first, last, part.line)
        for part in together:
            self._erase(part)

    def _needs_pen(self, part: _Part) -> bool:
        return not any(start < stop and _drawn_by(self._pen, part.line, start) for start, stop in part.runs[:1])

    def _ends_with_pen(self, part: _Part) -> bool:
        """Whether the pen draws the last text of a line, which might better be drawn before its beginning."""
        drawn = (x for start, stop in reversed(part.runs) for x in reversed(range(start, stop)))
        last = next((x for x in drawn if part.line.texts[x] not in ("", " ")), None)
        return last is not None and part.line.pens[last] == self._pen

    def _line(self, part: _Part) -> None:
        for start, stop in part.runs:
            self._cells(part.y, start, stop, part.line)
        self._erase(part)

    def _part(self, y: int, line: PictureLine, width: int) -> _Part:
        before = self.picture.lines[y].copy()
        before.reach(len(line.texts))
        # The first cell of the plain end of the line, which is erased.
        tail = self._blank_tail(line) if len(line.texts) == width else len(line.texts)
        runs = []
        for start, stop in _stretches(before, line):
            if stop > tail and stop - max(start, tail) > 3:
                runs.append((start, tail))
                return _Part(y, line, before, runs, max(start, tail))
            runs.append((start, stop))
        return _Part(y, line, before, runs, None)

    def _blank_tail(self, line: PictureLine) -> int:
        """The start of the spaces at the end of a line, which one sequence erases with the background of the pen."""
        last = line.pens[-1] if line.pens else PLAIN
        if last == PLAIN or not self._erasable(last):
            return blank_tail(line)
        x = len(line.texts)
        while x and line.texts[x - 1] == " " and line.pens[x - 1] == last:
            x -= 1
        return x

    def _erasable(self, pen: Pen) -> bool:
        """Whether erased cells look like spaces of a pen: they get its background, and no attributes."""
        return pen == PLAIN or (self._erases_in_colour and pen == Pen(background=pen.background))

    def _erase(self, part: _Part) -> None:
        if part.erased_from is not None:
            self._place(part.erased_from, part.y)
            self._use(part.line.pens[part.erased_from] if part.erased_from < len(part.line.pens) else PLAIN)
            self._out.append("\x1b[K")

    def _cells(self, y: int, start: int, stop: int, target: PictureLine) -> None:
        if start >= stop:
            return
        self._place(start, y)
        texts, pens, width = target.texts, target.pens, len(target.texts)
        x = here = start
        while x < stop:
            text, pen = texts[x], pens[x]
            if text == "" or text == UNKNOWN:
                x += 1
                continue
            if text == " ":
                if self._erasable(pen) and (erased := self._erased(x, y, stop, target)) > x:
                    x, here = erased, -1
                    continue
                pen = self._for_blank(target, x, stop)
            if here != x:
                self._place(x, y)
            if pen is not self._pen:
                self._use(pen)
            self._out.append(text)
            x += 1
            after = x if text.isascii() else x - 1 + _advance(text)
            here = after if x <= after <= width else -1
            self._at = (here, y) if here >= 0 else _NO_CURSOR

    def _erased(self, x: int, y: int, stop: int, target: PictureLine) -> int:
        """Erase spaces of one background from a cell on if there are many; the first cell after them."""
        end, pen = x, target.pens[x]
        while end < stop and target.texts[end] == " " and target.pens[end] == pen:
            end += 1
        if not self._erases_cells or end - x < _ERASED:
            return x
        self._place(x, y)
        if blank_of(self._pen) != pen:
            self._use(pen)
        self._out.append(f"\x1b[{end - x}X")
        return end

    def _for_blank(self, target: PictureLine, x: int, stop: int) -> Pen:
        """A pen that draws this space: the current one, otherwise the next one, otherwise that of the space."""
        return self._pen if blank_of(self._pen) == target.pens[x] else _next_pen(target, x, stop)

    def _use(self, target: Pen) -> None:
        if target != self._pen:
            self._out.append(change(self._pen, target))
            self._pen = target

    def _place(self, x: int, y: int) -> None:
        if self._at == (x, y):
            return
        ways = [f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H" if y else "\x1b[H"]
        at_x, at_y = self._at
        if self._at != _NO_CURSOR and -1 <= y - at_y <= _NEAR:
            # No line scrolls: the one above is not above the first, those below are not below the last.
            lines = self.down * (y - at_y) if y >= at_y else "\x1bM"
            ways.append(f"\r{lines}{_forward(x)}")
            if at_x < self._width and at_x - x <= _NEAR:
                ways.append(lines + (_forward(x - at_x) if x >= at_x else "\b" * (at_x - x)))
        self._out.append(min(ways, key=len))
        self._at = (x, y)


def _forward(cells: int) -> str:
    """The sequence that moves the cursor forward in its line."""
    return f"\x1b[{cells}C" if cells > 1 else "\x1b[C" if cells else ""


@lru_cache(maxsize=2048)
def _advance(text: str) -> int:
    """The cells that the cursor advances; 0 where terminals disagree, so that its position must be sent again."""
    if len(text) > 1 or "\u2300" <= text < "\u2400" or "\u2600" <= text < "\u2e80" or text > "\uffff":
        return 0
    return get_character_cell_size(text)


@lru_cache(maxsize=2048)
def _certain(text: str) -> bool:
    """Whether all terminals draw it in as many cells; the second cell of a wide character is empty."""
    return text in ("", UNKNOWN) or _advance(text) > 0


def _next_pen(target: PictureLine, x: int, stop: int) -> Pen:
    """The pen of the text after a space if it draws the space too, otherwise that of the space."""
    blank = target.pens[x]
    for later in range(x + 1, stop):
        if target.texts[later] != " ":
            return target.pens[later] if blank_of(target.pens[later]) == blank else blank
        if target.pens[later] != blank:
            break
    return blank


def _one_pen(before: PictureLine, target: PictureLine, start: int, stop: int) -> Iterator[tuple[Pen, int, int]]:
    """The parts of a run that one pen draws, without unchanged cells at their ends."""
    first = start
    while first < stop:
        pen = _next_pen(target, first, stop) if target.texts[first] == " " else target.pens[first]
        last = first + 1
        while last < stop and _drawn_by(pen, target, last):
            last += 1
        begin, end = first, last
        while begin < end and _same(before, target, begin):
            begin += 1
        while end > begin and _same(before, target, end - 1):
            end -= 1
        if begin < end:
            yield pen, begin, end
        first = last


def _drawn_by(pen: Pen, target: PictureLine, x: int) -> bool:
    return target.texts[x] == "" or target.pens[x] == (blank_of(pen) if target.texts[x] == " " else pen)


def _same(before: PictureLine, target: PictureLine, x: int) -> bool:
    """Whether a cell is unchanged and no part of a wide character."""
    text = target.texts[x]
    wide = text == "" or target.texts[x + 1 : x + 2] == [""]
    return not wide and text == before.texts[x] and target.pens[x] == before.pens[x]


def _length(sequences: list[str]) -> int:
    """The bytes of sequences."""
    return len("".join(sequences).encode())


def _stretches(before: PictureLine, target: PictureLine) -> Iterator[tuple[int, int]]:
    """The runs of cells to send, including short unchanged gaps."""
    start = stop = -1
    for x in _changed(before, target):
        if start < 0:
            start = x
        elif x > stop and _again(target, stop, x) > _JUMP:
            yield start, stop
            start = x
        stop = x + 1
        while stop < len(target.texts) and target.texts[stop] == "":
            stop += 1
    if start >= 0:
        yield start, stop


def _again(target: PictureLine, start: int, stop: int) -> int:
    """The bytes of unchanged cells between changed ones, if they are sent again."""
    around = target.texts[start - 1 : stop + 1]
    if around.count(" ") == len(around) and set(target.pens[start - 1 : stop + 1]) == {PLAIN}:
        # They are part of what is erased.
        return 0
    if stop - start > _JUMP:
        return stop - start
    pen, changes = target.pens[start - 1], 0
    for x in range(start, stop + 1):
        # A space that another pen draws as well needs no change.
        if target.pens[x] != (blank_of(pen) if target.texts[x] == " " else pen):
            pen, changes = target.pens[x], changes + 1
    needed = target.pens[start - 1] != target.pens[stop]
    return sum(len(text.encode()) for text in target.texts[start:stop]) + _CHANGE * (changes - needed)


def _changed(before: PictureLine, target: PictureLine) -> Iterator[int]:
    previous = -1
    cells = zip(target.texts, target.pens, before.texts, before.pens, strict=False)
    for x, (text, pen, text_before, pen_before) in enumerate(cells):
        if text == text_before and (pen is pen_before or text == "" or pen == pen_before):
            continue
        if text == UNKNOWN:
            continue
        while x and target.texts[x] == "":
            x -= 1
        if x != previous:
            yield x
        previous = x
