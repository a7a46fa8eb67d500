"""The store: conditions, order, windows and units of work, the same on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis.strategies import lists, text
from sqlalchemy.exc import IntegrityError

from svc_tui.server.store import documents, tables
from svc_tui.server.store.conditions import (
    AllOf,
    AnyFieldIn,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    Not,
    Related,
    StartsWith,
)
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.events import Event
from svc_tui.server.store.many_parts import MANY, contains_any_part
from svc_tui.server.store.queries import UnknownField
from svc_tui.server.store.store import Store
from svc_tui.server.stored import change_users
from tests.support.clock import SetClock
from tests.support.statements import statements

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

COMPANIES = [
    {"id": "1", "name": "Émile & Co", "bpId": "9", "status": "active", "isBP": False},
    {"id": "2", "name": "zebra 100%", "status": "active", "isBP": True},
    {"id": "3", "name": "Apple_pie", "bpId": "9", "status": "hold", "isBP": False},
    {"id": "4", "status": "terminated"},
]


async def _ids(database: Database, *where: Condition, sort: Sort | None = None) -> list[str]:
    async with database.unit() as store:
        found = await store.companies.find(*where, sort=sort)
    assert found.total == len(found.documents)
    return [document["id"] for document in found.documents]


@pytest.fixture
async def filled(database: Database) -> Database:
    async with database.unit() as store:
        await store.companies.add_all(COMPANIES)
        await store.users.add({"id": "u1", "loginEmail": "A@x.y", "companyId": "1", "roles": ["user", "app_admin"]})
        await store.users.add({"id": "u2", "loginEmail": "b@x.y", "companyId": "3", "roles": ["admin"]})
    return database


CONDITIONS: list[tuple[Condition, list[str]]] = [
    (Is("status", "active"), ["1", "2"]),
    (Is("name", "ÉMILE & CO"), ["1"]),
    (Is("bpId", None), ["2", "4"]),
    (Is("isBP", True), ["2"]),
    (In("id", ["1", "4", "7"]), ["1", "4"]),
    (In("id", []), []),
    (Contains("name", "éMI"), ["1"]),
    (Contains("name", "%"), ["2"]),
    (Contains("name", "_"), ["3"]),
    (StartsWith("status", "a"), ["1", "2"]),
    (StartsWith("status", "A"), []),
    (AtLeast("status", "hold"), ["3", "4"]),
    (AtMost("status", "hold"), ["1", "2", "3"]),
    (AnyOf((Is("status", "hold"), Is("isBP", True))), ["2", "3"]),
    (AnyOf(()), []),
    (AllOf((Is("status", "active"), Is("bpId", "9"))), ["1"]),
    (Not(Is("bpId", "9")), ["2", "4"]),
]


async def test_conditions_mean_the_same_on_both_databases(filled: Database) -> None:
    for condition, expected in CONDITIONS:
        assert await _ids(filled, condition) == expected, condition


async def test_words_and_related_records(filled: Database) -> None:
    async with filled.unit() as store:
        assert [each["id"] for each in (await store.users.find(ContainsAny("roles", ["app_admin"]))).documents] == [
            "u1"
        ]
        assert (await store.users.find(ContainsAny("roles", ["app"]))).total == 0
        managed = Related("companyId", "companies", Is("bpId", "9"))
        assert (await store.users.find(managed, Is("loginEmail", "a@X.y"))).documents[0]["loginEmail"] == "A@x.y"


async def test_order_ignores_case_and_puts_what_is_missing_last_in_both_directions(filled: Database) -> None:
    assert await _ids(filled, sort=Sort("name")) == ["3", "2", "1", "4"]
    assert await _ids(filled, sort=Sort("name", descending=True)) == ["1", "2", "3", "4"]


@pytest.fixture(params=[documents.FAR, 0])
def nearer_end(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows in the last half of these short lists are read from their beginning, then from their end."""
    monkeypatch.setattr(documents, "FAR", request.param)


async def test_equal_values_are_in_the_order_of_the_table(database: Database) -> None:
    persons = [("1", "Lee", "Cid"), ("2", "lee", "Ann"), ("3", "Lee", "Bo"), ("4", "Kay", "Zoe"), ("5", None, "Bob")]
    async with database.unit() as store:
        for id, last, first in persons:
            await store.directory_entries.add({"id": id, "lastName": last, "firstName": first})
        upward, downward = [
            [each["id"] for each in (await store.directory_entries.find(sort=sort)).documents]
            for sort in (Sort("lastName"), Sort("lastName", descending=True))
        ]
    assert (upward, downward) == (["4", "2", "3", "1", "5"], ["1", "3", "2", "4", "5"])


