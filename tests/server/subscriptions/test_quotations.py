"""Quotations: roles, conditions, and amounts exact to the cent (2.11, 4.6, rule 1)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from svc_tui.server.settings import Settings
from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER, caller, params
from tests.server.subscriptions.support import (
    BARE,
    CPAAS,
    DIAL_IN,
    ELSEWHERE,
    FLAT,
    FREE,
    MONTHLY,
    PREPAID,
    SERVICES,
    UNSOLD,
    USAGE,
    WHOLE,
    change,
    finance,
    furnished,
    licensed_users,
    offer_id,
    quotations_of,
    subscribed,
    subscriptions_of,
)
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]


async def asked(world: World, by: Document, company: str = COMPANY, **body: Any) -> Any:
    """The answer to a request for a quotation."""
    return await world.post(quotations_of(company), by=by, json=body)


async def quoted(world: World, by: Document, company: str = COMPANY, **body: Any) -> Document:
    """An accepted quotation; its sums are checked."""
    data: Document = granted(await asked(world, by, company, **body))["data"]
    assert _sum(data["invoiceItems"], "chargeAmount") == _cents(data["amountWithoutTax"])
    assert _cents(data["amountWithoutTax"]) + _cents(data["taxAmount"]) == _cents(data["amount"])
    metrics = data["chargeMetrics"]
    for total, part in (
        ("contractedMrr", "mrr"),
        ("totalContractedValue", "tcv"),
        ("totalDeltaMrr", "dmrr"),
        ("totalDeltaTcv", "dtcv"),
    ):
        assert _sum(metrics, part) == _cents(data[total])
    return data


def _cents(value: float) -> Decimal:
    amount = Decimal(str(value))
    assert amount == amount.quantize(Decimal("0.01"))
    return amount


def _sum(lines: list[Document], wire: str) -> Decimal:
    return sum((_cents(each[wire]) for each in lines), Decimal(0))


def money(data: Document, *wires: str) -> list[float]:
    """Some amounts of a quotation."""
    return [data[wire] for wire in wires]


@pytest.mark.parametrize(
    ("offer", "quoted_kind"), [(MONTHLY, True), (FLAT, True), (SERVICES, True), (USAGE, False), (FREE, False)]
)
async def test_only_users_flat_fees_and_services_are_quoted(
    world: World, seller: Document, offer: str, quoted_kind: bool
) -> None:
    if quoted_kind:
        await quoted(world, seller, offerId=offer_id(offer))
    else:
        assert params(refused(await asked(world, seller, offerId=offer_id(offer)), 400000)) == ["offerId"]


async def test_the_company_must_be_a_partner_or_linked_to_one(world: World, seller: Document) -> None:
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    refused(await asked(world, boss, OTHER_COMPANY, offerId=offer_id(MONTHLY)), 400000)
    for company in (PARTNER, RESELLER, COMPANY, GRANDCHILD):
        await quoted(world, boss, company, offerId=offer_id(MONTHLY))


async def test_the_store_must_know_the_applicant_number_of_a_reselling_partner(world: World, seller: Document) -> None:
    await change(world, "companies", PARTNER, bpApplicantNumber="?")
    assert params(refused(await asked(world, seller, offerId=offer_id(MONTHLY)), 400000)) == ["bpApplicantNumber"]
    await change(world, "companies", PARTNER, bpApplicantNumber=None)
    refused(await asked(world, seller, offerId=offer_id(MONTHLY)), 400000)
    await change(world, "companies", PARTNER, bpBusinessModel="referral")
    await quoted(world, seller, offerId=offer_id(MONTHLY))


async def test_for_a_reseller_the_number_of_its_distributor_counts(world: World, seller: Document) -> None:
    reseller = await finance(world, RESELLER)
    await quoted(world, reseller, GRANDCHILD, offerId=offer_id(MONTHLY))
    await change(world, "companies", PARTNER, bpApplicantNumber="?")
    refused(await asked(world, reseller, GRANDCHILD, offerId=offer_id(MONTHLY)), 400000)


async def test_the_offer_must_be_in_the_catalog_of_the_partner(world: World, seller: Document) -> None:
    refused(await asked(world, seller, offerId=offer_id(ELSEWHERE)), 403320)
    await change(world, "companies", COMPANY, catalogId=BARE)
    await quoted(world, seller, offerId=offer_id(MONTHLY))
    await change(world, "companies", PARTNER, catalogId=BARE)
    refused(await asked(world, seller, offerId=offer_id(MONTHLY)), 403320)


async def test_a_quotation_is_for_an_offer_or_a_subscription_and_not_both(world: World, seller: Document) -> None:
    made = await subscribed(world)
    refused(await asked(world, seller, offerId=offer_id(MONTHLY), subscriptionId=made["id"]), 400451)
    assert params(refused(await asked(world, seller), 400000)) == ["offerId"]
    refused(await asked(world, seller, offerId="0e" * 12), 404301)
    refused(await asked(world, seller, CUSTOMER, subscriptionId=made["id"]), 404000)
    assert params(refused(await asked(world, seller, subscriptionId="1"), 400000)) == ["subscriptionId"]


@pytest.mark.parametrize("status", ["terminated", "failed"])
async def test_terminated_subscriptions_are_not_quoted(world: World, seller: Document, status: str) -> None:
    made = await subscribed(world, status=status)
    assert params(refused(await asked(world, seller, subscriptionId=made["id"]), 400000)) == ["subscriptionId"]


@pytest.mark.parametrize("role", ["company_admin", "organization_admin", "site_admin", "bp_admin", "support"])
async def test_admins_without_another_role_get_no_quotation(world: World, seller: Document, role: str) -> None:
    by = await caller(world, role, PARTNER if role == "bp_admin" else COMPANY)
    refused(await asked(world, by, offerId=offer_id(MONTHLY)), 403000)


async def test_roles_that_get_a_quotation(world: World, seller: Document) -> None:
    both = await world.user("both@example.com", roles=("bp_finance", "organization_admin"), companyId=PARTNER)
    for by in (both, await caller(world, "superadmin", OTHER_COMPANY)):
        await quoted(world, by, offerId=offer_id(MONTHLY))
    refused(await asked(world, seller, OTHER_COMPANY, offerId=offer_id(MONTHLY)), 403301)


async def test_a_monthly_offer_is_charged_from_today(world: World, seller: Document) -> None:
    data = await quoted(world, seller, offerId=offer_id(MONTHLY), maxNumberUsers=25)
    assert money(data, "contractedMrr", "totalContractedValue", "totalDeltaMrr") == [112.5, 112.5, 112.5]
    # Eleven of thirty days of November remain; France adds 20 percent.
    assert money(data, "amountWithoutTax", "taxAmount", "amount") == [41.25, 8.25, 49.5]
    (item,) = data["invoiceItems"]
    assert (item["serviceStartDate"], item["serviceEndDate"], item["quantity"]) == ("2026-11-20", "2026-11-30", 25)
    assert (data["currency"], data["invoiceTargetDate"]) == ("EUR", "2026-12-01")
    assert data["expirationDate"] == "2026-12-20T10:00:00.000Z"


async def test_more_licences_cost_the_difference_to_the_current_number(world: World, seller: Document) -> None:
    made = await subscribed(world)
    data = await quoted(world, seller, subscriptionId=made["id"], maxNumberUsers=20)
    assert money(data, "contractedMrr", "totalDeltaMrr") == [90.0, 45.0]
    current, added = data["invoiceItems"]
    assert (current["quantity"], current["chargeAmount"], current["serviceStartDate"]) == (10, 45.0, "2026-11-01")
    assert (added["quantity"], added["chargeAmount"], added["serviceStartDate"]) == (10, 16.5, "2026-11-20")
    (metric,) = data["chargeMetrics"]
    assert (metric["originalId"], metric["dmrr"]) == ("b1", 45.0)


async def test_fewer_licences_give_a_credit(world: World, seller: Document) -> None:
    made = await subscribed(world)
    data = await quoted(world, seller, subscriptionId=made["id"], maxNumberUsers=4)
    assert money(data, "contractedMrr", "totalDeltaMrr", "amountWithoutTax") == [18.0, -27.0, 35.1]


async def test_without_a_change_there_is_no_difference(world: World, seller: Document) -> None:
    for offer in (MONTHLY, PREPAID, FLAT, SERVICES):
        made = await subscribed(world, offer)
        data = await quoted(world, seller, subscriptionId=made["id"])
        assert money(data, "totalDeltaMrr", "totalDeltaTcv") == [0, 0]


async def test_a_term_is_paid_annually_or_upfront(world: World, seller: Document) -> None:
    body: Document = {"offerId": offer_id(PREPAID), "maxNumberUsers": 10, "prepaidDuration": 36}
    annual = await quoted(world, seller, **body, paymentPeriod="annual")
    assert money(annual, "contractedMrr", "totalContractedValue") == [36.3, 1306.8]
    assert annual["amountWithoutTax"] == 435.6 and annual["invoiceTargetDate"] == "2026-11-20"
    upfront = await quoted(world, seller, **body, paymentPeriod="upfront")
    assert money(upfront, "totalContractedValue", "amountWithoutTax") == [1267.2, 1267.2]
    assert upfront["invoiceItems"][0]["serviceEndDate"] == "2029-11-19"


async def test_a_longer_term_costs_less_per_month(world: World, seller: Document) -> None:
    body: Document = {"offerId": offer_id(PREPAID), "maxNumberUsers": 10}
    months = [(await quoted(world, seller, **body, prepaidDuration=term))["contractedMrr"] for term in (12, 24, 36, 60)]
    assert months == sorted(months, reverse=True) and len(set(months)) == 4


async def test_licences_added_during_a_term_are_charged_to_its_end_at_its_price(world: World, seller: Document) -> None:
    made = await subscribed(
        world, PREPAID, unitPrice=3.5, creationDate="2026-05-20T08:00:00.000Z", paymentPeriod="upfront"
    )
    data = await quoted(world, seller, subscriptionId=made["id"], maxNumberUsers=12)
    assert money(data, "contractedMrr", "totalDeltaMrr", "totalDeltaTcv") == [42.0, 7.0, 84.0]
    (item,) = data["invoiceItems"]
    assert (item["quantity"], item["serviceStartDate"], item["serviceEndDate"]) == (2, "2026-11-20", "2027-05-19")
    # 181 of the 365 days of the term remain.
    assert item["chargeAmount"] == 41.65


async def test_a_term_can_only_become_longer(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, prepaidDuration=24)
    refused(await asked(world, seller, subscriptionId=made["id"], prepaidDuration=12), 400000)
    longer = await quoted(world, seller, subscriptionId=made["id"], prepaidDuration=36)
    assert longer["totalContractedValue"] > 0 and longer["totalDeltaMrr"] < 0


async def test_a_renewal_is_quoted_as_the_next_invoice(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, autoRenew=True, paymentPeriod="upfront")
    await licensed_users(world, made, 6)

    async def renewal(**values: Any) -> tuple[float, str, float]:
        data = await quoted(world, seller, subscriptionId=made["id"], **values)
        (item,) = data["invoiceItems"]
        return item["quantity"], item["serviceEndDate"], data["amountWithoutTax"]

    assert (await renewal())[:2] == (10, "2028-03-09")
    assert (await renewal(renewalTerm=24))[:2] == (10, "2029-03-09")
    assert (await renewal(prepaidRenewalOption="allocated"))[0] == 6
    assert (await renewal(prepaidRenewalOption="billed"))[0] == 10
    assert (await renewal(prepaidRenewalOption="volume", renewalVolume=4))[0] == 4
    endings: tuple[Document, ...] = ({"autoRenew": False}, {"autoRenewToMonthly": True})
    for ending in endings:
        data = await quoted(world, seller, subscriptionId=made["id"], **ending)
        assert (data["invoiceItems"], data["amount"]) == ([], 0)


async def test_a_number_of_licences_to_renew_is_required_with_its_option(world: World, seller: Document) -> None:
    made = await subscribed(world, PREPAID, autoRenew=True)
    answer = await asked(world, seller, subscriptionId=made["id"], prepaidRenewalOption="volume")
    assert params(refused(answer, 400000)) == ["renewalVolume"]


async def test_a_promotional_code_gives_its_discount(world: World, seller: Document) -> None:
    data = await quoted(world, seller, offerId=offer_id(MONTHLY), maxNumberUsers=25, promoCode="WELCOME10")
    assert money(data, "contractedMrr", "amountWithoutTax") == [101.25, 37.12]
    assert [each["chargeName"] for each in data["invoiceItems"]] == ["Licences", "Promotion WELCOME10"]


async def test_a_promotion_of_a_subscription_is_valid_until_its_last_day(world: World, seller: Document) -> None:
    code = {"name": "WELCOME10", "discountEndDate": "2026-12-31T23:59:59.999Z"}
    made = await subscribed(world, promoCode=code, creationDate="2025-01-01T09:00:00.000Z")
    assert (await quoted(world, seller, subscriptionId=made["id"]))["contractedMrr"] == 40.5
    await change(world, "subscriptions", made["id"], promoCode={**code, "discountEndDate": "2026-11-19T23:59:59.999Z"})
    assert (await quoted(world, seller, subscriptionId=made["id"]))["contractedMrr"] == 45.0


@pytest.mark.parametrize(
    ("offer", "code", "reason"),
    [
        (MONTHLY, "NOTHING", "not a promotional code"),
        (MONTHLY, "SPRING24", "expired on 2024-06-30"),
        (MONTHLY, "TEAM20", "at least 20 licences"),
        (PREPAID, "LOYAL5", "at least 36 months"),
    ],
)
async def test_an_invalid_code_has_a_reason(world: World, seller: Document, offer: str, code: str, reason: str) -> None:
    body = refused(await asked(world, seller, offerId=offer_id(offer), promoCode=code), 400000)
    assert params(body) == ["promoCode"] and reason in body["errorDetails"][0]["msg"]


@pytest.mark.parametrize("offer", [FLAT, WHOLE, DIAL_IN])
async def test_an_offer_for_the_whole_company_is_quoted_once(world: World, seller: Document, offer: str) -> None:
    data = await quoted(world, seller, offerId=offer_id(offer), maxNumberUsers=30)
    assert data["invoiceItems"][0]["quantity"] == 1


async def test_no_licences_cost_nothing(world: World, seller: Document) -> None:
    data = await quoted(world, seller, offerId=offer_id(MONTHLY), maxNumberUsers=0)
    assert money(data, "contractedMrr", "amount") == [0, 0]


@pytest.mark.parametrize(
    ("country", "currency", "tax"), [("FRA", "EUR", 20), ("DEU", "EUR", 19), ("USA", "USD", 0), ("CHN", "CNY", 6)]
)
async def test_the_partners_country_decides_currency_and_tax(
    world: World, seller: Document, country: str, currency: str, tax: int
) -> None:
    await change(world, "companies", PARTNER, country=country)
    data = await quoted(world, seller, offerId=offer_id(MONTHLY), maxNumberUsers=100)
    assert data["currency"] == currency
    assert abs(data["taxAmount"] * 100 - data["amountWithoutTax"] * tax) <= 0.5


async def test_a_price_change_applies_from_its_day(world: World, seller: Document) -> None:
    coming = [{"effectiveDate": "2026-12-01", "wpl": 6.0}, {"effectiveDate": "2026-06-01", "wpl": 4.0}]
    await change(world, "offers", offer_id(MONTHLY), priceChanges=coming)
    body: Document = {"offerId": offer_id(MONTHLY), "maxNumberUsers": 10}
    assert (await quoted(world, seller, **body))["contractedMrr"] == 40.0
    world.clock.forward(days=11)
    assert (await quoted(world, seller, **body))["contractedMrr"] == 60.0


@pytest.mark.parametrize(
    ("values", "param"),
    [
        ({"maxNumberUsers": -1}, "maxNumberUsers"),
        ({"maxNumberUsers": 1.5}, "maxNumberUsers"),
        ({"maxNumberUsers": 10**30}, "maxNumberUsers"),
        ({"prepaidRenewalOption": "volume", "renewalVolume": 10**30}, "renewalVolume"),
        ({"prepaidDuration": 11}, "prepaidDuration"),
        ({"prepaidDuration": 61}, "prepaidDuration"),
        ({"renewalTerm": 61}, "renewalTerm"),
        ({"paymentPeriod": "daily"}, "paymentPeriod"),
        ({"prepaidRenewalOption": "all"}, "prepaidRenewalOption"),
    ],
)
async def test_a_value_out_of_range_is_refused(world: World, seller: Document, values: Document, param: str) -> None:
    assert params(refused(await asked(world, seller, offerId=offer_id(PREPAID), **values), 400000)) == [param]


async def test_a_quotation_changes_nothing(world: World, seller: Document) -> None:
    made = await subscribed(world)
    await quoted(world, seller, subscriptionId=made["id"], maxNumberUsers=99)
    assert await world.stored("subscriptions", made["id"]) == made


async def test_an_applicant_number_is_looked_up_in_the_store(world: World, seller: Document) -> None:
    path = "/api/svc/subscription/v1.0/companies/check-applicant-number"
    assert granted(await world.get(f"{path}/AP-1", by=seller)) == {"data": True}
    assert granted(await world.get(f"{path}/AP-2", by=seller)) == {"data": False}
    assert granted(await world.get(f"{path}/AP%201", by=seller)) == {"data": False}
    refused(await world.get(f"{path}/AP-1", by=await caller(world, "company_admin")), 403000)


async def test_applicant_numbers_can_be_unknown_to_the_store() -> None:
    from svc_tui.server.billing.interface import load_billing

    billing = load_billing(Settings(billing_unknown_applicants=["AP-1"]))
    assert not await billing.knows_applicant("AP-1") and await billing.knows_applicant("AP-2")


async def test_a_quotation_that_its_order_would_refuse_names_the_reason(world: World, seller: Document) -> None:
    """An order right after the quotation has the same answer (rules 2, 3): a price is one that can be paid."""
    assert "orderRefusal" not in await quoted(world, seller, offerId=offer_id(MONTHLY), maxNumberUsers=5)
    await subscribed(world, MONTHLY)
    refusal = (await quoted(world, seller, offerId=offer_id(MONTHLY)))["orderRefusal"]
    body = refused(await world.post(subscriptions_of(), by=seller, json={"offerId": offer_id(MONTHLY)}), 409620)
    assert refusal == body["errorDetails"] and "already has a subscription" in refusal
    assert "cannot be sold" in (await quoted(world, seller, offerId=offer_id(UNSOLD)))["orderRefusal"]
    await change(world, "companies", COMPANY, offerType="freemium")
    assert "freemium" in (await quoted(world, seller, offerId=offer_id(WHOLE)))["orderRefusal"]
    await change(world, "companies", COMPANY, offerType=None, status="terminated")
    assert "terminated" in (await quoted(world, seller, offerId=offer_id(WHOLE)))["orderRefusal"]


async def test_a_quotation_of_a_change_that_would_be_refused_names_the_reason(world: World, seller: Document) -> None:
    held = await subscribed(world, MONTHLY)
    await licensed_users(world, held, 4)
    for seats, refusal in ((4, ""), (3, "4 licences are assigned")):
        found = await quoted(world, seller, subscriptionId=held["id"], maxNumberUsers=seats)
        assert refusal in found.get("orderRefusal", "") and bool(refusal) == ("orderRefusal" in found)
        answer = await world.put(subscriptions_of(COMPANY, held["id"]), by=seller, json={"maxNumberUsers": seats})
        assert (answer.status_code == 200) == (not refusal), answer.text
        await change(world, "subscriptions", held["id"], maxNumberUsers=10, syncOngoing=False, syncs=None)
    await change(world, "subscriptions", held["id"], syncOngoing=True)
    found = await quoted(world, seller, subscriptionId=held["id"], maxNumberUsers=12)
    assert "in progress" in found["orderRefusal"]


async def test_what_only_an_order_names_is_not_missing_in_a_quotation(world: World, boss: Document) -> None:
    await furnished(world)
    for offer in (DIAL_IN, CPAAS):
        assert "orderRefusal" not in await quoted(world, boss, offerId=offer_id(offer))


async def test_a_reseller_that_sold_more_than_it_has_learns_what_can_be_done(world: World, seller: Document) -> None:
    """2.10: licences of customers count as used; they cannot be unassigned, but their subscriptions decreased."""
    reseller = await finance(world, RESELLER)
    held = await subscribed(world, MONTHLY, RESELLER, maxNumberUsers=10)
    await subscribed(world, MONTHLY, GRANDCHILD, maxNumberUsers=12)
    body = refused(
        await world.put(subscriptions_of(RESELLER, held["id"]), by=reseller, json={"maxNumberUsers": 9}), 400509
    )
    assert "12 licences are used, 12 of them by customers: decrease their subscriptions" in body["errorDetails"]
