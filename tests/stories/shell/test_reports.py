"""Reports across companies and groups of companies, on the screen."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import openpyxl
import pytest

from svc_tui.interface.access import Role
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.voice.demo.exchanges import EXCHANGES
from svc_tui.workspace.lists.reports import AT_ONCE
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.databases import demo
from tests.support.keys import share_signing_key
from tests.support.process import serving, serving_demo

PARTNER = "superadmin@demo.example"


async def _opens(person: Story, typed: str) -> None:
    await person.is_ready()
    await person.goes(typed)


async def test_idle_licences_are_listed_filtered_and_taken_back_with_undo(service: str) -> None:
    async with story(profile(service, PARTNER), size=(160, 40)) as person:
        await _opens(person, "report licences")
        await person.sees("▸ Idle licences", "never logged in", "inactive user")
        await person.press("/")
        await person.type("elena")
        await person.press("enter")
        await person.sees_line(r"▌Storm & Sons\s+Elena Ibrahim")
        await person.press("x")
        await person.sees("The user loses the features of this licence at once.")
        await person.press("enter")
        await person.sees("Unassign Business from Elena Ibrahim: done.", "Voice Line")
        await person.sees_line(r"▌Storm & Sons\s+Elena Ibrahim\s+Voice Line")
        await person.press("ctrl+z")
        await person.sees("Undo: Unassign Business from Elena Ibrahim")
        await person.press("enter")
        await person.sees_line(r"Elena Ibrahim\s+Business")


async def test_the_reports_are_offered_and_a_row_leads_to_its_record(service: str) -> None:
    async with story(profile(service, PARTNER), size=(160, 40)) as person:
        await _opens(person, "report")
        await person.sees("Reports across companies", "Idle licences", "Security review", "Offline devices")
        await person.type("free")
        await person.press("enter")
        await person.sees("▸ Free licences", "Harbour Telecom Partners")
        await person.press("enter")
        await person.sees("Summary")


async def test_a_group_of_marked_companies_shows_only_their_rows_everywhere(service: str, tmp_path: Path) -> None:
    file = tmp_path / "security.xlsx"
    async with story(profile(service, PARTNER), size=(160, 40)) as person:
        await _opens(person, "companies delta")
        await person.sees_line(r"▌Delta Schools")
        await person.goes("group schools")
        await person.sees("Group schools: 1 company  /delta.")
        await person.goes("users")
        await person.sees("▸ Users")
        await person.goes("group schools")
        await person.sees("group=schools", "Delta Schools")
        await person.goes("find group:schools Bruno")
        await person.sees("Nothing found")
        await person.goes("find group:schools Delta")
        await person.sees("Find: group:schools Delta", "Companies (1)", "Delta Schools")
        await person.goes("find group:nowhere Delta")
        await person.sees("No group “nowhere”. `:group` lists all.")
        await person.goes("report security")
        await person.sees("▸ Security review", "Northwind Telecom")
        await person.goes("group schools")
        await person.sees("group=schools", "Delta Schools")
        await person.does_not_see("Northwind Telecom")
        await person.press("W")
        await person.sees("Export security review as .csv, .json or .xlsx")
        await person.press("ctrl+u")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Exported")
        await person.until(file.exists, "nothing was written")
        await person.goes("ungroup schools")
        await person.sees("The group schools is forgotten")
    sheet = openpyxl.load_workbook(file).active
    assert [cell.value for cell in sheet[1]] == ["WHO", "FINDING", "RISK", "COMPANY"]
    assert {line[3].value for line in sheet.iter_rows(min_row=2)} == {"Delta Schools"}


async def test_a_list_with_its_filter_is_saved_under_a_name_that_opens_it(service: str) -> None:
    async with story(profile(service, PARTNER), size=(120, 40)) as person:
        await _opens(person, "companies delta")
        await person.sees_line(r"▌Delta Schools")
        await person.goes("save")
        await person.sees("A name is needed")
        for taken in ("users", "quit"):
            await person.goes(f"save {taken}")
            await person.sees(f"“{taken}” is a place or a command.")
        await person.goes("save my schools")
        await person.sees("A name has letters, digits and hyphens")
        await person.goes("save my-schools")
        await person.sees("Saved: `:my-schools` opens companies?filter=delta")
        await person.goes("users")
        await person.sees("▸ Users")
        await person.goes("my-schools")
        await person.sees("▸ Companies", "/delta")
        await person.sees_line(r"▌Delta Schools")
        await person.goes("forget my-schools")
        await person.sees("The saved search my-schools is forgotten.")
        await person.goes("saved")
        await person.sees("Nothing is saved")


async def test_free_licences_of_a_report_are_lowered_with_the_price_that_they_save(service: str) -> None:
    async with story(profile(service, "demo@demo.example"), size=(160, 40)) as person:
        await person.is_ready()
        await person.goes("report seats")
        await person.sees("▸ Free licences")
        await person.press("/")
        await person.type("northwind telecom")
        await person.press("enter")
        await person.sees_line(r"▌Northwind Telecom")
        await person.press("end", "u")
        await person.sees("Lower: no licence is free")
        await person.press("home")
        await person.puts_cursor_on("Enterprise, th")
        # The report has the day in its column ENDS.
        ends = re.search(r"Enterprise, th\S* .*?(\d{4}-\d\d-\d\d)", person.cursor)
        assert ends is not None, person.cursor
        await person.press("u")
        await person.sees_across_lines(f"Prepaid until {ends[1]}: the service removes only licences added this month.")
        await person.sees_line(r"Licences\s+20\s+12")
        await person.press("esc", "y")
        await person.press("home")
        await person.puts_cursor_on("Voice Line")
        await person.press("u")
        await person.sees_line(r"Licences\s+60\s+39")
        await person.sees_line(r"change from today\s+-39\.90")
        await person.press("ctrl+o")
        await person.sees("Licences: 60 → 39", "Per month: 114.00 EUR → 74.10 EUR")
        await person.type("Voice Line")
        await person.press("enter")
        await person.sees("Ordered. The billing systems confirm it shortly.", "▸ Free licences")
        await person.press("r")
        await person.sees_line(r"Northwind Telecom\s+Voice Line\s+39\s+39\s+0")


async def test_offline_devices_of_a_group_are_read_on_after_a_stop_of_the_service(tmp_path: Path) -> None:
    data = tmp_path / "service"
    with serving_demo(data) as server:
        port = int(server.url.rpartition(":")[2])
        async with story(profile(server.url, PARTNER), size=(160, 40)) as person:
            await _opens(person, "companies northwind")
            await person.sees_line(r"▌Northwind")
            await person.goes("group north")
            await person.sees("Group north:")
            await person.goes("report devices")
            await person.sees("▸ Offline devices")
            await person.goes("group north")
            await person.sees_line(r"Northwind Telecom ")
            server.end()
            await person.press("r")
            await person.sees("was refused. Check that the service is running.")
            await person.sees_line(r"Northwind Telecom ")
            with serving(data, port=port):
                await person.press("r")
                await person.is_gone("was refused")
                await person.sees_line(r"Northwind Telecom ")
                await person.does_not_see("Bluebird", "Incomplete")


#: Users of the idle licences below: more than one request reads.
_MANY = 1_100


@pytest.fixture(scope="module")
def large_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with many users whose licences are idle."""
    folder = tmp_path_factory.mktemp("large")
    share_signing_key(folder / "data")
    url = demo(datetime.now(UTC).date()).copy(folder / "data" / "svc.db")

    async def fill() -> None:
        database = Database(url)
        async with database.unit() as store:
            (idle,) = (await store.users.find(Is("loginEmail", "elena.ibrahim18@storm.example"))).documents
            await store.users.add_all(
                {
                    **idle,
                    "id": f"{number:024x}",
                    "loginEmail": f"idle{number}@storm.example",
                    "displayName": f"Idle {number}",
                }
                for number in range(_MANY)
            )
        await database.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, fill()).result()
    with serving_demo(folder) as server:
        yield server.url


