"""The scan of the cache for a part of a text."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from svc_tui.cache import store
from svc_tui.cache.store import Cache, FoundRecord
from tests.cache.conftest import applications, keep


async def scanned(cache: Cache, *parts: str, kinds: tuple[str, ...] = ("applications",)) -> list[FoundRecord]:
    return [one async for found in cache.search(kinds, parts) for one in found]


async def test_records_are_found_by_a_part_of_any_field_whatever_its_case(cache: Cache) -> None:
    await keep(cache, applications(12))
    assert {one.id for one in await scanned(cache, "aPP 1")} == {"a1", "a10", "a11"}
    assert {one.id for one in await scanned(cache, "App 2", "App 3")} == {"a2", "a3"}
    assert await scanned(cache, "App 1", kinds=("users",)) == []


@pytest.mark.parametrize("name", ['100%_of "it"', "a\\b", "Ünï côde", "!%_", "x' OR 1=1 --"])
async def test_special_characters_of_a_text_are_found_as_they_are(cache: Cache, name: str) -> None:
    await keep(cache, [{"id": "a1", "name": name}, {"id": "a2", "name": "plain"}])
    assert [one.id for one in await scanned(cache, name)] == ["a1"]


async def test_a_record_is_found_with_the_path_of_its_list(cache: Cache) -> None:
    await cache.store_rows(
        '["list_company_invoices",{"companyId":"c1"},{}]',
        operation_id="list_company_invoices",
        kind="invoices",
        form="small",
        first_page=0,
        ids=["i1"],
        rows=[{"id": "i1", "invoiceNumber": "INV-7"}],
        total=1,
        fetched=1.0,
    )
    [one] = await scanned(cache, "inv-7", kinds=("invoices",))
    assert (one.id, one.path) == ("i1", {"companyId": "c1"})


async def test_a_long_cache_is_scanned_in_slices_the_newest_rows_first(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(cache, applications(50))
    monkeypatch.setattr(store, "SLICE", 20)
    monkeypatch.setattr(store, "MOST_SCANNED", 40)
    slices = [[one.id for one in found] async for found in cache.search(("applications",), ("App",))]
    assert [len(found) for found in slices] == [20, 20]
    assert slices[0][0] == "a49"
    assert slices[1][-1] == "a10"


async def test_deleted_and_damaged_records_are_not_found(cache: Cache, file: Path) -> None:
    await keep(cache, applications(4))
    await cache.remove_record("applications", "a0")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE records SET body = '{\"name\": \"App 1' WHERE id = 'a1'")
        connection.execute("UPDATE records SET body = '[\"App 2\"]' WHERE id = 'a2'")
        connection.execute("UPDATE lists SET key = 'App'")
    connection.close()
    assert [(one.id, one.path) for one in await scanned(cache, "App")] == [("a3", {})]
