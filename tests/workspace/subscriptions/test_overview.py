"""Subscriptions that end, renew or run out of licences soon, across companies: reasons, order, export."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from svc_tui.workspace.files.export import export
from svc_tui.workspace.subscriptions.overview import DAYS, OverviewListing, days_of_period, reasons
from tests.workspace.changes.test_unconfirmed_writes import FINANCE
from tests.workspace.conftest import Desk, Desks
from tests.workspace.line import until
from tests.workspace.subscriptions.purchases import PATH, Shop

TODAY = date(2026, 11, 20)


def subscription(**fields: Any) -> dict[str, Any]:
    return {"id": "s1", "status": "active", "businessModel": "nb_users", **fields}


@pytest.mark.parametrize(
    ("fields", "days", "why"),
    [
        ({"expirationDate": "2026-12-20T00:00:00.000Z"}, 30, ["ends"]),
        ({"expirationDate": "2026-12-21T00:00:00.000Z"}, 30, []),
        ({"expirationDate": "2026-11-20T00:00:00.000Z"}, 7, ["ends"]),
        ({"expirationDate": "2026-11-01T00:00:00.000Z"}, 7, ["ends"]),
        ({"expirationDate": "2026-12-01", "autoRenew": True}, 30, ["renews"]),
        ({"expirationDate": "2026-12-01", "autoRenewToMonthly": True}, 30, ["renews"]),
        ({"expirationDate": "2026-12-01", "autoRenewOneTime": True}, 30, ["renews"]),
        ({"expirationDate": "2026-12-01", "status": "terminated"}, 30, []),
        ({"expirationDate": "not a day"}, 30, []),
        ({}, 365, []),
        ({"maxNumberUsers": 10, "numberAssignedUsers": 8}, 30, []),
        ({"maxNumberUsers": 10, "numberAssignedUsers": 9}, 30, ["runs out"]),
        ({"maxNumberUsers": 1, "numberAssignedUsers": 1, "businessModel": "flat_fee"}, 30, []),
        ({"maxNumberUsers": 0, "numberAssignedUsers": 0}, 30, []),
        ({"maxNumberUsers": "3", "numberAssignedUsers": 3}, 30, []),
        ({"maxNumberUsers": 3, "numberAssignedUsers": "3"}, 30, []),
        ({"maxNumberUsers": 3, "numberAssignedUsers": 3, "expirationDate": "2026-12-01"}, 30, ["ends", "runs out"]),
    ],
)
def test_reasons_to_check_a_subscription(fields: dict[str, Any], days: int, why: list[str]) -> None:
    assert reasons(subscription(**fields), TODAY, days) == why


def shop() -> Shop:
    made = Shop()
    made.companies = [
        {
            "id": "c0",
            "name": "Northwind",
            "subscriptions": [
                subscription(id="full", offerName="Voice", maxNumberUsers=5, numberAssignedUsers=5),
                subscription(id="later", offerName="Business", expirationDate="2027-01-15T00:00:00.000Z"),
                subscription(id="quiet", offerName="Essential"),
            ],
        },
        {
            "id": "c1",
            "name": "=Bluebird",
            "subscriptions": [subscription(id="soon", offerName="Dial In", expirationDate="2026-11-26")],
        },
        {"id": "c2", "name": "No right to see them"},
        {"id": "c4", "name": "More garbled", "subscriptions": True},
        {"id": "c3", "name": "Garbled", "subscriptions": ["what is this", {"status": "active"}]},
    ]
    return made


def desk_of(desks: Desks, service: Shop) -> Desk:
    desk = desks.make(service, FINANCE)
    desk.attach()
    return desk


async def overview(desk: Desk, **options: Any) -> OverviewListing:
    listing = desk.workspace.listing(
        "list_companies", query={"format": "full"}, derive=lambda source: OverviewListing(source, **options)
    )
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert isinstance(listing, OverviewListing)
    return listing


def ids(listing: OverviewListing) -> list[str]:
    return [str(row["id"]) for index in range(listing.total or 0) if (row := listing.row(index)) is not None]


async def test_the_next_to_end_is_first_and_a_lack_of_licences_last(desks: Desks) -> None:
    listing = await overview(desk_of(desks, shop()))
    assert ids(listing) == ["soon", "later", "full"]
    row = listing.row(0)
    assert row is not None
    assert (row["companyName"], row["companyId"], row["why"], row["daysLeft"]) == ("=Bluebird", "c1", "ends", 6)
    assert (listing.read_from, listing.error_message, listing.index_of("full")) == ("live", "", 2)


async def test_the_period_is_configurable(desks: Desks) -> None:
    desk = desk_of(desks, shop())
    assert ids(await overview(desk, days=5)) == ["full"]
    assert ids(await overview(desk, days=6)) == ["soon", "full"]


async def test_the_overview_is_sorted_by_any_column_and_filtered_by_any_text(desks: Desks) -> None:
    desk = desk_of(desks, shop())
    assert ids(await overview(desk, sort="offerName")) == ["later", "soon", "full"]
    assert ids(await overview(desk, sort="daysLeft", descending=True)) == ["later", "soon", "full"]
    assert ids(await overview(desk, predicate=lambda row: row["companyId"] == "c0")) == ["later", "full"]


async def test_a_change_of_a_subscription_is_shown(desks: Desks) -> None:
    service = shop()
    desk = desk_of(desks, service)
    listing = await overview(desk)
    service.companies[0]["subscriptions"][0]["maxNumberUsers"] = 50
    await desk.workspace.perform("create_company_subscription", path=PATH, body={"offerId": "o1"})
    await until(lambda: bool(desk.pauses.requests))
    desk.pauses.end()
    await until(lambda: ids(listing) == ["soon", "later"])


async def test_offline_cached_data_are_shown(desks: Desks) -> None:
    service = shop()
    desk = desk_of(desks, service)
    (await overview(desk)).close()
    desk.line.cut = True
    desks.clock.forward(minutes=1)
    listing = await overview(desk)
    assert ids(listing) == ["soon", "later", "full"]
    listing.refresh()
    await listing.wait_until_idle()
    assert listing.error_message.startswith("Offline")
    assert ids(listing) == ["soon", "later", "full"]


async def test_the_overview_is_exported_as_shown_without_formulas(desks: Desks, tmp_path: Path) -> None:
    listing = await overview(desk_of(desks, shop()))
    file = tmp_path / "overview.csv"
    assert await export(listing, file, "csv", ("companyName", "offerName", "why", "daysLeft")) == 3
    assert file.read_text().splitlines() == [
        "companyName,offerName,why,daysLeft",
        "'=Bluebird,Dial In,ends,6",
        "Northwind,Business,ends,56",
        "Northwind,Voice,runs out,",
    ]


async def test_a_role_that_cannot_see_subscriptions_gets_the_reason(desks: Desks) -> None:
    service = shop()
    service.companies = [{"id": "c0", "name": "Northwind"}]
    listing = await overview(desk_of(desks, service))
    assert (listing.total, listing.error_message) == (0, "Your role cannot see the subscriptions of companies.")


async def test_a_refresh_replaces_one_that_hangs(desks: Desks) -> None:
    desk = desk_of(desks, shop())
    listing = await overview(desk)
    desk.line.hold()
    for asked in (1, 2):
        requests = len(desk.line.requests)
        listing.refresh()
        await until(lambda requests=requests: len(desk.line.requests) > requests)
        assert desk.line.cancelled == asked - 1
    desk.line.release()
    await listing.wait_until_idle()
    assert not listing.refreshing and ids(listing) == ["soon", "later", "full"]


@pytest.mark.parametrize(
    ("period", "today", "days"),
    [
        ("month", date(2026, 11, 27), 3),
        ("next_month", date(2026, 11, 27), 34),
        ("quarter", date(2026, 11, 27), 34),
        ("quarter", date(2026, 12, 31), 0),
        ("next_quarter", date(2026, 11, 27), 124),
        ("next_month", date(2026, 1, 31), 28),
        ("year", date(2026, 1, 1), 364),
        ("14", date(2026, 1, 1), 14),
        ("someday", date(2026, 1, 1), DAYS),
    ],
)
def test_a_calendar_period_ends_with_its_last_day(period: str, today: date, days: int) -> None:
    assert days_of_period(period, today) == days
