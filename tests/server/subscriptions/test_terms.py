"""The days of terms: counted from the first start, the same in quotations, and nothing is charged after the end (4.6).

A term of whole months ends on the day before its day of the month. A month without that day ends it earlier, but the
next term is counted from the first start again, so that no renewal loses a day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from svc_tui.interface.subscriptions.ordering import end_of_term
from svc_tui.server.subscriptions.expiry import expire
from tests.server.subscriptions.support import (
    DIAL_IN,
    MONTHLY,
    PREPAID,
    buy,
    change,
    offer_id,
    quotations_of,
    subscribed,
    subscriptions_of,
    synchronised,
)
from tests.support.world import COMPANY, World, granted

Document = dict[str, Any]


def go_to(world: World, day: str) -> None:
    """Set the clock to the morning of a day."""
    then = datetime.combine(date.fromisoformat(day), world.clock.now().time(), UTC)
    world.clock.forward(seconds=(then - world.clock.now()).total_seconds())


async def bought(world: World, seller: Document, day: str, offer: str = PREPAID, **values: Any) -> Document:
    """A subscription bought on a day."""
    go_to(world, day)
    made = await buy(world, seller, offer, maxNumberUsers=10, **values)
    await synchronised(world)
    return made


async def ends_of(world: World, made: Document, renewals: int) -> list[str]:
    """The last day of each term."""
    found = []
    for _ in range(renewals + 1):
        stored = await world.stored("subscriptions", made["id"])
        found.append(stored["expirationDate"][:10])
        go_to(world, found[-1])
        world.clock.forward(days=1)
        await expire(world.service)
    return found


async def quoted(world: World, seller: Document, made: Document, **values: Any) -> Document:
    body = {"subscriptionId": made["id"], **values}
    data: Document = granted(await world.post(quotations_of(), by=seller, json=body))["data"]
    return data


async def test_a_term_from_the_leap_day_returns_to_it(world: World, seller: Document) -> None:
    made = await bought(world, seller, "2028-02-29", autoRenew=True)
    ends = ["2029-02-27", "2030-02-27", "2031-02-27", "2032-02-28", "2033-02-27"]
    assert await ends_of(world, made, 4) == ends


@pytest.mark.parametrize(
    ("day", "months", "ends"),
    [
        ("2027-08-31", 18, ["2029-02-27", "2030-08-30", "2032-02-28", "2033-08-30"]),
        ("2027-01-31", 13, ["2028-02-28", "2029-03-30", "2030-04-29", "2031-05-30"]),
        ("2027-11-30", 15, ["2029-02-27", "2030-05-29", "2031-08-29", "2032-11-29"]),
        ("2027-03-01", 12, ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28"]),
    ],
)
async def test_terms_lose_no_day_at_their_renewal(
    world: World, seller: Document, day: str, months: int, ends: list[str]
) -> None:
    made = await bought(world, seller, day, prepaidDuration=months, autoRenew=True)
    assert await ends_of(world, made, 3) == ends


async def test_a_renewal_for_another_number_of_months_is_counted_from_the_first_start_too(
    world: World, seller: Document
) -> None:
    made = await bought(world, seller, "2027-08-31", prepaidDuration=18, renewalTerm=12, autoRenew=True)
    assert await ends_of(world, made, 2) == ["2029-02-27", "2030-02-27", "2031-02-27"]
    granted(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json={"renewalTerm": 18}))
    await synchronised(world)
    assert (await ends_of(world, made, 2))[1:] == ["2033-08-30", "2035-02-27"]


async def test_terms_that_began_before_their_start_was_stored_are_counted_from_the_creation(
    world: World, seller: Document
) -> None:
    made = await subscribed(
        world,
        PREPAID,
        autoRenew=True,
        creationDate="2024-02-29T09:00:00.000Z",
        expirationDate="2027-02-27T23:59:59.999Z",
    )
    assert await ends_of(world, made, 1) == ["2027-02-27", "2028-02-28"]


async def test_a_term_of_a_monthly_subscription_is_counted_from_its_own_start(world: World, seller: Document) -> None:
    monthly = await bought(world, seller, "2027-01-10", autoRenewToMonthly=True)
    await ends_of(world, monthly, 0)
    go_to(world, "2028-10-31")
    body = {"prepaidDuration": 18, "autoRenew": True}
    granted(await world.put(subscriptions_of(COMPANY, monthly["id"]), by=seller, json=body))
    await synchronised(world)
    assert await ends_of(world, monthly, 2) == ["2030-04-29", "2031-10-30", "2033-04-29"]


async def test_a_quotation_counts_the_same_start_as_the_bill(world: World, seller: Document) -> None:
    made = await bought(world, seller, "2028-02-29", paymentPeriod="upfront", autoRenew=True)
    go_to(world, "2028-03-01")
    (item,) = (await quoted(world, seller, made, maxNumberUsers=12))["invoiceItems"]
    # 365 days are billed from the 29th to the 27th; 364 of them are left on 1 March. 3.78 for 2 licences.
    assert (item["serviceStartDate"], item["serviceEndDate"]) == ("2028-03-01", "2029-02-27")
    assert item["chargeAmount"] == round(2 * 12 * 3.78 * 364 / 365, 2)
    longer = await quoted(world, seller, made, prepaidDuration=48)
    assert longer["invoiceItems"][0]["serviceEndDate"] == "2032-02-28"
    held = granted(await world.get(subscriptions_of(COMPANY, made["id"]), by=seller, params={"format": "full"}))
    assert str(end_of_term(48, held["data"])) == "2032-02-28", "the day that the console shows before the order"
    changed = {"prepaidDuration": 48}
    found = granted(await world.put(subscriptions_of(COMPANY, made["id"]), by=seller, json=changed))["data"]
    assert found["expirationDate"][:10] == "2032-02-28"


@pytest.mark.parametrize(("months", "value"), [(12, 864.0), (3, 216.0), (60, 4320.0)])
async def test_a_contract_from_the_first_of_a_month_costs_all_its_months(
    world: World, seller: Document, months: int, value: float
) -> None:
    # 7.20 a month for each of ten licences.
    await change(world, "offers", offer_id(MONTHLY), offerReference="voice")
    made = await bought(world, seller, "2027-01-01", MONTHLY, monthlyDuration=months)
    assert (await quoted(world, seller, made))["totalContractedValue"] == value


async def test_a_contract_with_a_last_day_costs_the_part_of_its_last_month(world: World, seller: Document) -> None:
    made = await bought(world, seller, "2027-01-01", DIAL_IN, expirationDate="2027-04-15")
    data = await quoted(world, seller, made)
    # A listed flat fee of 50.00: three months, and 15 of the 30 days of April.
    assert (data["contractedMrr"], data["totalContractedValue"]) == (50.0, 175.0)
    go_to(world, "2027-04-02")
    (item,) = (await quoted(world, seller, made))["invoiceItems"]
    assert (item["serviceEndDate"], item["chargeAmount"]) == ("2027-04-15", 25.0)


async def test_licences_added_to_a_contract_are_charged_until_it_ends(world: World, seller: Document) -> None:
    made = await bought(world, seller, "2027-01-01", MONTHLY, monthlyDuration=3)
    await change(world, "subscriptions", made["id"], expirationDate="2027-03-20T23:59:59.999Z")
    go_to(world, "2027-03-11")
    held, more = (await quoted(world, seller, made, maxNumberUsers=20))["invoiceItems"]
    assert (held["serviceStartDate"], held["serviceEndDate"]) == ("2027-03-01", "2027-03-20")
    assert (more["serviceStartDate"], more["serviceEndDate"]) == ("2027-03-11", "2027-03-20")
    # 4.50 for ten licences: 20 and 10 of the 31 days of March.
    assert (held["chargeAmount"], more["chargeAmount"]) == (29.03, 14.52)


async def test_a_prepaid_subscription_is_charged_until_its_last_day(world: World, seller: Document) -> None:
    go_to(world, "2027-01-01")
    made = await buy(world, seller, PREPAID, maxNumberUsers=10, expirationDate="2027-09-30", autoRenew=True)
    await synchronised(world)
    # 3.90 for ten licences and nine months, instead of twelve.
    data = await quoted(world, seller, made)
    assert (data["contractedMrr"], data["totalContractedValue"]) == (39.0, 351.0)
    (item,) = data["invoiceItems"]
    assert (item["serviceStartDate"], item["serviceEndDate"]) == ("2027-10-01", "2028-09-30"), "its renewal"
    (more,) = (await quoted(world, seller, made, maxNumberUsers=11))["invoiceItems"]
    assert (more["serviceEndDate"], more["chargeAmount"]) == ("2027-09-30", 35.1)


async def test_a_renewal_is_quoted_at_the_price_list_of_its_day(world: World, seller: Document) -> None:
    listed = (("2026-01-01", 8.9), ("2027-06-01", 7.9), ("2028-06-01", 9.9))
    changes = [{"effectiveDate": day, "wpl": price} for day, price in listed]
    await change(world, "offers", offer_id(PREPAID), priceChanges=changes)
    made = await bought(world, seller, "2027-02-01", autoRenew=True)
    data = await quoted(world, seller, made)
    assert data["contractedMrr"] == 89.0, "the agreed price of the running term"
    (item,) = data["invoiceItems"]
    assert (data["invoiceTargetDate"], item["chargeAmount"], data["amountWithoutTax"]) == ("2028-02-01", 948.0, 948.0)
    await ends_of(world, made, 0)
    renewed = await quoted(world, seller, made)
    assert renewed["contractedMrr"] == 79.0, "as it was quoted"
    assert renewed["invoiceItems"][0]["chargeAmount"] == 1188.0, "and the next one at the list of 2029"


async def test_a_renewal_names_its_first_bill_and_the_whole_term(world: World, seller: Document) -> None:
    await change(world, "offers", offer_id(PREPAID), offerReference="bundle", name="Bundle")
    made = await bought(world, seller, "2027-02-01", autoRenew=True, renewalTerm=36)
    data = await quoted(world, seller, made)
    (item,) = data["invoiceItems"]
    # 9.90 on the list of a year is 9.21 for three years; ten licences, twelve months are billed at first.
    assert (item["chargeAmount"], data["amountWithoutTax"]) == (1105.2, 1105.2)
    assert (item["serviceStartDate"], item["serviceEndDate"]) == ("2028-02-01", "2029-01-31")
    assert item["chargeDescription"] == "Bundle: renewal, first year of 36 months (whole term 3,315.60 EUR)"
    upfront = await quoted(world, seller, made, paymentPeriod="upfront")
    (item,) = upfront["invoiceItems"]
    assert item["serviceEndDate"] == "2031-01-31"
    assert item["chargeDescription"] == "Bundle: renewal, 36 months", "one bill for the whole term"
    year = await quoted(world, seller, made, renewalTerm=12)
    assert year["invoiceItems"][0]["chargeDescription"] == "Bundle: renewal, 12 months"
    assert year["amountWithoutTax"] == 1188.0


async def test_the_whole_term_of_a_renewal_has_its_number_of_licences(world: World, seller: Document) -> None:
    made = await bought(world, seller, "2027-02-01", autoRenew=True, renewalTerm=24)
    option = {"prepaidRenewalOption": "volume", "renewalVolume": 4}
    (item,) = (await quoted(world, seller, made, **option))["invoiceItems"]
    # 3.74 for two years: 4 x 12 x 3.74 and 4 x 24 x 3.74.
    assert (item["quantity"], item["chargeAmount"]) == (4, 179.52)
    assert item["chargeDescription"].endswith("(whole term 359.04 EUR)")
