"""Totals that SQLite keeps are those that it would count, after changes of any process."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, ContainsAny, Is, Not, ReferencedBy, Related
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from tests.support.statements import statements

SOLD = Related("offerId", "offers", Is("canBeSold", True))
BOUGHT = ReferencedBy("subscriptions", "companyId", AllOf((SOLD, Not(Is("status", "terminated")))))
#: Lists of companies that depend on one, two and three tables.
LISTS: tuple[tuple[Condition, ...], ...] = (
    (),
    (Is("status", "active"),),
    (Not(Is("bpId", None)), AnyOf((Is("country", "FRA"), Is("status", "hold")))),
    (BOUGHT,),
    (Not(BOUGHT), Is("status", "active")),
)


class Undone(Exception):
    """Ends a unit without its changes."""


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[tuple[Database, Database]]:
    """Two processes, as far as SQLite can see, on one database."""
    first, second = (Database(f"sqlite:///{tmp_path / 'svc.db'}") for _ in range(2))
    await first.upgrade()
    yield first, second
    for each in (first, second):
        await each.close()


async def _change(store: Store, chance: random.Random) -> None:
    """Change something: a few companies, subscriptions or offers, or something that no list depends on."""
    id = f"{chance.randrange(12):02}"
    company = {
        "id": id,
        "status": chance.choice(("active", "hold")),
        "country": chance.choice(("FRA", "DEU")),
        "bpId": chance.choice(("b", None)),
    }
    match chance.randrange(11):
        case 0:
            await store.companies.put(company)
        case 1:
            await store.companies.replace(company)
        case 2:
            await store.companies.remove(id)
        case 3:
            await store.companies.remove_all(Is("status", "hold"))
        case 4:
            await store.companies.put_all([company, {**company, "id": "99"}])
        case 5:
            await store.subscriptions.put({"id": id, "companyId": id, "offerId": chance.choice("op"), "status": "a"})
        case 6:
            await store.subscriptions.remove_all(Is("offerId", chance.choice("op")))
        case 7:
            await store.offers.put({"id": chance.choice("op"), "canBeSold": chance.random() < 0.5})
        case 8:
            await store.companies.add({**company, "id": chance.randbytes(8).hex()})
        case _:
            await store.sites.put({"id": id, "name": id, "companyId": id})


@pytest.mark.parametrize("seed", range(4))
async def test_a_total_is_the_number_of_records_after_any_change(both: tuple[Database, Database], seed: int) -> None:
    chance, counted, asked = random.Random(seed), 0, 0
    for _ in range(150):
        database = chance.choice((both[0], both[0], both[0], both[1]))
        with suppress(Undone):
            async with database.unit() as store:
                await _change(store, chance)
                if chance.random() < 0.3:
                    assert await store.companies.count() == len(await store.companies.ids())
                if chance.random() < 0.2:
                    await store.commit()
                    await _change(store, chance)
                if chance.random() < 0.2:
                    raise Undone
        # Some changes follow another one of either process that nothing was read after.
        for database in both if chance.random() < 0.6 else ():
            with statements(database) as sent:
                async with database.unit() as store:
                    totals = [await store.companies.count(*where) for where in LISTS]
            counted, asked = counted + sum("count(" in each.sql for each in sent), asked + len(LISTS)
            async with database.unit() as store:
                assert totals == [len(await store.companies.ids(*where)) for where in LISTS]
    # Changes of sites, and units that were undone, leave them.
    assert counted < 0.9 * asked


async def test_a_list_is_counted_again_only_after_a_change_of_its_tables(both: tuple[Database, Database]) -> None:
    database, other = both

    async def counts() -> int:
        with statements(database) as sent:
            async with database.unit() as store:
                await store.users.find(ContainsAny("roles", ("user",)), sort=Sort("displayName"), limit=1)
        return sum("count(" in each.sql for each in sent)

    async with database.unit() as store:
        await store.users.put_all([{"id": str(number), "roles": ["user"]} for number in range(5)])
    assert [await counts(), await counts()] == [1, 0]
    async with database.unit() as store:
        await store.sites.add({"id": "s"})
    assert await counts() == 0
    async with database.unit() as store:
        await store.users.put({"id": "0", "roles": ["guest"]})
    assert [await counts(), await counts()] == [1, 0]
    async with other.unit() as store:
        await store.sites.remove("s")
    assert [await counts(), await counts()] == [1, 0]


async def test_a_commit_of_another_process_right_after_one_of_this_process_is_noticed(
    both: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, other = both
    async with database.unit() as store:
        assert await store.users.count() == 0
    assert database.writer is not None
    commit = database.writer.commit

    async def commit_twice() -> None:
        await commit()
        async with other.unit() as store:
            await store.users.add({"id": "1"})

    monkeypatch.setattr(database.writer, "commit", commit_twice)
    async with database.unit() as store:
        await store.sites.add({"id": "s"})
    async with database.unit() as store:
        assert await store.users.count() == 1


async def test_a_commit_that_is_stored_though_its_unit_was_cancelled_is_noticed(
    both: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, _ = both
    for id in ("s", "t"):
        async with database.unit() as store:
            await store.sites.add({"id": id})
        async with database.unit() as store:
            assert await store.users.count() == 0
    assert database.writer is not None
    commit = database.writer.commit

    async def cancelled() -> None:
        await commit()
        raise asyncio.CancelledError

    with monkeypatch.context() as patched, pytest.raises(asyncio.CancelledError):
        patched.setattr(database.writer, "commit", cancelled)
        async with database.unit() as store:
            await store.users.add({"id": "1"})
    async with database.unit() as store:
        await store.sites.add({"id": "u"})
    async with database.unit() as store:
        assert await store.users.count() == 1