_LAST = f"GET /api/svc/voiceprovisioning/v1.0/cloudpbxs/{EXCHANGES[-1].id}/phone-numbers/ddi"
_USERS = f"GET /api/svc/admin/v1.0/users?format=full&roles={quote(','.join(Role))}&limit=1000&offset=1000"


#: Report -> the request at which the service goes away, what the rows have that are there then, and a line at the end.
_STOPS = {
    "reconciliation": ("GET /api/svc/admin/v1.0/companies?format=full", "", "Elm Street Hotels +Enterprise"),
    "licences": (_USERS, "Idle 0", f"{_MANY * 2 + 8:,} idle licences"),
    "areas": (_LAST, "Northwind Telecom", r"\+33 1 +Storm & Sons"),
    "numbers": (_LAST, "Northwind Telecom", r"Storm & Sons +\+33199000000"),
    "ddis": (_LAST, "Northwind Telecom", "139 DDI numbers"),
}


@pytest.mark.parametrize("report", _STOPS)
async def test_a_report_whose_service_stops_in_its_middle_keeps_its_rows_and_reads_only_the_rest(
    large_service: str, report: str
) -> None:
    stop, read, at_the_end = _STOPS[report]
    async with wired(large_service) as (wire, url), story(profile(url, PARTNER), size=(160, 40)) as person:
        await person.is_ready()
        wire.swallow, wire.away_after = stop.encode(), True
        await person.goes(f"report {report}")
        await person.until(lambda: wire.away, "the service is still there")
        await person.sees("Incomplete: " if read else "broke", read)
        wire.away = False
        await person.press("r")
        await person.sees_line(at_the_end)
        await person.does_not_see("Incomplete", "broke")
        parts = Counter(line for line in wire.requests if "limit=1000" in line or ".csv" in line)
        again = {line for line, times in parts.items() if times > 1}
        # Those that were in progress are sent again: of the reconciliation one, after all files.
        assert 1 <= len(again) <= (AT_ONCE if read else 1)