@pytest.mark.usefixtures("nearer_end")
@pytest.mark.parametrize("descending", [False, True])
async def test_windows_of_any_size_have_each_record_once_and_in_order(database: Database, descending: bool) -> None:
    async with database.unit() as store:
        for number in range(12):
            name = {"name": f"n{number // 2}"} if number % 3 else {}
            await store.companies.add({"id": f"{number:02}", "status": "a", **name})
        sort = Sort("name", descending)
        whole = [each["id"] for each in (await store.companies.find(Is("status", "a"), sort=sort)).documents]
        assert sorted(whole[8:]) == ["00", "03", "06", "09"]
        for size in (1, 3, 5, 12):
            windows = [
                (await store.companies.find(Is("status", "a"), sort=sort, limit=size, offset=offset)).documents
                for offset in range(0, 15, size)
            ]
            assert [each["id"] for window in windows for each in window] == whole


@pytest.mark.usefixtures("nearer_end")
@pytest.mark.parametrize("descending", [False, True])
async def test_windows_over_several_lists_are_merged_in_order_with_each_record_once(
    database: Database, descending: bool
) -> None:
    async with database.unit() as store:
        for number in range(12):
            names = {"lastName": f"N{number // 3}", "firstName": "ab"[number % 2]} if number % 5 else {}
            entry = {"id": f"{number:02}", "directory": f"d{number % 4}", "type": f"t{number % 2}", **names}
            await store.directory_entries.add(entry)
        sort = Sort("lastName", descending)
        some = AnyOf((In("directory", ("d0", "d2")), In("type", ("t0",)), In("directory", ("d3",))))
        merged = AnyFieldIn((("directory", ("d0", "d2", "d3")), ("type", ("t0",))))
        whole = [each["id"] for each in (await store.directory_entries.find(some, sort=sort)).documents]
        assert len(whole) == 9
        for size in (1, 4, 12):
            windows = [
                await store.directory_entries.find(merged, sort=sort, limit=size, offset=offset)
                for offset in range(0, 12, size)
            ]
            assert [each["id"] for window in windows for each in window.documents] == whole
            assert {window.total for window in windows} == {9}
        for places, count in ((("d1",), 3), ((), 0), (tuple(f"d{number}" for number in range(99)), 12)):
            found = await store.directory_entries.find(AnyFieldIn((("directory", places),)), sort=sort, limit=20)
            assert len(found.documents) == found.total == count


async def test_a_window_beyond_the_end_is_empty_and_still_knows_the_total(filled: Database) -> None:
    async with filled.unit() as store:
        found = await store.companies.find(limit=2, offset=10**30)
    assert (found.documents, found.total) == ([], 4)


async def test_a_field_that_is_no_key_cannot_be_sorted_by(filled: Database) -> None:
    async with filled.unit() as store:
        with pytest.raises(UnknownField):
            await store.companies.find(sort=Sort("description"))


async def test_numbers_within_documents_are_added_up(database: Database) -> None:
    async with database.unit() as store:
        for company, day, users in (
            ("1", "2026-03-01", {"total": 3_000_000_000, "new": 1}),
            ("2", "2026-03-01", {"total": 4}),
            ("3", "2026-03-01", {"total": 100}),
            ("1", "2026-03-02", {"total": 5}),
        ):
            document = {"id": f"{company}/{day}", "companyId": company, "date": day, "users": users}
            await store.daily_stats.add(document)
        found = await store.daily_stats.sums("date", "users", ("total", "new", "old"), In("companyId", ["1", "2"]))
    assert found == {"2026-03-01": {"total": 3_000_000_004, "new": 1}, "2026-03-02": {"total": 5}}


