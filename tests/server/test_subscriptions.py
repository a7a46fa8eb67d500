"""Offers and subscriptions of a company as they are listed and read, and how a new one is made (4.6, rule 2)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies import CUSTOMER, GRANDCHILD, RESELLER, SISTER, TERMINATED, caller, params, put
from tests.server.subscribed import (
    BARE,
    CPAAS,
    DEFAULT_OFFER,
    DIAL_IN,
    ELSEWHERE,
    FLAT,
    FREE,
    FRENCH,
    GUARDIAN,
    MONTHLY,
    PREPAID,
    SERVICES,
    TRIAL,
    UNSOLD,
    USAGE,
    WHOLE,
    change,
    finance,
    furnished,
    holders,
    offer_id,
    offers_of,
    subscribed,
    subscriptions_of,
    synchronised,
    told,
)
from tests.support.world import APP, COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]


@pytest.fixture
async def seller(world: World) -> Document:
    """The bp_finance of the distributor, in a world with offers."""
    await furnished(world)
    return await finance(world)


@pytest.fixture
async def boss(world: World) -> Document:
    """A superadmin."""
    return await caller(world, "superadmin", OTHER_COMPANY)


async def buy(world: World, by: Document, offer: str = MONTHLY, company: str = COMPANY, **values: Any) -> Document:
    """A new subscription as it is answered."""
    body = {"offerId": offer_id(offer), **values}
    data: Document = granted(await world.post(subscriptions_of(company), by=by, json=body))["data"]
    return data


async def listed(world: World, by: Document, company: str = COMPANY, **query: Any) -> list[Document]:
    """The list of a company's subscriptions."""
    data: list[Document] = granted(await world.get(subscriptions_of(company), by=by, params=query))["data"]
    return data


async def test_offers_are_those_of_the_companys_catalog_by_name(world: World, seller: Document) -> None:
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


async def test_a_business_admin_sees_demo_offers_and_what_is_subscribed_of_them_only(
    world: World, seller: Document
) -> None:
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
async def test_who_sees_the_offers_and_subscriptions_of_a_company(
    world: World, seller: Document, role: str, home: str, company: str, seen: bool
) -> None:
    by = await caller(world, role, home)
    for path in (offers_of(company), subscriptions_of(company)):
        answer = await world.get(path, by=by)
        granted(answer) if seen else refused(answer, 403301)


@pytest.mark.parametrize("role", ["user", "site_admin", "sales_analytics"])
async def test_others_see_no_subscriptions_at_all(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role)
    refused(await world.get(subscriptions_of(), by=by), 403000)
    refused(await world.get(offers_of(), by=by), 403000)


async def test_terminated_ones_and_active_guardians_are_listed_when_asked_for(world: World, seller: Document) -> None:
    plain = await subscribed(world)
    over = await subscribed(world, PREPAID, status="terminated")
    guardian = await subscribed(world, GUARDIAN)
    held = await subscribed(world, GUARDIAN, status="hold")
    assert {each["id"] for each in await listed(world, seller)} == {plain["id"], held["id"]}
    assert {each["id"] for each in await listed(world, seller, showTerminated=True)} == {
        plain["id"],
        held["id"],
        over["id"],
    }
    assert {each["id"] for each in await listed(world, seller, showActiveGuardian=True)} == {
        plain["id"],
        held["id"],
        guardian["id"],
    }


async def test_formats_carry_more_and_more_and_never_what_the_service_keeps_for_itself(
    world: World, seller: Document
) -> None:
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


