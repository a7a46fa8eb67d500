"""Reads are cached only until the database changes (`store/read_cache.py`), on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic_core import from_json
from sqlalchemy import Executable

from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.read_cache import ReadCache
from svc_tui.server.store.tables import Document
from tests.support.statements import statements


def site(name: str, id: str = "s1") -> Document:
    return {"id": id, "name": name, "companyId": "c1"}


def _same(document: Document) -> Document:
    return document


async def _put(database: Database, document: Document) -> None:
    async with database.unit() as store:
        await store.sites.put(document)


async def test_what_another_process_commits_is_seen_by_the_next_read(database: Database, database_url: str) -> None:
    other = Database(database_url)
    for number in range(3):
        await _put(other if number else database, site(f"Name {number}"))
        for _ in range(2):
            async with database.unit() as store:
                assert await store.sites.get("s1") == site(f"Name {number}")
                assert (await store.sites.find(Is("companyId", "c1"), limit=5)).documents == [site(f"Name {number}")]
                shown = await store.sites.page(_same, Is("companyId", "c1"), sort=Sort("name"), limit=5, offset=0)
                assert f"Name {number}".encode() in shown
    async with other.unit() as store:
        await store.sites.remove("s1")
    async with database.unit() as store:
        assert await store.sites.get("s1") is None
        assert (await store.sites.find(limit=5)).total == 0
    await other.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_who_comes_after_a_question_was_sent_asks_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    access, answered, delivered = database.access, asyncio.Queue[object](), asyncio.Event()
    assert access is not None
    ask = access.rows

    async def ask_slowly(query: Executable) -> Sequence[Any]:
        rows = await ask(query)
        answered.put_nowait(rows)
        await delivered.wait()
        return rows

    monkeypatch.setattr(access, "rows", ask_slowly)
    before = asyncio.ensure_future(access.state())
    await answered.get()
    await _put(database, site("Committed since"))
    after = asyncio.ensure_future(access.state())
    delivered.set()
    assert await after > await before


async def test_a_unit_sees_its_own_changes_and_no_other_sees_what_it_takes_back(database: Database) -> None:
    await _put(database, site("Before"))
    async with database.unit() as reading:
        assert await reading.sites.get("s1") == site("Before")
    with pytest.raises(ZeroDivisionError):
        async with database.unit() as store:
            assert await store.sites.get("s1") == site("Before")
            await store.sites.put(site("Taken back"))
            assert await store.sites.get("s1") == site("Taken back")
            async with database.unit() as reading:
                assert await reading.sites.get("s1") == site("Before")
            raise ZeroDivisionError
    async with database.unit() as store:
        assert await store.sites.get("s1") == site("Before")
        await store.sites.put(site("After"))
        await store.commit()
        assert await store.sites.get("s1") == site("After")


async def test_a_change_of_a_kept_record_by_its_reader_changes_nothing_for_others(database: Database) -> None:
    await _put(database, site("Before"))
    async with database.unit() as store:
        await store.companies.add({"id": "c1"})
        await store.users.add({"id": "u1", "loginEmail": "u@x.y", "companyId": "c1"})
        await store.applications.add({"id": "a1"})
    for _ in range(2):
        async with database.unit() as store:
            found = await store.sites.get("s1")
            assert found == site("Before")
            found["name"] = "Mine alone"
            caller = await store.caller("u1", "a1")
            for record in (caller.user, caller.company, caller.application):
                assert record is not None and "mine" not in record
                record["mine"] = True
            for document in (await store.sites.find(limit=1)).documents:
                document["name"] = "Mine alone"


async def test_the_records_of_each_caller_are_read_by_one_statement(database: Database) -> None:
    async with database.unit() as store:
        for number in "12":
            await store.companies.add({"id": f"c{number}"})
            await store.users.add({"id": f"u{number}", "loginEmail": f"u{number}@x.y", "companyId": f"c{number}"})
            await store.applications.add({"id": f"a{number}"})
    for user, application, most in (("u1", "a1", 1), ("u2", "a1", 1), ("u2", "a2", 1), ("u2", "a1", 0)):
        with statements(database) as sent:
            async with database.unit() as store:
                caller = await store.caller(user, application)
        found = [(each or {}).get("id") for each in (caller.user, caller.company, caller.application)]
        assert found == [user, user.replace("u", "c"), application]
        assert sum("document" in each.sql for each in sent) <= most


async def test_a_read_after_a_read_asks_the_database_only_whether_something_changed(database: Database) -> None:
    await _put(database, site("Before"))
    counts = []
    for _ in range(3):
        with statements(database) as sent:
            async with database.unit() as store:
                await store.sites.get("s1")
                await store.sites.find(Is("companyId", "c1"), limit=5)
        counts.append(sum("sites" in each.sql for each in sent))
    assert counts[-1] == 0 < counts[0]


def test_what_is_kept_is_bounded_and_belongs_to_one_state() -> None:
    kept = ReadCache(most=10_000)
    kept.keep(1, "a", "A", 100)
    assert (kept.find(1, "a"), kept.find(2, "a")) == ("A", None)
    kept.keep(1, "large", "L", 5_000)
    assert kept.find(1, "large") is None
    for number in range(100):
        kept.keep(1, number, "N", 500)
    assert sum(kept.find(1, number) is not None for number in range(100)) < 20
    kept.keep(2, "a", "new", 1)
    # Who reads long in an older state takes nothing from the newer one.
    kept.keep(1, "late", "old", 1)
    assert (kept.find(1, 99), kept.find(1, "late"), kept.find(2, "a")) == (None, None, "new")


async def test_simultaneous_reads_are_shared_and_an_error_is_not() -> None:
    kept, reads, begun, ready = ReadCache(), 0, asyncio.Event(), asyncio.Event()

    async def read() -> str:
        nonlocal reads
        reads += 1
        first = reads == 1
        begun.set()
        await ready.wait()
        if first and failing:
            raise ValueError
        return "found"

    for failing, expected in ((False, 1), (True, 3)):
        reads, kept = 0, ReadCache()
        waiting = [asyncio.create_task(kept.read(1, "key", read, len)) for _ in range(3)]
        cancelled = asyncio.create_task(kept.read(1, "key", read, len))
        await begun.wait()
        cancelled.cancel()
        ready.set()
        first, *others = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(first, ValueError) if failing else first == "found"
        assert (others, reads) == (["found"] * 2, expected)
        assert await kept.read(1, "key", read, len) == "found"
        assert reads == expected
        ready.clear()
        begun.clear()


async def test_who_reads_a_newer_state_gets_nothing_of_a_read_that_began_before_it() -> None:
    kept, begun, ready = ReadCache(), asyncio.Event(), asyncio.Event()

    async def before() -> str:
        begun.set()
        await ready.wait()
        return "before"

    async def after() -> str:
        return "after"

    older = asyncio.create_task(kept.read(1, "key", before, len))
    await begun.wait()
    newer = asyncio.create_task(kept.read(2, "key", after, len))
    await asyncio.sleep(0)
    ready.set()
    assert await asyncio.gather(older, newer) == ["before", "after"]
    assert kept.find(2, "key") == "after"


def test_long_filters_count_as_what_is_kept() -> None:
    kept = ReadCache(most=100_000)
    for number in range(1000):
        kept.keep(1, f"{number:01000}", "", 0)
    assert sum(kept.find(1, f"{number:01000}") is not None for number in range(1000)) < 100


async def test_every_part_of_a_read_is_in_its_key(database: Database) -> None:
    """Each read differs from the first one in one part, and nothing is committed between them."""

    def upper(document: Document) -> Document:
        return {**document, "name": document["name"].upper()}

    async with database.unit() as store:
        await store.sites.add_all([{**site(name, id=name), "status": name} for name in ("a", "b", "c")])
        await store.catalogs.add_all([{"id": "a", "name": "catalogue"}])
    by_name, backwards, by_id = Sort("name"), Sort("name", descending=True), Sort("id")
    async with database.unit() as store:
        for _ in range(2):
            for collection, where, sort, limit, offset, expected in (
                (store.sites, (), by_name, 1, 0, "a"),
                (store.catalogs, (), by_name, 1, 0, "catalogue"),
                (store.sites, (Is("status", "c"),), by_name, 1, 0, "c"),
                (store.sites, (), backwards, 1, 0, "c"),
                (store.sites, (), by_name, 2, 0, "ab"),
                (store.sites, (), by_name, 1, 1, "b"),
                (store.sites, (), by_id, None, 0, "abc"),
            ):
                found = await collection.find(*where, sort=sort, limit=limit, offset=offset)
                assert "".join(each["name"] for each in found.documents) == expected
                if limit is not None:
                    for show, shown in ((_same, expected), (upper, expected.upper())):
                        text = await collection.page(show, *where, sort=sort, limit=limit, offset=offset)
                        assert "".join(each["name"] for each in from_json(text)["data"]) == shown
            records = [await each.get(id) for each in (store.sites, store.catalogs) for id in ("a", "b")]
            assert [each and each["name"] for each in records] == ["a", "b", "catalogue", None]


async def test_a_condition_that_cannot_be_compared_is_read_each_time(database: Database) -> None:
    await _put(database, site("Before"))
    async with database.unit() as store:
        for _ in range(2):
            assert (await store.sites.find(In("id", ["s1"]), limit=5)).total == 1
