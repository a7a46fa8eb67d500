"""The console's colours: the terminal's own sixteen, a dark and a light theme for a projector.

Colour never carries a state alone: every state is a word or a mark too, so all of this may be missing.
"""

from collections.abc import Mapping

from textual.theme import BUILTIN_THEMES, Theme

from svc_tui.console.terminal.capabilities import Capabilities

#: Style names and what they look like, as styles of Textual's `Content`.
STYLES: Mapping[str, str] = {
    "ok": "$success",
    "warn": "$warning",
    "bad": "bold $error",
    "dim": "dim $text-muted",
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
        # Reverse instead of colours: right on dark, light and monochrome terminals, and two bytes long.
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
        "border-blurred": "ansi_default",
    },
)

DARK = Theme(
    name="dark",
    primary="#7cc4ff",
    secondary="#5aa2e0",
    accent="#d7b3ff",
    success="#7ee38f",
    warning="#ffd166",
    error="#ff8f87",
    foreground="#e8edf4",
    background="#0f141b",
    surface="#171e28",
    panel="#1f2935",
    variables={
        "text-muted": "#a9b5c4",
        "block-cursor-foreground": "#0b1017",
        "block-cursor-background": "#7cc4ff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#e8edf4",
        "block-cursor-blurred-background": "#2b3a4d",
    },
)

LIGHT = Theme(
    name="light",
    dark=False,
    primary="#0a4f9e",
    secondary="#2a6cb8",
    accent="#6a2fb5",
    success="#0f6b2c",
    warning="#7a4b00",
    error="#a8142b",
    foreground="#16202c",
    background="#ffffff",
    surface="#f2f5f9",
    panel="#e4eaf1",
    variables={
        "text-muted": "#4d5b6b",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-background": "#0a4f9e",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#16202c",
        "block-cursor-blurred-background": "#cddcee",
    },
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (TERMINAL, DARK, LIGHT)}


def choose_theme(wanted: str, can: Capabilities, environment: Mapping[str, str]) -> str:
    """The name of the theme to start with.

    `wanted` is the profile's choice, "" for none. Without colours only the terminal's own theme is readable, so the
    wish is not followed there.
    """
    if can.colours == 0:
        return TERMINAL.name
    if wanted in THEMES:
        return wanted
    if can.plain_colours:
        return TERMINAL.name
    return LIGHT.name if has_light_background(environment) else DARK.name


def has_light_background(environment: Mapping[str, str]) -> bool:
    """Whether the terminal says that its background is light (`COLORFGBG`, as "0;15"); most do not say."""
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return background == "7" or (background.isdigit() and 9 <= int(background) <= 15)
