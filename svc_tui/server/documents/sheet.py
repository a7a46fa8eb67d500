"""A printed sheet: text of any script that wraps and is never cut, and numbers that stay whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from fpdf import FPDF
from fpdf.enums import Align, MethodReturnValue, XPos, YPos

from svc_tui.server.documents.fonts import (
    CJK,
    LATIN,
    ZERO_WIDTH_SPACE,
    breakable,
    families_of,
    font_files,
    language_of,
    printable,
)

Color = tuple[int, int, int]

#: Height of a line, as a part of the size of its letters in points.
_LEADING = 0.5
#: The smallest letters in points, of numbers that would not fit otherwise.
_SMALLEST = 3.0


class Style(NamedTuple):
    """How a text is drawn: size in points, color, weight and alignment."""

    size: float
    color: Color
    bold: bool = False
    align: Align = Align.L

    @property
    def height(self) -> float:
        """Height of a line in millimetres."""
        return self.size * _LEADING


class Sheet(FPDF):
    """Pages of A4 for these texts. `country` decides the form of Chinese characters where a text does not."""

    def __init__(self, texts: Iterable[str], country: str, margin: float) -> None:
        super().__init__(format="A4")
        self._country = country
        #: Whether a character was replaced.
        self.has_replaced = False
        self.set_margin(margin)
        drawn = [printable(text)[0] for text in texts]
        others = families_of(drawn)
        for family in (LATIN, *others):
            for style, path in zip(("", "B"), font_files(family), strict=False):
                self.add_font(family, style, path)
        self.set_text_shaping(True)
        self.set_font(LATIN)
        # The font for Chinese has no bold style.
        self.set_fallback_fonts(others, exact_match=False)

    def text_height(self, text: Any, width: float, style: Style) -> float:
        """The height of a text that wraps at a width."""
        return len(self._wrapped(self._begin(text, style), width, style)) * style.height

    def write_text(self, text: Any, x: float, width: float, style: Style) -> None:
        """Write a text from the current line on; it wraps at the width. The position is below it then."""
        line = self._begin(text, style)
        self.set_x(x)
        if breakable(line) == line:
            self.multi_cell(width, style.height, line, align=style.align, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
            return
        for part in self._wrapped(line, width, style):
            self.set_x(x)
            self.cell(width, style.height, part, align=style.align, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def write_whole(self, text: Any, x: float, width: float, style: Style) -> None:
        """Write a text in one line, in smaller letters if it does not fit. The line stays current."""
        line = self._begin(text, style)
        room = width - 2 * self.c_margin
        if (needed := self.get_string_width(line)) > room:
            self.set_font_size(max(style.size * room / needed, _SMALLEST))
        self.set_x(x)
        self.cell(width, style.height, line, align=style.align, new_x=XPos.LMARGIN, new_y=YPos.TOP)

    def width_of(self, text: Any, style: Style) -> float:
        """The width that a text needs in one line."""
        return float(self.get_string_width(self._begin(text, style))) + 2 * self.c_margin

    def _wrapped(self, line: str, width: float, style: Style) -> list[str]:
        """The lines of a text, which the font is set for."""
        if not line:
            return []
        found = self.multi_cell(width, style.height, breakable(line), dry_run=True, output=MethodReturnValue.LINES)
        return [part.replace(ZERO_WIDTH_SPACE, "") for part in cast("list[str]", found)]

    def _begin(self, text: Any, style: Style) -> str:
        """The printable text, after the font, the color and the language are set."""
        line, is_replaced = printable(str(text))
        self.has_replaced = self.has_replaced or is_replaced
        self.set_font(LATIN, "B" if style.bold else "", style.size)
        self.set_text_color(*style.color)
        language = language_of(line, self._country) if CJK in self.fonts else None
        self.set_text_shaping(True, language=language)
        return line
