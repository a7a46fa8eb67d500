"""Updating and terminating a subscription (4.6, rules 3 and 4): conditions, roles, and settings of the company."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, caller, params
from tests.server.subscriptions.support import (
    DEFAULT_OFFER,
    FLAT,
    FREE,
    MONTHLY,
    PREPAID,
    SERVICES,
    TRIAL,
    WHOLE,
    change,
    events_of,
    finance,
    furnished,
    licensed_users,
    offer_id,
    subscribed,
    subscriptions_of,
    synchronised,
)
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]


async def changing(world: World, by: Document, made: Document, **values: Any) -> Any:
    """The answer to an update."""
    return await world.put(subscriptions_of(made["companyId"], made["id"]), by=by, json=values)


async def changed(world: World, by: Document, made: Document, **values: Any) -> Document:
    """The subscription after an accepted update and its synchronisation."""
    data: Document = granted(await changing(world, by, made, **values))["data"]
    await synchronised(world)
    return data


async def ending(world: World, by: Document, made: Document) -> Any:
    """The answer to a deletion."""
    return await world.delete(subscriptions_of(made["companyId"], made["id"]), by=by)


async def seats(world: World, made: Document) -> int:
    """The licences of a subscription as they are stored."""
    return int((await world.stored("subscriptions", made["id"]))["maxNumberUsers"])


async def test_an_update_is_synchronised_with_two_events(world: World, seller: Document) -> None:
    made = await subscribed(world)
    data = granted(await changing(world, seller, made, maxNumberUsers=12))["data"]
    assert (data["status"], data["syncOngoing"], data["maxNumberUsers"]) == ("active", True, 12)
    await synchronised(world)
    stored = await world.stored("subscriptions", made["id"])
    assert (stored["status"], stored["syncOngoing"], stored["maxNumberUsers"]) == ("active", False, 12)
    events = await events_of(world, seller)
    contents = [(each["action"], each["status"], each["syncOngoing"], each["maxNumberUsers"]) for each in events]
    assert contents == [("update", "active", True, 12), ("update", "active", False, 12)]


async def test_an_update_during_a_synchronisation_is_refused(world: World, seller: Document) -> None:
    made = await subscribed(world)
    granted(await changing(world, seller, made, maxNumberUsers=12))
    refused(await changing(world, seller, made, maxNumberUsers=13), 409625)
    await synchronised(world)
    granted(await changing(world, seller, made, maxNumberUsers=13))


async def test_only_one_of_two_simultaneous_updates_succeeds(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    by = await finance(world)
    made = await subscribed(world)
    answers = await asyncio.gather(*(changing(world, by, made, maxNumberUsers=number) for number in (20, 30, 40)))
    assert sorted(each.status_code for each in answers) == [200, 409, 409]
    (remaining,) = [each.json()["data"]["maxNumberUsers"] for each in answers if each.status_code == 200]
    for each in answers:
        if each.status_code == 409:
            refused(each, 409625)
    assert await seats(world, made) == remaining


async def test_a_partner_without_the_right_to_sell_only_reduces_licences(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await change(world, "companies", PARTNER, bpCRDid=None)
    refused(await changing(world, seller, made, maxNumberUsers=11), 403321)
    await changed(world, seller, made, maxNumberUsers=9)
    trial = await subscribed(world, TRIAL)
    await changed(world, seller, trial, maxNumberUsers=11)


async def test_a_prepaid_number_of_licences_can_always_increase(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID)
    assert (await changed(world, seller, made, maxNumberUsers=90))["maxNumberUsers"] == 90


async def test_a_prepaid_number_decreases_only_to_cancel_an_add_on_of_this_month(
    world: World, seller: Document
) -> None:
    made = await subscribed(world, PREPAID, addOns=[{"date": "2026-10-31", "quantity": 4}])
    body = refused(await changing(world, seller, made, maxNumberUsers=9), 400509)
    assert "there are none" in body["errorDetails"]
    await changed(world, seller, made, maxNumberUsers=15)
    await changed(world, seller, made, maxNumberUsers=18)
    refused(await changing(world, seller, made, maxNumberUsers=9), 400509)
    await changed(world, seller, made, maxNumberUsers=13)
    refused(await changing(world, seller, made, maxNumberUsers=9), 400509)
    await changed(world, seller, made, maxNumberUsers=10)
    refused(await changing(world, seller, made, maxNumberUsers=9), 400509)


async def test_an_add_on_of_last_month_cannot_be_cancelled(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID)
    await changed(world, seller, made, maxNumberUsers=15)
    world.clock.forward(days=11)
    refused(await changing(world, seller, made, maxNumberUsers=10), 400509)


async def test_an_add_on_with_assigned_licences_cannot_be_cancelled(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID)
    await changed(world, seller, made, maxNumberUsers=15)
    await licensed_users(world, made, 13)
    refused(await changing(world, seller, made, maxNumberUsers=12), 400509)
    await changed(world, seller, made, maxNumberUsers=13)


async def test_a_monthly_number_changes_down_to_the_assigned_licences(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await licensed_users(world, made, 6)
    body = refused(await changing(world, seller, made, maxNumberUsers=5), 400509)
    assert body["errorDetails"].startswith("6 licences are assigned")
    await changed(world, seller, made, maxNumberUsers=6)
    await changed(world, seller, made, maxNumberUsers=60)


async def test_the_number_of_a_reseller_is_at_least_that_of_its_customers(world: World, seller: Document) -> None:
    made = await subscribed(world, company=RESELLER, maxNumberUsers=30)
    await licensed_users(world, made, 2)
    await subscribed(world, company=GRANDCHILD, maxNumberUsers=20)
    refused(await changing(world, seller, made, maxNumberUsers=21), 400509)
    await changed(world, seller, made, maxNumberUsers=22)


async def test_an_offer_for_the_whole_company_keeps_one_licence(world: World, seller: Document) -> None:
    made = await subscribed(world, WHOLE, maxNumberUsers=1)
    assert params(refused(await changing(world, seller, made, maxNumberUsers=2), 400000)) == ["maxNumberUsers"]


@pytest.mark.parametrize("offer", [FLAT, SERVICES])
async def test_only_offers_per_user_change_their_licences(world: World, seller: Document, offer: str) -> None:
    made = await subscribed(world, offer, maxNumberUsers=1)
    assert params(refused(await changing(world, seller, made, maxNumberUsers=2), 400000)) == ["maxNumberUsers"]


@pytest.mark.parametrize("wire", ["autoRenew", "autoRenewToMonthly"])
async def test_only_prepaid_offers_have_renewals(world: World, seller: Document, wire: str) -> None:
    monthly, prepaid = await subscribed(world), await subscribed(world, PREPAID, autoRenew=True)
    for value in (True, False):
        assert params(refused(await changing(world, seller, monthly, **{wire: value}), 400000)) == [wire]
    assert (await changed(world, seller, prepaid, **{wire: False}))[wire] is False


async def test_a_term_can_only_become_longer(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, prepaidDuration=24)
    assert params(refused(await changing(world, seller, made, prepaidDuration=12), 400000)) == ["prepaidDuration"]
    longer = await changed(world, seller, made, prepaidDuration=36)
    assert (longer["prepaidDuration"], longer["expirationDate"]) == (36, "2029-03-09T23:59:59.999Z")


async def test_a_null_number_of_months_removes_the_end_date(world: World, seller: Document) -> None:
    for nothing in (0, None):
        made = await subscribed(world, expirationDate="2027-01-31T23:59:59.999Z", monthlyDuration=6)
        assert (await changed(world, seller, made, monthlyDuration=nothing))["expirationDate"] is None
        stored = await world.stored("subscriptions", made["id"])
        assert not {"expirationDate", "monthlyDuration"} & set(stored)
        assert (await changed(world, seller, made, monthlyDuration=3))["expirationDate"] == "2027-02-19T23:59:59.999Z"


async def test_notes_change_without_a_synchronisation(world: World, seller: Document) -> None:
    made = await subscribed(world)
    data = granted(await changing(world, seller, made, businessAdminComment="Ask Jo", purchaseOrderNumber="PO-2"))
    assert (data["data"]["syncOngoing"], data["data"]["businessAdminComment"]) == (False, "Ask Jo")
    cleared = granted(await changing(world, seller, made, businessAdminComment=None))["data"]
    assert cleared["businessAdminComment"] is None and cleared["purchaseOrderNumber"] == "PO-2"


async def test_unchanged_values_start_no_synchronisation(world: World, seller: Document) -> None:
    made = await subscribed(world)
    assert granted(await changing(world, seller, made, maxNumberUsers=10))["data"]["syncOngoing"] is False
    assert await events_of(world, seller) == []


async def test_a_prepaid_subscription_without_its_offer_is_still_prepaid(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, offerId="0e" * 12)
    refused(await changing(world, seller, made, maxNumberUsers=9), 400509)
    assert (await changed(world, seller, made, maxNumberUsers=12, autoRenew=False))["maxNumberUsers"] == 12


async def test_an_update_without_values_is_refused(world: World, seller: Document) -> None:
    refused(await changing(world, seller, await subscribed(world)), 400100)


@pytest.mark.parametrize("status", ["terminated", "terminating", "failed"])
async def test_a_terminated_subscription_is_not_updated(world: World, seller: Document, status: str) -> None:
    made = await subscribed(world, status=status)
    refused(await changing(world, seller, made, maxNumberUsers=12), 400000)


async def test_a_business_admin_updates_and_terminates_subscriptions_of_demo_offers_only(
    world: World, seller: Document
) -> None:
    demo = await caller(world, "business_admin", OTHER_COMPANY)
    paid, trial = await subscribed(world), await subscribed(world, TRIAL, billingSubscriptionId=None)
    refused(await changing(world, demo, paid, maxNumberUsers=12), 400517)
    refused(await ending(world, demo, paid), 400517)
    await changed(world, demo, trial, maxNumberUsers=12)
    granted(await ending(world, demo, trial))


@pytest.mark.parametrize("role", ["bp_admin", "support", "organization_admin"])
async def test_other_roles_update_nothing(world: World, seller: Document, role: str) -> None:
    made, by = await subscribed(world), await caller(world, role, PARTNER if role == "bp_admin" else COMPANY)
    refused(await changing(world, by, made, maxNumberUsers=12), 403000)
    refused(await ending(world, by, made), 403000)


async def test_a_partner_updates_and_terminates_only_in_managed_companies(world: World, seller: Document) -> None:
    made = await subscribed(world, company=OTHER_COMPANY)
    refused(await changing(world, seller, made, maxNumberUsers=12), 403301)
    refused(await ending(world, seller, made), 403301)
    granted(await ending(world, seller, await subscribed(world, company=CUSTOMER)))


async def test_a_company_admin_updates_subscriptions_where_the_company_allows_it(
    world: World, seller: Document
) -> None:
    made, admin = await subscribed(world), await caller(world, "company_admin")
    await changed(world, admin, made, maxNumberUsers=12)
    refused(await ending(world, admin, made), 403000)
    refused(await changing(world, admin, await subscribed(world, company=CUSTOMER), maxNumberUsers=12), 403301)
    await change(world, "companies", COMPANY, adminHasRightToUpdateSubscriptions=False)
    refused(await changing(world, admin, made, maxNumberUsers=13), 403322)
    await changed(world, seller, made, maxNumberUsers=13)


async def test_a_company_admin_allowed_to_update_monthly_ones_updates_no_prepaid_one(
    world: World, seller: Document
) -> None:
    admin = await caller(world, "company_admin")
    await change(world, "companies", COMPANY, adminAllowedUpdateSubscriptionsOps="monthly")
    refused(await changing(world, admin, await subscribed(world, PREPAID), maxNumberUsers=12), 403322)
    await changed(world, admin, await subscribed(world), maxNumberUsers=8)


async def test_a_company_admin_allowed_to_increase_does_nothing_else(world: World, seller: Document) -> None:
    admin = await caller(world, "company_admin")
    await change(world, "companies", COMPANY, adminAllowedUpdateSubscriptionsOps="increase_only")
    monthly, prepaid = await subscribed(world), await subscribed(world, PREPAID, autoRenew=True)
    refused(await changing(world, admin, monthly, maxNumberUsers=9), 403322)
    refused(await changing(world, admin, prepaid, autoRenew=False), 403322)
    refused(await changing(world, admin, prepaid, maxNumberUsers=12, autoRenew=False), 403322)
    await changed(world, admin, prepaid, maxNumberUsers=12)


async def test_the_admin_of_a_resellers_customer_updates_nothing(world: World, seller: Document) -> None:
    made, admin = await subscribed(world, company=GRANDCHILD), await caller(world, "company_admin", GRANDCHILD)
    refused(await changing(world, admin, made, maxNumberUsers=12), 403322)
    await changed(world, await finance(world, RESELLER), made, maxNumberUsers=12)


async def test_a_billed_subscription_is_terminated(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await licensed_users(world, made, 2)
    answer = granted(await ending(world, seller, made))
    assert answer == {"status": f"Subscription {made['id']} successfully deleted", "data": []}
    assert (await world.stored("subscriptions", made["id"]))["status"] == "terminated"
    assert await events_of(world, seller) == [{"action": "delete", "subscriptionId": made["id"], "companyId": COMPANY}]
    refused(await ending(world, seller, made), 403315)


async def test_a_free_subscription_without_billing_is_deleted(world: World, seller: Document) -> None:
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    made = await subscribed(world, FREE, billingSubscriptionId=None)
    granted(await ending(world, boss, made))
    refused(await ending(world, boss, made), 404000)
    assert [each["action"] for each in await events_of(world, seller)] == ["delete"]


async def test_a_termination_unassigns_all_licences(world: World, seller: Document) -> None:
    made, remaining = await subscribed(world), await subscribed(world, PREPAID)
    profiles = [{"subscriptionId": each["id"], "offerName": each["offerName"]} for each in (made, remaining)]
    user = await caller(world, "user", profiles=profiles)
    granted(await ending(world, seller, made))
    assert (await world.stored("users", user["id"]))["profiles"] == profiles[1:]


async def test_a_prepaid_subscription_is_terminated_only_in_its_first_month(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, creationDate="2026-11-01T00:00:00.000Z")
    older = await subscribed(world, PREPAID, CUSTOMER, creationDate="2026-10-31T23:59:59.999Z")
    refused(await ending(world, seller, older), 403315)
    granted(await ending(world, seller, made))


async def test_the_default_subscription_cannot_be_terminated(world: World, seller: Document) -> None:
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    made = await subscribed(world, DEFAULT_OFFER, isDefault=True)
    refused(await ending(world, boss, made), 403315)


async def test_a_subscription_is_not_terminated_during_a_synchronisation(world: World, seller: Document) -> None:
    made = await subscribed(world)
    granted(await changing(world, seller, made, maxNumberUsers=12))
    refused(await ending(world, seller, made), 403311)
    await synchronised(world)
    granted(await ending(world, seller, made))


async def test_a_terminated_offer_can_be_subscribed_again(world: World, seller: Document) -> None:
    granted(await ending(world, seller, await subscribed(world)))
    granted(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}))
