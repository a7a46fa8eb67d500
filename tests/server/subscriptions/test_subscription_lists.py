"""Listing and reading offers and subscriptions of a company (4.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, SISTER, caller
from tests.server.subscriptions.support import (
    BARE,
    ELSEWHERE,
    FLAT,
    GUARDIAN,
    MONTHLY,
    PREPAID,
    SERVICES,
    TRIAL,
    change,
    licensed_users,
    listed,
    offer_id,
    offers_of,
    subscribed,
    subscriptions_of,
)
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]


async def test_offers_are_those_of_the_companys_catalog_sorted_by_name(world: World, seller: Document) -> None:
    page = granted(await world.get(offers_of(), by=seller))
    names = [each["name"] for each in page["data"]]
    assert names == sorted(names, key=str.casefold) and "Elsewhere" not in names
    assert page["total"] == len(names) == 14
    await change(world, "companies", COMPANY, catalogId=BARE)
    assert granted(await world.get(offers_of(), by=seller))["total"] == 0


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"name": "BUSI"}, ["Business", "Business API", "Business, a year"]),
        ({"isPrepaid": True}, ["Business, a year"]),
        ({"canBeSold": False}, ["Essential", "Old"]),
        ({"offerReference": "business"}, ["Business"]),
        ({"profileId": "0f18-profile"}, ["Alert"]),
        ({"isExclusive": True}, []),
        ({"name": "Business", "sortOrder": -1, "limit": 1}, ["Business, a year"]),
        ({"sortField": "_id", "limit": 2}, ["Business", "Business, a year"]),
    ],
)
async def test_offers_are_filtered(world: World, seller: Document, query: Document, names: list[str]) -> None:
    page = granted(await world.get(offers_of(), by=seller, params=query))
    assert [each["name"] for each in page["data"]] == names


async def test_an_offer_outside_the_catalog_is_refused_with_403(world: World, seller: Document) -> None:
    assert granted(await world.get(offers_of(offer=offer_id(MONTHLY)), by=seller))["data"]["offerReference"]
    refused(await world.get(offers_of(offer=offer_id(ELSEWHERE)), by=seller), 403320)
    refused(await world.get(offers_of(offer="0e" * 12), by=seller), 404301)


async def test_an_offer_has_every_field_and_what_is_unset_is_null(world: World, seller: Document) -> None:
    one = granted(await world.get(offers_of(offer=offer_id(MONTHLY)), by=seller))["data"]
    (many,) = [
        each
        for each in granted(await world.get(offers_of(), by=seller, params={"format": "full"}))["data"]
        if each["id"] == one["id"]
    ]
    assert {"isDemo", "isArchived", "guardianType", "bpApplicantNumbers", "allowedCountries"} <= set(one) == set(many)
    assert one["guardianType"] is None
    # 2.9: businessSpecific (array), bpApplicantNumbers (array), allowedCountries (array).
    lists = ("businessSpecific", "bpApplicantNumbers", "allowedCountries", "billingProductRatePlans")
    assert [one[name] for name in lists] == [many[name] for name in lists] == [[], [], [], []]


async def test_a_business_admin_lists_demo_offers_and_their_subscriptions_only(world: World, seller: Document) -> None:
    demo = await caller(world, "business_admin", OTHER_COMPANY)
    paid, trial = await subscribed(world), await subscribed(world, TRIAL)
    page = granted(await world.get(offers_of(), by=demo))
    assert [each["name"] for each in page["data"]] == ["Trial"]
    refused(await world.get(offers_of(offer=offer_id(MONTHLY)), by=demo), 403320)
    assert [each["id"] for each in await listed(world, demo)] == [trial["id"]]
    granted(await world.get(subscriptions_of(subscription=trial["id"]), by=demo))
    refused(await world.get(subscriptions_of(subscription=paid["id"]), by=demo), 404000)
    company = granted(await world.get(f"/api/svc/admin/v1.0/companies/{COMPANY}?format=full", by=demo))["data"]
    assert [each["id"] for each in company["subscriptions"]] == [trial["id"]]


@pytest.mark.parametrize(
    ("role", "home", "company", "seen"),
    [
        ("superadmin", OTHER_COMPANY, COMPANY, True),
        ("support", OTHER_COMPANY, COMPANY, True),
        ("bp_admin", PARTNER, PARTNER, True),
        ("bp_admin", PARTNER, COMPANY, True),
        ("bp_finance", PARTNER, RESELLER, True),
        ("bp_finance", PARTNER, GRANDCHILD, True),
        ("bp_finance", PARTNER, OTHER_COMPANY, False),
        ("bp_finance", RESELLER, GRANDCHILD, True),
        ("bp_finance", RESELLER, COMPANY, False),
        ("organization_admin", COMPANY, SISTER, True),
        ("organization_admin", COMPANY, CUSTOMER, False),
        ("company_admin", COMPANY, COMPANY, True),
        ("company_admin", COMPANY, SISTER, False),
    ],
)
async def test_roles_that_list_offers_and_subscriptions(
    world: World, seller: Document, role: str, home: str, company: str, seen: bool
) -> None:
    by = await caller(world, role, home)
    for path in (offers_of(company), subscriptions_of(company)):
        answer = await world.get(path, by=by)
        granted(answer) if seen else refused(answer, 403301)


@pytest.mark.parametrize("role", ["user", "site_admin", "sales_analytics"])
async def test_other_roles_list_no_subscriptions(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role)
    refused(await world.get(subscriptions_of(), by=by), 403000)
    refused(await world.get(offers_of(), by=by), 403000)


async def test_terminated_ones_and_active_guardians_are_listed_when_asked_for(world: World, seller: Document) -> None:
    plain = await subscribed(world)
    over = await subscribed(world, PREPAID, status="terminated")
    guardian = await subscribed(world, GUARDIAN)
    on_hold = await subscribed(world, GUARDIAN, status="hold")
    assert {each["id"] for each in await listed(world, seller)} == {plain["id"], on_hold["id"]}
    assert {each["id"] for each in await listed(world, seller, showTerminated=True)} == {
        plain["id"],
        on_hold["id"],
        over["id"],
    }
    assert {each["id"] for each in await listed(world, seller, showActiveGuardian=True)} == {
        plain["id"],
        on_hold["id"],
        guardian["id"],
    }


async def test_formats_contain_more_fields_and_never_internal_ones(world: World, seller: Document) -> None:
    own: Document = {"addOns": [], "unitPrice": 3.9, "currency": "EUR", "syncDue": "2999", "syncAction": "update"}
    made = await subscribed(world, **own, syncBefore={}, purchaseOrderNumber="PO-1")
    (small,) = await listed(world, seller)
    (medium,) = await listed(world, seller, format="medium")
    (full,) = await listed(world, seller, format="full")
    assert set(small) < set(medium) < set(full)
    assert full["purchaseOrderNumber"] == "PO-1"
    one = granted(await world.get(subscriptions_of(subscription=made["id"]), by=seller))["data"]
    assert one == full
    assert not {*own, "syncBefore"} & set(full)
    company = granted(await world.get(f"/api/svc/admin/v1.0/companies/{COMPANY}?format=full", by=seller))["data"]
    assert company["subscriptions"] == [full]


async def test_the_full_format_of_a_company_contains_its_subscriptions(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await licensed_users(world, made, 3)
    path = "/api/svc/admin/v1.0/companies?format=full"
    found = {each["id"]: each["subscriptions"] for each in granted(await world.get(path, by=seller))["data"]}
    assert [(each["id"], each["numberAssignedUsers"]) for each in found[COMPANY]] == [(made["id"], 3)]
    assert found[CUSTOMER] == []


async def test_assigned_users_are_users_of_the_company_with_a_licence(world: World, seller: Document) -> None:
    made, other = await subscribed(world), await subscribed(world, SERVICES)
    await licensed_users(world, made, 4)
    await licensed_users(world, made, 1, isTerminated=True)
    await licensed_users(world, other, 2)
    found = {each["id"]: each["numberAssignedUsers"] for each in await listed(world, seller)}
    assert found == {made["id"]: 4, other["id"]: 2}


async def test_the_licence_counts_of_a_reseller_add_up(world: World, seller: Document) -> None:
    bought = await subscribed(world, company=RESELLER, maxNumberUsers=50)
    await licensed_users(world, bought, 3)
    await subscribed(world, company=GRANDCHILD, maxNumberUsers=20)
    await subscribed(world, company=GRANDCHILD, maxNumberUsers=7, status="terminated")
    await subscribed(world, PREPAID, GRANDCHILD, maxNumberUsers=9)
    (full,) = await listed(world, seller, RESELLER, format="full")
    expected = {
        "nbBPLicences": 50,
        "nbAssignedBPUsers": 3,
        "nbLicencesAssignedToECs": 20,
        "nbLicencesUsed": 23,
        "nbFreeLicences": 27,
        "numberAssignedUsers": 23,
    }
    assert expected.items() <= full.items()
    (medium,) = await listed(world, seller, RESELLER, format="medium")
    assert medium["numberAssignedUsers"] == 3 and "nbFreeLicences" not in medium


async def test_only_resellers_with_offers_per_user_have_licence_counts(world: World, seller: Document) -> None:
    await subscribed(world, FLAT, RESELLER)
    await subscribed(world, company=PARTNER)
    for company in (RESELLER, PARTNER):
        (full,) = await listed(world, seller, company, format="full")
        assert "nbBPLicences" not in full


async def test_a_subscription_of_another_company_is_not_found(world: World, seller: Document) -> None:
    made = await subscribed(world, company=CUSTOMER)
    refused(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
    refused(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json={"maxNumberUsers": 11}), 404000)
    refused(await world.delete(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
