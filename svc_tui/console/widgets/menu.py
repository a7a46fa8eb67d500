"""A menu over the view while something is typed: groups of entries in as few columns as show all of them.

Where their names would not fit, it shows the columns around the chosen entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip

from svc_tui.console.terminal.text import cut, fit
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.language import _

#: Cells of a name, also beside a title where there is room for it, and of a title.
NAME = 20
TITLED = 22
TITLE = 28
#: The smallest column in which most names fit.
NARROWEST = 16
#: The smallest column with titles.
WITH_TITLES = TITLED + TITLE + 6


@dataclass(frozen=True, slots=True)
class MenuLine:
    """An entry with the name that is typed, its title, and a count or the reason why it is greyed out.

    A line without a name is the heading of a group.
    """

    name: str
    title: str = ""
    count: str = ""
    reason: str = ""


class Menu(StyledWidget):
    """Lines above the prompt, drawn over the view; the view below is not laid out again."""

    COMPONENT_CLASSES = {"styled--heading", "styled--chosen"}
    DEFAULT_CSS = """
    Menu { layer: over; dock: bottom; margin-bottom: 2; height: auto; width: 1fr; background: $panel; display: none; }
    Menu > .styled--heading { text-style: bold; color: $accent; }
    Menu > .styled--chosen {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[MenuLine, ...] = ()
        self._chosen = ""

    def show(self, lines: Sequence[MenuLine], chosen: str = "") -> None:
        """Show these lines, with the chosen entry highlighted; without lines the menu is hidden."""
        if (tuple(lines), chosen) == (self._lines, self._chosen):
            return
        grows = len(lines) != len(self._lines)
        self._lines, self._chosen = tuple(lines), chosen
        self.display = bool(lines)
        self.refresh(layout=grows)

    @property
    def lines(self) -> Sequence[MenuLine]:
        """The lines that are shown."""
        return self._lines

    def as_text(self) -> Iterator[str]:
        """The lines in words: each entry with its title, and its count or reason."""
        for line in self._lines:
            beside = "; ".join(each for each in (line.title, line.reason or line.count) if each)
            selected = _("selected ") if self._is_chosen(line) else ""
            yield f"{selected}{line.name}: {beside}" if line.name else f"{line.title}:"

    @property
    def _most_rows(self) -> int:
        # The top line, the prompt and the footer stay.
        return max(1, self.app.size.height - 3)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(len(column) for column in self._columns())

    def _columns(self) -> list[list[MenuLine]]:
        """The columns, of nearly the same height; where not all of them fit, those up to that of the chosen entry."""
        columns = self._in_columns(self._most_rows)
        most = max(1, self.app.size.width // NARROWEST)
        if len(columns) <= most:
            heights = range(-(-len(self._lines) // len(columns)), self._most_rows)
            lower = (each for each in map(self._in_columns, heights) if len(each) == len(columns))
            return next(lower, columns)
        chosen = next((at for at, column in enumerate(columns) if any(self._is_chosen(line) for line in column)), 0)
        first = max(0, chosen - most + 1)
        return columns[first : first + most]

    def _is_chosen(self, line: MenuLine) -> bool:
        return bool(line.name) and line.name == self._chosen

    def _in_columns(self, most: int) -> list[list[MenuLine]]:
        """The lines in as few columns as these rows allow; a heading is never the last one of a column."""
        columns: list[list[MenuLine]] = [[]]
        for index, line in enumerate(self._lines):
            left = most - len(columns[-1])
            heading_last = not line.name and left == 1 and index + 1 < len(self._lines)
            if left == 0 or heading_last:
                columns.append([])
            columns[-1].append(line)
        return columns

    def render_line(self, y: int) -> Strip:
        columns = self._columns()
        room = self.size.width // len(columns)
        base = self.rich_style
        segments: list[Segment] = []
        for column in columns:
            segments += self._cell(column[y], room) if y < len(column) else [Segment(" " * room, base)]
        segments.append(Segment(" " * (self.size.width - room * len(columns)), base))
        return Strip(segments, self.size.width)

    def _cell(self, line: MenuLine, room: int) -> list[Segment]:
        if not line.name:
            return [Segment(fit(f" {line.title}", room), self.named_style("heading"))]
        text = _text(line, room - 3)
        if self._is_chosen(line):
            return [Segment(f"  {fit(text, room - 2)}", self.named_style("chosen"))]
        style = self.named_style("dim" if line.reason else "")
        return [Segment(f"  {fit(text, room - 2)}", style)]


def _text(line: MenuLine, room: int) -> str:
    """The text of an entry: with its title where there is room, otherwise the name and what it has beside it.

    A reason is worth more than the title, which the place itself shows too.
    """
    if room >= WITH_TITLES:
        beside = line.reason or line.count
        titled = f"{fit(line.name, TITLED)}{fit(line.title, TITLE) if line.count else line.title}"
        if not line.reason or cell_len(titled) + 2 + cell_len(beside) <= room:
            return cut(f"{titled}  {beside}" if beside else titled, room)
    if line.reason:
        return cut(f"{line.name}  {line.reason}", room)
    return f"{fit(line.name, max(NAME, room - len(line.count) - 1))} {line.count}" if line.count else line.name
