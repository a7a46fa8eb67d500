"""Sessions of PostgreSQL (`store/postgresql.py`): their errors, their connections, and what is current."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError

from svc_tui.server.store.database import Database
from svc_tui.server.store.postgresql import PostgresAccess, PostgresSession
from tests.support.statements import statements
from tests.support.world import COMPANY, World

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

PATH = f"/api/svc/admin/v1.0/companies/{COMPANY}"
_OTHERS = "FROM pg_stat_activity WHERE datname = :name AND pid <> pg_backend_pid()"


@pytest.fixture
async def database(postgres: Postgres) -> AsyncIterator[Database]:
    opened = Database(await postgres.fresh(), connections=2)
    yield opened
    await opened.close()


def access_of(database: Database) -> PostgresAccess:
    assert database.access is not None
    return database.access


async def rows(database: Database, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement outside a transaction."""
    return [tuple(row) for row in await access_of(database).rows(sa.text(statement), values)]


def used(database: Database) -> int:
    return int(database.engine.pool.checkedout())  # type: ignore[attr-defined]


async def _end_all(database: Database, other: Database, *, allow: bool) -> None:
    """Let PostgreSQL end all connections of a database, and refuse or accept new ones."""
    name = str(database.engine.url.database)
    async with other.engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(sa.text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allow}"))
        await connection.execute(sa.text(f"SELECT pg_terminate_backend(pid) {_OTHERS}"), {"name": name})
        left = 1
        while left:
            left = (await connection.execute(sa.text(f"SELECT count(*) {_OTHERS}"), {"name": name})).scalar_one()


@pytest.mark.parametrize("world_on_both", ["postgresql"], indirect=True)
async def test_a_service_answers_again_when_its_database_was_away(world_on_both: World, postgres: Postgres) -> None:
    world, admin = world_on_both, Database(postgres.url("postgres"))
    boss = await world.user("boss@example.com", roles=("superadmin",))

    async def statuses() -> list[int]:
        changed = await world.put(PATH, by=boss, json={"slogan": "New"})
        return [changed.status_code, *[(await world.get(PATH, by=boss)).status_code for _ in range(3)]]

    assert await statuses() == [200] * 4
    for _ in range(2):
        await _end_all(world.service.database, admin, allow=False)
        assert await statuses() == [503] * 4
        await _end_all(world.service.database, admin, allow=True)
        assert await statuses() == [200] * 4
    assert used(world.service.database) == 0
    await admin.close()


async def test_a_read_on_a_connection_that_was_just_ended_is_done_on_another(database: Database) -> None:
    [(pid,)] = await rows(database, "SELECT pg_backend_pid()")
    # It ends while its own answer is awaited: before the question, nothing says that it will.
    ending = "SELECT pid FROM (SELECT pg_terminate_backend(:pid), 1 AS pid) AS ended"
    assert await rows(database, ending, pid=pid)
    [(other,)] = await rows(database, "SELECT pg_backend_pid()")
    assert other != pid
    assert used(database) == 0


async def test_a_change_whose_connection_ends_as_it_begins_is_made_on_another(database: Database) -> None:
    waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"

    async def change() -> None:
        async with database.unit() as store:
            await store.lock("company:1")
            await store.sites.add({"id": "s1", "companyId": "c1"})

    other = Database(database.engine.url.render_as_string(False))
    async with other.unit() as holder:
        await holder.lock("company:1")
        task = asyncio.create_task(change())
        ended: set[int] = set()
        # The second time it begins on another connection, which stays.
        while not task.done() and not (ended and await _waits_elsewhere(other, waiting, ended)):
            for (pid,) in await rows(other, waiting) if not ended else ():
                await rows(other, "SELECT pg_terminate_backend(:pid)", pid=pid)
                ended.add(pid)
    await task
    await other.close()
    async with database.unit() as store:
        assert await store.sites.get("s1") is not None
    assert used(database) == 0


async def _waits_elsewhere(database: Database, waiting: str, ended: set[int]) -> bool:
    return bool({row[0] for row in await rows(database, waiting)} - ended)


async def test_errors_have_no_values_of_records(database: Database) -> None:
    for statement, kind in (
        ("SELECT nothing", ProgrammingError),
        ("INSERT INTO sites (id, document) VALUES ('s1', '{}'), ('s1', '{}')", IntegrityError),
        ("SELECT pg_terminate_backend(pg_backend_pid())", DBAPIError),
    ):
        with pytest.raises(kind):
            await rows(database, statement)
    with pytest.raises(IntegrityError) as twice:
        async with database.unit() as store:
            await store.sites.add({"id": "s1", "name": "Secret", "companyId": "c1"})
            await store.sites.add({"id": "s1", "name": "Secret", "companyId": "c1"})
    assert "Secret" not in str(twice.value).partition("DETAIL")[0]
    assert used(database) == 0


async def test_a_statement_that_takes_too_long_is_an_error_and_its_connection_is_used_again(database: Database) -> None:
    [(pid,)] = await rows(database, "SELECT pg_backend_pid()")
    with pytest.raises(DBAPIError, match="statement timeout"):
        async with database.unit() as store:
            await store.begin()
            await store.rows(sa.text("SELECT set_config('statement_timeout', '5ms', true)"))
            await store.rows(sa.text("SELECT pg_sleep(60)"))
    assert await rows(database, "SELECT pg_backend_pid()") == [(pid,)]
    assert used(database) == 0


