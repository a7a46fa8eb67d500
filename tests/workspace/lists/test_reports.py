"""Reports across companies: few requests, a reading that stops and continues, groups, gaps, and files in local time."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_tui.cache.cached import RecordDict
from svc_tui.console.areas.voice.home import nearly_used_up
from svc_tui.console.core.home import SharedReads
from svc_tui.interface.access import Decision
from svc_tui.server.demo.accounts import account, accounts
from svc_tui.workspace.invoices.reconciliation import RECONCILIATION
from svc_tui.workspace.lists.list_reader import list_key
from svc_tui.workspace.lists.report_listing import KEPT_SECONDS, ReportFile, ReportListing
from svc_tui.workspace.lists.reports import AT_ONCE, Reading, Report, ReportColumn
from svc_tui.workspace.subscriptions.reports import LICENCES, SEATS
from svc_tui.workspace.users.security import SECURITY
from svc_tui.workspace.voice.reports import AREAS, DDIS, DEVICES, NUMBERS
from tests.conftest import world_at
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.workspace.conftest import Desk, Desks
from tests.workspace.line import PING, until

PARTNER = {"id": "u0", "displayName": "Pat", "roles": ["user", "bp_admin"], "companyId": "p0"}
USERS, SYSTEMS, COMPANIES = "/api/svc/admin/v1.0/users", "/cloudpbxs", "/api/svc/admin/v1.0/companies"


class Customers(httpx.AsyncBaseTransport):
    """Companies with users and CloudPBXs. `refused` are parts of paths that are refused."""

    def __init__(self, companies: int, users: int = 0) -> None:
        self.companies = [{"id": f"c{number}", "name": f"Company {number:04}"} for number in range(companies)]
        self.users = [
            {"id": f"u{number}", "displayName": f"User {number}", "companyId": f"c{number % max(companies, 1)}"}
            for number in range(users)
        ]
        self.refused: tuple[str, ...] = ()
        #: How many numbers each CloudPBX has, and whether all are assigned.
        self.numbers, self.assigned = 3, False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path, query = request.url.path, request.url.params
        if any(part in path for part in self.refused):
            return httpx.Response(403, json={"errorCode": 403, "errorDetailsCode": 403000, "errorMsg": "Access denied"})
        if path == PING:
            return httpx.Response(200, json={"status": "OK"})
        if path == USERS:
            return self._page(
                [each for each in self.users if query.get("companyId") in (None, each["companyId"])], query
            )
        if path == COMPANIES:
            return self._page(self.companies, query)
        if path.endswith(SYSTEMS):
            return self._page(
                [{"id": f"s{at}", "companyId": each["id"]} for at, each in enumerate(self.companies)], query
            )
        system = re.search(r"cloudpbxs/(s\d+)/", path)
        assert system is not None, path
        holder = {"userId": "u1"} if self.assigned else {}
        numbers = [
            {"id": f"n{system[1]}{at}", "numberE164": f"+3512100{at:02}", **holder} for at in range(self.numbers)
        ]
        return self._page(numbers, query)

    def _page(self, rows: Sequence[RecordDict], query: httpx.QueryParams) -> httpx.Response:
        first, most = int(query.get("offset", 0)), int(query.get("limit", 100))
        body = {"data": rows[first : first + most], "limit": most, "offset": first, "total": len(rows)}
        return httpx.Response(200, json=body)


async def _everyone(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async for users in reading.users():
        yield [{**user, "companyName": user["companyId"]} for user in users]


EVERYONE = Report(
    name="everyone",
    title="Everyone",
    help="All users",
    columns=(
        ReportColumn(field="displayName", title="NAME"),
        ReportColumn(field="number", title="NUMBER"),
        ReportColumn(field="seen", title="SEEN", type="moment"),
        ReportColumn(field="began", title="BEGAN", type="day"),
        ReportColumn(field="days", title="DAYS", type="number", unit="d"),
    ),
    operation="list_users",
    read=_everyone,
    sort="displayName",
)


def opened(desk: Desk, report: Report = EVERYONE, **options: Any) -> ReportListing:
    listing = desk.workspace.listing(
        report.operation, derive=lambda source: ReportListing(source, report, service=desk.workspace, **options)
    )
    assert isinstance(listing, ReportListing)
    listing.request(0, 0)
    return listing


async def read(desk: Desk, report: Report = EVERYONE, **options: Any) -> ReportListing:
    listing = opened(desk, report, **options)
    await listing.wait_until_idle()
    return listing


@pytest.fixture
def at(desks: Desks) -> Callable[[Customers], Desk]:
    def make(customers: Customers) -> Desk:
        desk = desks.make(customers, PARTNER)
        desk.attach()
        return desk

    return make


async def test_ten_thousand_users_are_few_requests_of_which_few_are_sent_at_once(at: Callable[..., Desk]) -> None:
    desk = at(Customers(2_000, 10_400))
    listing = opened(desk)
    await until(lambda: listing.reading is not None and listing.reading.done >= 1)
    desk.line.hold()
    await until(lambda: desk.line.in_progress == AT_ONCE)
    desk.line.release()
    await listing.wait_until_idle()
    assert (listing.total, listing.complete, listing.error_message) == (10_400, True, "")
    assert (len(desk.line.requests), desk.line.most) == (11, AT_ONCE)


async def test_a_small_group_is_read_company_by_company_and_a_large_one_from_the_whole_list(
    at: Callable[..., Desk],
) -> None:
    desk = at(Customers(2_000, 10_400))
    listing = await read(desk, companies=["c7", "c8"])
    assert {row["companyId"] for row in listing.shown()} == {"c7", "c8"}
    assert len(desk.line.requests) == 3, "the first page with the length of the list, and one for each company"
    listing = await read(desk, companies=[f"c{number}" for number in range(500)])
    assert {row["companyId"] for row in listing.shown()} == {f"c{number}" for number in range(500)}
    assert len(desk.line.requests) == 3 + 10, "the first page is known"
    assert (await read(desk, companies=[])).total == 0


async def test_a_reading_that_is_stopped_keeps_its_rows_and_continues_where_it_was(at: Callable[..., Desk]) -> None:
    desk = at(Customers(10, 8_000))
    listing = opened(desk)
    await until(lambda: listing.reading is not None and 3 <= listing.reading.done < 8)
    desk.line.hold()
    assert listing.refresh_requested, "the console cancels what is requested"
    listing.cancel_refresh()
    await listing.wait_until_idle()
    assert not listing.refresh_requested
    assert 3_000 <= (listing.total or 0) < 8_000 and not listing.complete
    assert listing.reading is not None
    assert listing.error_message.startswith(f"Incomplete: {listing.reading.done} of 8 parts were read.")
    desk.line.release()
    before = len(desk.line.requests)
    listing.refresh()
    await listing.wait_until_idle()
    assert (listing.total, listing.complete, listing.error_message) == (8_000, True, "")
    assert len(desk.line.requests) - before <= 5, "what was read is not requested again"


async def test_a_service_that_stops_in_the_middle_is_named_and_the_rest_is_read_when_it_is_back(
    desks: Desks, at: Callable[..., Desk]
) -> None:
    desk = at(Customers(10, 8_000))
    listing = opened(desk)
    await until(lambda: listing.reading is not None and listing.reading.done >= 2)
    desk.line.cut = True
    await listing.wait_until_idle()
    assert listing.unreachable and not listing.complete
    assert "Incomplete: " in listing.error_message and (listing.total or 0) >= 2_000
    # Another console or command on this machine continues with what was read.
    other = desks.make(Customers(10, 8_000), PARTNER)
    other.attach()
    assert (await read(other)).complete
    assert 0 < len(other.line.requests) <= 6


async def test_what_was_read_is_used_for_an_hour_and_a_refresh_after_that_reads_all(
    at: Callable[..., Desk], clock: SetClock
) -> None:
    desk = at(Customers(3, 1_500))
    await read(desk)
    clock.forward(seconds=KEPT_SECONDS - 60)
    again = await read(desk)
    assert (len(desk.line.requests), again.complete, again.read_from) == (2, True, "cache")
    assert again.fetched_at is not None
    again.refresh()
    await again.wait_until_idle()
    assert (len(desk.line.requests), again.read_from) == (4, "live")
    clock.forward(seconds=KEPT_SECONDS + 60)
    await read(desk)
    assert len(desk.line.requests) == 6
    await read(desk, fresh=True)
    assert len(desk.line.requests) >= 6


async def test_what_the_service_refuses_is_a_gap_with_its_name_and_the_rest_is_there(at: Callable[..., Desk]) -> None:
    customers = Customers(5)
    customers.refused = ("cloudpbxs/s3/",)
    listing = await read(at(customers), NUMBERS)
    assert [row["size"] for row in listing.shown()] == [3, 3, 3, 3]
    assert not listing.complete and not listing.unreachable
    assert listing.error_message.startswith("Incomplete: 1 part not read. s3: ")
    customers.refused = ()
    listing.refresh()
    await listing.wait_until_idle()
    assert (listing.total, listing.complete, listing.error_message) == (5, True, "")


async def test_the_start_page_counts_ranges_of_the_last_report_and_requests_nothing(
    at: Callable[..., Desk], clock: SetClock
) -> None:
    customers = Customers(4)
    customers.numbers, customers.assigned = 12, True
    desk = at(customers)
    assert (await nearly_used_up(SharedReads(desk.workspace))).value == 0
    assert not desk.line.requests
    assert all(row["why"] for row in (await read(desk, NUMBERS)).shown())
    before = len(desk.line.requests)
    clock.forward(days=3)
    found = await nearly_used_up(SharedReads(desk.workspace))
    assert (found.value, len(desk.line.requests)) == (4, before)


async def test_what_the_role_may_not_read_is_left_out_and_named(
    at: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, refused = at(Customers(2, 4)), ("list_applications", "list_api_keys")
    monkeypatch.setattr(desk.workspace, "decide", lambda operation: Decision(operation not in refused, "role"))
    listing = await read(desk, SECURITY)
    assert listing.complete and listing.reading is not None
    assert listing.reading.left_out == ["API keys", "applications"]
    assert not [url for url in desk.line.requests if "/applications" in url or "/apikeys" in url]


async def test_a_file_has_times_of_the_user_and_texts_as_they_are(
    at: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    customers = Customers(1, 1)
    customers.users[0] |= {"number": "0049", "seen": "2026-11-20T23:30:00.000Z", "began": "2026-11-20", "days": 7}
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    import time

    time.tzset()
    try:
        listing = await read(at(customers))
        (row,) = [row async for row in ReportFile(listing).rows()]
        assert {name: str(value) for name, value in row.items()} == {
            "NAME": "User 0",
            "NUMBER": "0049",
            "SEEN": "2026-11-21 08:30:00",
            "BEGAN": "2026-11-20",
            "DAYS (d)": "7",
        }
        (named,) = [row async for row in ReportFile(listing, names=True).rows()]
        assert (named["seen"], named["id"], named["number"]) == ("2026-11-21T08:30:00+09:00", "u0", "0049")
    finally:
        monkeypatch.undo()
        time.tzset()


#: Of reports on the large demo the most requests, the fewest rows, and the requests before the service stops. Of 20,000
#: users a thousand are in each request, of 2,000 companies too; one is for each CloudPBX and a thousand of its numbers,
#: and one for each invoicing file.
BOUNDS = {
    SEATS: (4, 2_000, 2),
    LICENCES: (24, 1_000, 12),
    RECONCILIATION: (16, 2_000, 8),
    NUMBERS: (380, 2_000, 170),
    AREAS: (380, 5, 170),
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a database with the large demo, which the tests only read."""
    file = tmp_path_factory.mktemp("large") / "svc.db"
    yield demo(date(2026, 11, 20), scale="large").copy(file)
    file.unlink()


