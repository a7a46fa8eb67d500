"""Failures that are no refusals: a full disk, a violated constraint and a fault of the system are named as they are."""

from __future__ import annotations

import errno
import logging
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from svc_tui.server.http.failures import FULL, NO_ANSWER, failure_of
from svc_tui.server.http.health import READY
from svc_tui.server.store.database import engine_for
from tests.support.world import COMPANY, World, granted, refused

COMPANIES = "/api/svc/admin/v1.0/companies"
Document = dict[str, Any]


@pytest.fixture
async def root(world: World) -> Document:
    return await world.user("root@example.com", roles=("superadmin",))


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process gets larger, as on a disk without room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def pages(world: World, most: int) -> None:
    """The most pages that the database may have: on the connection for changes."""
    writer = world.service.database.writer
    assert writer is not None
    writer.driver().execute(f"PRAGMA max_page_count = {most}")


async def test_a_database_without_room_is_named_and_the_server_is_not_ready(
    world: World, root: Document, caplog: pytest.LogCaptureFixture
) -> None:
    granted(await world.put(f"{COMPANIES}/{COMPANY}", by=root, json={"slogan": "before"}))
    assert (await world.get(READY)).status_code == 200
    pages(world, 1)
    for number in range(400):
        answer = await world.post(COMPANIES, by=root, json={"name": f"Company {number}", "description": "x" * 2000})
        if answer.status_code != 200:
            break
    assert (answer.status_code, answer.json()["errorDetails"]) == (503, FULL)
    assert "the disk is full" in caplog.text and "does not respond" not in caplog.text
    ready = await world.get(READY)
    assert (ready.status_code, ready.json()["status"]) == (503, "the disk is full")
    pages(world, 1 << 30)
    assert (await world.get(READY)).status_code == 200
    # What failed was not half stored: the same company can be created.
    granted(await world.post(COMPANIES, by=root, json={"name": f"Company {number}", "description": "x" * 2000}))


async def test_an_upload_without_room_is_named_and_the_next_one_works(
    world: World, root: Document, caplog: pytest.LogCaptureFixture
) -> None:
    rows = "firstName;lastName\n" + "".join(f"Ada;Lovelace {number:040d}\n" for number in range(40_000))
    sent = {"content": rows.encode(), "headers": {"content-type": "text/csv"}}
    check = "/api/svc/massprovisioning/v1.0/directories/imports/synchronize/check"
    with largest_file(1_500_000):
        answer = await world.post(check, by=root, **sent)
        ready = await world.get(READY)
    assert (answer.status_code, answer.json()["errorDetails"]) == (503, FULL), answer.text
    assert "the disk is full: OSError" in caplog.text
    assert ready.status_code == 200, "there is room for something"
    # The next one is stored and read: its columns are wrong.
    refused(await world.post(check, by=root, **sent), 400502)
    with largest_file(4096):
        ready = await world.get(READY)
    assert (ready.status_code, ready.json()["status"]) == (503, "the disk is full")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
async def test_a_full_disk_of_the_system_is_no_silent_database(
    world: World, root: Document, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr(world.service.ids, "record", _raising(OSError(code, "no room")))
    answer = await world.post(COMPANIES, by=root, json={"name": "New"})
    assert (answer.status_code, answer.json()["errorDetails"]) == (503, FULL)


@pytest.mark.parametrize("error", [PermissionError("file"), FileNotFoundError("file"), OSError(errno.EIO, "disk")])
async def test_another_fault_of_the_system_is_a_fault_of_the_server(
    world: World, root: Document, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    monkeypatch.setattr(world.service.ids, "record", _raising(error))
    answer = await world.post(COMPANIES, by=root, json={"name": "New"})
    assert (answer.status_code, answer.json()["errorDetails"]) == (500, "")


async def test_a_database_that_takes_too_long_does_not_respond(
    world: World, root: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.service.ids, "record", _raising(TimeoutError()))
    answer = await world.post(COMPANIES, by=root, json={"name": "New"})
    assert (answer.status_code, answer.json()["errorDetails"]) == (503, NO_ANSWER)


async def test_a_database_that_cannot_be_reached_does_not_respond() -> None:
    engine = engine_for("postgresql://user@127.0.0.1:1/none")
    with pytest.raises(OperationalError) as raised:
        await engine.connect()
    failure = failure_of(raised.value)
    assert failure is not None and (failure.status, failure.sentence) == (503, NO_ANSWER)
    await engine.dispose()


def _raising(error: Exception) -> Any:
    def fail() -> str:
        raise error

    return fail


async def _executed(world: World, *statements: str) -> None:
    async with world.service.database.engine.begin() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))


async def test_only_a_second_record_with_a_unique_value_exists_already(
    world_on_both: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    world = world_on_both
    root = await world.user("root@example.com", roles=("superadmin",))
    granted(await world.post(COMPANIES, by=root, json={"name": "Taken"}))
    refused(await world.post(COMPANIES, by=root, json={"name": "Taken"}), 400504)
    if world.service.database.engine.dialect.name == "sqlite":
        rule = "SELECT RAISE(ABORT, 'too_long is violated') WHERE length(new.id) > 5"
        await _executed(world, f"CREATE TRIGGER too_long BEFORE INSERT ON companies BEGIN {rule}; END")
    else:
        await _executed(world, "ALTER TABLE companies ADD CONSTRAINT too_long CHECK (length(id) < 5) NOT VALID")
    answer = await world.post(COMPANIES, by=root, json={"name": "Another", "description": "a private text"})
    assert (answer.status_code, answer.json()["errorDetails"]) == (500, "")
    assert "too_long" in caplog.text and "a private text" not in caplog.text


async def test_the_same_id_twice_exists_already(world_on_both: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_on_both
    root = await world.user("root@example.com", roles=("superadmin",))
    monkeypatch.setattr(world.service.ids, "record", lambda: COMPANY)
    refused(await world.post(COMPANIES, by=root, json={"name": "Same id"}), 409000)


@pytest.mark.parametrize("world_on_both", ["postgresql"], indirect=True)
async def test_a_full_disk_of_postgresql_is_named(world_on_both: World, caplog: pytest.LogCaptureFixture) -> None:
    world = world_on_both
    root = await world.user("root@example.com", roles=("superadmin",))
    full = "RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'"
    await _executed(
        world,
        f"CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {full}; END $$",
        "CREATE TRIGGER full_companies BEFORE INSERT ON companies FOR EACH ROW EXECUTE FUNCTION full_disk()",
        "CREATE TRIGGER full_tickets BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION full_disk()",
    )
    answer = await world.post(COMPANIES, by=root, json={"name": "New"})
    assert (answer.status_code, answer.json()["errorDetails"]) == (503, FULL)
    assert "the disk is full" in caplog.text
    assert (await world.get(READY)).json() == {"status": "the disk is full"}
    await _executed(world, "DROP TRIGGER full_tickets ON tickets")
    assert (await world.get(READY)).json() == {"status": "ready"}


def test_a_fault_without_a_name_has_none() -> None:
    assert failure_of(ValueError()) is None
