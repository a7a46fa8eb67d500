"""Recordings at the keyboard: last week's calls with one number, days counted, ranges marked, what is kept."""

from __future__ import annotations

import asyncio
import csv
import re
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from textual import events

from svc_tui.console.editing.bulk import BulkBox
from tests.stories.driver import Story, profile, story

MOMENT = r"\d{4}-\d\d-\d\d \d\d:\d\d"


def _last_week() -> tuple[str, str]:
    monday = date.today() - timedelta(days=date.today().weekday() + 7)
    return str(monday), str(monday + timedelta(days=6))


def _days(person: Story) -> list[str]:
    return [line[1:11] for line in person.lines if re.match(r"[▌*> ]\d{4}-", line)]


async def _chooses(person: Story, key: str, text: str) -> None:
    await person.press(key)
    await person.type(text)
    await person.press("enter")


async def test_last_weeks_calls_with_one_number_are_found_across_companies(service: str) -> None:
    first, last = _last_week()
    async with story(profile(service, "organization_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("allrecordings")
        await person.sees("▸ Recordings across companies", "DATE ▼")
        await person.is_ready()
        await person.press("P")
        await person.type("last week")
        await person.sees(f"{first} to {last}")
        await person.press("enter")
        await person.sees(f"fromDate={first}, toDate={last}")
        await person.is_ready()
        assert {first <= day <= last for day in _days(person)} == {True}
        await _chooses(person, "/", "21 300 0111")
        await person.until(lambda: "+351 21 300 0111" in person.cursor, "not found")
        await person.is_ready()
        rows = [line for line in person.lines if re.match(r"[▌ ]\d{4}-", line)]
        assert all("+351 21 300 0111" in line for line in rows)
        assert {first <= day <= last for day in _days(person)} == {True}


@pytest.mark.parametrize("who", ["superadmin", "organization_admin"])
async def test_roles_that_list_recordings_only_across_companies_get_there(service: str, who: str) -> None:
    async with story(profile(service, f"{who}@demo.example")) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("▸ Recordings across companies")
        await person.does_not_see("needs company_admin")


async def test_days_are_counted_and_one_is_shown(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        day = str(date.today() - timedelta(days=3))
        await person.press("T")
        await person.sees("Recordings per day", "in these 14 days")
        found = await person.sees_line(rf"\w{{3}} {day}\s+(█*)\s+(\d+)")
        assert bool(found[1]) == bool(int(found[2]))
        await person.press("left", "right", "down", "down", "down", "enter")
        await person.sees(f"fromDate={day}, toDate={day}")
        await person.sees_line(rf"^ {found[2]} recordings? ")
        assert set(_days(person)) <= {day}
        await _chooses(person, "P", "any time")
        await person.sees("1,250 recordings")


async def test_a_range_of_recordings_is_marked_and_deleted(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        await person.press("space", "down", "down", "ctrl+space")
        await person.sees("4 marked")
        await person.press("x")
        await person.sees("Delete 4 recordings", "batch 1 of 1: 4")
        await person.press("esc")


async def test_only_the_recordings_of_the_day_that_is_shown_are_deleted(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In Auckland a working day of the demo, which is in UTC, ends on the next day.
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        async with story(profile(service), size=(100, 60)) as person:
            await person.is_ready()
            await person.goes("recordings")
            await person.sees("1,250 recordings")
            await person.until(lambda: len(set(_days(person))) > 2, "no rows of three days")
            day, before = sorted(set(_days(person)), reverse=True)[1:3]
            await _chooses(person, "/", f"date:{day}")
            await person.until(lambda: set(_days(person)) == {day}, f"not only {day} {before}")
            await person.is_ready()
            count = len(_days(person))
            await person.press("*", "x")
            await person.sees(f"Delete {count} recordings")
            await person.press("esc", "esc")
    finally:
        monkeypatch.undo()
        time.tzset()


async def test_the_retention_and_the_next_deletions_are_shown(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        await person.press("K")
        await person.sees("Retention of recordings", "Deleted next:")
        await person.sees("The company keeps recordings for 90 days.")
        await person.sees_line(rf"Selected: {MOMENT}, kept until {MOMENT}, 8\d days left ")
        await person.does_not_see("due now")
        counts = [int((await person.sees_line(rf"Within {days} days?: (\d+)"))[1]) for days in (1, 7, 30)]
        assert counts == sorted(counts)
        assert counts[-1] > 0
        await person.press("esc")
        await person.does_not_see("Deleted next:")


async def test_a_superadmin_must_filter_recordings_first(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("allrecordings")
        await person.sees("Filter by companies, CloudPBXs or sites first.")
        await person.press("T")
        await person.does_not_see("Recordings per day")
        await person.press("F")
        await person.sees("Filters", "Companies")
        await person.on_field("Subscriber")
        await person.press("enter")
        await person.sees("Subscriber: records can be searched only inside one CloudPBX. Type the ID")
        await person.press("up", "up", "up", "up", "up")
        await person.sees("Companies, comma-separated")
        await person.press("enter")
        await person.type("northwind")
        await person.sees("Northwind Telecom")
        await person.press("enter")
        await person.sees_line(r"Companies\s+\w{24}")
        await person.press("ctrl+o")
        await person.sees_line(r"^ \d+ recordings across companies   companyIds=\w{24}")
        await _chooses(person, "P", "last week")
        first, last = _last_week()
        await person.sees_line(r"companyIds=\w{24}, fromDate")
        await person.is_ready()
        assert {first <= day <= last for day in _days(person)} == {True}


async def test_many_recordings_are_deleted_in_batches_with_a_pause(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        await person.press("*")
        await person.sees("1250 marked")
        await person.press("x")
        await person.sees("Delete 1,250 recordings", "batch 1 of 13: 100", "Type 1250, the number of records")
        await person.type("1250")
        await person.press("enter")
        await person.sees("100 done   0 failed   1150 left", "enter Continue with the rest")
        box = person.app.screen
        assert isinstance(box, BulkBox)
        job, running = box._job, asyncio.Event()
        job.subscribe(lambda: running.set() if job.state == "running" else None)
        # Without waiting for the screen in between: the batches would be over.
        person.app.post_message(events.Key("enter", None))
        await running.wait()
        person.app.post_message(events.Key("space", None))
        await person.sees("paused", "space Continue   s Stop")
        left = int((await person.sees_line(r"done   0 failed   (\d+) left"))[1])
        assert left > 0
        await person.press("space")
        await person.sees("1250 done   0 failed   0 left")
        await person.press("enter")
        await person.sees("Delete: 1,250 done, 0 failed, 0 not started.", "No recordings here.")


async def test_recordings_name_their_subscriber_and_a_file_has_a_column_for_each_party(
    service: str, tmp_path: Path
) -> None:
    file = tmp_path / "calls.csv"
    async with story(profile(service, "organization_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("allrecordings")
        await person.sees("OTHER", "COMPANY")
        await person.sees_line(r"▌\d{4}-\d\d-\d\d .*\s(Northwind|Bluebird)")
        await person.press("W")
        await person.sees("Export recordings across companies")
        await person.press("ctrl+u")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Exported ")
    head, row, *_ = csv.reader(file.read_text().splitlines())
    assert head[2:5] == ["recordedParty.name", "recordedParty.number", "otherParty.number"]
    assert "{" not in "".join(row)
    assert row[3]
