"""A theme of the user: its colours on the screen, and what happens when its file is wrong."""

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
