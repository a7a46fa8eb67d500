"""What is kept comes back: pages of lists, records in their read formats, ages; and goes when it is deleted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from svc_tui.cache.opening import clear, info
from svc_tui.cache.store import Cache
from tests.cache.conftest import LIST, applications, keep


async def test_a_list_is_read_with_its_length_and_age(opened: Callable[..., Cache]) -> None:
    first = opened()
    await keep(first, applications(250), total=250, at=1234.5)
    first.close()
    kept = opened().read_list_now(LIST, [0, 2, 7])
    assert kept.total == 250
    assert [len(page.rows) for page in kept.pages.values()] == [100, 50]
    assert kept.pages[2].rows[-1] == {"id": "a249", "name": "App 249"}
    assert kept.pages[2].fetched == 1234.5


async def test_an_unknown_list_is_empty_without_a_length(cache: Cache) -> None:
    kept = await cache.read_list(LIST, [0])
    assert (kept.total, kept.pages) == (None, {})


async def test_a_record_read_again_shows_its_new_values_in_every_list(cache: Cache) -> None:
    await keep(cache, applications(3))
    await cache.store_rows(
        "other",
        operation_id="list_applications",
        kind="applications",
        form="small",
        first_page=0,
        ids=["a1"],
        rows=[{"id": "a1", "name": "Renamed"}],
        total=1,
        fetched=2000.0,
    )
    assert [row["name"] for row in (await cache.read_list(LIST, [0])).pages[0].rows] == ["App 0", "Renamed", "App 2"]


async def test_an_older_answer_does_not_overwrite_a_newer_one(cache: Cache) -> None:
    await keep(cache, [{"id": "a0", "name": "new"}], at=2000.0)
    await keep(cache, [{"id": "a0", "name": "old"}], at=1999.0)
    assert (await cache.read_list(LIST, [0])).pages[0].rows == [{"id": "a0", "name": "new"}]


async def test_a_wrong_clock_does_not_stop_the_cache(cache: Cache) -> None:
    await keep(cache, [{"id": "a0", "name": "from the year 2100"}], at=4.1e9)
    await keep(cache, [{"id": "a0", "name": "now"}], at=1.8e9)
    assert (await cache.read_list(LIST, [0])).pages[0].rows == [{"id": "a0", "name": "now"}]


async def test_a_shorter_list_loses_its_last_pages(cache: Cache) -> None:
    await keep(cache, applications(250))
    await keep(cache, applications(100), total=150)
    kept = await cache.read_list(LIST, [0, 1, 2])
    assert (kept.total, sorted(kept.pages)) == (150, [0, 1])


async def test_formats_of_a_record_are_stored_separately(cache: Cache) -> None:
    await keep(cache, applications(1))
    await cache.store_record(
        "applications",
        "a0",
        {"id": "a0", "name": "App 0", "kpi": "business"},
        operation_id="get_application",
        fetched=1.0,
    )
    assert (await cache.read_list(LIST, [0])).pages[0].rows == [{"id": "a0", "name": "App 0"}]
    record = await cache.read_record("applications", "a0")
    assert record is not None and record.data["kpi"] == "business"


async def test_a_changed_record_is_changed_in_lists_and_in_full(cache: Cache) -> None:
    await keep(cache, applications(2))
    forms = {
        "small": {"id": "a0", "name": "New"},
        "medium": {"name": "New"},
        "full": {"id": "a0", "name": "New", "env": "x"},
    }
    await cache.update_record("applications", "a0", forms, operation_id="get_application", fetched=2000.0)
    assert [row["name"] for row in (await cache.read_list(LIST, [0])).pages[0].rows] == ["New", "App 1"]
    assert cache.read_record_now("applications", "a0").data["env"] == "x"  # type: ignore[union-attr]
    assert cache.read_record_now("applications", "a0", "medium") is None


async def test_a_deleted_record_is_removed_also_from_lists(cache: Cache) -> None:
    await keep(cache, applications(3))
    await cache.remove_record("applications", "a1")
    assert [row["id"] for row in (await cache.read_list(LIST, [0])).pages[0].rows] == ["a0", "a2"]
    assert await cache.read_record("applications", "a1", "small") is None


async def test_an_unknown_outcome_marks_the_record_and_its_lists(cache: Cache) -> None:
    await keep(cache, applications(1))
    await cache.mark_record_stale("applications", "a0")
    await cache.mark_lists_stale("applications")
    assert cache.read_record_now("applications", "a0", "small").stale  # type: ignore[union-attr]
    assert cache.read_list_now(LIST, [0]).pages[0].stale
    await keep(cache, applications(1), at=2000.0)
    assert not cache.read_list_now(LIST, [0]).pages[0].stale


async def test_any_text_of_the_service_can_be_stored(cache: Cache) -> None:
    row = {"id": "a0", "name": "\ud83d\x1b]52;c;x\x07\u202e\x00'); DROP TABLE records; --"}
    await keep(cache, [row])
    assert (await cache.read_list(LIST, [0])).pages[0].rows == [row]


async def test_rows_without_an_id_keep_their_places(cache: Cache) -> None:
    await cache.store_rows(
        "odd", operation_id="x", kind="odd", form="small", first_page=0, ids=["", ""],
        rows=[{"n": 1}, {"n": 2}], total=2, fetched=1.0,
    )  # fmt: skip
    assert (await cache.read_list("odd", [0])).pages[0].rows == [{"n": 1}, {"n": 2}]


async def test_only_this_user_can_read_the_cache(cache: Cache, file: Path) -> None:
    await keep(cache, applications(1))
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in file.parent.glob("user.db*")} == {
        "user.db": "0o600",
        "user.db-wal": "0o600",
        "user.db-shm": "0o600",
    }
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.parent.parent.stat().st_mode & 0o777 == 0o700


async def test_a_file_that_other_users_can_read_becomes_private(opened: Callable[..., Cache], file: Path) -> None:
    first = opened()
    await keep(first, applications(1))
    first.close()
    file.chmod(0o644)
    opened().read_list_now(LIST, [0])
    assert file.stat().st_mode & 0o777 == 0o600


async def test_the_oldest_content_is_dropped_when_the_cache_is_full(opened: Callable[..., Cache], file: Path) -> None:
    cache = opened(limit_bytes=1_000_000)
    for page in range(64):
        await keep(cache, applications(100, page * 100, note="x" * 300), page=page, total=6400, at=1000.0 + page)
    kept = await cache.read_list(LIST, range(64))
    assert 0 not in kept.pages and 63 in kept.pages
    assert sorted(kept.pages) == list(range(min(kept.pages), 64))
    cache.close()
    assert file.stat().st_size < 1_500_000
    assert cache.error_message == ""


async def test_info_and_clear_count_records_and_bytes(opened: Callable[..., Cache], file: Path) -> None:
    cache = opened()
    await keep(cache, applications(3), at=77.0)
    (found,) = info(file.parent.parent)
    assert (found.profile, found.user_id, found.records, found.lists, found.newest) == ("profile", "user", 3, 1, 77.0)
    assert found.size >= file.stat().st_size
    assert clear(file.parent.parent, "another") == 0
    assert clear(file.parent.parent) >= found.size
    assert info(file.parent.parent) == []
    # The open console continues, and the next one starts with an empty cache.
    assert (await cache.read_list(LIST, [0])).total == 3
    assert opened().read_list_now(LIST, [0]).total is None


async def test_without_a_file_the_cache_is_in_memory(opened: Callable[..., Cache], file: Path) -> None:
    cache = opened(path=None)
    await keep(cache, applications(3))
    assert (await cache.read_list(LIST, [0])).total == 3
    assert cache.error_message == "" and not file.parent.exists()


async def test_a_closed_cache_is_empty_and_stores_nothing(cache: Cache) -> None:
    await keep(cache, applications(3))
    cache.close()
    await keep(cache, applications(3))
    assert (await cache.read_list(LIST, [0])).total is None
    assert cache.read_list_now(LIST, [0]).total is None
