"""How many statements the commonest operations send, so that none is added unseen: each is a round trip."""

from __future__ import annotations

import gc
import secrets
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.server.store.database import Database
from svc_tui.server.store.store import Store
from tests.server.lists import LISTS, Lists
from tests.support.statements import statements
from tests.support.world import granted

if TYPE_CHECKING:
    pass

OPERATIONS = {each.id: each for each in operations()}
#: After a change of something else: the state of the database, the caller, and what the operation itself reads. BEGIN,
#: which has the lock with it, is not counted.
READS = {
    "get_application": 3,
    "get_company": 4,
    "get_user": 4,
    "list_applications": 5,
    "list_audit_records": 5,
    "list_cloudpbxs": 7,
    "list_companies": 5,
    "list_company_subscriptions": 9,
    "list_directory_entries": 7,
    "list_recordings": 6,
    "list_users": 5,
}
CHANGE = 7


async def _changed(database: Database) -> None:
    """What was read is forgotten."""
    async with database.unit() as store:
        await store.client_versions.put({"id": "0" * 24, "name": "x", "version": secrets.token_hex()})


async def test_the_commonest_reads_send_few_statements(lists: Lists) -> None:
    database = lists.world.service.database
    sent_by = {}
    for id in READS:
        operation = OPERATIONS[id]
        query = {"limit": 5} if id in LISTS else {}
        # The first two times SQLAlchemy puts statements together.
        for _ in range(3):
            await _changed(database)
            answer, sent = await lists.answer(operation, **query)
        granted(answer)
        sent_by[id] = len(sent)
    assert sent_by == READS


async def test_a_read_while_nothing_changes_asks_only_whether_something_did(lists: Lists) -> None:
    for id in ("list_applications", "get_user"):
        for _ in range(2):
            answer, sent = await lists.answer(OPERATIONS[id])
        granted(answer)
        assert len(sent) == 1, id


async def test_a_change_sends_few_statements(lists: Lists) -> None:
    world, database = lists.world, lists.world.service.database
    url = OPERATIONS["update_application"].url(appId=lists.ids["appId"])
    for number in range(3):
        await _changed(database)
        with statements(database) as sent:
            answer = await world.http.put(
                url, headers={"authorization": lists.readers[0]}, json={"description": f"{number}"}
            )
        granted(answer)
    assert len(sent) == CHANGE


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
