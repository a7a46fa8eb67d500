"""The themes can be read, on a projector too."""

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from svc_tui.console.terminal.own_themes import colour_of, contrast, faint_pairs, theme_of
from svc_tui.console.terminal.theme import DARK, HIGH_CONTRAST, LIGHT, STYLES, TERMINAL, THEMES
from svc_tui.workspace.profiles.theme_files import COLOURS, ThemeFile

#: The least ratio on the background, for projectors; it is higher than the one of WCAG 2.2.
ON_BACKGROUND = 5.5
#: That of WCAG 2.2, 1.4.6 (AAA).
ENHANCED = 7


@pytest.mark.parametrize("theme", [DARK, LIGHT, HIGH_CONTRAST], ids=lambda theme: theme.name)
def test_every_state_has_enough_contrast_to_its_background(theme: Theme) -> None:
    assert list(faint_pairs(theme)) == []
    faint = faint_pairs(theme, ON_BACKGROUND)
    assert [pair for pair in faint if " on background " in pair or "cursor" in pair] == []


def test_high_contrast_is_the_enhanced_one_of_wcag() -> None:
    assert list(faint_pairs(HIGH_CONTRAST, ENHANCED)) == []
    assert list(faint_pairs(DARK, ENHANCED)) and list(faint_pairs(LIGHT, ENHANCED))


def test_the_colours_that_are_checked_are_those_that_are_drawn() -> None:
    for theme in (DARK, LIGHT, HIGH_CONTRAST):
        drawn = {**theme.to_color_system().generate(), **theme.variables}
        for key in ("primary", "accent", "success", "warning", "error", "foreground", "background", "surface", "panel"):
            assert Color.parse(drawn[key]) == Color.parse(colour_of(theme, key)), (theme.name, key)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(Color.parse("#ffffff"), Color.parse("#000000")) == 21
    assert round(contrast(Color.parse("#777777"), Color.parse("#ffffff")), 2) == 4.48


def test_the_theme_of_the_terminal_leaves_contrast_to_the_terminal() -> None:
    """Its text has the colours that the user has chosen, and the cursor exchanges them."""
    behind = ("background", "surface", "panel")
    assert {getattr(TERMINAL, name) for name in (*behind, "foreground")} == {"ansi_default"}
    assert TERMINAL.variables["block-cursor-text-style"] == "reverse"
    assert THEMES.keys() == {theme.name for theme in (TERMINAL, DARK, LIGHT, HIGH_CONTRAST)}


@pytest.mark.parametrize("name", THEMES)
async def test_every_style_is_known_to_every_theme(name: str) -> None:
    class Host(App[None]):
        def on_mount(self) -> None:
            for theme in THEMES.values():
                self.register_theme(theme)
            self.theme = name

    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        for style in STYLES.values():
            assert app.stylesheet.parse_style(style)


def test_a_theme_of_the_user_has_its_colours_over_those_of_its_base() -> None:
    made = theme_of(
        ThemeFile("sand", "light", {"background": "#fff8e7", "muted": "#555555", "dim": "#666666", "error": "#cc0000"})
    )
    assert (made.name, made.dark, made.background, made.primary) == ("sand", False, "#fff8e7", LIGHT.primary)
    assert (made.variables["text-muted"], made.variables["text-disabled"]) == ("#555555", "#666666")
    assert made.error == made.variables["error"] == "#cc0000"
    assert {colour_of(made, key) for key in COLOURS}
    faint = theme_of(ThemeFile("mist", "light", {"accent": "#aaaaaa"}))
    assert next(faint_pairs(faint)) == "accent (#aaaaaa) on background (#ffffff) has a contrast of 2.3, less than 4.5."