async def test_companies_in_full_carry_their_subscriptions(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await holders(world, made, 3)
    path = "/api/svc/admin/v1.0/companies?format=full"
    found = {each["id"]: each["subscriptions"] for each in granted(await world.get(path, by=seller))["data"]}
    assert [(each["id"], each["numberAssignedUsers"]) for each in found[COMPANY]] == [(made["id"], 3)]
    assert found[CUSTOMER] == []


async def test_assigned_users_are_those_of_the_company_who_hold_a_licence(world: World, seller: Document) -> None:
    made, other = await subscribed(world), await subscribed(world, SERVICES)
    await holders(world, made, 4)
    await holders(world, made, 1, isTerminated=True)
    await holders(world, other, 2)
    found = {each["id"]: each["numberAssignedUsers"] for each in await listed(world, seller)}
    assert found == {made["id"]: 4, other["id"]: 2}


async def test_a_resellers_numbers_add_up(world: World, seller: Document) -> None:
    bought = await subscribed(world, company=RESELLER, maxNumberUsers=50)
    await holders(world, bought, 3)
    await subscribed(world, company=GRANDCHILD, maxNumberUsers=20)
    await subscribed(world, company=GRANDCHILD, maxNumberUsers=7, status="terminated")
    await subscribed(world, PREPAID, GRANDCHILD, maxNumberUsers=9)
    (full,) = await listed(world, seller, RESELLER, format="full")
    wanted = {
        "nbBPLicences": 50,
        "nbAssignedBPUsers": 3,
        "nbLicencesAssignedToECs": 20,
        "nbLicencesUsed": 23,
        "nbFreeLicences": 27,
        "numberAssignedUsers": 23,
    }
    assert wanted.items() <= full.items()
    (medium,) = await listed(world, seller, RESELLER, format="medium")
    assert medium["numberAssignedUsers"] == 3 and "nbFreeLicences" not in medium


async def test_only_resellers_with_offers_per_user_have_these_numbers(world: World, seller: Document) -> None:
    await subscribed(world, FLAT, RESELLER)
    await subscribed(world, company=PARTNER)
    for company in (RESELLER, PARTNER):
        (full,) = await listed(world, seller, company, format="full")
        assert "nbBPLicences" not in full


async def test_a_subscription_of_another_company_is_not_found(world: World, seller: Document) -> None:
    made = await subscribed(world, company=CUSTOMER)
    refused(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller), 404000)
    refused(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json={"maxNumberUsers": 11}), 404001)
    refused(await world.delete(subscriptions_of(COMPANY, made["id"]), by=seller), 404002)


async def test_a_billed_offer_is_created_then_active_when_the_billing_systems_have_answered(
    world: World, seller: Document
) -> None:
    made = await buy(world, seller, maxNumberUsers=25, purchaseOrderNumber="PO-7", businessAdminComment="As agreed")
    assert (made["status"], made["syncOngoing"], made["maxNumberUsers"]) == ("creating", True, 25)
    assert made["offerName"] == "Business" and made["createdBy"] == {
        "bpApplicantNumber": "AP-1",
        "loginEmail": seller["loginEmail"],
        "userId": seller["id"],
    }
    assert made["billingSubscriptionId"] and made["bsSubscriptionId"]
    assert (made["purchaseOrderNumber"], made["businessAdminComment"]) == ("PO-7", "As agreed")
    await synchronised(world, seconds=3)
    assert (await listed(world, seller))[0]["status"] == "creating"
    await synchronised(world, seconds=3)
    (found,) = await listed(world, seller)
    assert (found["status"], found["syncOngoing"]) == ("active", False)


async def test_a_free_offer_is_active_at_once(world: World, seller: Document, boss: Document) -> None:
    for offer in (FREE, TRIAL):
        made = await buy(world, boss, offer)
        assert (made["status"], made["syncOngoing"]) == ("active", False)
        assert "billingSubscriptionId" not in made


async def test_administrators_of_the_company_and_of_its_partner_are_told(world: World, seller: Document) -> None:
    admin = await caller(world, "company_admin")
    sales = await caller(world, "bp_admin", PARTNER)
    nobody = [await caller(world, "company_admin", CUSTOMER), await caller(world, "user")]
    made = await buy(world, seller, maxNumberUsers=25)
    await synchronised(world)
    for each in (admin, sales, seller):
        first, later = await told(world, each)
        assert first == {
            "action": "create",
            "subscriptionId": made["id"],
            "companyId": COMPANY,
            "offerId": offer_id(MONTHLY),
            "offerName": "Business",
            "profileId": "0f10-profile",
            "profileName": "Business",
            "status": "creating",
            "syncOngoing": True,
            "maxNumberUsers": 25,
        }
        assert (later["status"], later["syncOngoing"]) == ("active", False)
    for each in nobody:
        assert await told(world, each) == []


async def test_an_offer_that_cannot_be_sold_cannot_be_subscribed(world: World, seller: Document) -> None:
    for offer in (UNSOLD, DEFAULT_OFFER):
        refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(offer)}), 403321)


async def test_an_offer_outside_the_catalog_cannot_be_subscribed(world: World, seller: Document) -> None:
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(ELSEWHERE)}), 403320)
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": "0e" * 12}), 404301)


async def test_only_the_resell_model_is_managed(world: World, seller: Document) -> None:
    await change(world, "companies", PARTNER, bpBusinessModel="referral")
    body = refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 400000)
    assert "resell" in str(body["errorDetails"])


@pytest.mark.parametrize("role", ["superadmin", "business_admin"])
async def test_a_dial_in_offer_of_an_operator_needs_its_end(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role, OTHER_COMPANY)
    await change(world, "offers", offer_id(DIAL_IN), isDemo=True)
    refused(await world.post(subscriptions_of(), by=by, json={"offerId": offer_id(DIAL_IN)}), 400516)
    made = await buy(world, by, DIAL_IN, expirationDate="2027-02-28")
    assert made["expirationDate"] == "2027-02-28T23:59:59.999Z"


