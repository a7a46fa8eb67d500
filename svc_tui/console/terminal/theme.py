"""The themes: the sixteen colours of the terminal, a dark and a light theme, and one with high contrast.

Every state is also a word or a mark, so that colours are not needed.
"""

from collections.abc import Mapping

from textual.theme import BUILTIN_THEMES, Theme

from svc_tui.console.terminal.capabilities import Capabilities

#: Style name -> style of Textual's `Content`.
STYLES: Mapping[str, str] = {
    "ok": "$success",
    "warn": "$warning",
    "bad": "bold $error",
    "dim": "dim $foreground",
    "accent": "$accent",
    "cursor": "$block-cursor-foreground on $block-cursor-background $block-cursor-text-style",
    "mark": "bold $accent",
}

TERMINAL = Theme(
    name="terminal",
    ansi=True,
    primary="ansi_cyan",
    secondary="ansi_cyan",
    accent="ansi_magenta",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables=BUILTIN_THEMES["ansi-dark"].variables
    | {
        # Reverse works on dark, light and monochrome terminals, and takes two bytes.
        "block-cursor-foreground": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-foreground": "ansi_default",
        "block-cursor-blurred-background": "ansi_default",
        "block-cursor-blurred-text-style": "bold",
        "block-hover-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-background": "ansi_default",
        "input-cursor-text-style": "reverse",
        # A selected text is underlined: terminals with eight colours have no bright backgrounds.
        "input-selection-foreground": "ansi_default",
        "input-selection-background": "ansi_default",
        "border-blurred": "ansi_bright_black",
    },
)

# The colours of these themes are among the 240 fixed ones of a 256-colour terminal, whose numbers are half as long as
# their values (see `pens.indexed`). Those that Textual would round to others are variables too.
DARK = Theme(
    name="dark",
    primary="#87d7ff",
    secondary="#5fafd7",
    accent="#d7afff",
    success="#87d787",
    warning="#ffd75f",
    error="#ff8787",
    foreground="#eeeeee",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    variables={
        "text-muted": "#b2b2b2",
        "text-disabled": "#9e9e9e",
        # That of the background: the row under the cursor is in reverse, which takes fewer bytes (`pens.change`).
        "block-cursor-foreground": "#121212",
        "block-cursor-background": "#87d7ff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#eeeeee",
        "block-cursor-blurred-background": "#303030",
        "input-selection-foreground": "#121212",
        "input-selection-background": "#5fafd7",
        "border-blurred": "#444444",
        "warning": "#ffd75f",
        "error": "#ff8787",
    },
)

LIGHT = Theme(
    name="light",
    dark=False,
    primary="#005f87",
    secondary="#0087af",
    accent="#5f00af",
    success="#005f00",
    warning="#5f5f00",
    error="#af0000",
    foreground="#1c1c1c",
    background="#ffffff",
    surface="#eeeeee",
    panel="#e4e4e4",
    variables={
        "text-muted": "#4e4e4e",
        "text-disabled": "#5f5f5f",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-background": "#005f87",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#1c1c1c",
        "block-cursor-blurred-background": "#afd7ff",
        "input-selection-foreground": "#1c1c1c",
        "input-selection-background": "#afd7ff",
        "border-blurred": "#bcbcbc",
        "warning": "#5f5f00",
        "error": "#af0000",
    },
)

# Texts on black, each with a contrast of at least 7 (WCAG 2.2, 1.4.6, AAA).
HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#87ffff",
    secondary="#5fd7ff",
    accent="#ffafff",
    success="#87ff87",
    warning="#ffff5f",
    error="#ffafaf",
    foreground="#ffffff",
    background="#000000",
    surface="#121212",
    panel="#262626",
    variables={
        "text-muted": "#e4e4e4",
        "text-disabled": "#d0d0d0",
        "block-cursor-foreground": "#000000",
        "block-cursor-background": "#ffff5f",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#ffffff",
        "block-cursor-blurred-background": "#444444",
        "input-selection-foreground": "#000000",
        "input-selection-background": "#5fd7ff",
        "border-blurred": "#bcbcbc",
        "warning": "#ffff5f",
        "error": "#ffafaf",
    },
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (TERMINAL, DARK, LIGHT, HIGH_CONTRAST)}


def choose_theme(requested: str, can: Capabilities, light: bool, themes: Mapping[str, Theme] = THEMES) -> str:
    """The name of the theme to start with.

    `requested` is the theme of the profile, "" for none; `light` is the background of the terminal. Without colours the
    theme of the terminal is used, because no other one is readable.
    """
    if can.colours == 0:
        return TERMINAL.name
    if requested in themes:
        return requested
    if can.plain_colours:
        return TERMINAL.name
    return LIGHT.name if light else DARK.name
