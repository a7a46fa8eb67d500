"""Subscriptions, licences, invoices and invoicing files of the demo: every kind, with consistent amounts."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.money import amount
from svc_tui.interface.subscriptions.invoices import Invoice, InvoiceItem
from svc_tui.interface.subscriptions.licences import UserProfile
from svc_tui.interface.subscriptions.records import BUSINESS_MODELS, Subscription
from svc_tui.interface.typed_access import typed
from svc_tui.server.billing.rate_card import price
from svc_tui.server.demo import seed
from svc_tui.server.demo.accounts import accounts
from svc_tui.server.demo.activity import simulate_event
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.subscriptions.synchroniser import synchroniser_of
from tests.support.world import World, granted

TODAY = date(2026, 11, 20)
KINDS = ("companies", "users", "offers", "catalogs", "subscriptions", "applications", "invoices", "invoice_files")
NORTHWIND, HARBOUR, LIGHTHOUSE = (id_of("company", key) for key in ("northwind", "harbour", "lighthouse"))
#: What a subscription keeps that no reader sees.
INNER = {"addOns", "unitPrice", "currency", "syncDue", "syncAction", "syncBefore"}
Document = dict[str, Any]
KNOWN = accounts()
ACCOUNTS = {each["login"].split("@")[0]: each for each in KNOWN["accounts"]}


async def everything(database: Database) -> dict[str, list[Document]]:
    async with database.unit() as store:
        return {kind: (await getattr(store, kind).find()).documents for kind in KINDS}


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


@pytest.fixture
async def found(demo: World) -> dict[str, list[Document]]:
    return await everything(demo.service.database)


async def test_no_term_is_over_when_the_demo_starts(found: dict[str, list[Document]]) -> None:
    living = [each for each in found["subscriptions"] if each["status"] not in ("terminated", "failed")]
    over = [each["offerName"] for each in living if str(each.get("expirationDate") or "9")[:10] <= TODAY.isoformat()]
    assert living and not over


async def test_the_promotion_of_the_demo_is_valid(found: dict[str, list[Document]]) -> None:
    (code,) = [each["promoCode"] for each in found["subscriptions"] if "promoCode" in each]
    assert code["discountEndDate"][:10] > TODAY.isoformat()


async def header_of(world: World, name: str) -> dict[str, str]:
    one = ACCOUNTS[name]
    app, secret = KNOWN["appId"], KNOWN["appSecret"]
    body = granted(await world.login(one["login"], one["password"], app=app, secret=secret))
    return {"authorization": f"Bearer {body['token']}"}


def named(found: dict[str, list[Document]], company: str, offer: str) -> Document:
    id = id_of("company", company)
    return next(e for e in found["subscriptions"] if (e["companyId"], e["offerReference"]) == (id, offer))


def test_every_record_matches_the_interface(found: dict[str, list[Document]]) -> None:
    for kind, model, inner in (
        ("offers", Offer, set()),
        ("subscriptions", Subscription, INNER),
        ("invoices", Invoice, {"companyId", "updatedDate"}),
    ):
        for document in found[kind]:
            assert set(document) <= set(field_by_wire(model)) | inner, kind
            model.model_validate(document)
    for each in found["users"]:
        for profile in each["profiles"]:
            assert set(profile) <= set(field_by_wire(UserProfile)) | {"isVoicePhone"}
            UserProfile.model_validate(profile)
    for invoice in found["invoices"]:
        for line in invoice["invoiceItems"]:
            assert set(line) <= set(field_by_wire(InvoiceItem))


def test_offers_are_of_every_kind(found: dict[str, list[Document]]) -> None:
    offers = found["offers"]
    assert {each["businessModel"] for each in offers} == set(BUSINESS_MODELS)
    for flag in (
        "isDefault", "isExclusive", "isPrepaid", "isMonthly", "autoSubscribe", "isCapex", "isCpaas", "hasConference",
        "isBundle", "isSvcStoreOffer", "isDemo", "isChinaOffer", "hasVoice", "isArchived", "isVoicePhone", "isAsset",
        "isEdge", "isAppConnect", "isHidden", "isCompanyLevel", "isFreemium", "hasWebinar", "guardianType",
        "allowedCountries", "bpApplicantNumbers", "bpType", "bpBusinessType", "businessSpecific", "priceChanges",
    ):  # fmt: skip
        having = [each for each in offers if each.get(flag)]
        assert 0 < len(having) < len(offers), flag
    assert {each["canBeSold"] for each in offers} == {True, False}
    assert any(each["canBeSold"] and each.get("isDemo") for each in offers), "business_admin gives one away"
    changes = [change for each in offers for change in each.get("priceChanges", ())]
    assert all(change["effectiveDate"] > TODAY.isoformat() and change["wpl"] > 0 for change in changes)
    known = {each["id"] for each in offers}
    missing = {catalog["name"]: known - set(catalog["offersList"]) for catalog in found["catalogs"]}
    assert all(missing.values()), "each catalog lacks something"


def test_subscriptions_are_of_every_state_and_term(found: dict[str, list[Document]]) -> None:
    subscriptions = found["subscriptions"]
    statuses = "creating active alerting hold terminating terminated failed unknown"
    assert {each["status"] for each in subscriptions} == set(statuses.split())
    syncing = [each for each in subscriptions if each["syncOngoing"]]
    assert {each["status"] for each in syncing} == {"creating", "active"}
    assert all(each["syncDue"] > "2030" and each["syncAction"] for each in syncing), "it stays visible"
    for wire in ("prepaidDuration", "expirationDate", "promoCode", "addOns", "autoRenew", "autoRenewToMonthly"):
        assert any(each.get(wire) for each in subscriptions), wire
    soon = (TODAY + timedelta(days=30)).isoformat()
    ending = [each for each in subscriptions if TODAY.isoformat() < each.get("expirationDate", "") < soon]
    assert len({each["companyId"] for each in ending}) >= 4
    assert {bool(each.get("autoRenew")) for each in ending} == {True, False}
    mine = [each for each in subscriptions if each["companyId"] == NORTHWIND]
    assert {each["status"] for each in mine} == {"active", "creating", "hold", "terminated"}
    assert any(each.get("applicationId") for each in mine)


def test_a_subscription_matches_its_offer_and_is_unique_in_its_company(
    found: dict[str, list[Document]],
) -> None:
    offers = {each["id"]: each for each in found["offers"]}
    catalogs = {each["id"]: each for each in found["catalogs"]}
    companies = {each["id"]: each for each in found["companies"]}
    applications = {each["id"]: each for each in found["applications"]}
    once = Counter((each["companyId"], each["offerId"]) for each in found["subscriptions"])
    assert max(once.values()) == 1
    for each in found["subscriptions"]:
        offer, company = offers[each["offerId"]], companies[each["companyId"]]
        for wire in ("offerReference", "businessModel", "profileId", "isExclusive", "sapReference"):
            assert each[wire] == offer[wire]
        assert offer["id"] in catalogs[company["catalogId"]]["offersList"], (company["name"], offer["name"])
        assert bool(each.get("prepaidDuration")) is offer["isPrepaid"]
        assert ("billingSubscriptionId" in each) is bool(price(typed(Offer, offer), TODAY))
        if offer.get("isCpaas"):
            paid = applications[each["applicationId"]]["subscriptions"]
            assert [one["id"] for one in paid] == [each["id"]]
        if each.get("isDefault"):
            assert each["creationDate"][:10] == company["creationDate"][:10]


def test_an_add_on_of_this_month_can_be_cancelled(found: dict[str, list[Document]]) -> None:
    made = named(found, "northwind", "business-1y")
    month = TODAY.isoformat()[:7]
    assert made["creationDate"][:7] == month
    assert [(each["date"][:7], each["quantity"]) for each in made["addOns"]] == [(month, 4)]
    assert made["expirationDate"][:4] == "2027"


def test_licences_are_assigned_to_users_of_the_company_within_their_number(found: dict[str, list[Document]]) -> None:
    subscriptions = {each["id"]: each for each in found["subscriptions"]}
    assigned: Counter[str] = Counter()
    without = [user["loginEmail"] for user in found["users"] if not user["profiles"] and not user["isTerminated"]]
    assert without == ["pedro.dias7@northwind-logistics.example"], "one user shows what a missing licence means"
    for user in found["users"]:
        ids = [profile["subscriptionId"] for profile in user["profiles"]]
        assert len(set(ids)) == len(ids)
        assert sum(bool(profile["isExclusive"]) for profile in user["profiles"]) <= 1
        assert not (ids and user["isTerminated"]), user["loginEmail"]
        for id in ids:
            assert subscriptions[id]["companyId"] == user["companyId"]
            assert subscriptions[id]["businessModel"] in ("nb_users", "none")
            assigned[id] += 1
    for id, subscription in subscriptions.items():
        assert assigned[id] <= subscription.get("maxNumberUsers", assigned[id]), subscription["offerName"]
    assert assigned[named(found, "northwind", "business")["id"]] == 41
    assert named(found, "northwind", "business")["maxNumberUsers"] == 50
    voice = named(found, "northwind", "voice")
    assert assigned[voice["id"]] == voice["maxNumberUsers"], "one has run out of licences"


def test_a_start_on_the_first_of_a_month_has_subscriptions_of_this_month() -> None:
    from svc_tui.server.demo.repeatable import Calendar

    assert Calendar(date(2027, 1, 1)).this_month(2) == date(2027, 1, 1)
    assert Calendar(date(2027, 1, 31)).this_month(2) == date(2027, 1, 29)


async def test_the_licence_counts_match_the_subscriptions(demo: World) -> None:
    header = await header_of(demo, "superadmin")
    path = "/api/svc/subscription/v1.0/companies/{}/subscriptions"

    async def of(company: str) -> dict[str, Document]:
        address = path.format(id_of("company", company))
        answer = granted(await demo.get(address, headers=header, params={"format": "full"}))
        return {each["offerReference"]: each for each in answer["data"]}

    own = await of("northwind")
    assert (own["business"]["maxNumberUsers"], own["business"]["numberAssignedUsers"]) == (50, 41)
    assert "old-business" not in own, "terminated ones are asked for"
    reseller = (await of("meridian"))["business"]
    numbers = "nbBPLicences", "nbAssignedBPUsers", "nbLicencesAssignedToECs", "nbLicencesUsed", "nbFreeLicences"
    # The four own users, and those of both customers.
    assert [reseller[wire] for wire in numbers] == [100, 4, 42, 46, 54]


def test_invoices_of_fourteen_months_add_up(found: dict[str, list[Document]]) -> None:
    assert Counter(each["companyId"] for each in found["invoices"]) == {HARBOUR: 14, LIGHTHOUSE: 14}
    subscriptions = {each["id"]: each for each in found["subscriptions"]}
    for invoice in found["invoices"]:
        whole = sum(money(line["chargeAmount"]) + money(line["taxAmount"]) for line in invoice["invoiceItems"])
        assert whole + money(invoice.get("creditBalanceAdjustmentAmount", 0)) == money(invoice["amount"])
        assert invoice["invoiceItems"] and invoice["invoiceFiles"]
        for line in invoice["invoiceItems"]:
            assert line["subscriptionName"] == subscriptions[line["subscriptionId"]]["bsSubscriptionId"]
            assert line["serviceStartDate"] < line["serviceEndDate"] < invoice["invoiceDate"]
    assert len({each["invoiceDate"] for each in found["invoices"]}) == 14
    assert {money(each["balance"]) > 0 for each in found["invoices"]} == {True, False}
    assert {"versionNumber", "fileContentType"} <= {wire for e in found["invoices"] for wire in e["invoiceFiles"][0]}


def money(value: Any) -> Decimal:
    found = amount(value)
    assert found is not None
    return found


def test_the_last_invoice_of_the_distributor_increased_because_of_one_customer(
    found: dict[str, list[Document]],
) -> None:
    own = sorted((e for e in found["invoices"] if e["companyId"] == HARBOUR), key=lambda e: e["invoiceDate"])
    last, before = own[-1], own[-2]
    assert last["amount"] > before["amount"]
    older = {line["subscriptionId"]: line for line in before["invoiceItems"]}
    grown = {
        line["chargeDescription"]: money(line["chargeAmount"]) - money(older[line["subscriptionId"]]["chargeAmount"])
        for line in last["invoiceItems"]
        if line["subscriptionId"] in older
    }
    assert max(grown, key=lambda name: grown[name]) == "Northwind Telecom: Business"
    line = next(each for each in last["invoiceItems"] if each["chargeDescription"] == "Northwind Telecom: Business")
    assert (line["quantity"], older[line["subscriptionId"]]["quantity"]) == (50, 40)


async def test_the_partner_reads_invoices_and_their_pdfs(demo: World) -> None:
    header = await header_of(demo, "bp_finance")
    base = f"/api/svc/subscription/v1.0/companies/{HARBOUR}/invoices"
    body = granted(await demo.get(base, headers=header, params={"format": "full"}))
    dates = [each["invoiceDate"] for each in body["data"]]
    assert (body["total"], dates) == (14, sorted(dates, reverse=True))
    paper = await demo.get(f"{base}/files/{body['data'][0]['invoiceFiles'][0]['id']}", headers=header)
    assert paper.content.startswith(b"%PDF-")


async def test_an_occasional_synchronisation_is_settled(demo: World) -> None:
    chance = random.Random(3)
    async with demo.service.database.unit() as store:
        before = {each["id"]: each for each in (await store.subscriptions.find(Is("status", "active"))).documents}
    while await simulate_event(demo.service, chance) != "subscription_synchronised":
        pass
    found = (await everything(demo.service.database))["subscriptions"]
    (moved,) = [each for each in found if each["id"] in before and each != before[each["id"]]]
    assert (moved["syncOngoing"], moved["status"]) == (True, "active")
    assert abs(moved["maxNumberUsers"] - before[moved["id"]]["maxNumberUsers"]) == 1
    # Otherwise the background job, which was woken, could complete it first.
    await demo.service.part(synchroniser_of).wait_until_idle()
    demo.clock.forward(seconds=demo.service.settings.billing_sync_seconds + 1)
    assert await demo.service.part(synchroniser_of).complete_due() == 1
    async with demo.service.database.unit() as store:
        settled = await store.subscriptions.get(moved["id"])
    assert settled is not None
    assert (settled["syncOngoing"], settled["maxNumberUsers"]) == (False, moved["maxNumberUsers"])


async def test_seeding_again_is_the_reset_and_another_day_keeps_the_same_records(database: Database) -> None:
    async with database.unit() as store:
        await seed(store, "small", TODAY)
    first = await everything(database)
    async with database.unit() as store:
        await store.subscriptions.remove_all(Is("isDefault", True))
        await store.invoices.put({"id": "f" * 24, "companyId": HARBOUR})
        await store.invoice_lines.put("f" * 24, [b"left over"])
        await seed(store, "small", TODAY)
        assert await store.invoice_lines.block("f" * 24, 0) is None
    assert await everything(database) == first
    async with database.unit() as store:
        await seed(store, "small", TODAY + timedelta(days=41))
    later = await everything(database)
    for kind in KINDS:
        assert [each["id"] for each in later[kind]] == [each["id"] for each in first[kind]], kind
