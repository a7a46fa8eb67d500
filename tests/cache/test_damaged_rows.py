"""Damaged rows in a readable file: each counts as never stored, and the next response of the service replaces it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from svc_tui.cache.database import CacheDatabase
from svc_tui.cache.opening import info
from svc_tui.cache.store import Cache
from tests.cache.conftest import LIST, applications, keep

NO_TEXT = b"\xff\xfe\x80"
#: What can be in a column that contains text, and is no stored text.
NOT_JSON = ["", "{", "no JSON at all", "[" * 100_000, "9" * 5_000, NO_TEXT, 7, 7.5]
BODIES = [*NOT_JSON[1:], "null", "[]", '[{"id": "a1"}]', '"a1"', "1"]
IDS = [
    *NOT_JSON,
    "null",
    "{}",
    '"a1"',
    "[1, 2]",
    "[null]",
    '[["a1"]]',
    '["a1", {}]',
    str(["a1"] * 101).replace("'", '"'),
]
TIMES = ["yesterday", NO_TEXT, -5.0, 9e99, float("inf")]
TOTALS = ["many", NO_TEXT, -1, 2.5]


def short(value: object) -> str:
    return repr(value)[:20]


@pytest.fixture
def damaged(opened: Callable[..., Cache], file: Path) -> Callable[..., Cache]:
    """Stores three applications, and one of them as a record, changes one column, and opens the cache again."""

    async def damaged(statement: str, *values: object) -> Cache:
        first = opened()
        await keep(first, applications(3))
        await first.store_record(
            "applications", "a1", {"id": "a1", "name": "App 1"}, operation_id="get_application", fetched=1000.0
        )
        first.close()
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute(statement, values)
        connection.close()
        return opened()

    return damaged


async def is_stored_again(cache: Cache) -> None:
    """Newer responses replace what was damaged."""
    await keep(cache, applications(3), at=2000.0)
    await cache.store_record(
        "applications", "a1", {"id": "a1", "name": "New"}, operation_id="get_application", fetched=2000.0
    )
    kept = cache.read_list_now(LIST, [0])
    assert (kept.total, [row["id"] for row in kept.pages[0].rows]) == (3, ["a0", "a1", "a2"])
    record = cache.read_record_now("applications", "a1")
    assert record is not None and (record.data["name"], record.fetched) == ("New", 2000.0)
    assert cache.error_message == ""


@pytest.mark.parametrize("body", BODIES, ids=short)
async def test_a_damaged_body_is_no_record(damaged, body) -> None:
    cache = await damaged("UPDATE records SET body = ? WHERE id = 'a1'", body)
    assert cache.read_record_now("applications", "a1") is None
    assert await cache.read_record("applications", "a1") is None
    assert cache.read_list_now(LIST, [0]).pages == {}
    assert cache.read_list_now(LIST, [0]).total == 3
    await is_stored_again(cache)


@pytest.mark.parametrize("fetched", TIMES, ids=short)
async def test_a_record_with_a_damaged_time_is_no_record(damaged, file, fetched) -> None:
    cache = await damaged("UPDATE records SET fetched = ? WHERE id = 'a1' AND form = 'full'", fetched)
    assert info(file.parent.parent)[0].newest == 1000.0
    assert cache.read_record_now("applications", "a1") is None
    assert len(cache.read_list_now(LIST, [0]).pages[0].rows) == 3
    await is_stored_again(cache)


@pytest.mark.parametrize("column", ["kind", "form", "id"])
async def test_a_record_with_a_damaged_name_is_no_record(damaged, column) -> None:
    cache = await damaged(f"UPDATE records SET {column} = ? WHERE id = 'a1' AND form = 'full'", NO_TEXT)
    assert cache.read_record_now("applications", "a1") is None
    await is_stored_again(cache)


@pytest.mark.parametrize("ids", IDS, ids=short)
async def test_a_page_with_damaged_ids_is_no_page(damaged, ids) -> None:
    cache = await damaged("UPDATE windows SET ids = ?", ids)
    assert (cache.read_list_now(LIST, [0]).total, cache.read_list_now(LIST, [0]).pages) == (3, {})
    await is_stored_again(cache)


@pytest.mark.parametrize("fetched", TIMES, ids=short)
async def test_a_page_with_a_damaged_time_is_no_page(damaged, fetched) -> None:
    cache = await damaged("UPDATE windows SET fetched = ?", fetched)
    assert cache.read_list_now(LIST, [0]).pages == {}
    await is_stored_again(cache)


@pytest.mark.parametrize("column", ["list", "page"])
async def test_a_page_with_a_damaged_number_is_no_page(damaged, column) -> None:
    cache = await damaged(f"UPDATE windows SET {column} = ?", NO_TEXT)
    assert cache.read_list_now(LIST, [0]).pages == {}
    await is_stored_again(cache)


@pytest.mark.parametrize("total", TOTALS, ids=short)
async def test_a_list_with_a_damaged_length_is_no_list(damaged, total) -> None:
    cache = await damaged("UPDATE lists SET total = ?", total)
    assert (cache.read_list_now(LIST, [0]).total, cache.read_list_now(LIST, [0]).pages) == (None, {})
    await is_stored_again(cache)


@pytest.mark.parametrize("column", ["key", "kind", "form"])
async def test_a_list_with_a_damaged_name_is_no_list(damaged, column) -> None:
    cache = await damaged(f"UPDATE lists SET {column} = ?", NO_TEXT)
    assert cache.read_list_now(LIST, [0]).pages == {}
    await cache.read_list(LIST, [0])


@pytest.mark.parametrize("value", ["elsewhere", "", NO_TEXT, 7], ids=short)
async def test_without_the_name_of_its_service_the_file_is_set_aside(damaged, value) -> None:
    cache = await damaged("UPDATE meta SET value = ?", value)
    assert cache.read_list_now(LIST, [0]).total is None
    await is_stored_again(cache)


@pytest.mark.parametrize("table", ["meta", "lists", "windows", "records"])
async def test_a_file_without_one_of_its_tables_is_set_aside(damaged, file, table) -> None:
    cache = await damaged(f"DROP TABLE {table}")
    assert cache.read_list_now(LIST, [0]).total is None
    await is_stored_again(cache)
    assert file.with_name("user.db.aside").exists()


@pytest.mark.parametrize(
    "change",
    ["DROP INDEX records_by_id", "ALTER TABLE windows DROP COLUMN stale", "ALTER TABLE lists RENAME kind TO k"],
)
async def test_a_file_with_changed_tables_is_set_aside(damaged, file, change) -> None:
    await is_stored_again(await damaged(change))
    assert file.with_name("user.db.aside").exists()


async def test_damaged_times_do_not_prevent_the_pruning_of_old_content() -> None:
    database = CacheDatabase(sqlite3.connect(":memory:", isolation_level=None))
    database.create("")
    for number in range(200):
        row = {"id": f"a{number}", "note": "x" * 1000}
        database.store_record("applications", f"a{number}", "full", row, float(number))
    database.connection.execute("UPDATE records SET fetched = 'yesterday' WHERE fetched < 100")
    database.prune(100_000)
    assert database.size <= 100_000
    assert database.record("applications", "a199", "full") is not None, "the newest content stays"


async def test_a_changed_record_replaces_a_damaged_one(damaged) -> None:
    cache = await damaged("UPDATE records SET body = 'null'")
    await cache.update_record(
        "applications", "a1", {"full": {"id": "a1", "name": "New"}}, operation_id="update_application", fetched=2000.0
    )
    record = await cache.read_record("applications", "a1")
    assert record is not None and record.data == {"id": "a1", "name": "New"}
