"""Which reported changes were made elsewhere: with a real service, its real events, and other users of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from svc_tui.workspace.changes.open_data import AFFECTED_SECONDS
from svc_tui.workspace.core.events import ChangedElsewhere, Channel, Report, ServiceReported
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.listing import Listing
from tests.server.events.support import Document, listening
from tests.server.subscriptions.support import (
    DIAL_IN,
    MONTHLY,
    SERVICES,
    TRIAL,
    buy,
    finance,
    furnished,
    granted,
    subscriptions_of,
    synchronised,
)
from tests.support.world import COMPANY, OTHER_COMPANY, World
from tests.workspace.changes.test_live_events import LIST, live_desk, until
from tests.workspace.conftest import Desk, Desks

UPDATE = "update_company_subscription"


@dataclass
class Scene:
    """A console with the list of its company's subscriptions open, and another user who sells to it."""

    world: World
    desk: Desk
    seller: Document
    bought: Document
    listing: Listing

    @property
    def path(self) -> dict[str, str]:
        return {"companyId": COMPANY, "subscriptionId": self.bought["id"]}

    async def update_elsewhere(self, **values: object) -> None:
        url = f"{subscriptions_of(COMPANY)}/{self.bought['id']}"
        granted(await self.world.put(url, by=self.seller, json=values))

    async def events(self, count: int) -> None:
        """Wait for this number of events of the service, and for what follows from them."""
        await until(lambda: self.reported == count)
        for _ in range(3):
            self.desk.pauses.end(AFFECTED_SECONDS)
            await asyncio.sleep(0)
            await self.listing.wait_until_idle()

    @property
    def reported(self) -> int:
        """The number of events of the service."""
        return len([event for event in self.desk.events if isinstance(event, ServiceReported)])

    @property
    def messages(self) -> list[ChangedElsewhere]:
        return [event for event in self.desk.events if isinstance(event, ChangedElsewhere)]

    @property
    def elsewhere(self) -> list[Report]:
        return [report for event in self.messages for report in event.reports]

    def lists(self) -> int:
        """The number of requests of the list."""
        return len([each for each in self.desk.line.requests if each.startswith(f"{subscriptions_of(COMPANY)}?")])


@pytest.fixture
async def scene(world: World, desks: Desks) -> AsyncIterator[Scene]:
    await furnished(world)
    seller = await finance(world)
    bought = await buy(world, seller, MONTHLY, maxNumberUsers=10)
    await synchronised(world)
    await world.service.event_delivery.settled()
    async with listening(world) as place:
        desk = await live_desk(desks, world, place)
        listing = desk.workspace.listing(LIST, path={"companyId": COMPANY}, query={"format": "full"})
        listing.request(0, 10)
        await listing.wait_until_idle()
        yield Scene(world, desk, seller, bought, listing)
        await desk.workspace.close()


async def test_a_change_made_here_is_neither_reported_nor_read_again(scene: Scene) -> None:
    await scene.desk.workspace.perform(UPDATE, path=scene.path, body={"maxNumberUsers": 12})
    await scene.listing.wait_until_idle()
    before = scene.lists()
    await scene.events(1)
    assert (scene.elsewhere, scene.lists()) == ([], before)


async def test_an_event_that_is_faster_than_the_response_is_still_about_the_change_made_here(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = asyncio.Event()
    include = scene.desk.workspace.live.own.include

    async def noted(*event: Any) -> bool:
        arrived.set()
        return await include(*event)

    monkeypatch.setattr(scene.desk.workspace.live.own, "include", noted)
    scene.desk.line.answers.clear()
    change = asyncio.create_task(scene.desk.workspace.perform(UPDATE, path=scene.path, body={"maxNumberUsers": 12}))
    await arrived.wait()
    await asyncio.sleep(0)
    assert scene.reported == 0
    scene.desk.line.answers.set()
    await change
    await scene.listing.wait_until_idle()
    before = scene.lists()
    await scene.events(1)
    assert (scene.elsewhere, scene.lists()) == ([], before)


async def test_a_change_of_another_user_is_read_once_and_reported_with_what_was_shown(scene: Scene) -> None:
    before = scene.lists()
    await scene.update_elsewhere(maxNumberUsers=15)
    await scene.events(1)
    assert scene.lists() == before + 1
    (report,) = scene.elsewhere
    assert (report.record_id, report.content["maxNumberUsers"]) == (scene.bought["id"], 15)
    assert report.before is not None and report.before["maxNumberUsers"] == 10


async def test_another_change_after_the_own_one_is_reported(scene: Scene) -> None:
    await scene.desk.workspace.perform(UPDATE, path=scene.path, body={"maxNumberUsers": 12})
    await synchronised(scene.world)
    await scene.events(2)
    await scene.update_elsewhere(maxNumberUsers=15)
    await scene.events(3)
    assert [report.content["maxNumberUsers"] for report in scene.elsewhere] == [15]


async def test_the_end_of_a_synchronisation_is_shown_and_is_nobodys_change(scene: Scene) -> None:
    await scene.update_elsewhere(maxNumberUsers=15)
    await scene.events(1)
    await synchronised(scene.world)
    await scene.events(2)
    assert len(scene.elsewhere) == 1
    row = scene.listing.row(scene.listing.index_of(scene.bought["id"]) or 0)
    assert row is not None and row["syncOngoing"] is False


async def test_a_record_of_another_company_is_not_of_interest(scene: Scene) -> None:
    before = scene.lists()
    content = {"action": "update", "subscriptionId": scene.bought["id"], "companyId": OTHER_COMPANY}
    await scene.desk.workspace.live._take(KINDS["subscriptions"], scene.bought["id"], content)
    await scene.events(0)
    assert (scene.elsewhere, scene.lists()) == ([], before)


async def test_many_changes_are_read_with_one_request_and_reported_together(scene: Scene) -> None:
    before = scene.lists()
    for offer in (TRIAL, SERVICES, DIAL_IN):
        await buy(scene.world, scene.seller, offer)
    await scene.events(3)
    assert scene.lists() == before + 1
    (event,) = scene.messages
    assert len(event.reports) == 3


async def test_what_events_could_have_named_is_read_once_after_a_new_connection(scene: Scene) -> None:
    applications = scene.desk.workspace.listing("list_applications")
    before = scene.lists()
    scene.desk.workspace.live._note(Channel("waiting"))
    scene.desk.workspace.live._note(Channel("live"))
    await scene.events(0)
    assert scene.lists() == before + 1
    assert not any("applications" in each for each in scene.desk.line.requests)
    applications.close()
