"""Many companies edited at once: one form, one preview, one job, one undo."""

from __future__ import annotations

from pathlib import Path

from svc_tui.client.client import Client
from svc_tui.interface.catalogue import operation
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.process import ended, serving_demo, start

SUPERADMIN = "superadmin@demo.example"


async def _marks_all(person: Story) -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees("▸ Companies", "NAME ▲", "Bluebird Clinics")
    await person.press("*")
    await person.sees("22 marked")


async def _cities(client: Client) -> dict[str, tuple[str, str | None]]:
    """ID and city of each company by its name."""
    listed = await client.send(operation("list_companies"), query={"format": "full", "limit": 100})
    return {row["name"]: (row["id"], row.get("city")) for row in listed.body["data"]}


async def test_all_companies_get_a_city_while_the_service_stops_and_others_work(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server:
        async with wired(server.url) as (wire, url), story(profile(url, SUPERADMIN)) as person:
            async with other_client(server.url) as other:
                before = await _cities(other)
                await call(other, "update_company", {"city": "Lisbon"}, companyId=before["Aloe Cosmetics"][0])
                await _marks_all(person)
                await person.press("e")
                await person.sees("Edit 22 companies", "1 company cannot be edited")
                await person.press("ctrl+f")
                await person.type("city")
                await person.press("enter")
                await person.sees_line(r"City +several values +10 × —, 1 × Lisbon")
                await person.type("Lisbon")
                await person.press("ctrl+o")
                await person.sees("City → Lisbon.", "Edit: 20 companies", "Leeds → Lisbon", "Type 20, the number")
                await person.press(*["pgdn"] * 3)
                await person.sees_line("Unchanged: 1 company")
                await person.sees_line(r"Aloe Cosmetics +has these values already")
                await person.sees_line("Skipped: 1 company")
                await person.sees_line(r"Quarry & Sons +.*terminated")
                await call(other, "update_company", {"city": "Bonn"}, companyId=before["Cedar Insurance"][0])
            await person.type("20")
            await person.press("enter")
            await person.sees("1 done   0 failed   19 left", "Continue with the rest")
            server.end()
            await person.press("enter")
            await person.sees("paused", "Continue")
            again = start(tmp_path / "again.log", data_dir=tmp_path / "data")
            with ended(again):
                wire.leads_to(int(again.url.rpartition(":")[2]))
                wire.swallow = b"PUT /api/svc/admin/v1.0/companies/"
                await person.press("space")
                # The response of one request is lost: the job pauses, and finds that it was made.
                await person.until(lambda: not wire.swallow and "paused" in person.screen, "it does not pause")
                await person.press("space")
                await person.sees("19 done   1 failed   0 left   1 unchanged   1 skipped")
                await person.sees_line(r"Cedar Insurance +another administrator has just cha")
                await person.press("enter")
                await person.sees("Edit: 19 done, 1 failed, 0 not started, 1 unchanged, 1 skipped.")
                await person.sees("*Cedar Insurance", "*Quarry & Sons")
                async with other_client(again.url) as other:
                    after = await _cities(other)
                kept = {"Cedar Insurance": "Bonn", "Quarry & Sons": before["Quarry & Sons"][1]}
                assert {name: city for name, (_, city) in after.items()} == dict.fromkeys(before, "Lisbon") | kept
                await _undoes(person, 19)
                async with other_client(again.url) as other:
                    undone = await _cities(other)
                made = {"Cedar Insurance": "Bonn", "Aloe Cosmetics": "Lisbon"}
                assert undone == {name: (id, made.get(name, city)) for name, (id, city) in before.items()}


async def _undoes(person: Story, number: int) -> None:
    """One undo for the whole job, and nothing left to undo."""
    await person.press("ctrl+z")
    await person.sees(f"Undo {number} companies", f"Type {number}, the number")
    await person.type(str(number))
    await person.press("enter")
    await person.sees("Continue with the rest")
    await person.press("enter")
    await person.sees(f"{number} done   0 failed   0 left")
    await person.does_not_see("failed records stay marked")
    await person.press("enter")
    await person.sees(f"Undo: {number} done, 0 failed, 0 not started.")
    await person.press("ctrl+z")
    await person.sees("nothing to undo")