async def test_a_connection_in_a_transaction_is_not_used_again(database: Database) -> None:
    session = PostgresSession(access_of(database))
    await session.begin()
    # As after a BEGIN whose answer was not awaited: SQLAlchemy does not know of it, and rolls nothing back.
    [(pid,)] = await session.rows(sa.text("SELECT pg_backend_pid()"))
    assert session._connection is not None
    await session._connection.rollback()
    driver: Any = (await session._connection.get_raw_connection()).driver_connection
    await driver.execute("BEGIN")
    await session.release()
    [(other,)] = await rows(database, "SELECT pg_backend_pid()")
    assert other != pid
    assert used(database) == 0


async def test_a_cancelled_unit_undoes_its_changes_and_lets_its_locks_go(database: Database) -> None:
    waiting = sa.text("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")

    async def change() -> None:
        async with database.unit() as store:
            await store.lock("company:1")
            await store.sites.add({"id": "s1", "companyId": "c1"})
            await store.lock("company:2")

    async with Database(database.engine.url.render_as_string(False)).unit() as other:
        await other.lock("company:2")
        task = asyncio.create_task(change())
        pids: list[int] = []
        while not pids:
            pids = [row[0] for row in await other.rows(waiting)]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Its connection is back, with no transaction.
        assert used(database) == 0
        assert await other.try_lock("company:1")
    async with database.unit() as store:
        assert await store.sites.get("s1") is None


async def test_a_unit_that_stored_or_undid_its_changes_waits_for_reads_with_no_connection(database: Database) -> None:
    async with database.unit() as store:
        for id, end in (("s1", store.commit), ("s2", store.rollback)):
            await store.sites.add({"id": id, "companyId": "c1"})
            await end()
            assert used(database) == 0
        assert await store.sites.ids() == ["s1"]


async def test_a_unit_with_a_failed_statement_does_not_count_as_stored(database: Database) -> None:
    with pytest.raises(RuntimeError, match="failed"):
        async with database.unit() as store:
            await store.sites.add({"id": "s1", "companyId": "c1"})
            with pytest.raises(IntegrityError):
                await store.sites.add({"id": "s1", "companyId": "c1"})
    assert used(database) == 0


async def test_a_unit_with_a_cancelled_statement_does_not_count_as_stored(database: Database) -> None:
    with pytest.raises(RuntimeError, match="failed"):
        async with database.unit() as store:
            await store.sites.add({"id": "s1", "companyId": "c1"})
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await store.rows(sa.text("SELECT pg_sleep(60)"))
    async with database.unit() as store:
        assert await store.sites.get("s1") is None
    assert used(database) == 0


async def test_waiting_requests_share_one_state_query_and_later_ones_see_later_commits(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = access_of(database)
    before = await access.state()
    with statements(database) as sent:
        [first] = set(await asyncio.gather(*(access.state() for _ in range(20))))
    # PostgreSQL also works for itself, which changes the state.
    assert first >= before
    assert len(sent) < 3
    # A commit comes when the question is answered, and the answer is still on its way: it is not for later ones.
    read, answered, on_its_way = access.rows, asyncio.Event(), asyncio.Event()

    async def late(*asked: Any) -> Any:
        found = await read(*asked)
        answered.set()
        await on_its_way.wait()
        return found

    monkeypatch.setattr(access, "rows", late)
    early = asyncio.create_task(access.state())
    await answered.wait()
    async with Database(database.engine.url.render_as_string(False)).unit() as store:
        await store.sites.add({"id": "s1", "companyId": "c1"})
    later = asyncio.create_task(access.state())
    await asyncio.sleep(0)
    on_its_way.set()
    assert first <= await early < await later


async def test_a_change_gives_the_record_before_it_and_needs_few_statements(database: Database) -> None:
    async with database.unit() as store:
        await store.sites.put({"id": "s1", "companyId": "c1", "name": "First"})
    with statements(database) as sent:
        async with database.unit() as store:
            await store.lock("site:s1")
            await store.sites.put({"id": "s1", "companyId": "c1", "name": "Second"})
    # The lock, the record before, and the change.
    assert [each.sql.split()[0] for each in sent] == ["SELECT", "SELECT", "UPDATE"]
    async with database.unit() as store:
        assert await store.sites.remove("s1")
        assert not await store.sites.remove("s1")


async def test_connections_stay_open_for_the_next_requests(postgres: Postgres) -> None:
    most, opened = 12, list[object]()
    database = Database(await postgres.fresh(), connections=most)
    sa.event.listen(database.engine.sync_engine, "connect", lambda connection, _: opened.append(connection))
    together = asyncio.Barrier(most)

    async def change(number: int) -> None:
        async with database.unit() as store:
            await store.lock(f"change {number}")
            await together.wait()

    for _ in range(3):
        await asyncio.gather(*(change(number) for number in range(most)))
    assert len(opened) == most
    await database.close()
