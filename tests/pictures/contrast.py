"""The contrast of the texts on a screen, computed from the cells that are painted.

In the themes with fixed colours it is that of WCAG 2.2. The theme of the terminal has colours that the user has chosen,
so its rule is about which of them may be painted on which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.color import Color as Painted

from svc_tui.console.terminal.own_themes import LEAST_CONTRAST, contrast
from svc_tui.console.terminal.theme import THEMES
from tests.stories.driver import Story

#: Borders, bars and blocks, which are not text.
_DRAWN = re.compile("[\u2500-\u259f\\s]+")
#: The default colour of text, and red to cyan: neither black nor white, which are backgrounds of terminals.
_ON_BACKGROUND = (None, *range(1, 7))


async def faint_in_each_theme(person: Story) -> dict[str, list[str]]:
    """The texts of the screen that are painted with too little contrast, for each theme that has some."""
    before, found = person.app.theme, {}
    for theme in THEMES:
        person.app.theme = theme
        await person.pilot.pause()
        if faint := _faint_texts(person.app):
            found[theme] = faint
    person.app.theme = before
    await person.pilot.pause()
    return found


def _faint_texts(app: App[int]) -> list[str]:
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    segments = (segment for row in update.strips for strip in row for segment in strip)
    faint = _faint_colours(segments) if app.native_ansi_color else _faint(segments)
    return list(dict.fromkeys(faint))


def _texts(segments: Iterable[Segment]) -> Iterator[tuple[str, Style]]:
    for text, style, _ in segments:
        words = _DRAWN.sub(" ", text).strip()
        if words and style is not None:
            yield words, style


def _faint(segments: Iterable[Segment]) -> Iterator[str]:
    for text, style in _texts(segments):
        assert style.color is not None and style.bgcolor is not None, text
        one, other = (Painted.from_rich_color(each) for each in (style.color, style.bgcolor))
        ratio = contrast(one, other)
        if ratio < LEAST_CONTRAST or style.dim:
            yield f"{text!r}: {one.hex} on {other.hex} is {ratio:.1f}{', and dim' if style.dim else ''}"


def _faint_colours(segments: Iterable[Segment]) -> Iterator[str]:
    for text, style in _texts(segments):
        one, other = _number(style.color), _number(style.bgcolor)
        # The cursor on a hint is one cell.
        plain = one is None and (len(text) == 1 or not style.reverse)
        if other is not None or one not in _ON_BACKGROUND or (style.dim and not plain):
            yield f"{text!r}: {style}"


def _number(color: Color | None) -> int | None:
    """The number of a colour, None for the default of the terminal."""
    if color is None or color.is_default:
        return None
    return -1 if color.number is None else color.number