async def test_a_failed_unit_leaves_only_its_kept_changes(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.unit() as store:
            await store.companies.add({"id": "kept"})
            await store.commit()
            await store.companies.add({"id": "lost"})
            raise RuntimeError
    assert await _ids(database) == ["kept"]


async def test_an_event_is_stored_only_with_its_change(database: Database, clock: SetClock) -> None:
    with pytest.raises(RuntimeError):
        async with database.unit() as store:
            await store.events.add(Event("test", ("u1",), {}), now=clock.now())
            raise RuntimeError
    async with database.unit() as store:
        rows = await store.rows(tables.OUTBOX.select())
        assert rows == []


async def test_two_records_cannot_share_a_unique_field(filled: Database) -> None:
    with pytest.raises(IntegrityError):
        async with filled.unit() as store:
            await store.users.add({"id": "u3", "loginEmail": "a@X.Y"})


async def test_a_ticket_is_written_once_and_taken_once_until_it_expires(database: Database, clock: SetClock) -> None:
    soon = clock.now() + timedelta(minutes=10)
    async with database.unit() as store:
        assert await store.tickets.add("challenge", "x", now=clock.now(), expires=soon, document={"a": 1})
        assert not await store.tickets.add("challenge", "x", now=clock.now(), expires=soon, document={})
        assert await store.tickets.take("challenge", "x", now=clock.now()) == {"a": 1}
        assert await store.tickets.take("challenge", "x", now=clock.now()) is None
        assert await store.tickets.add("challenge", "y", now=clock.now(), expires=soon, document={})
    clock.forward(minutes=11)
    async with database.unit() as store:
        assert await store.tickets.read("challenge", "y", now=clock.now()) is None
        assert await store.tickets.add("challenge", "y", now=clock.now(), expires=soon, document={})


async def test_an_sqlite_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "svc.db"
    database = Database(f"sqlite:///{path}")
    await database.upgrade()
    async with database.unit() as store:
        await store.companies.add({"id": "1"})
        modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    await database.close()
    assert modes["svc.db"] == 0o600
    assert set(modes.values()) == {0o600}


def test_a_database_in_memory_is_refused_because_connections_do_not_share_it() -> None:
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ValueError, match="must be a file"):
            Database(url)


async def test_an_address_of_postgresql_may_have_the_sslmode_of_its_tools(postgres: Postgres) -> None:
    address = await postgres.fresh()
    sign = "&" if "?" in address else "?"
    database = Database(f"{address}{sign}sslmode=disable")
    async with database.unit() as store:
        assert (await store.companies.find()).total == 0
    await database.close()
    with pytest.raises(ValueError, match="sslmode must be one of disable"):
        Database(f"{address}{sign}sslmode=maybe")


async def test_changing_very_many_users_takes_few_locks_and_few_statements(postgres: Postgres) -> None:
    database = Database(await postgres.fresh())
    ids = [f"u{number:04}" for number in range(4000)]
    async with database.unit() as store:
        await store.users.add_all({"id": id, "loginEmail": f"{id}@x.y", "companyId": "1"} for id in ids)
    async with database.unit() as store:
        with statements(database) as sent:
            assert await change_users(store, Is("companyId", "1"), lambda user: {**user, "companyName": "New"}) == 4000
        # The ids, the locks, and for each 500 users one read, one of the names before, and one write.
        assert len(sent) == 2 + 3 * 8
        held = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert 1000 < (await store.rows(held))[0][0] <= 1024
        assert await store.users.count(Is("companyName", "new")) == 4000
    await database.close()


async def test_tasks_that_depend_on_changes_are_woken_by_each_commit_and_by_no_rollback(database: Database) -> None:
    called: list[int] = []
    followed: list[str] = []

    async def stored() -> None:
        async with database.unit() as other:
            called.append(await other.sites.count())

    def wake() -> None:
        tasks.append(asyncio.ensure_future(stored()))

    tasks: list[asyncio.Future[None]] = []
    async with database.unit() as store:
        for id, end in (("s1", store.commit), ("s2", store.rollback), ("s3", store.commit)):
            await store.sites.add({"id": id, "companyId": "c1"})
            for _ in range(2):
                store.after_commit(wake)
            store.after_commit(partial(followed.append, id))
            await end()
    await asyncio.gather(*tasks)
    assert len(called) == 2 and max(called) == 2
    assert followed == ["s1", "s3"]


async def test_events_of_any_unit_wake_their_delivery(database: Database, clock: SetClock) -> None:
    woken: list[bool] = []
    database.shared.wake_delivery = lambda: woken.append(True)
    async with database.unit() as store:
        await store.events.add(Event("made", ("jane",), {}), now=clock.now())
        assert not woken
    assert woken == [True]