# The time that the demo takes to be made does not count.
@pytest.mark.timeout(180, func_only=True)
@pytest.mark.parametrize("report", BOUNDS, ids=lambda report: str(report.name))
async def test_a_report_on_the_large_demo_stops_with_the_service_and_continues_with_what_is_missing(
    tmp_path: Path, large: str, desks: Desks, report: Report
) -> None:
    most, fewest, carried = BOUNDS[report]
    async with world_at(large, tmp_path, SetClock()) as world:
        async with world.service.database.unit() as store:
            user = dict(await store.users.get(account("superadmin").id) or {})
        desk, other = (
            desks.make(httpx.ASGITransport(app=world.app), user, world.token(user, accounts()["appId"]))
            for _console in range(2)
        )
        desk.attach()
        desk.line.carries = carried
        stopped = await read(desk, report)
        assert stopped.unreachable and not stopped.complete
        # The next call of the command line, or another console.
        other.attach()
        whole = await read(other, report)
        assert whole.complete, whole.error_message
        assert (whole.total or 0) >= fewest
        # Those that were in progress at the stop are sent again, and no other.
        again = set(desk.line.requests[:carried]) & set(other.line.requests)
        assert len(again) < AT_ONCE
        assert carried + len(other.line.requests) <= most + len(again)
        assert max(desk.line.most, other.line.most) <= AT_ONCE


