"""Voice through the workspace: records that no operation reads, lists without pages, settings inside a record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.kinds.registry import KINDS
from tests.server.voice.world import OWN, exchanges
from tests.support.world import World
from tests.workspace.conftest import Desk

Console = Callable[..., Awaitable[Desk]]
SYSTEM = {"systemId": OWN}
TARGET = {"type": "auto_attendant", "destinationId": "a7" * 12, "name": "Menu"}


@pytest.fixture
async def desk(world: World, real: Console) -> Desk:
    """A console of the administrator of the CloudPBX."""
    await exchanges(world)
    return await real("company_admin")


async def put(world: World, collection: str, number: int, **fields: Any) -> dict[str, Any]:
    document = {"id": f"{number:024x}", "systemId": OWN, "name": f"Record {number:03}", **fields}
    async with world.service.database.unit() as store:
        await getattr(store, collection).put(document)
    return document


async def service(world: World, number: int) -> dict[str, str]:
    """The path of a new welcome service."""
    made = await put(world, "welcome_services", number, openHoursOverflow=TARGET, secondaryDDIs=[])
    return {**SYSTEM, "ivrId": made["id"]}


async def test_a_record_that_no_operation_reads_is_looked_up_in_its_list(desk: Desk, world: World) -> None:
    await service(world, 1)
    path = await service(world, 2)
    view = desk.workspace.record("list_welcome_services", path=path)
    await view.wait_until_idle()
    assert view.data is not None and (view.data["name"], view.error_message) == ("Record 002", "")
    gone = desk.workspace.record("list_welcome_services", path={**SYSTEM, "ivrId": "ff" * 12})
    await gone.wait_until_idle()
    assert gone.data is None
    assert "no longer in the list" in gone.error_message


async def test_changes_and_deletions_are_shown_in_the_list(desk: Desk, world: World) -> None:
    path = await service(world, 1)
    await service(world, 2)
    listing = desk.workspace.listing("list_welcome_services", path=SYSTEM)
    listing.request(0, 10)
    await listing.wait_until_idle()
    assert listing.total == 2
    await desk.workspace.perform("update_welcome_service", path=path, body={"name": "Reception"})
    assert [row["name"] for index in range(2) if (row := listing.row(index))] == ["Reception", "Record 002"]
    view = desk.workspace.record("list_welcome_services", path=path)
    await view.wait_until_idle()
    await desk.workspace.perform("delete_ivr", path=path)
    await listing.wait_until_idle()
    assert view.gone
    assert listing.total == 1
    body = {"name": "Third", "openHoursOverflow": {"type": "auto_attendant", "destinationId": "a8" * 12}}
    await desk.workspace.perform("create_welcome_service", path=SYSTEM, body=body)
    await listing.wait_until_idle()
    assert listing.total == 2


async def test_a_list_without_a_total_is_read_whole(desk: Desk, world: World) -> None:
    for number in range(130):
        await put(world, "office_hours", number, officehours={"openhours": [[]] * 7, "exceptions": []})
    listing = desk.workspace.listing("list_office_hours", path=SYSTEM)
    listing.request(0, 10)
    await listing.wait_until_idle()
    assert listing.total == 130
    listing.request(120, 130)
    await listing.wait_until_idle()
    assert listing.row(129) is not None


async def test_settings_of_a_cloudpbx_are_undone_and_only_later_changes_are_reported(desk: Desk) -> None:
    kind = KINDS["cloudpbxs"]
    read = desk.workspace.record(kind.get, path=SYSTEM)
    await read.wait_until_idle()
    assert read.data is not None
    before = kind.flat(read.data)
    # The service answers the prefix as a text.
    body = {"language": "de", "numberingPlan": [{"prefix": 9, "digits": 3}]}
    undo = UndoEntry.of_update("Change", kind, "update_cloudpbx", SYSTEM, body, before)
    await desk.workspace.perform("update_cloudpbx", path=SYSTEM, body=body, undo=undo)
    (entry,) = desk.workspace.journal.entries
    assert entry.after["numberingPlan"] == [{"prefix": "9", "digits": 3}]
    assert await desk.workspace.journal.later_changes(entry) == []
    await desk.workspace.perform("update_cloudpbx", path=SYSTEM, body={"language": "fr"})
    (change,) = await desk.workspace.journal.later_changes(entry)
    assert (change.field, change.expected, change.found) == ("language", "de", "fr")
    await desk.workspace.journal.undo(entry)
    await read.wait_until_idle()
    view = desk.workspace.record(kind.get, path=SYSTEM)
    await view.wait_until_idle()
    assert view.data is not None and view.data["cloudpbx"]["language"] == "en"


async def test_deleted_recordings_leave_their_list(desk: Desk, world: World) -> None:
    fields = {"date": "2026-11-19T10:00:00.000Z", "duration": 9, "recordedParty": {}, "otherParty": {}}
    made = [await put(world, "recordings", number, **fields) for number in range(3)]
    listing = desk.workspace.listing("list_recordings", path=SYSTEM)
    listing.request(0, 10)
    await listing.wait_until_idle()
    assert listing.total == 3
    await desk.workspace.perform(
        "delete_recordings", path=SYSTEM, query={"recordIds": ",".join(each["id"] for each in made[:2])}
    )
    await listing.wait_until_idle()
    assert listing.total == 1
