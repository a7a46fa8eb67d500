"""How many statements the commonest operations send, so that none is added unseen: each is a round trip."""

from __future__ import annotations

import gc
import secrets
import weakref
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx
import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.store import Store
from tests.server.authentication.test_api_keys import BODY as KEY
from tests.server.authentication.test_api_keys import KEYS
from tests.server.authentication.test_second_factor import code, enrolled, prove
from tests.server.lists import LISTS, Lists
from tests.server.subscriptions.support import MONTHLY, furnished, offer_id, subscriptions_of, synchronised
from tests.support.statements import Statement, statements
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted

OPERATIONS = {each.id: each for each in operations()}
#: After a change of something else: the state of the database, the caller, and what the operation itself reads. BEGIN
#: and COMMIT are not counted.
READS = {
    "superadmin": {
        "get_application": 3,
        "get_company": 4,
        "get_user": 5,
        "list_applications": 5,
        "list_audit_records": 5,
        "list_cloudpbxs": 6,
        "list_companies": 5,
        "list_company_subscriptions": 8,
        "list_directory_entries": 7,
        "list_recordings": 6,
        "list_users": 5,
    },
    "company_admin": {
        "get_application": 7,
        "get_company": 3,
        "get_directory_entry": 3,
        "get_user": 6,
        "list_applications": 5,
        "list_audit_records": 5,
        "list_cloudpbxs": 5,
        "list_companies": 4,
        "list_company_subscriptions": 7,
        "list_directory_entries": 7,
        "list_recordings": 6,
        "list_sites": 5,
        "list_subscribers": 6,
        "list_users": 5,
    },
    "user": {
        "get_directory_entry": 3,
        "get_own_user": 2,
        "get_user_as_user": 2,
        "list_applications": 5,
        "list_directory_entries": 7,
    },
}
#: Creation, edit and deletion on SQLite, then on PostgreSQL, where locks are statements too.
CHANGES = {
    "/api/svc/applications/v1.0/applications": ((8, 10, 7), (9, 12, 8)),
    "/api/svc/admin/v1.0/companies": ((12, 14, 15), (14, 17, 18)),
    "/api/svc/admin/v1.0/sites": ((5, 7, 8), (6, 8, 9)),
    "/api/svc/directory/v1.0/entries": ((7, 9, 7), (8, 10, 8)),
}
#: The same of API keys and subscriptions, and a licence that a user gets and loses.
#: A new key also locks its user and reads it again, so that no key outlives a user who is deleted at that moment.
MORE_CHANGES: dict[str, dict[str, tuple[int, ...]]] = {
    "sqlite": {"key": (8, 9, 6), "subscription": (12, 13, 12), "licence": (11, 8)},
    "postgresql": {"key": (9, 10, 6), "subscription": (13, 14, 13), "licence": (13, 10)},
}
#: A login with a password, one that needs a code, and the code: on SQLite, then on PostgreSQL.
LOGINS = ((11, 8, 12), (13, 9, 15))


async def _changed(database: Database) -> None:
    """What was read is forgotten."""
    async with database.unit() as store:
        await store.client_versions.put({"id": "0" * 24, "name": "x", "version": secrets.token_hex()})


def _number(sent: Sequence[Statement]) -> int:
    """How many statements were sent. The state of SQLite, which is no round trip, counts once: for totals it is
    asked for again, after a count and after each commit."""
    asked = [each for each in sent if each.sql == "PRAGMA data_version"]
    return len(sent) - len(asked[1:])


async def _as(lists: Lists, role: str) -> None:
    """Read as a user with this role from now on."""
    if role == "company_admin":
        lists.readers = lists.readers[1:]
    if role == "user":
        async with lists.world.service.database.unit() as store:
            own = Is("companyId", lists.ids["companyId"])
            [user] = (await store.users.find(own, Is("roles", ",user,"), Is("isActive", True), limit=1)).documents
            [app] = (await store.applications.find(Is("state", "active"), limit=1)).documents
        lists.ids["userId"] = user["id"]
        lists.readers = [f"Bearer {lists.world.token(user, app['id'])}"]


@pytest.mark.parametrize("role", READS)
async def test_the_commonest_reads_send_few_statements(lists: Lists, role: str) -> None:
    database = lists.world.service.database
    await _as(lists, role)
    sent_by = {}
    for id in READS[role]:
        operation = OPERATIONS[id]
        query = {"limit": 5} if id in LISTS else {}
        # The first two times SQLAlchemy puts statements together.
        for _ in range(3):
            await _changed(database)
            answer, sent = await lists.answer(operation, **query)
        granted(answer)
        sent_by[id] = _number(sent)
    assert sent_by == READS[role]