FILES = "/api/svc/invoicing/v1.0/invoices/"


async def test_what_a_file_says_is_kept_for_an_hour_and_offline_and_read_again_when_it_cannot_be_used(
    tmp_path: Path, desks: Desks, clock: SetClock
) -> None:
    url = demo(date(2026, 11, 20)).copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, SetClock()) as world:
        async with world.service.database.unit() as store:
            user = dict(await store.users.get(account("superadmin").id) or {})
        desk = desks.make(httpx.ASGITransport(app=world.app), user, world.token(user, accounts()["appId"]))
        desk.attach()

        async def files(**options: Any) -> int:
            desk.line.requests.clear()
            listing = await read(desk, RECONCILIATION, **options)
            assert listing.complete and [*listing.shown()] == rows
            return len([url for url in desk.line.requests if url.startswith(FILES)])

        first = await read(desk, RECONCILIATION)
        rows = [*first.shown()]
        every = len([url for url in desk.line.requests if url.startswith(FILES)])
        assert rows and every > 1
        clock.forward(seconds=KEPT_SECONDS - 60)
        assert (await files(), await files(fresh=True), await files()) == (0, every, 0)
        clock.forward(seconds=KEPT_SECONDS + 60)
        assert await files() == every
        cache = desk.workspace.cache
        for url in set(desk.line.requests):
            if url.startswith(FILES):
                path = {"invoicePath": url.removeprefix(FILES).rstrip("?")}
                key = list_key("download_invoice_file", path, {})
                assert await cache.read_record("file", key) is not None, key
                await cache.store_record(
                    "file",
                    key,
                    {"lines": [["c1"]]},
                    operation_id="download_invoice_file",
                    fetched=clock.now().timestamp(),
                )
        assert await files() == every
        desk.line.cut = True
        clock.forward(days=3)
        stopped = await read(desk, RECONCILIATION)
        assert stopped.unreachable
        await until(lambda: desk.workspace.obstacle() == "offline")
        assert [*(await read(desk, RECONCILIATION)).shown()] == rows


