"""Synchronisation: records in progress are refreshed quietly until they are finished; then nothing is requested."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from svc_tui.workspace.changes.open_data import FIRST, LONGEST, SynchronisationMonitor
from svc_tui.workspace.core.events import Synchronised
from svc_tui.workspace.lists.listing import Listing
from tests.workspace.changes.test_unconfirmed_writes import FINANCE, HELD
from tests.workspace.conftest import Desk, Desks, Pauses
from tests.workspace.line import until
from tests.workspace.subscriptions.purchases import PATH, Shop, path_of

SYNCING = {**HELD, "syncOngoing": True}


def desk_of(desks: Desks, shop: Shop) -> Desk:
    desk = desks.make(shop, FINANCE)
    desk.attach()
    return desk


async def turns() -> None:
    """Run the event loop until nothing is ready."""
    for _ in range(50):
        await asyncio.sleep(0)


async def listed(desk: Desk, **options: Any) -> Listing:
    listing = desk.workspace.listing("list_company_subscriptions", path=PATH, query={"format": "full"}, **options)
    listing.request(0, 10)
    await listing.wait_until_idle()
    return listing


def looks(desk: Desk) -> int:
    return sum(url.startswith("/api/svc/subscription") for url in desk.line.requests)


async def look_once(desk: Desk) -> None:
    """End the pause before the next refresh, and complete the refresh."""
    before, pauses = looks(desk), len(desk.pauses.requests)
    desk.pauses.end()
    await until(lambda: looks(desk) > before)
    await until(lambda: len(desk.pauses.requests) > pauses or not _waits(desk))


def _waits(desk: Desk) -> bool:
    shop = desk.line.service
    assert isinstance(shop, Shop)
    return any(row.get("syncOngoing") for row in shop.held.values())


def settled(desk: Desk) -> list[Synchronised]:
    return [event for event in desk.events if isinstance(event, Synchronised)]


async def test_nothing_is_requested_when_no_record_is_in_progress(desks: Desks) -> None:
    desk = desk_of(desks, Shop(HELD))
    await listed(desk)
    assert not desk.pauses.requests


async def test_a_list_is_refreshed_until_the_synchronisation_ends(desks: Desks) -> None:
    shop = Shop(SYNCING)
    desk = desk_of(desks, shop)
    listing = await listed(desk)
    await until(lambda: desk.pauses.requests == [FIRST])
    await look_once(desk)
    shop.held["s9"] = HELD
    await look_once(desk)
    await listing.wait_until_idle()
    assert listing.row(0) == HELD
    assert settled(desk) == [Synchronised("subscriptions", HELD)]
    asked, paused = looks(desk), len(desk.pauses.requests)
    desk.pauses.end()
    await turns()
    assert (looks(desk), len(desk.pauses.requests)) == (asked, paused)


async def test_a_refresh_without_changes_redraws_nothing(desks: Desks) -> None:
    desk = desk_of(desks, Shop(SYNCING))
    listing = await listed(desk)
    await until(lambda: bool(desk.pauses.requests))
    seen: list[tuple[Any, bool]] = []
    listing.subscribe(lambda change: seen.append((change.rows, listing.refreshing)))
    await look_once(desk)
    await listing.wait_until_idle()
    assert all(rows == frozenset() and not refreshing for rows, refreshing in seen)


async def test_the_pauses_grow_and_start_again_with_the_next_purchase(desks: Desks) -> None:
    desk = desk_of(desks, Shop(SYNCING, {**HELD, "id": "s8"}))
    await listed(desk)
    await until(lambda: bool(desk.pauses.requests))
    for _ in range(12):
        await look_once(desk)
    assert desk.pauses.requests == sorted(desk.pauses.requests)
    assert desk.pauses.requests[-1] == LONGEST
    await desk.workspace.perform("update_company_subscription", path=path_of("s8"), body={"maxNumberUsers": 6})
    await look_once(desk)
    assert desk.pauses.requests[-1] < LONGEST


async def test_a_detail_and_a_filtered_list_are_refreshed_too(desks: Desks) -> None:
    shop = Shop(SYNCING)
    desk = desk_of(desks, shop)
    view = desk.workspace.record("get_company_subscription", path=path_of("s9"))
    await view.wait_until_idle()
    picked = await listed(desk, local=lambda row: row["id"] == "s9")
    await until(lambda: bool(desk.pauses.requests))
    shop.held["s9"] = HELD
    desk.pauses.end()
    await until(lambda: view.data == HELD and picked.row(0) == HELD)
    assert settled(desk) == [Synchronised("subscriptions", HELD)]


async def test_closed_views_are_not_refreshed(desks: Desks) -> None:
    desk = desk_of(desks, Shop(SYNCING))
    listing = await listed(desk)
    await until(lambda: bool(desk.pauses.requests))
    listing.close()
    asked = looks(desk)
    desk.pauses.end()
    await turns()
    assert looks(desk) == asked


async def test_values_that_the_billing_systems_did_not_apply_are_named(desks: Desks) -> None:
    shop = Shop(HELD)
    desk = desk_of(desks, shop)
    await listed(desk)
    await desk.workspace.perform("update_company_subscription", path=path_of("s9"), body={"maxNumberUsers": 6})
    await until(lambda: bool(desk.pauses.requests))
    shop.held["s9"] = HELD
    desk.pauses.end()
    await until(lambda: bool(settled(desk)))
    assert settled(desk) == [Synchronised("subscriptions", HELD, ("maxNumberUsers",))]


@dataclass
class View:
    """An open view of one record."""

    row: dict[str, Any]
    kind: str = "subscriptions"
    looked: int = 0

    def shown(self) -> list[dict[str, Any]]:
        return [self.row]

    def refresh_quietly(self) -> None:
        self.looked += 1


@pytest.mark.parametrize("behind_first", [True, False])
async def test_a_record_is_in_progress_while_one_view_shows_it_so(behind_first: bool) -> None:
    behind, ahead = View(SYNCING), View(SYNCING)
    views = [behind, ahead] if behind_first else [ahead, behind]
    finished: list[str] = []
    pauses = Pauses()
    monitor = SynchronisationMonitor(lambda: views, lambda kind, row, missed: finished.append(row["id"]), pauses)
    monitor.check()
    ahead.row = HELD
    monitor.check()
    assert not finished
    await until(lambda: bool(pauses.requests))
    pauses.end()
    await until(lambda: bool(behind.looked))
    assert not ahead.looked
    behind.row = HELD
    monitor.check()
    assert finished == ["s9"]
    monitor.close()