async def test_many_records_are_stored_at_once_whether_they_are_new_or_not(filled: Database) -> None:
    async with filled.unit() as store:
        await store.companies.put_all([{"id": "1", "name": "Changed", "status": "hold"}, {"id": "9", "name": "New"}])
        found = await store.companies.of(["9", "missing", "1"])
        assert [each["name"] for each in found] == ["New", "Changed"]
        assert await store.companies.ids(Is("status", "hold")) == ["1", "3"]
        assert sorted(await store.companies.values("bpId", In("id", ["3", "9"])), key=str) == ["9", None]


async def test_of_a_record_that_is_stored_twice_at_once_the_last_one_stays(filled: Database) -> None:
    async with filled.unit() as store:
        twice = [{"id": id, "name": name} for id in ("1", "9") for name in ("First", "Last")]
        await store.companies.put_all(twice)
        assert [each["name"] for each in await store.companies.of(["1", "9"])] == ["Last", "Last"]
        assert await store.companies.ids(Is("name", "First")) == []


async def test_the_total_of_a_directory_follows_each_change(database: Database) -> None:
    def entry(number: int, directory: str = "one", type: str = "user") -> dict[str, Any]:
        return {"id": f"{directory}{number}", "directory": directory, "type": type, "ldap_id": str(number)}

    async def check(store: Store) -> None:
        entries = store.directory_entries
        for where in (
            (Is("directory", "one"),),
            (Is("directory", "one"), Is("type", "user")),
            (AnyFieldIn((("directory", ("one", "two", "two")),)), Is("type", "company")),
            (Related("directory", "directories", Is("live", True)), Is("type", "user")),
            (Is("directory", "none"),),
        ):
            # Another condition, which all meet: they are really counted.
            assert await entries.count(*where) == await entries.count(*where, Not(Is("ldap_id", None))), where

    async with database.unit() as store:
        await store.directories.add_all([{"id": "one", "live": True}, {"id": "two", "live": False}])
        await store.directory_entries.add_all([entry(number) for number in range(1500)])
        await store.directory_entries.add_all([entry(number, "two", "company") for number in range(3)])
        await check(store)
        assert await store.directory_entries.count(Is("directory", "one")) == 1500
        await store.directory_entries.put(entry(1, type="company"))
        await store.directory_entries.put_all([{**entry(2), "directory": "two"}, entry(2000), entry(3)])
        await store.directory_entries.remove("one4")
        await check(store)
    async with database.unit() as store:
        await store.directory_entries.remove_all(Is("directory", "one"))
        await check(store)
        await store.rollback()
    async with database.unit() as store:
        await check(store)
        assert await store.directory_entries.count(Is("directory", "one"), Is("type", "user")) == 1498
        await store.directory_entries.remove_all(In("id", tuple(f"one{number}" for number in range(9))))
        await check(store)
        await store.directory_entries.remove_all(Is("directory", "one"))
        assert await store.directory_entries.count(Is("directory", "one")) == 0
        await store.remove_all()
        assert await store.directory_entries.count() == 0


async def test_texts_with_one_of_many_parts_are_found_on_both_databases(filled: Database) -> None:
    async with filled.unit() as store:
        await store.companies.put_all(
            [{"id": f"p{number}", "name": name} for number, name in enumerate(["a%b Über", "(x) [Y]", "plain", "a_b"])]
        )
        many = [f"no{number}" for number in range(MANY)]
        for parts, expected in (
            (["über"], ["p0"]),
            (["ÜBER", "[y]"], ["p0", "p1"]),
            (["a%", "LAI", "p"], ["p0", "p2"]),
            (["b", "a_b"], ["p0", "p3"]),
            ([], []),
            ([""], ["p0", "p1", "p2", "p3"]),
        ):
            ours = In("id", ["p0", "p1", "p2", "p3"])
            where = AnyOf(tuple(Contains("name", part) for part in (*many, *parts)))
            assert await store.companies.ids(where, ours) == expected, parts
            assert await store.companies.count(where, ours) == len(expected)


@given(text(), lists(text(max_size=6), min_size=1))
def test_a_text_contains_one_of_many_parts(whole: str, parts: list[str]) -> None:
    assert contains_any_part(whole, json.dumps(parts)) == any(part in whole for part in parts)
