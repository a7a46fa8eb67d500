"""Users who leave, while the service stops in the middle of what is carried out."""

from __future__ import annotations

import json
from pathlib import Path

from tests.stories.driver import profile, story
from tests.support.process import serving, serving_demo


async def test_what_a_user_hands_over_is_continued_after_the_service_stopped_in_its_middle(tmp_path: Path) -> None:
    data = tmp_path / "service"
    with serving_demo(data) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url), size=(120, 40)) as person:
            await person.is_ready()
            await person.goes("users bela o")
            await person.sees("1 of 4", "Bela O")
            await person.press("Q")
            await person.sees("Successor", "No successor")
            await person.type("amir castro")
            await person.sees("amir.castro25@northwind.example")
            await person.press("enter")
            await person.sees("leaves   cannot be read: OAuth tokens", "Carry out now")
            await person.press("enter")
            await person.sees("Try the first one")
            await person.press("enter")
            await person.sees("1 done   0 failed")
            server.end()
            await person.press("enter")
            await person.sees("paused")
            await person.press("esc")
            await person.is_gone("paused")
            with serving(data, port=port):
                (file,) = (each for each in tmp_path.rglob("leaving.json"))
                (plan,) = json.loads(file.read_text())
                assert not plan["ended"] and file.read_text().count('"done"') >= 1
                await person.goes("home")
                await person.sees("1 user leaves: `:due` carries it out")
                await person.goes("due")
                await person.sees("Carry out", "Try the first one")
                await person.press("enter")
                await person.sees("1 done")
                await person.press("enter")
                await person.sees("0 failed   0 left")
                await person.press("enter")
                await person.sees("0 failed, 0 not started")
                (plan,) = json.loads(file.read_text())
                assert plan["ended"]
                await person.goes("due")
                await person.sees("Nothing is due.")
