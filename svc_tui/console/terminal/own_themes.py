"""User themes as themes of the console, and the contrast of their colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from textual.color import Color
from textual.theme import Theme

from svc_tui.console.terminal.theme import THEMES
from svc_tui.language import _
from svc_tui.workspace.profiles.theme_files import ThemeFile

#: The least ratio of luminance for text by WCAG 2.2 (1.4.3, AA).
LEAST_CONTRAST = 4.5
#: Colours of text, and those that are behind them.
_TEXTS = ("primary", "accent", "success", "warning", "error", "foreground", "muted", "dim")
_BEHIND = ("background", "surface", "panel")
_CURSORS = (
    ("cursor_foreground", "cursor_background"),
    ("inactive_cursor_foreground", "inactive_cursor_background"),
)
#: Colours that Textual has as variables. It would round some of its own attributes, so these are variables as well.
_VARIABLES = {
    "muted": "text-muted",
    "dim": "text-disabled",
    "cursor_foreground": "block-cursor-foreground",
    "cursor_background": "block-cursor-background",
    "inactive_cursor_foreground": "block-cursor-blurred-foreground",
    "inactive_cursor_background": "block-cursor-blurred-background",
    "border": "border-blurred",
    "warning": "warning",
    "error": "error",
}


def theme_of(file: ThemeFile) -> Theme:
    """The theme of a file."""
    base = THEMES[file.base]
    attributes: dict[str, Any] = {key: value for key, value in file.colours.items() if hasattr(base, key)}
    variables = {_VARIABLES[key]: value for key, value in file.colours.items() if key in _VARIABLES}
    return replace(base, name=file.name, variables={**base.variables, **variables}, **attributes)


def colour_of(theme: Theme, key: str) -> str:
    """A colour of a theme by its name in a file."""
    return theme.variables[_VARIABLES[key]] if key in _VARIABLES else str(getattr(theme, key))


def faint_pairs(theme: Theme, least: float = LEAST_CONTRAST) -> Iterator[str]:
    """A sentence for each text of a theme with too little contrast to its background."""
    for text, behind in (*((text, behind) for text in _TEXTS for behind in _BEHIND), *_CURSORS):
        one, other = colour_of(theme, text), colour_of(theme, behind)
        ratio = contrast(Color.parse(one), Color.parse(other))
        if ratio < least:
            yield _("{text} ({one}) on {behind} ({other}) has a contrast of {ratio:.1f}, less than {least:g}.").format(
                text=text, one=one, behind=behind, other=other, ratio=ratio, least=least
            )


def contrast(one: Color, other: Color) -> float:
    """The ratio of two colours' luminance as WCAG 2.2 defines it, from 1 to 21."""

    def luminance(color: Color) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
