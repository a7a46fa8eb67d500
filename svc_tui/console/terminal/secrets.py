"""The mark of secrets on the screen: whatever draws one marks its cells, and saved screens and recordings mask them.

The mark is a link of the style, which passes through everything that Textual composes, also where the secret is cut,
covered or scrolled. The driver does not send it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from svc_tui.console.terminal.pens import SECRET

_MARK = Style(link=SECRET)
_MASK = "••••••••"


def marked(style: Style) -> Style:
    """The style for the cells of a secret."""
    return style + _MARK


def is_marked(segment: Segment) -> bool:
    """Whether a segment shows a secret."""
    return segment.style is not None and segment.style.link == SECRET


def marked_strip(strip: Strip) -> Strip:
    """A line that shows nothing but a secret."""
    return strip.apply_style(_MARK)


def mask(columns: int) -> str:
    """The text in place of a secret of any length: that many columns."""
    return _MASK[:columns].ljust(columns)


def masked_strip(strips: Iterable[Strip]) -> Strip:
    """A line of the screen with masks in place of secrets."""
    return Strip([_masked(segment) if is_marked(segment) else segment for strip in strips for segment in strip])


def _masked(segment: Segment) -> Segment:
    return Segment(mask(segment.cell_length), segment.style and segment.style.update_link(None))
