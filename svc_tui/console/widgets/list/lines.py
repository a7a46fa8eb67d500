"""Lines of a list as strips, with one segment for each run of a style."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from svc_tui.console.terminal.text import LONGEST_LINE, safe_text
from svc_tui.console.widgets.list.columns import GAP, ColumnPlace, draw_cell, draw_title

Looks = Callable[[str], Style]


class Glyphs(NamedTuple):
    """The signs of a list, for a terminal with Unicode or without."""

    cursor: str
    mark: str
    ascending: str
    descending: str
    awaited: str


UNICODE = Glyphs("▌", "*", "▲", "▼", "…")
ASCII = Glyphs(">", "*", "^", "v", "~")


class Painter:
    """Draws the lines of a list in one width."""

    def __init__(self, places: Sequence[ColumnPlace], cells: int, looks: Looks, unicode: bool) -> None:
        self._places = places
        self._cells = cells
        # Textual forgets its styles with each line that is drawn again.
        self._looks = lru_cache(maxsize=None)(looks)
        self._unicode = unicode
        self._glyphs = UNICODE if unicode else ASCII
        ends = [place.x + place.width for place in places]
        starts = [place.x for place in places[1:]]
        #: The spaces behind each column.
        self._gaps = [" " * (start - end) for start, end in zip(starts, ends, strict=False)] + [" " * GAP]

    def header(self, sort_field: str, descending: bool) -> Strip:
        """The titles, with the mark of the sort order."""
        mark = self._glyphs.descending if descending else self._glyphs.ascending
        runs: list[tuple[str, str]] = [(" ", "header")]
        for place, gap in zip(self._places, self._gaps, strict=True):
            sorted_by = bool(sort_field) and place.column.sort_field == sort_field
            runs += [(draw_title(place, mark if sorted_by else "", self._unicode), "header"), (gap, "header")]
        return self._strip(runs, "header")

    def row(self, row: Mapping[str, Any], look: str, marked: bool, flashing: frozenset[int] = frozenset()) -> Strip:
        """A record. `look` is "cursor", "cursor-blurred" or "" for a line without the cursor.

        The cells of the columns `flashing` are highlighted.
        """
        base = look or ("mark" if marked else "row")
        gutter = self._glyphs.mark if marked else self._glyphs.cursor if look else " "
        runs = [(gutter, base)]
        for number, place in enumerate(self._places):
            cell = draw_cell(place, row, self._unicode)
            own = cell.style or ("name" if number == 0 and not marked else base)
            highlight = "flash-cursor" if look == "cursor" else "flash"
            runs += [(cell.text, highlight if number in flashing else base if look else own)]
            runs.append((self._gaps[number], base))
        return self._strip(runs, base)

    def differing(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> frozenset[int]:
        """The numbers of the columns in which two records are drawn differently."""
        return frozenset(
            number
            for number, place in enumerate(self._places)
            if draw_cell(place, old, self._unicode) != draw_cell(place, new, self._unicode)
        )

    def awaited(self, look: str) -> Strip:
        """A record that is not read yet."""
        base = look or "dim"
        return self._strip([(self._glyphs.cursor if look else " ", base), (self._glyphs.awaited, base)], base)

    def note(self, text: str, line: int, look: str = "dim") -> Strip:
        """A line of a text in place of records, wrapped to the width."""
        said = wrap(text[:LONGEST_LINE], max(1, self._cells - 2))
        if line >= len(said):
            return self.blank()
        return self._strip([(" ", "dim"), (safe_text(said[line], self._unicode).text, look)], "row")

    def blank(self) -> Strip:
        """An empty line below the last record."""
        return Strip([Segment(" " * self._cells, self._looks("row"))], self._cells)

    def _strip(self, runs: Iterable[tuple[str, str]], filler: str) -> Strip:
        merged: list[list[str]] = []
        for text, look in runs:
            # Spaces look the same in every style without a background: they join the run before.
            if merged and (merged[-1][1] == look or (not text.strip() and look in ("row", "mark"))):
                merged[-1][0] += text
            elif text:
                merged.append([text, look])
        segments = [Segment(text, self._looks(look)) for text, look in merged]
        strip = Strip(segments)
        if strip.cell_length > self._cells:
            return strip.crop(0, self._cells)
        missing = self._cells - strip.cell_length
        if missing:
            segments.append(Segment(" " * missing, self._looks(filler)))
        return Strip(segments, self._cells)
