"""Typing ahead while a dialog of the directory opens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.stories.driver import profile, send, story


async def test_what_is_typed_behind_a_key_that_opens_a_box_goes_into_the_box_in_order(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "contacts.csv").write_text("lastName,country\nLopes,PRT\n")
    monkeypatch.chdir(tmp_path)
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("directory")
        await person.sees("i imports a file")
        for pace in range(12):
            send(person, "c")
            for key in (*"contacts.csv", "enter"):
                # The box comes between any two of them.
                await asyncio.sleep(pace / 2000)
                send(person, key)
            await person.sees("Read contacts.csv", "lastName, country")
            await person.press("esc")
            await person.does_not_see("Read contacts.csv")
