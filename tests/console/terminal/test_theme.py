"""The themes can be read, on a projector too."""

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from svc_tui.console.terminal.theme import DARK, LIGHT, STYLES, THEMES


def contrast(one: Color, other: Color) -> float:
    """The ratio of two colours' luminance as WCAG defines it."""

    def luminance(color: Color) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_every_state_stands_out_from_the_background(theme: Theme) -> None:
    colours = {**theme.to_color_system().generate(), **theme.variables}
    background = Color.parse(colours["background"])
    for name in ("primary", "accent", "success", "warning", "error", "foreground", "text-muted"):
        assert contrast(Color.parse(colours[name]), background) >= 5.5, name
    cursor = Color.parse(colours["block-cursor-background"])
    assert contrast(Color.parse(colours["block-cursor-foreground"]), cursor) >= 5.5


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
