"""Themes: that of the user on the screen, a wrong file, and `:theme`, which draws each one while it is selected."""

from __future__ import annotations

from pathlib import Path

from tests.stories.driver import profile, story


def _write(folder: Path, text: str) -> None:
    (folder / "config" / "themes").mkdir(parents=True)
    (folder / "config" / "themes" / "sand.toml").write_text(text)


async def test_the_console_has_the_colours_of_the_theme(service: str, tmp_path: Path) -> None:
    _write(tmp_path, 'base = "light"\nbackground = "#fff8e7"\n')
    async with story(profile(service, theme="sand")) as person:
        await person.is_ready()
        assert person.app.theme == "sand"
        assert person.app.screen.background_colors[1].hex == "#FFF8E7"


async def test_a_theme_with_a_fault_is_named_and_the_console_works(service: str, tmp_path: Path) -> None:
    _write(tmp_path, 'background = "beige"\n')
    async with story(profile(service, theme="sand")) as person:
        await person.sees("Theme of the profile", "The theme sand is ignored.")
        await person.sees_across_lines('sand.toml, line 1: background must be a colour such as "#87d7ff".')
        await person.press("enter")
        await person.is_ready()
        assert person.app.theme == "dark"


async def test_the_selected_theme_is_drawn_and_esc_restores_the_one_before(service: str, tmp_path: Path) -> None:
    _write(tmp_path, 'base = "light"\nbackground = "#fff8e7"\n')
    async with story(profile(service, theme="dark")) as person:
        await person.is_ready()
        await person.goes("theme")
        await person.sees("high-contrast", "a theme of yours")
        await person.press("down")
        await person.until(lambda: person.app.theme == "light", "not drawn")
        await person.press("down", "down")
        await person.until(lambda: person.app.theme == "sand", "not drawn")
        await person.press("esc")
        await person.until(lambda: person.app.theme == "dark", "not restored")
        await person.goes("theme")
        await person.sees("a theme of yours")
        await person.press("down", "enter")
        await person.sees("Theme light, kept as your setting in config.toml.")
        assert person.app.theme == "light"
        await person.goes("theme nonsense")
        await person.sees("Unknown theme “nonsense”")
        assert person.app.theme == "light"


async def test_a_theme_that_a_slow_link_does_not_draw_is_not_reported_as_drawn(service: str) -> None:
    async with story(profile(service, slow_link="always")) as person:
        await person.is_ready()
        await person.goes("theme light")
        await person.sees("Theme light is not drawn: this link has the colours of the terminal.")
        assert person.app.theme == "terminal"


async def test_the_chosen_theme_is_drawn_at_the_next_start(service: str, tmp_path: Path) -> None:
    config = tmp_path / "config" / "config.toml"
    config.parent.mkdir()
    config.write_text('# My settings\ncache_megabytes = 50\n\n[profiles.work]\nbase_url = "https://work.example"\n')
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("theme high-contrast")
        await person.sees("Theme high-contrast, kept as your setting in config.toml.")
    kept = config.read_text()
    assert 'theme = "high-contrast"' in kept and "# My settings" in kept and "https://work.example" in kept
    async with story(profile(service)) as person:
        assert person.app.theme == "high-contrast"
        await person.is_ready()
        await person.goes("theme automatic")
        await person.sees("Theme automatic, kept")
        assert "theme" not in config.read_text()
        config.write_text("theme = dark")
        await person.goes("theme light")
        await person.sees("Theme light, until the console ends.")
        assert person.app.theme == "light"
        assert config.read_text() == "theme = dark"
