"""Subscribing to an offer: the result, and the rules that refuse it (4.6, rule 2)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, TERMINATED, caller, params, put
from tests.server.subscriptions.support import (
    CPAAS,
    DEFAULT_OFFER,
    DIAL_IN,
    ELSEWHERE,
    FLAT,
    FREE,
    FRENCH,
    MONTHLY,
    PREPAID,
    SERVICES,
    TRIAL,
    UNSOLD,
    USAGE,
    WHOLE,
    buy,
    change,
    events_of,
    finance,
    furnished,
    listed,
    offer_id,
    offers_of,
    subscribed,
    subscriptions_of,
    synchronised,
)
from tests.support.world import APP, COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]


async def test_a_billed_offer_is_active_after_the_answer_of_the_billing_systems(world: World, seller: Document) -> None:
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


#: The fields of 2.10 that every subscription has; the others are counts of resellers.
FIELDS = {
    "id", "offerId", "offerName", "offerDescription", "offerTechnicalDescription", "sapReference",
    "offerReference", "profileId", "profileName", "isDefault", "businessModel", "isExclusive", "billingOfferId",
    "billingProductRatePlanId", "billingProductRatePlanChargeId", "creationDate", "createdBy", "status",
    "syncOngoing", "bsSubscriptionId", "billingSubscriptionId", "maxNumberUsers", "numberAssignedUsers",
    "purchaseOrderNumber", "additionalPurchaseOrderNumber", "businessAdminComment", "bpBusinessType",
    "groupName", "promoCode", "expirationDate", "autoRenew", "autoRenewOneTime", "autoRenewToMonthly",
    "monthlyDuration", "prepaidDuration", "renewalTerm", "renewalTermOption", "paymentPeriod", "applicationId",
}  # fmt: skip
_COUNTS = {"nbBPLicences", "nbAssignedBPUsers", "nbLicencesAssignedToECs", "nbLicencesUsed", "nbFreeLicences"}


async def test_a_subscription_has_every_field_and_what_is_unset_is_null(world: World, seller: Document) -> None:
    made = await buy(world, seller)
    read = granted(await world.get(subscriptions_of(subscription=made["id"]), by=seller))["data"]
    (found,) = await listed(world, seller, format="full")
    for each in (made, read, found):
        assert set(each) >= FIELDS and not _COUNTS & set(each)
        assert each["promoCode"] is None and each["monthlyDuration"] is None


async def test_a_free_offer_is_active_at_once(world: World, seller: Document, boss: Document) -> None:
    for offer in (FREE, TRIAL):
        made = await buy(world, boss, offer)
        assert (made["status"], made["syncOngoing"]) == ("active", False)
        assert made["billingSubscriptionId"] is None


async def test_administrators_of_the_company_and_of_its_partner_are_notified(world: World, seller: Document) -> None:
    admin = await caller(world, "company_admin")
    sales = await caller(world, "bp_admin", PARTNER)
    nobody = [await caller(world, "company_admin", CUSTOMER), await caller(world, "user")]
    made = await buy(world, seller, maxNumberUsers=25)
    await synchronised(world)
    for each in (admin, sales, seller):
        first, later = await events_of(world, each)
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
        assert await events_of(world, each) == []


async def test_an_offer_that_cannot_be_sold_cannot_be_subscribed(world: World, seller: Document) -> None:
    for offer in (UNSOLD, DEFAULT_OFFER):
        refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(offer)}), 403321)


async def test_an_offer_outside_the_catalog_cannot_be_subscribed(world: World, seller: Document) -> None:
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(ELSEWHERE)}), 403320)
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": "0e" * 12}), 404301)
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": "zz"}), 400000)


async def test_only_the_resell_model_is_managed(world: World, seller: Document) -> None:
    await change(world, "companies", PARTNER, bpBusinessModel="referral")
    body = refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 400000)
    assert "resell" in str(body["errorDetails"])


async def test_a_partner_without_a_number_in_the_order_system_is_refused(world: World, seller: Document) -> None:
    await change(world, "companies", PARTNER, bpCRDid=None)
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    for by in (seller, boss):
        body = refused(await world.post(subscriptions_of(), by=by, json={"offerId": offer_id(MONTHLY)}), 403321)
        assert "no order system number (CRD)" in body["errorDetails"]
    await buy(world, seller, FREE)
    await buy(world, boss, TRIAL)
    await buy(world, boss, company=OTHER_COMPANY)
    await change(world, "companies", PARTNER, bpCRDid="C-1")
    await buy(world, seller)


async def test_a_partner_without_the_right_to_sell_is_refused(world: World, seller: Document) -> None:
    await change(world, "companies", PARTNER, bpHasRightToSell=False)
    body = refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 403321)
    assert "no right to sell" in body["errorDetails"]


@pytest.mark.parametrize("role", ["superadmin", "business_admin"])
async def test_a_dial_in_offer_of_an_operator_needs_an_end_date(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role, OTHER_COMPANY)
    refused(await world.post(subscriptions_of(), by=by, json={"offerId": offer_id(DIAL_IN)}), 400516)
    made = await buy(world, by, DIAL_IN, expirationDate="2027-02-28")
    assert made["expirationDate"] == "2027-02-28T23:59:59.999Z"


async def test_a_dial_in_offer_of_a_partner_needs_no_end_date(world: World, seller: Document) -> None:
    assert (await buy(world, seller, DIAL_IN))["expirationDate"] is None


async def test_an_offer_for_the_whole_company_always_has_one_licence(world: World, seller: Document) -> None:
    assert (await buy(world, seller, WHOLE, maxNumberUsers=40))["maxNumberUsers"] == 1


@pytest.mark.parametrize(("offer", "seats"), [(MONTHLY, 1), (FLAT, 1), (USAGE, None), (SERVICES, 1)])
async def test_the_default_is_one_licence_where_licences_are_counted(
    world: World, seller: Document, offer: str, seats: int | None
) -> None:
    assert (await buy(world, seller, offer)).get("maxNumberUsers") == seats


async def test_a_business_admin_subscribes_to_demo_offers_only(world: World, seller: Document) -> None:
    demo = await caller(world, "business_admin", OTHER_COMPANY)
    refused(await world.post(subscriptions_of(), by=demo, json={"offerId": offer_id(MONTHLY)}), 400517)
    await buy(world, demo, TRIAL, OTHER_COMPANY)


@pytest.mark.parametrize("role", ["company_admin", "organization_admin", "bp_admin", "support"])
async def test_other_roles_subscribe_to_nothing(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role, PARTNER if role.startswith("bp") else COMPANY)
    refused(await world.post(subscriptions_of(), by=by, json={"offerId": offer_id(MONTHLY)}), 403000)


async def test_a_partner_subscribes_only_for_managed_companies(world: World, seller: Document) -> None:
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


async def test_an_offer_for_some_countries_is_refused_to_other_companies(world: World, seller: Document) -> None:
    await change(world, "companies", CUSTOMER, country="DEU")
    refused(await world.post(subscriptions_of(CUSTOMER), by=seller, json={"offerId": offer_id(FRENCH)}), 400000)
    await buy(world, seller, FRENCH)


async def test_a_freemium_company_does_not_subscribe_to_paid_offers(
    world: World, seller: Document, boss: Document
) -> None:
    await change(world, "companies", COMPANY, offerType="freemium")
    refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 400000)
    await buy(world, boss, FREE)


async def test_a_terminated_company_subscribes_to_nothing(world: World, boss: Document) -> None:
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


async def test_an_offer_is_subscribed_once_until_its_termination(world: World, seller: Document) -> None:
    made = await subscribed(world)
    body = {"offerId": offer_id(MONTHLY)}
    refused(await world.post(subscriptions_of(), by=seller, json=body), 409620)
    await change(world, "subscriptions", made["id"], status="terminated")
    granted(await world.post(subscriptions_of(), by=seller, json=body))


async def test_only_one_of_two_simultaneous_purchases_succeeds(world_on_both: World) -> None:
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


@pytest.mark.parametrize("nothing", [0, None])
async def test_a_monthly_duration_of_zero_clears_the_last_day(
    world: World, seller: Document, boss: Document, nothing: int | None
) -> None:
    """Section 4.6: monthlyDuration (3..60; null or 0 clears expirationDate). It is not stored."""
    made = await buy(world, seller, expirationDate="2027-01-31", monthlyDuration=nothing)
    stored = await world.stored("subscriptions", made["id"])
    assert (made["expirationDate"], stored.get("expirationDate")) == (None, None)
    assert (made["monthlyDuration"], stored.get("monthlyDuration")) == (None, None)
    body = {"offerId": offer_id(DIAL_IN), "expirationDate": "2027-01-31", "monthlyDuration": nothing}
    refused(await world.post(subscriptions_of(), by=boss, json=body), 400516)


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
async def test_an_invalid_value_is_refused_with_its_field(
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


async def test_a_promotional_code_is_stored_with_its_discount(world: World, seller: Document) -> None:
    made = await buy(world, seller, promoCode="welcome10")
    assert made["promoCode"] == {
        "name": "WELCOME10",
        "bsSubscriptionId": made["bsSubscriptionId"],
        "discountEndDate": "2027-11-19T23:59:59.999Z",
        "discountType": "percentage",
    }


async def test_a_company_without_a_catalog_has_the_default_one(world: World, seller: Document) -> None:
    await put(world, "catalogs", id="cc" * 12, name="Other", isDefault=False, offersList=[offer_id(ELSEWHERE)])
    await change(world, "companies", COMPANY, catalogId="cc" * 12)
    page = granted(await world.get(offers_of(), by=seller))
    assert [each["name"] for each in page["data"]] == ["Elsewhere"]
    await change(world, "companies", COMPANY, catalogId=None)
    assert granted(await world.get(offers_of(), by=seller))["total"] == 14


async def test_a_company_that_is_deleted_at_the_same_time_buys_nothing(world_on_both: World) -> None:
    world = await furnished(world_on_both)
    root = await caller(world, "superadmin", OTHER_COMPANY)
    for number in range(8):
        company = f"{number}f" * 12
        await world.company(company, name=f"Short-lived {number}", bpId=PARTNER, country="FRA")
        body = {"offerId": offer_id(MONTHLY), "maxNumberUsers": 5}
        bought, gone = await asyncio.gather(
            world.post(subscriptions_of(company), by=root, json=body),
            world.delete(f"/api/svc/admin/v1.0/companies/{company}", by=root),
        )
        assert sorted((bought.status_code == 200, gone.status_code == 200)) == [False, True], (bought.text, gone.text)
