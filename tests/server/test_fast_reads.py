"""Answers from kept JSON and reads (`store/read_cache.py`) equal recomputed ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import ApplicationQuery
from svc_tui.interface.authentication.single_sign_on import LogoutQuery
from svc_tui.interface.catalogue import operations
from svc_tui.interface.envelopes import FormatQuery, ListQuery
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.demo.accounts import APP_ID, account
from svc_tui.server.http import parsing
from svc_tui.server.http.parsing import read_query
from svc_tui.server.store.conditions import Contains, In, Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.read_cache import Encoded
from svc_tui.server.store.tables import DOCUMENT_TABLES
from tests.server.lists import Lists
from tests.support.world import APP, World

READS = [each for each in operations() if each.method == "GET" and issubclass(each.query, (ListQuery, FormatQuery))]
#: Reads of each kind, as each role, with what differs between the queries of a client.
QUERIES: tuple[dict[str, str], ...] = (
    {},
    {"format": "medium"},
    {"format": "full", "limit": "7", "offset": "2", "sortOrder": "-1"},
)
MORE = ({"format": "full", "limit": "1000"}, {"format": "small", "offset": "100000"}, {"format": "none"})
#: Roles that ask again.
AGAIN = (Role.SUPERADMIN, Role.COMPANY_ADMIN, Role.APP_ADMIN, Role.USER)
#: What a newer service of the same deployment may have stored.
NEWER = {
    "futureField": {"nested": [1, 2.5, None, '\u20ac \\ " \u2028 \x7f']},
    "state": "archived",
    "empty": {},
    "no": [],
}


async def known_ids(world: World) -> dict[str, str]:
    """For each parameter of a path, a record that has what the path asks for."""
    async with world.service.database.unit() as store:
        subscriber = (await store.subscribers.find(limit=1)).documents[0]
        subscription = (await store.subscriptions.find(limit=1)).documents[0]
        application = (await store.applications.find(limit=1)).documents[0]
        await store.applications.put({**application, **NEWER})
    return {
        "systemId": subscriber["systemId"],
        "phoneNumberId": subscriber["id"],
        "subscriptionId": subscription["id"],
        "appId": application["id"],
        "userId": application["ownerId"],
    }


def requests(operation: AnyOperation, role: Role) -> Iterator[dict[str, str]]:
    """The queries of one role. A superadmin sorts by each key of the records, and by what is none."""
    yield from QUERIES
    if role is Role.SUPERADMIN:
        yield from MORE
        if issubclass(operation.query, ListQuery):
            keys = DOCUMENT_TABLES.get(operation.path.rpartition("/")[2].replace("entries", "directory_entries"))
            for field in (*(keys.keys if keys else ()), "unknown"):
                yield {"sortField": field, "limit": "20"}


async def answers(
    world: World, ids: dict[str, str], roles: Iterable[Role] = Role
) -> dict[tuple[str, str, str], tuple[int, str]]:
    """The status and the body of every read, as these roles."""
    found = {}
    for role in roles:
        caller = account(role.value)
        by = {"id": caller.id, "loginEmail": caller.login}
        headers = {"authorization": f"Bearer {world.token(by, APP_ID)}"}
        for operation in READS:
            path = operation.path.format(**{"companyId": caller.company_id, **ids})
            for query in requests(operation, role):
                answer = await world.http.get(path, params=query, headers=headers)
                found[role.value, operation.id, json.dumps(query)] = (answer.status_code, answer.text)
    return found


async def test_every_read_of_every_role_is_the_same_as_one_that_nothing_is_kept_for(
    demo_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await known_ids(demo_world)
    first = await answers(demo_world, ids)
    again = await answers(demo_world, ids, AGAIN)
    assert {status for status, _ in first.values()} == {200, 400, 403, 404}

    async def recomputed(
        collection: DocumentCollection, show: Any, *where: Any, sort: Sort, limit: int, offset: int
    ) -> bytes:
        found = await collection.find(*where, sort=sort, limit=limit, offset=offset)
        page = {"data": [*map(show, found.documents)], "limit": limit, "offset": offset, "total": found.total}
        return json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()

    monkeypatch.setattr(DocumentCollection, "page", recomputed)
    monkeypatch.setattr(parsing, "_remembered_query", parsing._new_query)
    slow = await answers(demo_world, ids)
    differing = [key for key in slow if not slow[key] == first[key] == again.get(key, first[key])]
    assert not differing
    assert any("futureField" in text for _, text in slow.values())


async def test_requests_share_only_queries_of_lists_and_records() -> None:
    assert read_query(ApplicationQuery, b"limit=7") is read_query(ApplicationQuery, b"limit=7")
    assert type(read_query(FormatQuery, b"limit=7")) is FormatQuery
    long = b"name=" + b"a" * 300
    assert read_query(ApplicationQuery, long) is not read_query(ApplicationQuery, long)
    # Such a query has a token.
    secret = b"token=secret"
    assert read_query(LogoutQuery, secret) is not read_query(LogoutQuery, secret)


async def test_a_list_shows_a_change_at_once_to_each_caller_as_before(demo_world: World) -> None:
    owner = account("app_admin")
    boss = account("superadmin")
    path = "/api/svc/applications/v1.0/applications?format=full&limit=1000"
    async with demo_world.service.database.unit() as store:
        mine = (await store.applications.find(Is("ownerId", owner.id), limit=1)).documents[0]
    for number in range(3):
        name = f"Changed {number}"
        async with demo_world.service.database.unit() as store:
            await store.applications.put({**mine, "name": name, "subscriptionStatus": ["active"]})
        for caller in (boss, owner, account("user"), boss):
            by = {"id": caller.id, "loginEmail": caller.login}
            token = demo_world.token(by, APP_ID)
            answer = await demo_world.http.get(path, headers={"authorization": f"Bearer {token}"})
            [shown] = [each for each in answer.json()["data"] if each["id"] == mine["id"]] or [{}]
            if caller.name != "user":
                assert (shown["name"], shown["appSecret"]) == (name, mine["appSecret"])
            assert "subscriptionStatus" not in shown
            assert caller.name != "user" or "appSecret" not in shown


def test_the_cache_is_bounded_and_keeps_entries_that_are_used_again() -> None:
    made: list[str] = []

    def show(document: dict[str, Any]) -> dict[str, Any]:
        made.append(document["id"])
        return document

    encoded = Encoded(most=6_000)
    often = json.dumps({"id": "often"})
    for number in range(100):
        assert encoded.of([often, json.dumps({"id": str(number)})], show) == [
            b'{"id":"often"}',
            b'{"id":"%d"}' % number,
        ]
    assert made.count("often") == 1
    encoded.of([json.dumps({"id": "0"})], show)
    assert made.count("0") == 2


@pytest.mark.parametrize("values", [("a", "b"), ["a", "b"], tuple(f"{number}" for number in range(300))])
async def test_statements_are_kept_only_if_they_are_small_and_can_be_compared(
    world_on_both: World, values: Any
) -> None:
    database: Database = world_on_both.service.database
    async with database.unit() as store:
        for id in ("a", "b", "c"):
            await store.sites.add({"id": id, "name": f"{id}%_/"})
        for _ in range(4):
            found = await store.sites.find(In("id", values), limit=1)
            assert (len(found.documents), found.total) == ((1, 2) if "a" in values else (0, 0))
            assert [await store.sites.count(Contains("name", part)) for part in ("%_/", "b%", "_%", "B")] == [
                3,
                1,
                0,
                1,
            ]
            assert [(await store.sites.one(Is("name", "B%_/"), Is("companyId", None)) or {}).get("id")] == ["b"]


async def test_the_kept_records_of_a_caller_are_of_its_user_its_application_and_the_present_state(world: World) -> None:
    me, other = "/api/svc/enduser/v1.0/users/me", "a1" * 12
    jane, john = await world.user(), await world.user("john@example.com")
    await world.application(other, state="stopped")

    async def status(user: dict[str, Any], application: str = APP) -> tuple[int, str | None]:
        headers = {"authorization": f"Bearer {world.token(user, application)}"}
        answer = await world.http.get(me, headers=headers)
        return answer.status_code, answer.json().get("data", {}).get("id")

    for _ in range(2):
        assert await status(jane) == (200, jane["id"])
        assert await status(john) == (200, john["id"])
        assert await status(jane, other) == (401, None)
    async with world.service.database.unit() as store:
        await store.users.put({**jane, "isActive": False})
    assert await status(jane) == (401, None)
    assert await status(john) == (200, john["id"])


@pytest.mark.parametrize("lists", ["sqlite"], indirect=True)
async def test_a_record_that_is_read_again_is_not_read_from_the_database(lists: Lists) -> None:
    for id in ("get_user", "get_application", "get_template", "get_subscriber", "get_recording"):
        operation = next((each for each in operations() if each.id == id), None)
        assert operation is not None, id
        query = {"format": "full"} if issubclass(operation.query, FormatQuery) else {}
        for _ in range(2):
            answer, sent = await lists.answer(operation, **query)
            assert answer.status_code == 200, id
        assert not [each.sql for each in sent if "data_version" not in each.sql], id