async def test_a_read_while_nothing_changes_asks_only_whether_something_did(lists: Lists) -> None:
    for id in ("list_applications", "get_company"):
        for _ in range(2):
            answer, sent = await lists.answer(OPERATIONS[id])
        granted(answer)
        assert len(sent) == 1, id


async def _counted(world: World, request: Callable[[], Awaitable[httpx.Response]]) -> tuple[int, Any]:
    """The number of statements of a request after another change, and its response."""
    await _changed(world.service.database)
    with statements(world.service.database) as sent:
        answer = await request()
    return _number(sent), granted(answer)


async def test_changes_of_keys_subscriptions_and_licences_send_few_statements(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    await world.application()
    by = await world.user("root@example.com", roles=("superadmin",), companyId=OTHER_COMPANY)
    jane = await world.user("jane@example.com")
    own, sent_by = subscriptions_of(), {}
    for name, created, added, edit in (
        ("key", KEYS, KEY, {**KEY, "description": "edited"}),
        ("subscription", own, {"offerId": offer_id(MONTHLY), "maxNumberUsers": 3}, {"maxNumberUsers": 4}),
    ):
        # The first time SQLAlchemy puts statements together.
        for _ in range(2):
            adding, answer = await _counted(world, lambda url=created, body=added: world.post(url, by=by, json=body))
            one = f"{created}/{answer['data']['id']}"
            await synchronised(world)
            editing, _ = await _counted(world, lambda url=one, body=edit: world.put(url, by=by, json=body))
            await synchronised(world)
            if name == "subscription":
                licence = f"/api/svc/admin/v1.0/users/{jane['id']}/profiles/subscriptions/{answer['data']['id']}"
                assigned, _ = await _counted(world, lambda url=licence: world.post(url, by=by, json={}))
                removed, _ = await _counted(world, lambda url=licence: world.delete(url, by=by))
                sent_by["licence"] = (assigned, removed)
            deleting, _ = await _counted(world, lambda url=one: world.delete(url, by=by))
            sent_by[name] = (adding, editing, deleting)
    assert sent_by == MORE_CHANGES[world.service.database.engine.dialect.name]


@pytest.mark.parametrize("url", CHANGES)
async def test_the_commonest_changes_send_few_statements(world_on_both: World, url: str) -> None:
    world = world_on_both
    by = await world.user(roles=("superadmin",))
    new = {"name": "New", "type": "web", "activity": "J"} if url.endswith("applications") else {"name": "New"}
    if url.endswith(("sites", "entries")):
        new = {"name" if url.endswith("sites") else "lastName": "New", "companyId": COMPANY}
    for number in range(3):
        named = {name: f"{value}{number}" for name, value in new.items() if name in ("name", "lastName")}
        created, answer = await _counted(world, lambda named=named: world.post(url, by=by, json={**new, **named}))
        own = f"{url}/{answer['data']['id']}"
        edit = {name: f"{value}!" for name, value in named.items()}
        edited, _ = await _counted(world, lambda own=own, edit=edit: world.put(own, by=by, json=edit))
        deleted, _ = await _counted(world, lambda own=own: world.delete(own, by=by))
    assert (created, edited, deleted) == CHANGES[url][world.service.database.engine.dialect.name == "postgresql"]


async def test_a_login_sends_few_statements(world_on_both: World) -> None:
    world = world_on_both
    await world.user("root@example.com", roles=("superadmin",))
    jane, secret, _ = await enrolled(world)
    for _ in range(3):
        # In another minute, so that no count of logins is written.
        world.clock.forward(seconds=60)
        simple, _ = await _counted(world, lambda: world.login("root@example.com"))
        first, answer = await _counted(world, world.login)
        token, digits = answer["token"], code(world, secret)
        second, _ = await _counted(world, lambda token=token, digits=digits: prove(world, jane, token, digits))
    assert (simple, first, second) == LOGINS[world.service.database.engine.dialect.name == "postgresql"]


async def test_a_request_leaves_nothing_to_the_garbage_collector(lists: Lists) -> None:
    stores = weakref.WeakSet[Store]()
    made = Store.__init__

    def noted(store: Store, *arguments: Any) -> None:
        made(store, *arguments)
        stores.add(store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "__init__", noted)
        gc.collect()
        gc.disable()
        try:
            for id in ("list_applications", "get_application"):
                granted((await lists.answer(OPERATIONS[id]))[0])
                assert not stores, id
        finally:
            gc.enable()