async def test_a_dial_in_offer_of_a_partner_needs_no_end(world: World, seller: Document) -> None:
    assert "expirationDate" not in await buy(world, seller, DIAL_IN)


async def test_an_offer_for_the_whole_company_has_one_licence_whatever_is_asked(world: World, seller: Document) -> None:
    assert (await buy(world, seller, WHOLE, maxNumberUsers=40))["maxNumberUsers"] == 1


@pytest.mark.parametrize(("offer", "seats"), [(MONTHLY, 1), (FLAT, 1), (USAGE, None), (SERVICES, 1)])
async def test_what_is_not_asked_for_is_one_licence_where_licences_are_counted(
    world: World, seller: Document, offer: str, seats: int | None
) -> None:
    assert (await buy(world, seller, offer)).get("maxNumberUsers") == seats


async def test_a_business_admin_subscribes_demo_offers_only(world: World, seller: Document) -> None:
    demo = await caller(world, "business_admin", OTHER_COMPANY)
    refused(await world.post(subscriptions_of(), by=demo, json={"offerId": offer_id(MONTHLY)}), 400517)
    await buy(world, demo, TRIAL, OTHER_COMPANY)


@pytest.mark.parametrize("role", ["company_admin", "organization_admin", "bp_admin", "support"])
async def test_others_subscribe_nothing(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role, PARTNER if role.startswith("bp") else COMPANY)
    refused(await world.post(subscriptions_of(), by=by, json={"offerId": offer_id(MONTHLY)}), 403000)


async def test_a_partner_subscribes_for_companies_it_manages_only(world: World, seller: Document) -> None:
    refused(await world.post(subscriptions_of(OTHER_COMPANY), by=seller, json={"offerId": offer_id(MONTHLY)}), 403301)
    await buy(world, seller, company=RESELLER)


async def test_a_reseller_sets_no_order_number(world: World, seller: Document) -> None:
    reseller = await finance(world, RESELLER)
    body = {"offerId": offer_id(MONTHLY), "purchaseOrderNumber": "PO-1"}
    assert params(refused(await world.post(subscriptions_of(GRANDCHILD), by=reseller, json=body), 400000)) == [
        "purchaseOrderNumber"
    ]
    made = await buy(world, reseller, company=GRANDCHILD, additionalPurchaseOrderNumber="EC-1")
    assert made["additionalPurchaseOrderNumber"] == "EC-1"
    change_of = subscriptions_of(GRANDCHILD, made["id"])
    await synchronised(world)
    refused(await world.put(change_of, by=reseller, json={"purchaseOrderNumber": "PO-1"}), 400000)


async def test_an_offer_for_some_countries_is_for_companies_there(world: World, seller: Document) -> None:
    await change(world, "companies", CUSTOMER, country="DEU")
    refused(await world.post(subscriptions_of(CUSTOMER), by=seller, json={"offerId": offer_id(FRENCH)}), 400000)
    await buy(world, seller, FRENCH)


async def test_a_freemium_company_takes_no_paid_offers(world: World, seller: Document, boss: Document) -> None:
    await change(world, "companies", COMPANY, offerType="freemium")
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 400000)
    await buy(world, boss, FREE)


async def test_a_terminated_company_subscribes_nothing(world: World, boss: Document) -> None:
    await furnished(world)
    refused(await world.post(subscriptions_of(TERMINATED), by=boss, json={"offerId": offer_id(FREE)}), 400000)


async def test_a_cpaas_offer_pays_for_one_application(world: World, seller: Document) -> None:
    path, body = subscriptions_of(), {"offerId": offer_id(CPAAS)}
    assert params(refused(await world.post(path, by=seller, json=body), 400000)) == ["applicationId"]
    refused(await world.post(path, by=seller, json={**body, "applicationId": "aa" * 12}), 400000)
    made = await buy(world, seller, CPAAS, applicationId=APP)
    application = await world.stored("applications", APP)
    assert application["subscriptions"] == [{"id": made["id"], "offerName": "Business API", "status": "creating"}]
    await synchronised(world)
    assert (await world.stored("applications", APP))["subscriptionStatus"] == ["active"]
    refused(await world.post(path, by=seller, json={**body, "applicationId": APP}), 409620)
    await world.application("a1" * 12)
    await buy(world, seller, CPAAS, applicationId="a1" * 12)
    granted(await world.delete(subscriptions_of(COMPANY, made["id"]), by=seller))
    assert (await world.stored("applications", APP))["subscriptionStatus"] == ["terminated"]


async def test_an_offer_is_subscribed_once_until_it_is_over(world: World, seller: Document) -> None:
    made = await subscribed(world)
    body = {"offerId": offer_id(MONTHLY)}
    refused(await world.post(subscriptions_of(), by=seller, json=body), 409620)
    await change(world, "subscriptions", made["id"], status="terminated")
    granted(await world.post(subscriptions_of(), by=seller, json=body))


