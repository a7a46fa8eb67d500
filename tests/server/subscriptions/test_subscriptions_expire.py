"""What becomes of a subscription when its last day is over: renewed, month by month, or ended (2.10, 3, 4.6)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import date
from typing import Any

import pytest

from svc_tui.server.application import build
from svc_tui.server.service import service_of
from svc_tui.server.subscriptions.expiry import expire, expiring
from tests.server.subscriptions.support import (
    CPAAS,
    DEFAULT_OFFER,
    DIAL_IN,
    MONTHLY,
    PREPAID,
    TRIAL,
    buy,
    change,
    finance,
    furnished,
    holders,
    listed,
    quotations_of,
    subscribed,
    subscriptions_of,
    synchronised,
    told,
)
from tests.support.world import APP, COMPANY, World, granted, refused

Document = dict[str, Any]

#: The clock of the world stands on 2026-11-20.
TODAYS_END = "2026-11-20T23:59:59.999Z"


async def a_year(world: World, **fields: Any) -> Document:
    """A prepaid subscription whose year ends today."""
    fields = {"creationDate": "2025-11-21T09:00:00.000Z", "expirationDate": TODAYS_END, **fields}
    return await subscribed(world, PREPAID, unitPrice=3.5, currency="EUR", **fields)


async def days_later(world: World, days: float) -> int:
    """So many days pass, and what is due is looked at; how much that was."""
    world.clock.forward(days=days)
    return await expire(world.service)


async def stored(world: World, made: Document) -> Document:
    return await world.stored("subscriptions", made["id"])


async def test_without_renewal_it_is_terminated_when_its_last_day_is_over(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=False)
    await holders(world, made, 2)
    assert await days_later(world, 0.5) == 0
    assert (await stored(world, made))["status"] == "active"
    assert await days_later(world, 0.6) == 1
    assert (await stored(world, made))["status"] == "terminated"
    async with world.service.database.unit() as store:
        assert not [each for each in (await store.users.find()).documents if each.get("profiles")]
    (message,) = await told(world, seller)
    assert (message["action"], message["subscriptionId"]) == ("delete", made["id"])
    assert made["id"] not in [each["id"] for each in await listed(world, seller)]


async def test_what_came_to_its_end_comes_to_it_once(world: World, seller: Document) -> None:
    await a_year(world)
    await a_year(world, autoRenew=True)
    assert await days_later(world, 1) == 2
    assert await days_later(world, 1) == 0
    assert sorted(each["action"] for each in await told(world, seller)) == ["delete", "update"]


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
async def test_renewed_it_has_the_term_that_was_agreed_on(
    world: World, seller: Document, renewal: Document, months: int, ends: str
) -> None:
    made = await a_year(world, status="alerting", **renewal)
    await holders(world, made, 2)
    assert await days_later(world, 1) == 1
    found = await stored(world, made)
    assert (found["prepaidDuration"], found["expirationDate"]) == (months, f"{ends}T23:59:59.999Z")
    assert (found["status"], found["syncOngoing"]) == ("alerting", False)
    (message,) = await told(world, seller)
    assert (message["action"], message["status"]) == ("update", "alerting")
    assert next(each for each in await listed(world, seller) if each["id"] == made["id"])["numberAssignedUsers"] == 2


async def test_a_renewed_term_has_the_price_of_the_day_on_which_it_begins(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=True)
    await days_later(world, 30)
    found = await stored(world, made)
    assert found["unitPrice"] == 3.9
    quotation = granted(await world.post(quotations_of(), by=seller, json={"subscriptionId": made["id"]}))["data"]
    assert (quotation["contractedMrr"], quotation["totalDeltaMrr"]) == (39, 0)
    assert quotation["invoiceTargetDate"] == "2027-11-21"


async def test_the_bills_of_a_renewed_term_count_from_its_own_begin(world: World, seller: Document) -> None:
    three_years = {"prepaidDuration": 36, "creationDate": "2023-11-21T09:00:00.000Z"}
    made = await a_year(world, autoRenew=True, renewalTerm=24, **three_years)
    await days_later(world, 30)
    quotation = granted(await world.post(quotations_of(), by=seller, json={"subscriptionId": made["id"]}))["data"]
    (item,) = quotation["invoiceItems"]
    assert (item["serviceStartDate"], item["serviceEndDate"]) == ("2027-11-21", "2028-11-20")


async def test_renewed_once_it_ends_with_the_next_term(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenewOneTime=True)
    await days_later(world, 1)
    assert (await stored(world, made))["expirationDate"][:10] == "2027-11-20"
    await days_later(world, 365)
    assert (await stored(world, made))["status"] == "terminated"


async def test_to_monthly_it_goes_on_without_an_end_and_is_changed_and_ended_like_a_monthly_one(
    world: World, seller: Document
) -> None:
    made = await a_year(world, autoRenew=True, autoRenewToMonthly=True, paymentPeriod="upfront", renewalTerm=24)
    await days_later(world, 1)
    path = subscriptions_of(COMPANY, made["id"])
    found = granted(await world.get(path, by=seller))["data"]
    over = {"expirationDate", "prepaidDuration", "autoRenew", "autoRenewToMonthly", "renewalTerm", "paymentPeriod"}
    assert found["status"] == "active" and not over & set(found)
    assert await days_later(world, 900) == 0
    refused(await world.put(path, by=seller, json={"autoRenew": True}), 400000)
    fewer = granted(await world.put(path, by=seller, json={"maxNumberUsers": 4}))["data"]
    assert fewer["maxNumberUsers"] == 4
    await synchronised(world)
    granted(await world.delete(path, by=seller))


async def test_what_goes_on_month_by_month_can_have_a_term_again(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenewToMonthly=True)
    await days_later(world, 10)
    path = subscriptions_of(COMPANY, made["id"])
    body = {"subscriptionId": made["id"], "prepaidDuration": 24}
    quotation = granted(await world.post(quotations_of(), by=seller, json=body))["data"]
    assert quotation["invoiceItems"][0]["serviceStartDate"] == "2026-11-30"
    found = granted(await world.put(path, by=seller, json={"prepaidDuration": 24, "autoRenew": True}))["data"]
    assert (found["prepaidDuration"], found["expirationDate"][:10]) == (24, "2028-11-29")


async def test_a_monthly_one_and_a_dial_in_offer_end_on_their_last_day(world: World, seller: Document) -> None:
    monthly = await subscribed(world, MONTHLY, expirationDate=TODAYS_END, monthlyDuration=6)
    dial_in = await subscribed(world, DIAL_IN, expirationDate="2026-12-01T23:59:59.999Z")
    assert await days_later(world, 1) == 1
    assert (await stored(world, monthly))["status"] == "terminated"
    assert (await stored(world, dial_in))["status"] == "active"
    assert await days_later(world, 30) == 1
    assert (await stored(world, dial_in))["status"] == "terminated"


async def test_a_trial_that_no_billing_system_knows_is_removed(world: World, seller: Document) -> None:
    made = await subscribed(world, TRIAL, expirationDate=TODAYS_END, billingSubscriptionId="")
    await days_later(world, 1)
    refused(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
    assert [each["action"] for each in await told(world, seller)] == ["delete"]


async def test_the_application_that_it_paid_for_says_that_it_is_terminated(world: World, seller: Document) -> None:
    made = await subscribed(world, CPAAS, expirationDate=TODAYS_END, applicationId=APP)
    await days_later(world, 1)
    (paid,) = (await world.stored("applications", APP))["subscriptions"]
    assert (paid["id"], paid["status"]) == (made["id"], "terminated")


async def test_the_default_subscription_and_what_is_over_already_are_left_alone(world: World, seller: Document) -> None:
    kept = [
        await subscribed(world, DEFAULT_OFFER, expirationDate=TODAYS_END),
        await a_year(world, status="terminated"),
        await a_year(world, status="failed"),
    ]
    assert await days_later(world, 30) == 0
    assert [await stored(world, each) for each in kept] == kept


async def test_what_is_being_synchronised_comes_to_its_end_when_the_answer_is_there(
    world: World, seller: Document
) -> None:
    made = await a_year(world)
    granted(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json={"autoRenew": True}))
    assert (await stored(world, made))["syncOngoing"]
    assert await days_later(world, 1) == 0
    await synchronised(world)
    assert await expire(world.service) == 1
    assert (await stored(world, made))["expirationDate"][:10] == "2027-11-20"


async def test_after_a_long_rest_of_the_service_all_terms_are_made_up_for(world: World, seller: Document) -> None:
    renewed = await a_year(world, autoRenew=True)
    once = await a_year(world, autoRenewOneTime=True)
    assert await days_later(world, 3 * 365) == 2
    assert (await stored(world, renewed))["expirationDate"][:10] == "2029-11-20"
    assert (await stored(world, once))["status"] == "terminated"
    assert len(await told(world, seller)) == 2


async def test_nothing_is_renewed_for_a_company_that_is_terminated(world: World, seller: Document) -> None:
    made = await a_year(world, autoRenew=True)
    await change(world, "companies", COMPANY, status="terminated")
    await days_later(world, 1)
    assert (await stored(world, made))["status"] == "terminated"


async def test_a_subscription_that_was_bought_for_a_year_is_renewed_after_it(world: World, seller: Document) -> None:
    made = await buy(world, seller, PREPAID, maxNumberUsers=3, autoRenew=True)
    await synchronised(world)
    ends = date.fromisoformat(made["expirationDate"][:10])
    assert await days_later(world, (ends - world.clock.now().date()).days) == 0
    assert await days_later(world, 1) == 1
    assert (await stored(world, made))["expirationDate"][:10] == ends.replace(year=ends.year + 1).isoformat()


async def test_several_servers_bring_each_to_its_end_once(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    by = await finance(world)
    made = [await a_year(world, autoRenew=True), await a_year(world)]
    await holders(world, made[1], 1)
    world.clock.forward(days=1)
    counts = await asyncio.gather(*(expire(world.service) for _ in range(3)))
    assert sum(counts) == 2
    assert sorted(each["action"] for each in await told(world, by)) == ["delete", "update"]
    assert (await stored(world, made[0]))["expirationDate"][:10] == "2027-11-20"


async def test_what_cannot_be_brought_to_its_end_holds_up_no_other_and_stays_due(
    world: World, seller: Document, caplog: pytest.LogCaptureFixture
) -> None:
    odd = await a_year(world, autoRenew=True, renewalTerm="many", expirationDate="2026-11-01T23:59:59.999Z")
    other = await a_year(world)
    assert await days_later(world, 1) == 1
    assert (await stored(world, other))["status"] == "terminated"
    assert await stored(world, odd) == odd
    assert odd["id"] in caplog.text


async def test_the_server_looks_at_its_start_and_again_and_survives_a_database_that_does_not_answer(
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
    world.clock.forward(days=1)
    with monkeypatch.context() as broken:
        broken.setattr("svc_tui.server.subscriptions.expiry.expire", fail)
        async with expiring(world.service, sleep):
            assert await asyncio.wait_for(rounds.get(), 20) <= 60
            broken.undo()
            again.put_nowait(None)
            await asyncio.wait_for(rounds.get(), 20)
            assert (await stored(world, made))["status"] == "terminated"


async def test_a_server_that_starts_ends_what_became_due_meanwhile(
    world: World, seller: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told_of = await a_year(world), asyncio.Event()
    world.clock.forward(days=1)
    service = service_of(world.service.settings, clock=world.clock)
    app = build(service.settings, service=service)
    monkeypatch.setattr(service.courier, "wake", told_of.set)
    async with app.router.lifespan_context(app), asyncio.timeout(20):
        await told_of.wait()
    assert (await stored(world, made))["status"] == "terminated"
