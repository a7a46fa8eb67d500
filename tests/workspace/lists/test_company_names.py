"""The names of companies whose IDs are known: from the cache first, then with one request for all that are missing."""

from __future__ import annotations

import asyncio

from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import Script, until


def companies(desk: Desk) -> list[str]:
    return [request for request in desk.line.requests if "/companies?" in request]


async def cached(desk: Desk, company_id: str, name: str, fetched: float = 1.0, form: str = "medium") -> None:
    row = {"id": company_id, "name": name}
    await desk.workspace.cache.store_record(
        "companies", company_id, row, operation_id="get_company", form=form, fetched=fetched
    )


async def test_cached_names_need_no_request_and_the_newest_counts(desk: Desk) -> None:
    await cached(desk, "c1", "Old", 1.0, "full")
    await cached(desk, "c1", "Northwind", 2.0, "medium")
    names = desk.workspace.referenced
    assert names.lacks_companies(["c1"])
    assert await names.load_companies(["c1"])
    assert names.company("c1") == "Northwind"
    assert not names.lacks_companies(["c1"])
    assert companies(desk) == []


async def test_missing_names_are_read_with_one_request_and_asked_once(desk: Desk, script: Script) -> None:
    script.total = 30
    names = desk.workspace.referenced
    assert await names.load_companies(["a3", "a7", "elsewhere"])
    assert (names.company("a3"), names.company("a7"), names.company("elsewhere")) == ("App 3", "App 7", "")
    assert len(companies(desk)) == 1
    assert not names.lacks_companies(["a3", "elsewhere"])
    # A name that was not shown yet is known from the same request.
    assert not await names.load_companies(["a20"])
    assert names.company("a20") == "App 20"
    assert len(companies(desk)) == 1


async def test_names_that_were_requested_for_the_first_user_are_not_known_to_another_one(
    desk: Desk, script: Script
) -> None:
    script.total = 30
    names = desk.workspace.referenced
    desk.line.hold()
    loading = asyncio.create_task(names.load_companies(["a3"]))
    await until(lambda: desk.line.in_progress == 1)
    desk.client.session.accept({"token": "x.y.z", "loggedInUser": {**JANE, "id": "u1"}})
    desk.line.release()
    assert not await loading
    assert names.company("a3") == ""
    assert await desk.workspace.cache.read_records("companies", ["a3"]) == []


async def test_a_list_of_companies_that_cannot_be_read_leaves_the_ids_and_is_asked_again(
    desk: Desk, script: Script
) -> None:
    script.refusal = (403, {"errorCode": 403, "errorMsg": "no", "errorDetailsCode": 403000})
    names = desk.workspace.referenced
    assert not await names.load_companies(["a1"])
    assert names.lacks_companies(["a1"])
    script.refusal, script.total = None, 2
    assert await names.load_companies(["a1"])
    assert names.company("a1") == "App 1"


async def test_at_most_five_requests_are_sent_for_very_many_companies(desk: Desk, script: Script) -> None:
    script.total = 9_000
    await desk.workspace.referenced.load_all_companies()
    assert len(companies(desk)) == 5


async def test_a_renamed_company_has_its_new_name_in_the_next_list(desk: Desk) -> None:
    names = desk.workspace.referenced
    await cached(desk, "c1", "Northwind", 1.0)
    await names.load_companies(["c1"])
    await cached(desk, "c1", "Southwind", 2.0)
    assert await names.load_companies(["c1"])
    assert names.company("c1") == "Southwind"


async def test_names_of_another_user_are_forgotten(desks: Desks) -> None:
    desk = desks.make(Script(3), JANE)
    desk.attach()
    names = desk.workspace.referenced
    await names.load_companies(["a1"])
    assert names.company("a1") == "App 1"
    desk.client.session.accept({"token": "t.t.t", "loggedInUser": {**JANE, "id": "u9"}})
    assert names.company("a1") == ""