async def test_the_offline_devices_and_numbers_of_the_demo_are_those_that_its_lists_have(
    tmp_path: Path, desks: Desks
) -> None:
    url = demo(date(2026, 11, 20)).copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, SetClock()) as world:
        async with world.service.database.unit() as store:
            user = dict(await store.users.get(account("superadmin").id) or {})
            devices = (await store.devices.find()).documents
            online = {each.get("deviceId") for each in (await store.registrations.find()).documents}
            numbers = (await store.ddis.find()).documents
            sites = {each["id"]: each.get("siteId") for each in (await store.users.find()).documents}
        desk = desks.make(httpx.ASGITransport(app=world.app), user, world.token(user, accounts()["appId"]))
        desk.attach()
        listing = await read(desk, DEVICES)
        assigned = {each["id"] for each in devices if each.get("phoneNumberId")}
        found = {str(row["id"]): row for row in listing.shown()}
        assert listing.complete and found and assigned - online >= set(found)
        assert all(row["companyName"] and row["systemName"] for row in found.values())
        listing = await read(desk, DDIS)
        assert {row["id"] for row in listing.shown()} == {each["id"] for each in numbers}
        at_site = {id for id, site in sites.items() if site}
        assert (
            {row["id"] for row in listing.shown() if row["siteName"]}
            == {each["id"] for each in numbers if each.get("userId") in at_site}
            != set()
        )
        listing = await read(desk, AREAS)
        assert sum(row["size"] for row in listing.shown()) == len(numbers)


