"""Walking through all records of a table: each once, in order, by ranges of an index, on both databases."""

from __future__ import annotations

import json

import pytest

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.directory_tables import DIRECTORY_ENTRIES
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.walking import walked
from tests.server.plans import faults
from tests.support.statements import statements

NAMES = [None, "Lee", "lee", "Kay", "Élan"]


@pytest.fixture
async def directory(database: Database) -> Database:
    async with database.unit() as store:
        for place, last in enumerate(NAMES * 4):
            first = {"firstName": f"N{place // 10}"} if place % 3 else {}
            names = {**first, **({"lastName": last} if last else {})}
            await store.directory_entries.add({"id": f"{place:02}", "directory": "d", **names})
        await store.directory_entries.add({"id": "x", "directory": "other", "lastName": "Lee"})
    return database


@pytest.mark.parametrize("step", [1, 2, 7, 100])
async def test_each_record_is_there_once_and_in_the_order_of_the_list(directory: Database, step: int) -> None:
    found = []
    async for texts in walked(directory, DIRECTORY_ENTRIES, Is("directory", "d"), step=step):
        assert 0 < len(texts) <= step
        found += [json.loads(text)["id"] for text in texts]
    async with directory.unit() as store:
        sorted_by_name = await store.directory_entries.find(Is("directory", "d"), sort=Sort("lastName"))
    listed = [(each.get("lastName", "~").casefold(), each["id"]) for each in sorted_by_name.documents]
    names = {id: name for name, id in listed}
    assert sorted(found) == sorted(names) and len(found) == 20
    # Entries without any name have no order between them but that of their ids.
    assert [(names[id], id) for id in found] == listed


async def test_a_step_does_not_sort_and_holds_no_connection(directory: Database) -> None:
    with statements(directory) as sent:
        async for _ in walked(directory, DIRECTORY_ENTRIES, Is("directory", "d"), step=3):
            assert directory.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    assert [fault for each in sent for fault in await faults(directory, each)] == []


async def test_records_removed_during_the_walk_are_left_out(directory: Database) -> None:
    found = []
    async for texts in walked(directory, DIRECTORY_ENTRIES, Is("directory", "d"), step=5):
        found += [json.loads(text)["id"] for text in texts]
        async with directory.unit() as store:
            await store.directory_entries.remove_all(Is("lastName", "lee"), Is("directory", "d"))
    # Four have the name Kay, and one of the eight others was in the first step.
    assert len(found) == len(set(found)) == 20 - 8 + 1
