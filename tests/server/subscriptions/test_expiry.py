"""The expiry of a subscription: renewed, continued monthly, or terminated (2.10, 3, 4.6)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import date
from typing import Any

import pytest

from svc_tui.server.http.application import build
from svc_tui.server.service import service_of
from svc_tui.server.subscriptions.expiry import expire, expiring
from svc_tui.server.subscriptions.synchroniser import synchroniser_of
from tests.server.subscriptions.support import (
    CPAAS,
    DEFAULT_OFFER,
    DIAL_IN,
    MONTHLY,
    PREPAID,
    TRIAL,
    buy,
    change,
    events_of,
    finance,
    furnished,
    licensed_users,
    listed,
    quotations_of,
    subscribed,
    subscriptions_of,
    synchronised,
)
from tests.support.turns import had_turn
from tests.support.world import APP, COMPANY, World, granted, refused

Document = dict[str, Any]

#: The clock of the world stands on 2026-11-20.
TODAYS_END = "2026-11-20T23:59:59.999Z"


async def a_year(world: World, **fields: Any) -> Document:
    """A prepaid subscription whose year ends today."""
    fields = {"creationDate": "2025-11-21T09:00:00.000Z", "expirationDate": TODAYS_END, **fields}
    return await subscribed(world, PREPAID, unitPrice=3.5, currency="EUR", **fields)


async def days_later(world: World, days: float) -> int:
    """Advance the clock by this number of days, process due subscriptions and return their number."""
    world.clock.forward(days=days)
    return await expire(world.service)


async def stored(world: World, made: Document) -> Document:
    return await world.stored("subscriptions", made["id"])


async def test_without_renewal_a_subscription_is_terminated_after_its_last_day(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=False)
    await licensed_users(world, made, 2)
    assert await days_later(world, 0.5) == 0
    assert (await stored(world, made))["status"] == "active"
    assert await days_later(world, 0.6) == 1
    assert (await stored(world, made))["status"] == "terminated"
    async with world.service.database.unit() as store:
        assert not [each for each in (await store.users.find()).documents if each.get("profiles")]
    (message,) = await events_of(world, seller)
    assert (message["action"], message["subscriptionId"]) == ("delete", made["id"])
    assert made["id"] not in [each["id"] for each in await listed(world, seller)]


async def test_a_subscription_expires_once(world: World, seller: Document) -> None:
    await a_year(world)
    await a_year(world, autoRenew=True)
    assert await days_later(world, 1) == 2
    assert await days_later(world, 1) == 0
    assert sorted(each["action"] for each in await events_of(world, seller)) == ["delete", "update"]


@pytest.mark.parametrize(
    ("renewal", "months", "ends"),
    [
        ({"autoRenew": True}, 12, "2027-11-20"),
        ({"autoRenew": True, "renewalTermOption": "initial"}, 12, "2027-11-20"),
        ({"autoRenew": True, "renewalTerm": 24}, 24, "2028-11-20"),
        ({"autoRenew": True, "renewalTerm": 36, "renewalTermOption": "1_year"}, 36, "2029-11-20"),
        ({"autoRenew": True, "renewalTermOption": "1_year", "prepaidDuration": 36}, 12, "2027-11-20"),
        ({"autoRenew": True, "renewalTermOption": "initial", "prepaidDuration": 36}, 36, "2029-11-20"),
    ],
)
async def test_a_renewed_subscription_has_the_agreed_term(
    world: World, seller: Document, renewal: Document, months: int, ends: str
) -> None:
    made = await a_year(world, status="alerting", **renewal)
    await licensed_users(world, made, 2)
    assert await days_later(world, 1) == 1
    found = await stored(world, made)
    assert (found["prepaidDuration"], found["expirationDate"]) == (months, f"{ends}T23:59:59.999Z")
    assert (found["status"], found["syncOngoing"]) == ("alerting", False)
    (message,) = await events_of(world, seller)
    assert (message["action"], message["status"]) == ("update", "alerting")
    assert next(each for each in await listed(world, seller) if each["id"] == made["id"])["numberAssignedUsers"] == 2


async def test_a_renewed_term_has_the_price_of_its_first_day(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=True)
    await days_later(world, 30)
    found = await stored(world, made)
    assert found["unitPrice"] == 3.9
    quotation = granted(await world.post(quotations_of(), by=seller, json={"subscriptionId": made["id"]}))["data"]
    assert (quotation["contractedMrr"], quotation["totalDeltaMrr"]) == (39, 0)
    assert quotation["invoiceTargetDate"] == "2027-11-21"


async def test_the_invoices_of_a_renewed_term_start_with_it(world: World, seller: Document) -> None:
    three_years = {"prepaidDuration": 36, "creationDate": "2023-11-21T09:00:00.000Z"}
    made = await a_year(world, autoRenew=True, renewalTerm=24, **three_years)
    await days_later(world, 30)
    quotation = granted(await world.post(quotations_of(), by=seller, json={"subscriptionId": made["id"]}))["data"]
    (item,) = quotation["invoiceItems"]
    assert (item["serviceStartDate"], item["serviceEndDate"]) == ("2027-11-21", "2028-11-20")


async def test_a_subscription_renewed_once_ends_with_the_next_term(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenewOneTime=True)
    await days_later(world, 1)
    assert (await stored(world, made))["expirationDate"][:10] == "2027-11-20"
    await days_later(world, 365)
    assert (await stored(world, made))["status"] == "terminated"


async def test_a_renewal_to_monthly_has_no_end_and_follows_the_monthly_rules(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=True, autoRenewToMonthly=True, paymentPeriod="upfront", renewalTerm=24)
    await days_later(world, 1)
    path = subscriptions_of(COMPANY, made["id"])
    found = granted(await world.get(path, by=seller))["data"]
    over = {"expirationDate", "prepaidDuration", "autoRenew", "autoRenewToMonthly", "renewalTerm", "paymentPeriod"}
    assert found["status"] == "active" and not [field for field in over if found[field] not in (None, False)]
    assert await days_later(world, 900) == 0
    refused(await world.put(path, by=seller, json={"autoRenew": True}), 400000)
    fewer = granted(await world.put(path, by=seller, json={"maxNumberUsers": 4}))["data"]
    assert fewer["maxNumberUsers"] == 4
    await synchronised(world)
    granted(await world.delete(path, by=seller))


async def test_a_subscription_renewed_to_monthly_can_have_a_term_again(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenewToMonthly=True)
    await days_later(world, 10)
    path = subscriptions_of(COMPANY, made["id"])
    body = {"subscriptionId": made["id"], "prepaidDuration": 24}
    quotation = granted(await world.post(quotations_of(), by=seller, json=body))["data"]
    assert quotation["invoiceItems"][0]["serviceStartDate"] == "2026-11-30"
    found = granted(await world.put(path, by=seller, json={"prepaidDuration": 24, "autoRenew": True}))["data"]
    assert (found["prepaidDuration"], found["expirationDate"][:10]) == (24, "2028-11-29")


async def test_monthly_and_dial_in_subscriptions_end_on_their_last_day(world: World, seller: Document) -> None:
    monthly = await subscribed(world, MONTHLY, expirationDate=TODAYS_END, monthlyDuration=6)
    dial_in = await subscribed(world, DIAL_IN, expirationDate="2026-12-01T23:59:59.999Z")
    assert await days_later(world, 1) == 1
    assert (await stored(world, monthly))["status"] == "terminated"
    assert (await stored(world, dial_in))["status"] == "active"
    assert await days_later(world, 30) == 1
    assert (await stored(world, dial_in))["status"] == "terminated"


async def test_an_expired_trial_without_billing_is_deleted(world: World, seller: Document) -> None:
    made = await subscribed(world, TRIAL, expirationDate=TODAYS_END, billingSubscriptionId="")
    await days_later(world, 1)
    refused(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
    assert [each["action"] for each in await events_of(world, seller)] == ["delete"]


async def test_the_application_that_it_paid_for_shows_the_termination(world: World, seller: Document) -> None:
    made = await subscribed(world, CPAAS, expirationDate=TODAYS_END, applicationId=APP)
    await days_later(world, 1)
    (paid,) = (await world.stored("applications", APP))["subscriptions"]
    assert (paid["id"], paid["status"]) == (made["id"], "terminated")


async def test_the_default_subscription_and_terminated_ones_do_not_expire(world: World, seller: Document) -> None:
    unaffected = [
        await subscribed(world, DEFAULT_OFFER, expirationDate=TODAYS_END),
        await a_year(world, status="terminated"),
        await a_year(world, status="failed"),
    ]
    assert await days_later(world, 30) == 0
    assert [await stored(world, each) for each in unaffected] == unaffected


async def test_a_subscription_expires_after_its_synchronisation(world: World, seller: Document) -> None:
    made = await a_year(world)
    granted(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json={"autoRenew": True}))
    assert (await stored(world, made))["syncOngoing"]
    # It waits for the end of the synchronisation now, and does not see the clock move before it is woken.
    await world.service.part(synchroniser_of).wait_until_idle()
    assert await days_later(world, 1) == 0
    await synchronised(world)
    assert await expire(world.service) == 1
    assert (await stored(world, made))["expirationDate"][:10] == "2027-11-20"


async def test_all_terms_missed_by_a_stopped_service_are_processed(world: World, seller: Document) -> None:
    renewed = await a_year(world, autoRenew=True)
    once = await a_year(world, autoRenewOneTime=True)
    assert await days_later(world, 3 * 365) == 2
    assert (await stored(world, renewed))["expirationDate"][:10] == "2029-11-20"
    assert (await stored(world, once))["status"] == "terminated"
    assert len(await events_of(world, seller)) == 2


async def test_subscriptions_of_a_terminated_company_are_not_renewed(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=True)
    await change(world, "companies", COMPANY, status="terminated")
    await days_later(world, 1)
    assert (await stored(world, made))["status"] == "terminated"


async def test_a_subscription_bought_for_a_year_is_renewed_after_it(world: World, seller: Document) -> None:
    made = await buy(world, seller, PREPAID, maxNumberUsers=3, autoRenew=True)
    await synchronised(world)
    ends = date.fromisoformat(made["expirationDate"][:10])
    assert await days_later(world, (ends - world.clock.now().date()).days) == 0
    assert await days_later(world, 1) == 1
    assert (await stored(world, made))["expirationDate"][:10] == ends.replace(year=ends.year + 1).isoformat()


async def test_several_servers_expire_each_subscription_once(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    by = await finance(world)
    made = [await a_year(world, autoRenew=True), await a_year(world)]
    await licensed_users(world, made[1], 1)
    world.clock.forward(days=1)
    counts = await asyncio.gather(*(expire(world.service) for _ in range(3)))
    assert sum(counts) == 2
    assert sorted(each["action"] for each in await events_of(world, by)) == ["delete", "update"]
    assert (await stored(world, made[0]))["expirationDate"][:10] == "2027-11-20"


async def test_a_failed_expiry_blocks_no_other_and_is_repeated(
    world: World, seller: Document, caplog: pytest.LogCaptureFixture
) -> None:
    odd = await a_year(world, autoRenew=True, renewalTerm="many", expirationDate="2026-11-01T23:59:59.999Z")
    other = await a_year(world)
    assert await days_later(world, 1) == 1
    assert (await stored(world, other))["status"] == "terminated"
    assert await stored(world, odd) == odd
    assert odd["id"] in caplog.text


async def test_the_server_checks_expiry_regularly_and_survives_database_errors(
    world: World, seller: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: asyncio.Queue[float] = asyncio.Queue()
    again: asyncio.Queue[None] = asyncio.Queue()

    async def sleep(seconds: float) -> None:
        rounds.put_nowait(seconds)
        await again.get()

    async def fail(service: object) -> Awaitable[int]:
        raise OSError("no disk")

    made = await a_year(world)
    await had_turn(world, "ends of terms")
    world.clock.forward(days=1)
    with monkeypatch.context() as broken:
        broken.setattr("svc_tui.server.subscriptions.expiry.expire", fail)
        async with expiring(world.service, sleep):
            assert await asyncio.wait_for(rounds.get(), 20) <= 60
            broken.undo()
            again.put_nowait(None)
            await asyncio.wait_for(rounds.get(), 20)
            assert (await stored(world, made))["status"] == "terminated"


async def test_a_starting_server_expires_overdue_subscriptions(
    world: World, seller: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told_of = await a_year(world), asyncio.Event()
    await had_turn(world, "ends of terms")
    world.clock.forward(days=1)
    service = service_of(world.service.settings, clock=world.clock)
    app = build(service.settings, service=service)
    monkeypatch.setattr(service.event_delivery, "wake", told_of.set)
    async with app.router.lifespan_context(app), asyncio.timeout(20):
        await told_of.wait()
    assert (await stored(world, made))["status"] == "terminated"