async def test_a_device_that_went_offline_has_the_time_when_this_console_last_saw_it(
    tmp_path: Path, desks: Desks, clock: SetClock
) -> None:
    url = demo(date(2026, 11, 20)).copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, SetClock()) as world:
        async with world.service.database.unit() as store:
            user = dict(await store.users.get(account("superadmin").id) or {})
            online = {str(each.get("deviceId")) for each in (await store.registrations.find()).documents}
        desk = desks.make(httpx.ASGITransport(app=world.app), user, world.token(user, accounts()["appId"]))
        desk.attach()
        first = await read(desk, DEVICES)
        assert first.complete and not [row for row in first.shown() if row["lastSeen"]]
        async with world.service.database.unit() as store:
            for each in (await store.registrations.find()).documents:
                await store.registrations.remove(each["id"])
        # The third reading finds no registration in the cache: the time is kept beside it.
        for _reading in range(2):
            clock.forward(hours=1)
            rows = (await read(desk, DEVICES, fresh=True)).shown()
            seen = {str(row["id"]): row["lastSeen"] for row in rows if row["lastSeen"]}
            assert seen and set(seen) == {str(row["id"]) for row in rows} & online
            assert set(seen.values()) == {"2026-11-20T10:00:00+00:00"}


@pytest.mark.parametrize("report", [SECURITY, DEVICES], ids=lambda report: str(report.name))
async def test_reports_of_each_administrator_and_device_send_few_at_once_and_continue_after_a_stop(
    tmp_path: Path, desks: Desks, report: Report
) -> None:
    url = demo(date(2026, 11, 20)).copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, SetClock()) as world:
        async with world.service.database.unit() as store:
            user = dict(await store.users.get(account("superadmin").id) or {})
        desk = desks.make(httpx.ASGITransport(app=world.app), user, world.token(user, accounts()["appId"]))
        desk.attach()
        listing = opened(desk, report)
        await until(lambda: listing.reading is not None and listing.reading.done >= 12)
        listing.close()
        stopped = len(desk.line.requests)
        whole = await read(desk, report)
        assert whole.complete and whole.total and whole.reading is not None
        # Those that were in progress at the stop are sent again, and no other: each part is one request.
        assert 12 <= stopped < whole.reading.steps
        assert len(desk.line.requests) <= whole.reading.steps + AT_ONCE
        assert len(set(desk.line.requests)) <= whole.reading.steps
        assert desk.line.most <= AT_ONCE
