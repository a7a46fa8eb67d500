"""Messages, raw records and dialogs that no picture shows have enough contrast in every theme too."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.console.widgets.line_input import FieldInput
from tests.pictures.contrast import faint_in_each_theme
from tests.stories.driver import Story, private_folders, profile, story


async def _can_be_read(person: Story) -> None:
    assert await faint_in_each_theme(person) == {}, person.screen


async def test_messages_raw_records_and_dialogs_can_be_read_in_every_theme(
    service: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    private_folders(monkeypatch, tmp_path)
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("nowhere")
        await person.sees("Unknown view")
        await _can_be_read(person)
        await person.press("d")
        await person.sees('"id"')
        await _can_be_read(person)
        await person.press("esc", "!")
        await person.sees("GET")
        await _can_be_read(person)
        await person.press("esc", "/")
        await person.type("no such name")
        await person.sees("/no such name")
        await _can_be_read(person)
        await person.press("enter")
        await _can_be_read(person)
        await person.press("esc", "space", "space", "S")
        await person.sees("Skipped")
        await _can_be_read(person)
        await person.press("esc", "x")
        await person.sees("Delete 2 applications")
        await _can_be_read(person)
        await person.press("esc", "Y")
        await person.sees("Rows with titles")
        await _can_be_read(person)
        await person.press("esc", "s")
        await _can_be_read(person)


async def test_the_first_start_can_be_read_in_every_theme(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    private_folders(monkeypatch, tmp_path)
    async with story(None, first="home") as person:
        await person.sees("no connection profile yet")
        await _can_be_read(person)
        await person.press("n")
        await person.sees("Profile name")
        await _can_be_read(person)


async def test_invalid_and_refused_fields_can_be_read_in_every_theme(
    service: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    private_folders(monkeypatch, tmp_path)
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.sees("no changes")
        await person.on_field("SSO login redirect URL")
        # The value is selected: what is typed replaces it.
        assert isinstance(person.app.focused, FieldInput) and person.app.focused.is_fully_selected
        await _can_be_read(person)
        person.app.theme = "terminal"
        await person.pilot.pause()
        selected = person.app.focused.get_component_rich_style("input--selection")
        assert selected.underline and selected.bgcolor is not None and selected.bgcolor.is_default
        await person.press("ctrl+u")
        await person.type("not an address")
        await _can_be_read(person)
        await person.on_field("Skip OAuth consent screen")
        await person.sees("enter Reason")
        # The field with a problem is away from the cursor, and the changed one has its mark.
        await person.sees_line(r"^\* SSO login redirect URL +not an address +is not a URL")
        await _can_be_read(person)
        await person.press("enter")
        await person.sees("Skip OAuth consent screen: needs superadmin")
        await _can_be_read(person)
