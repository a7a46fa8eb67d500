"""Text without a column in lists of every length: short ones are read, for long ones the service is asked."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.field_results import MOST_SEARCHED
from svc_tui.workspace.lists.filters import parse
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.matching import FilterColumn
from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import Line

USERS = KINDS["users"]
COLUMNS = [
    FilterColumn("displayName", "NAME"),
    FilterColumn("loginEmail", "LOGIN"),
    FilterColumn("roles", "ROLES"),
]
BY_NAME = {"sortField": "displayName", "sortOrder": 1}


def user(number: int) -> RecordDict:
    return {
        "id": f"{number:024x}",
        "displayName": f"User {number:05}",
        "loginEmail": f"u{number}@a.example",
        "roles": ["admin" if number % 100 == 7 else "user"],
    }


class Users(httpx.AsyncBaseTransport):
    """A service with users that it filters by name and login."""

    def __init__(self, count: int) -> None:
        self.users = [user(number) for number in range(count)]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        params = request.url.params
        if not request.url.path.endswith("/users"):
            found = [one for one in self.users if one["id"] == request.url.path.rpartition("/")[2]]
            body: dict[str, Any] = {"data": found[0]} if found else {"errorCode": 404, "errorDetailsCode": 404000}
            return _json(200 if found else 404, body)
        rows = [
            one
            for one in self.users
            if params.get("displayName", "").lower() in one["displayName"].lower()
            and params.get("searchEmail", "").lower() in one["loginEmail"].lower()
        ]
        rows = rows[:: int(params.get("sortOrder", 1))]
        first, limit = int(params.get("offset", 0)), int(params.get("limit", 100))
        return _json(200, {"data": rows[first : first + limit], "limit": limit, "offset": first, "total": len(rows)})


def _json(status: int, body: dict[str, Any]) -> httpx.Response:
    return httpx.Response(status, content=json.dumps(body), headers={"content-type": "application/json"})


class Office:
    """A console of a service with this many users."""

    def __init__(self, desks: Desks, count: int) -> None:
        self.service = Users(count)
        self.desk: Desk = desks.make(self.service, JANE)
        self.desk.attach()

    @property
    def line(self) -> Line:
        return self.desk.line

    async def browses(self) -> None:
        """The first rows are shown, and so cached."""
        listing = self.desk.workspace.listing("list_users", query=BY_NAME)
        listing.request(0, 20)
        await listing.wait_until_idle()
        listing.close()
        self.line.requests.clear()

    async def finds(self, text: str, **query: object) -> Listing:
        filtered = parse(text, USERS, COLUMNS)
        listing = self.desk.workspace.listing(
            "list_users",
            query={**BY_NAME, **query, **filtered.query},
            local=filtered.predicate,
            questions=filtered.questions,
        )
        listing.request(0, 20)
        await listing.wait_until_idle()
        return listing


def names(listing: Listing) -> list[str]:
    return [str((listing.row(index) or {}).get("displayName")) for index in range(listing.total or 0)]


async def test_a_short_list_is_read_and_every_column_is_searched(desks: Desks) -> None:
    office = Office(desks, 1_200)
    listing = await office.finds("admin")
    assert (listing.total, listing.unfiltered_total, listing.loaded) == (12, 1_200, 1_200)
    assert (listing.asked, office.line.lists) == ((), [(0, 1000), (1000, 1000)])


async def test_of_a_long_list_the_service_is_asked_by_each_field_that_it_filters(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds("u15000@a")
    assert (names(listing), listing.asked, listing.cut) == (["User 15000"], ("Display name", "Login"), ())
    assert (listing.unfiltered_total, listing.loaded, listing.error_message) == (20_000, 100, "")
    asked = sorted(request.partition("&limit")[0].rpartition("&")[2] for request in office.line.requests)
    assert len(asked) == 2
    assert sum("displayName=u15000%40a" in request for request in office.line.requests) == 1
    assert sum("searchEmail=u15000%40a" in request for request in office.line.requests) == 1


async def test_rows_that_are_loaded_are_searched_in_every_column_and_stand_in_order(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds("admin")
    assert names(listing) == ["User 00007"]
    office.service.users[50]["displayName"] = "Admin"
    for user in (office.service.users[12_000], office.service.users[9_000]):
        user["loginEmail"] = "admin@a.example"
    office.desk.clock.forward(minutes=1)
    listing.refresh()
    await listing.wait_until_idle()
    assert names(listing) == ["Admin", "User 00007", "User 09000", "User 12000"]
    found = {record_id async for record_id in listing.ids()}
    assert found == {office.service.users[number]["id"] for number in (50, 7, 9_000, 12_000)}
    assert [listing.index_of(office.service.users[number]["id"]) for number in (50, 7, 9_000, 8)] == [0, 1, 2, None]
    listing.record_changed(office.service.users[9_000]["id"], {"roles": ["user"]})
    assert (listing.row(2) or {})["roles"] == ["user"]
    listing.record_gone(office.service.users[7]["id"])
    listing.record_gone(office.service.users[9_000]["id"])
    assert names(listing) == ["Admin", "User 12000"]


async def test_a_row_that_is_loaded_and_answered_is_shown_once(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds("u42@", sortOrder=-1)
    assert names(listing) == ["User 00042"]
    assert [record_id async for record_id in listing.ids()] == [f"{42:024x}"]


async def test_other_terms_are_filtered_here(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds("!user 15007 a.example")
    assert names(listing) == []
    listing = await office.finds("admin 15007@")
    assert names(listing) == ["User 15007"]


async def test_a_record_is_found_by_its_id(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds(f"{15_000:024x}")
    assert names(listing) == ["User 15000"]
    assert listing.asked == ("Display name", "Login", "ID")
    assert names(await office.finds(f"{25_000:024x}")) == []
    # A list of some records only may not have it.
    assert names(await office.finds(f"{15_000:024x}", companyId="c1")) == []


async def test_the_most_rows_of_an_answer_are_read_and_it_is_known_that_there_are_more(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    listing = await office.finds("user")
    assert (listing.total, listing.cut) == (MOST_SEARCHED, ("Display name",))
    assert len(office.line.requests) == 6


async def test_a_refusal_is_shown_beside_what_was_found(desks: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    answer = office.service.handle_async_request

    async def refuses(request: httpx.Request) -> httpx.Response:
        if "displayName" in request.url.params:
            return _json(403, {"errorCode": 403, "errorMsg": "Forbidden", "errorDetailsCode": 403000})
        return await answer(request)

    monkeypatch.setattr(office.service, "handle_async_request", refuses)
    listing = await office.finds("u15000@a")
    assert names(listing) == ["User 15000"]
    assert listing.error_message


async def test_while_offline_only_what_is_loaded_is_searched(desks: Desks) -> None:
    office = Office(desks, 20_000)
    await office.browses()
    office.line.cut = True
    listing = await office.finds("admin")
    assert (names(listing), listing.loaded) == (["User 00007"], 100)
    assert listing.error_message
