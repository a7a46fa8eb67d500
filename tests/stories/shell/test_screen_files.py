"""Saving the screen for a ticket: a picture or text, as it is shown, with the path in the message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from svc_tui.console.dialogs.messages import Secret
from tests.stories.driver import profile, story


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


async def test_a_screen_is_saved_as_picture_and_as_text_with_masked_secrets(service: str, home: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter", "d")
        await person.sees('"appSecret": "••••••••"')
        shown = person.screen
        await person.press("f9")
        await person.sees("Saved ")
        await person.press("f8")
        await person.sees(".txt")
        [picture], [text] = home.glob("*.svg"), home.glob("*.txt")
        saved = text.read_text(encoding="utf-8")
        assert '"name": "Campus Client"' in saved
        assert saved.splitlines()[:5] == [line.rstrip() for line in shown.splitlines()[:5]]
        for content in (saved, picture.read_text(encoding="utf-8")):
            assert "••••••••" in content
            assert "cdnjs" not in content
        assert picture.stat().st_mode & 0o777 == 0o600


async def test_a_second_screen_replaces_nothing_and_the_palette_offers_it(service: str, home: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.sees("enter Next")
        await person.press("f8")
        await person.sees("Saved ")
        await person.press("escape", "Y")
        await person.sees("enter Choose")
        await person.press("f8")
        await person.sees("svc-tui-dialog-", ".txt")
        await person.press("down")
        await person.sees("enter Choose")
        await person.press("escape")
        await person.press("f8", "f8")
        await person.until(lambda: len(list(home.glob("*.txt"))) == 4, "a file was replaced")
        await person.press("ctrl+p")
        await person.type("save screen")
        await person.press("enter")
        await person.until(lambda: len(list(home.glob("*.svg"))) == 1, "no picture was saved")


async def test_the_key_that_quits_works_in_a_dialog_too(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("Y")
        await person.sees("enter Choose")
        await person.press("ctrl+c")
        await person.until(lambda: person.app.return_code is not None, "the console runs on")


async def test_a_folder_that_cannot_be_written_is_a_message(
    service: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("HOME", str(home / "file"))
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("f9")
        await person.sees("The screen cannot be saved")


async def test_a_secret_that_is_revealed_is_masked_in_files(service: str, home: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("••••••••  v shows it")
        await person.press("v")
        await person.until(lambda: "v shows it" not in person.screen, "the secret is hidden")
        found = re.search(r"Secret +(\S{8,})", person.screen)
        assert found
        secret = found[1]
        await person.press("f9", "f8", "d", "v")
        await person.sees(f'"appSecret": "{secret}"', '"name": "Campus Client"')
        await person.press("f9", "f8")
        await person.until(lambda: len([*home.glob("*.svg"), *home.glob("*.txt")]) == 4, "screens are missing")
        for file in (*home.glob("*.svg"), *home.glob("*.txt")):
            saved = file.read_text(encoding="utf-8").replace("&#160;", " ")
            assert secret not in saved and "••••••••" in saved and "Campus Client" in saved
        await person.sees(secret)


async def test_a_secret_that_is_shown_once_is_masked_in_the_file(service: str, home: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("keys")
        await person.sees("demo ▸ API keys")
        await person.is_ready()
        await person.press("n")
        await person.sees("Description *")
        await person.type("for a ticket")
        await person.press("ctrl+o")
        await person.sees("Create API key")
        await person.press("enter")
        await person.sees("it is shown only once")
        box = person.app.screen
        assert isinstance(box, Secret)
        await person.sees(box.secret)
        await person.press("f9")
        await person.until(lambda: bool([*home.glob("*.svg")]), "no picture is saved")
        await person.press("f8")
        await person.until(lambda: bool([*home.glob("*.txt")]), "no text is saved")
        for file in (*home.glob("*.svg"), *home.glob("*.txt")):
            saved = file.read_text(encoding="utf-8")
            assert box.secret not in saved and "••••••••" in saved
        await person.sees(box.secret)
