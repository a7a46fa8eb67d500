"""The picture on a terminal, cell by cell, from the output of Textual.

`Picture.draw` reads the few sequences of Textual's frames. Other control characters in a frame come from unsafe text
and are left out, so that they never reach the terminal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from rich.cells import split_graphemes

from svc_tui.console.terminal.pens import PLAIN, SECRET, Pen, blank_of, pen
from svc_tui.console.terminal.secrets import mask
from svc_tui.console.terminal.text import ascii_for

#: Only frames begin with a cursor position.
FRAME_START = re.compile(r"\x1b\[\d*(?:;\d*)?H")
#: Where a run of cells begins: at a position, or in the next line.
_START = re.compile(r"\x1b\[(?P<row>\d*)(?:;(?P<column>\d*))?H|\n")
_TOKEN = re.compile(
    r"\x1b\[(?P<sgr>[\d;]*)m"
    r"|\x1b\]8;(?P<link>[^\x00-\x1f\x7f-\x9f]*)(?:\x1b\\|\x07)"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?P<control>.)",
)
#: How many runs are kept as cells: the lines of two panes, which are drawn again one line further when they scroll.
_KEPT = 128
UNKNOWN = "unknown"
_DIM = frozenset({"2"})


@dataclass(slots=True)
class PictureLine:
    """One line of cells. A wide character is followed by an empty text; `UNKNOWN` is an unknown cell."""

    texts: list[str] = field(default_factory=list)
    pens: list[Pen] = field(default_factory=list)

    def reach(self, columns: int) -> None:
        """Extend the line to a number of cells; new ones are unknown."""
        missing = columns - len(self.texts)
        if missing > 0:
            self.texts += [UNKNOWN] * missing
            self.pens += [PLAIN] * missing

    def put(self, x: int, texts: Sequence[str], pens: Sequence[Pen]) -> None:
        """Draw cells. A wide character that is half overwritten becomes a space."""
        end = x + len(texts)
        self.reach(end)
        if self.texts[x] == "" and x:
            self.texts[x - 1] = " "
        if end < len(self.texts) and self.texts[end] == "":
            self.texts[end] = " "
        self.texts[x:end] = texts
        self.pens[x:end] = pens

    def copy(self) -> "PictureLine":
        """A copy of the line."""
        return PictureLine(self.texts.copy(), self.pens.copy())


class Picture:
    """Lines of cells, and the last position of the cursor. Grows as needed."""

    def __init__(self, *, unicode: bool = True, colours: bool = True) -> None:
        self.lines: list[PictureLine] = []
        self.cursor = (0, 0)
        self._unicode = unicode
        self._colours = colours
        self._pen = PLAIN

    def clear(self) -> None:
        """Remove all cells."""
        self.lines.clear()
        self.cursor = (0, 0)
        self._pen = PLAIN

    def crop(self, columns: int, rows: int) -> None:
        """Keep only a number of columns and rows."""
        del self.lines[rows:]
        for line in self.lines:
            if len(line.texts) > columns:
                del line.texts[columns:], line.pens[columns:]

    def masked(self) -> "Picture":
        """The picture with masks in place of secrets. It shares its lines with this one: it is only read."""
        masked = Picture()
        masked.lines = [
            _masked(line) if any(each.link == SECRET for each in line.pens) else line for line in self.lines
        ]
        masked.cursor = self.cursor
        return masked

    @property
    def width(self) -> int:
        """Cells of the widest line."""
        return max((len(line.texts) for line in self.lines), default=0)

    def draw(self, frame: str) -> None:
        """Draw a frame of Textual."""
        begin = 0
        for start in _START.finditer(frame):
            self._write(frame[begin : start.start()])
            if start[0] == "\n":
                self.cursor = (0, self.cursor[1] + 1)
            else:
                self.cursor = (max(int(start["column"] or 1), 1) - 1, max(int(start["row"] or 1), 1) - 1)
            begin = start.end()
        self._write(frame[begin:])

    def _write(self, run: str) -> None:
        texts, pens, self._pen = _run(run, self._pen, self._unicode, self._colours)
        if not texts:
            return
        x, y = self.cursor
        while len(self.lines) <= y:
            self.lines.append(PictureLine())
        self.lines[y].put(x, texts, pens)
        self.cursor = (x + len(texts), y)


@lru_cache(maxsize=_KEPT)
def _run(run: str, drawn_with: Pen, unicode: bool, colours: bool) -> tuple[Sequence[str], Sequence[Pen], Pen]:
    """The cells of a run, their pens, and the pen behind it."""
    texts: list[str] = []
    pens: list[Pen] = []
    for token in _TOKEN.finditer(run):
        kind = token.lastgroup
        if kind == "text":
            cells = list(token[0]) if token[0].isascii() else _cells(token[0], unicode)
            # Without colours, borders are quieter than text because they are dim.
            quiet = not colours and not drawn_with.attributes and _is_border(token[0])
            used = drawn_with._replace(attributes=_DIM) if quiet else drawn_with
            blank = blank_of(used)
            texts += cells
            pens += [blank if cell == " " else used for cell in cells]
        elif kind == "sgr":
            drawn_with = pen(drawn_with, token["sgr"])
            if not colours:
                drawn_with = drawn_with._replace(foreground="", background="")
        elif kind == "link":
            drawn_with = drawn_with._replace(link=_link(token["link"]))
    return texts, pens, drawn_with


def _link(written: str) -> str:
    """The content of an OSC 8; a mark of secrets without the number that Textual gives it."""
    if written.endswith(f";{SECRET}"):
        return SECRET
    return "" if written.endswith(";") else written


def _masked(line: PictureLine) -> PictureLine:
    """The line with a mask in place of each run of cells with a secret."""
    masked = PictureLine()
    for secret, cells in groupby(zip(line.texts, line.pens, strict=True), key=lambda cell: cell[1].link == SECRET):
        texts, pens = zip(*cells, strict=True)
        masked.texts += mask(len(texts)) if secret else texts
        masked.pens += [each._replace(link="") for each in pens] if secret else pens
    return masked


@lru_cache(maxsize=1024)
def _is_border(text: str) -> bool:
    """Whether a text consists of lines and spaces."""
    lines = text.replace(" ", "")
    return bool(lines) and all("\u2500" <= sign <= "\u257f" for sign in lines)


@lru_cache(maxsize=1024)
def _cells(text: str, unicode: bool) -> list[str]:
    cells: list[str] = []
    for start, end, size in split_graphemes(text)[0]:
        if unicode and size:
            cells += [text[start:end], *[""] * (size - 1)]
        elif size:
            cells += ascii_for(text[start])[:size].ljust(size)
    return cells
