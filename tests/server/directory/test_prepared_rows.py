"""What a synchronising import has prepared holds only for the entries that it was prepared for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from svc_tui.server.directory import csv_rows
from svc_tui.server.directory.importing import Imports
from svc_tui.server.directory.prepared_rows import PreparedChange
from tests.server.directory.support import ENTRIES, Document, admin, imported, names
from tests.support.world import COMPANY, World, granted

SYNC = "__action__;ldap_id;firstName;lastName;city\n"


async def synchronized(world: World, by: Document, rows: str) -> Document:
    return await imported(world, by, SYNC + rows, "/synchronize")


async def entries(world: World, by: Document) -> dict[str, Document]:
    """The entries by their identifiers."""
    answer = granted(await world.get(ENTRIES, by=by, params={"companyId": COMPANY, "format": "full"}))
    return {entry["ldap_id"]: entry for entry in answer["data"]}


def counted(report: Document) -> list[int]:
    return [report[name] for name in ("created", "updated", "deleted", "failed")]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each change was written as prepared. Each row is a batch."""
    found: list[bool] = []
    write = PreparedChange.written

    async def noted(self: PreparedChange, *arguments: Any) -> bool:
        found.append(await write(self, *arguments))
        return found[-1]

    monkeypatch.setattr(PreparedChange, "written", noted)
    monkeypatch.setattr(csv_rows, "SIZE", 1)
    return found


@pytest.fixture
def before_the_transaction(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Awaitable[None]]], None]:
    """Does something once when all is prepared."""
    change_live = Imports._change_live

    def set_up(act: Callable[[], Awaitable[None]]) -> None:
        async def late(self: Imports, *arguments: Any) -> None:
            monkeypatch.undo()
            await act()
            await change_live(self, *arguments)

        monkeypatch.setattr(Imports, "_change_live", late)

    return set_up


async def test_rows_are_written_as_they_were_prepared(world: World, written: list[bool]) -> None:
    by = await admin(world)
    assert counted(await synchronized(world, by, "sync;1;Ann;Miller;\nsync;2;Bob;Smith;\n")) == [2, 0, 0, 0]
    report = await synchronized(world, by, "upsert;1;Anna;;\ndelete;2;;;\nsync;3;Cid;Jones;\ndelete;9;;;\n")
    assert counted(report) == [1, 1, 1, 1]
    assert written == [True] * 6
    assert await names(world, by) == ["Jones", "Miller"]


async def test_an_entry_to_which_a_file_brings_nothing_new_is_not_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewritten = list[str]()
    write = PreparedChange.written

    async def noted(self: PreparedChange, *arguments: Any) -> bool:
        rewritten.extend([*self.removed, *(row[0] for row in self.put)])
        return await write(self, *arguments)

    monkeypatch.setattr(PreparedChange, "written", noted)
    by = await admin(world)
    await synchronized(world, by, "sync;1;Ann;Miller;Lyon\nsync;2;Bob;Smith;\nsync;3;Cid;Jones;\n")
    before = await entries(world, by)
    rewritten.clear()
    world.clock.forward(days=1)
    report = await synchronized(world, by, "sync;1;Ann;Miller;Lyon\nupsert;2;;Smith;\nupsert;3;;;Nice\n")
    assert counted(report) == [0, 3, 0, 0]
    after = await entries(world, by)
    assert (after["1"], after["2"]) == (before["1"], before["2"])
    assert after["3"]["city"] == "Nice" and after["3"]["lastUpdateDate"] > before["3"]["lastUpdateDate"]
    assert rewritten == [before["3"]["id"]]
    # Two rows for one entry: the second brings nothing new to what the first has made of it.
    world.clock.forward(days=1)
    report = await synchronized(world, by, "sync;1;Ann;Miller;Nice\nupsert;1;;;Nice\n")
    assert counted(report) == [0, 2, 0, 0]
    assert (await entries(world, by))["1"]["city"] == "Nice"


async def test_a_change_between_preparation_and_import_is_neither_lost_nor_doubled(
    world: World,
    written: list[bool],
    before_the_transaction: Callable[[Callable[[], Awaitable[None]]], None],
) -> None:
    by = await admin(world)
    await synchronized(world, by, "sync;1;Ann;Miller;\nsync;2;Bob;Smith;\nsync;3;Cid;Jones;\n")
    ids = {key: entry["id"] for key, entry in (await entries(world, by)).items()}

    async def changes() -> None:
        granted(await world.put(f"{ENTRIES}/{ids['1']}", by=by, json={"lastName": "Renamed"}))
        granted(await world.delete(f"{ENTRIES}/{ids['2']}", by=by))

    before_the_transaction(changes)
    rows = "upsert;1;;;Lyon\nsync;2;Bob;Again;\nsync;3;Cid;Jones;Nice\nsync;4;Dan;New;\n"
    report = await synchronized(world, by, rows)
    assert counted(report) == [2, 2, 0, 0]
    found = await entries(world, by)
    assert [(key, found[key]["lastName"]) for key in sorted(found)] == [
        ("1", "Renamed"),
        ("2", "Again"),
        ("3", "Jones"),
        ("4", "New"),
    ]
    assert found["1"]["city"] == "Lyon" and found["1"]["id"] == ids["1"]


async def test_a_directory_that_is_created_since_then_is_the_one_that_is_changed(
    world: World, before_the_transaction: Callable[[Callable[[], Awaitable[None]]], None]
) -> None:
    by = await admin(world)

    async def creates() -> None:
        granted(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "First"}))

    before_the_transaction(creates)
    assert counted(await synchronized(world, by, "sync;1;Ann;Miller;\n")) == [1, 0, 0, 0]
    assert await names(world, by) == ["First", "Miller"]


async def test_rows_that_name_an_entry_again_are_applied_one_after_the_other(world: World, written: list[bool]) -> None:
    by = await admin(world)
    rows = "sync;1;Ann;Miller;\nsync;2;Bob;Smith;\nupsert;1;;;Lyon\ndelete;2;;;\nsync;2;Bob;Back;\n"
    assert counted(await synchronized(world, by, rows)) == [3, 1, 1, 0]
    assert written == [True, True]
    found = await entries(world, by)
    assert (found["1"]["lastName"], found["1"]["city"], found["2"]["lastName"]) == ("Miller", "Lyon", "Back")


async def test_a_directory_is_not_filled_beyond_its_limit(world: World, written: list[bool]) -> None:
    world.service.settings.largest_directory = 2
    by = await admin(world)
    report = await synchronized(world, by, "sync;1;Ann;Miller;\nsync;2;Bob;Smith;\nsync;3;Cid;Jones;\n")
    assert counted(report) == [2, 0, 0, 1]
    assert written == [True, True, False]