async def test_of_two_purchases_at_the_same_moment_one_is_made(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    by = await finance(world)
    body = {"offerId": offer_id(MONTHLY), "maxNumberUsers": 5}
    answers = await asyncio.gather(*(world.post(subscriptions_of(), by=by, json=body) for _ in range(3)))
    assert sorted(each.status_code for each in answers) == [200, 409, 409]
    for each in answers:
        if each.status_code == 409:
            refused(each, 409620)
    assert len(await listed(world, by)) == 1


@pytest.mark.parametrize(
    ("values", "end"),
    [
        ({"monthlyDuration": 3}, "2027-02-19T23:59:59.999Z"),
        ({"monthlyDuration": 0}, None),
        ({"monthlyDuration": None}, None),
        ({"expirationDate": "2027-01-31"}, "2027-01-31T23:59:59.999Z"),
    ],
)
async def test_a_monthly_offer_ends_after_its_months_or_never(
    world: World, seller: Document, values: Document, end: str | None
) -> None:
    assert (await buy(world, seller, **values)).get("expirationDate") == end


async def test_a_prepaid_offer_ends_with_its_term(world: World, seller: Document) -> None:
    made = await buy(world, seller, PREPAID, paymentPeriod="upfront", renewalTerm=24, autoRenew=True)
    assert (made["prepaidDuration"], made["expirationDate"]) == (12, "2027-11-19T23:59:59.999Z")
    assert (made["paymentPeriod"], made["renewalTerm"], made["autoRenew"]) == ("upfront", 24, True)
    longer = await buy(world, seller, PREPAID, CUSTOMER, prepaidDuration=36, renewalTermOption="1_year")
    assert (longer["prepaidDuration"], longer["expirationDate"]) == (36, "2029-11-19T23:59:59.999Z")


@pytest.mark.parametrize(
    ("values", "param"),
    [
        ({"maxNumberUsers": -1}, "maxNumberUsers"),
        ({"monthlyDuration": 2}, "monthlyDuration"),
        ({"monthlyDuration": 61}, "monthlyDuration"),
        ({"prepaidDuration": 11}, "prepaidDuration"),
        ({"prepaidDuration": 61}, "prepaidDuration"),
        ({"prepaidDuration": 24}, "prepaidDuration"),
        ({"renewalTerm": 11}, "renewalTerm"),
        ({"paymentPeriod": "weekly"}, "paymentPeriod"),
        ({"renewalTermOption": "2_years"}, "renewalTermOption"),
        ({"autoRenew": True}, "autoRenew"),
        ({"businessAdminComment": "x" * 257}, "businessAdminComment"),
        ({"expirationDate": "2026-11-19"}, "expirationDate"),
        ({"expirationDate": "soon"}, "expirationDate"),
        ({"promoCode": "NOTHING"}, "promoCode"),
    ],
)
async def test_a_value_that_cannot_be_is_refused_with_its_field(
    world: World, seller: Document, values: Document, param: str
) -> None:
    body = {"offerId": offer_id(MONTHLY), **values}
    assert params(refused(await world.post(subscriptions_of(), by=seller, json=body), 400000)) == [param]
    assert await listed(world, seller) == []


async def test_a_prepaid_offer_takes_no_months_of_a_monthly_one(world: World, seller: Document) -> None:
    body = {"offerId": offer_id(PREPAID), "monthlyDuration": 6}
    assert params(refused(await world.post(subscriptions_of(), by=seller, json=body), 400000)) == ["monthlyDuration"]


async def test_the_offer_is_required(world: World, seller: Document) -> None:
    assert params(refused(await world.post(subscriptions_of(), by=seller, json={}), 400000)) == ["offerId"]


async def test_a_promotional_code_is_kept_with_what_it_gives(world: World, seller: Document) -> None:
    made = await buy(world, seller, promoCode="welcome10")
    assert made["promoCode"] == {
        "name": "WELCOME10",
        "bsSubscriptionId": made["bsSubscriptionId"],
        "discountEndDate": "2027-11-19T23:59:59.999Z",
        "discountType": "percentage",
    }


async def test_a_company_in_no_catalog_has_the_default_one(world: World, seller: Document) -> None:
    await put(world, "catalogs", id="cc" * 12, name="Other", isDefault=False, offersList=[offer_id(ELSEWHERE)])
    await change(world, "companies", COMPANY, catalogId="cc" * 12)
    page = granted(await world.get(offers_of(), by=seller))
    assert [each["name"] for each in page["data"]] == ["Elsewhere"]
    await change(world, "companies", COMPANY, catalogId=None)
    assert granted(await world.get(offers_of(), by=seller))["total"] == 14
