"""The themes can be read, on a projector too."""

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from svc_tui.console.terminal.theme import DARK, LIGHT, STYLES, TERMINAL, THEMES


def contrast(one: Color, other: Color) -> float:
    """The ratio of two colours' luminance as WCAG defines it."""

    def luminance(color: Color) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


#: The least ratio for text by WCAG 2.2 (1.4.3, AA); on the background it is higher, for projectors.
LEAST, ON_BACKGROUND = 4.5, 5.5


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_every_state_stands_out_from_what_is_behind_it(theme: Theme) -> None:
    colours = {**theme.to_color_system().generate(), **theme.variables}

    def of(text: str, behind: str) -> float:
        return contrast(Color.parse(colours[text]), Color.parse(colours[behind]))

    for text in ("primary", "accent", "success", "warning", "error", "foreground", "text-muted"):
        assert of(text, "background") >= ON_BACKGROUND, text
        # The status line and dialogs, and the top line and footer.
        for behind in ("surface", "panel"):
            assert of(text, behind) >= LEAST, (text, behind)
    assert of("block-cursor-foreground", "block-cursor-background") >= ON_BACKGROUND
    assert of("block-cursor-blurred-foreground", "block-cursor-blurred-background") >= ON_BACKGROUND


def test_the_theme_of_the_terminal_leaves_contrast_to_the_terminal() -> None:
    """Its text has the colours that the user has chosen, and the cursor exchanges them."""
    behind = ("background", "surface", "panel")
    assert {getattr(TERMINAL, name) for name in (*behind, "foreground")} == {"ansi_default"}
    assert TERMINAL.variables["block-cursor-text-style"] == "reverse"
    assert THEMES.keys() == {theme.name for theme in (TERMINAL, DARK, LIGHT)}


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
