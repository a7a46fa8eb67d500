"""The billing systems behind the service: their choice, prices, taxes, promotions, and amounts of terms."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import months_after
from svc_tui.interface.typed_access import typed
from svc_tui.server.billing.charges import PricedTerms, next_invoice
from svc_tui.server.billing.interface import InvalidPromotion, Promotion, SyncResult, SyncStarted, Terms, load_billing
from svc_tui.server.billing.rate_card import promotion, unit_price
from svc_tui.server.billing.simulator import Simulator, tax
from svc_tui.server.settings import Settings, SettingsError
from svc_tui.server.stored import StoredSubscription, SyncAction
from tests.server.subscriptions.support import (
    MONTHLY,
    finance,
    furnished,
    offer_id,
    quotations_of,
    subscriptions_of,
    synchronised,
)
from tests.support.world import World, granted

Document = dict[str, Any]

TODAY = date(2026, 11, 20)
MONTH: Document = {"id": "o1", "name": "Business", "businessModel": "nb_users", "offerReference": "business"}
YEAR: Document = {**MONTH, "offerReference": "business-1y", "isPrepaid": True, "prepaidDuration": 12}


def price(offer: Document, **values: Any) -> Decimal:
    """The price of an offer today."""
    return unit_price(typed(Offer, offer), **{"on": TODAY, "currency": "EUR", **values})


def terms(offer: Document = MONTH, **values: Any) -> Terms:
    """Terms of ten licences from today."""
    known = {"offer": typed(Offer, offer), "currency": "EUR", "country": "FRA", "seats": 10, "starts": TODAY}
    return Terms(**{**known, "months": int(offer.get("prepaidDuration") or 0), **values})


def invoiced(
    requested: PricedTerms, current: PricedTerms | None = None, today: date = TODAY
) -> list[tuple[str, str, str, int]]:
    """The lines of the next invoice: first and last day, amount, quantity."""
    _, lines = next_invoice(requested, current, today)
    return [(each.since.isoformat(), each.until.isoformat(), str(each.amount), each.quantity) for each in lines]


def test_prices_depend_on_currency_term_and_payment() -> None:
    assert price(MONTH) == Decimal("4.50")
    assert price(MONTH, currency="USD") == Decimal("4.95")
    assert price(YEAR, months=12) == Decimal("3.90")
    assert price(YEAR, months=36) == Decimal("3.63")
    assert price(YEAR, months=36, upfront=True) == Decimal("3.52")


def test_offers_outside_the_price_list_have_a_price_and_free_offers_none() -> None:
    unknown = {"businessModel": "flat_fee", "offerReference": "unheard of"}
    assert price(unknown) == Decimal("50.00")
    assert price({**MONTH, "isDemo": True}) == 0
    assert price({**MONTH, "businessModel": "none"}) == 0


def test_the_latest_valid_price_change_applies() -> None:
    changes = [
        {"effectiveDate": "2026-11-20", "wpl": 5.1},
        {"effectiveDate": "2026-01-01", "wpl": 4.2},
        {"effectiveDate": "2027-01-01", "wpl": 9},
        {"effectiveDate": "2026-11-19", "wpl": None},
    ]
    offer = {**MONTH, "priceChanges": changes}
    days = {date(2025, 12, 31): "4.50", date(2026, 11, 19): "4.20", TODAY: "5.10", date(2027, 1, 1): "9.00"}
    assert {day: str(price(offer, on=day)) for day in days} == days


def test_taxes_follow_the_country_and_are_zero_without_a_rate() -> None:
    assert tax(Decimal("41.25"), "FRA") == Decimal("8.25")
    assert tax(Decimal("10.05"), "CHE") == Decimal("0.81")
    assert tax(Decimal("-35.10"), "PRT") == Decimal("-8.07")
    assert tax(Decimal("100"), "USA") == 0


def test_a_promotional_code_ignores_case_and_has_a_reason_when_invalid() -> None:
    assert promotion(" team20 ", terms(seats=20)).percent == 20
    for code, requested in (
        ("TEAM20", terms(seats=19)),
        ("LOYAL5", terms(YEAR)),
        ("SPRING24", terms()),
        ("?", terms()),
    ):
        with pytest.raises(InvalidPromotion):
            promotion(code, requested)


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        (date(2026, 1, 31), 1, date(2026, 2, 28)),
        (date(2026, 11, 20), 14, date(2028, 1, 20)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2026, 1, 15), -1, date(2025, 12, 15)),
    ],
)
def test_months_later_is_the_same_day_or_the_last_of_the_month(day: date, months: int, later: date) -> None:
    assert months_after(day, months) == later


def test_a_month_is_billed_when_it_is_over() -> None:
    target, _ = next_invoice(PricedTerms(terms(), Decimal("3.00")), None, TODAY)
    assert target == date(2026, 12, 1)
    assert invoiced(PricedTerms(terms(), Decimal("3.00"))) == [("2026-11-20", "2026-11-30", "11.00", 10)]


def test_a_change_of_this_month_is_billed_from_its_day() -> None:
    current = PricedTerms(terms(starts=date(2026, 11, 11), id="b"), Decimal("3.00"))
    more = PricedTerms(replace(current.terms, seats=13), Decimal("3.00"))
    assert invoiced(more, current) == [
        ("2026-11-11", "2026-11-30", "20.00", 10),
        ("2026-11-20", "2026-11-30", "3.30", 3),
    ]


def test_a_changed_price_is_a_separate_line() -> None:
    current = PricedTerms(terms(starts=date(2026, 1, 1)), Decimal("3.00"))
    reduced = PricedTerms(current.terms, Decimal("3.00"), Promotion("TEN", Decimal(10)))
    assert invoiced(reduced, current)[1] == ("2026-11-20", "2026-11-30", "-1.10", 10)


def test_additional_licences_are_billed_for_the_current_year_of_the_term() -> None:
    long = terms(YEAR, months=36, starts=date(2025, 6, 1))
    current = PricedTerms(long, Decimal("3.00"))
    more = PricedTerms(replace(long, seats=12), Decimal("3.00"))
    ((since, until, paid, quantity),) = invoiced(more, current)
    assert (since, until, quantity) == ("2026-11-20", "2027-05-31", 2)
    assert Decimal(paid) == round(Decimal(2 * 3 * 12) * 193 / 365, 2)


def test_without_changes_the_next_invoice_is_the_next_year_of_the_term() -> None:
    current = PricedTerms(terms(YEAR, months=24, starts=date(2026, 6, 1)), Decimal("3.00"))
    target, _ = next_invoice(current, current, TODAY)
    assert target == date(2027, 6, 1)
    assert invoiced(current, current) == [("2027-06-01", "2028-05-31", "360.00", 10)]


def test_a_longer_term_paid_at_once_is_billed_now() -> None:
    short = terms(YEAR, upfront=True, starts=date(2026, 6, 1))
    longer = PricedTerms(replace(short, months=24), Decimal("3.00"))
    assert invoiced(longer, PricedTerms(short, Decimal("3.00"))) == [("2027-06-01", "2028-05-31", "360.00", 10)]


@given(st.dates(date(2027, 1, 1), date(2029, 12, 31)), st.integers(12, 60))
def test_the_bills_of_a_term_follow_each_other_without_a_gap_and_cost_its_price(starts: date, months: int) -> None:
    last = months_after(starts, months) - timedelta(days=1)
    term = terms(YEAR, months=months, starts=starts, anchor=starts.day, ends=last)
    priced = PricedTerms(term, Decimal("3.10"))
    (first,) = next_invoice(priced, None, starts)[1]
    bills = [first]
    while bills[-1].until < last:
        target, lines = next_invoice(priced, priced, bills[-1].until)
        bills += lines
        assert target == bills[-1].since
    for before, after in pairwise(bills):
        assert after.since == before.until + timedelta(days=1)
    assert bills[0].since == starts and bills[-1].until == last
    assert sum(each.amount for each in bills) == priced.value == 31 * months


def test_a_promotion_ends_after_its_months() -> None:
    priced = PricedTerms(terms(YEAR, months=24, upfront=True), Decimal("3.00"), Promotion("TEN", Decimal(10), months=6))
    assert (priced.value, priced.value_discount) == (Decimal("720.00"), Decimal("18.00"))
    assert [line[2] for line in invoiced(priced)] == ["720.00", "-18.00"]


def test_a_promotion_gives_no_discount_for_years_after_its_last_day() -> None:
    three_years = terms(YEAR, months=36, starts=date(2026, 6, 1))
    until = date(2027, 5, 31)
    priced = PricedTerms(three_years, Decimal("3.00"), Promotion("TEN", Decimal(10), months=12), until)
    assert invoiced(priced, priced) == [("2027-06-01", "2028-05-31", "360.00", 10)]
    long_over = replace(priced, promoted_until=date(2027, 2, 14))
    assert [line[2] for line in invoiced(long_over, long_over)] == ["360.00"]
    quarter = replace(priced, promoted_until=date(2027, 8, 31))
    assert [line[2] for line in invoiced(quarter, quarter)] == ["360.00", "-9.00"]
    _, (_, discount) = next_invoice(quarter, quarter, TODAY)
    assert (discount.name, discount.description) == ("Promotion TEN", "10 % off until 2027-08-31")


def test_a_promotion_that_ends_within_a_month_discounts_a_part_of_it() -> None:
    priced = PricedTerms(terms(starts=date(2026, 1, 1)), Decimal("3.00"), Promotion("TEN", Decimal(10), months=6))
    ending = replace(priced, promoted_until=date(2026, 11, 10))
    assert [line[2] for line in invoiced(ending, ending)] == ["30.00", "-1.00"]


async def test_an_expired_promotion_gives_no_discount() -> None:
    billing = Simulator(Settings())
    current = terms(promo="WELCOME10", starts=date(2026, 1, 5), id="b")
    now = datetime(2026, 11, 20, 10)
    assert (await billing.quote(current, current, now))["contractedMrr"] == 40.5
    over = replace(current, starts=date(2025, 11, 5))
    assert (await billing.quote(over, over, now))["contractedMrr"] == 45.0
    known = replace(current, promo_until=date(2026, 11, 19))
    assert (await billing.quote(known, known, now))["contractedMrr"] == 45.0


async def test_the_discount_of_a_promotion_is_a_separate_charge() -> None:
    offer = {**MONTH, "billingProductRatePlanChargeId": "charge"}
    quotation = await Simulator(Settings()).quote(terms(offer, promo="WELCOME10"), None, datetime(2026, 11, 20, 10))
    items = {each["chargeName"]: each["productRatePlanChargeId"] for each in quotation["invoiceItems"]}
    assert items["Licences"] == "charge" != items["Promotion WELCOME10"]
    assert [each["productRatePlanChargeId"] for each in quotation["chargeMetrics"]] == list(items.values())


async def test_answers_are_the_same_at_each_start() -> None:
    now = datetime(2026, 11, 20, 10)
    first = await Simulator(Settings()).quote(terms(YEAR), None, now)
    assert await Simulator(Settings()).quote(terms(YEAR), None, now) == first


class Others:
    """Other billing systems: everything costs one, and the result is available at once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def knows_applicant(self, number: str) -> bool:
        return number == "AP-1"

    def promotion(self, code: str, terms: Terms) -> Promotion:
        raise InvalidPromotion("we have none")

    def unit_price(self, terms: Terms, on: date) -> Decimal:
        return Decimal(1)

    async def quote(self, requested: Terms, current: Terms | None, now: datetime) -> Document:
        return {"currency": requested.currency, "contractedMrr": float(requested.seats)}

    async def start_sync(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncStarted:
        return SyncStarted(now + timedelta(0), {"billingSubscriptionId": f"others-{action}"})

    async def sync_result(self, action: SyncAction, subscription: StoredSubscription, now: datetime) -> SyncResult:
        return SyncResult("done")


@pytest.mark.parametrize("world", [{"billing": "tests.server.subscriptions.test_billing:Others"}], indirect=True)
async def test_other_billing_systems_can_be_configured(world: World) -> None:
    await furnished(world)
    by = await finance(world)
    body = {"offerId": offer_id(MONTHLY), "maxNumberUsers": 7}
    assert granted(await world.post(quotations_of(), by=by, json=body))["data"]["contractedMrr"] == 7
    made = granted(await world.post(subscriptions_of(), by=by, json=body))["data"]
    assert made["billingSubscriptionId"] == "others-create"
    await synchronised(world)
    assert (await world.stored("subscriptions", made["id"]))["status"] == "active"


@pytest.mark.parametrize("name", ["missing", "nowhere.at.all:Billing", "svc_tui.server.billing.simulator:Missing"])
def test_missing_billing_systems_are_reported_at_the_start(name: str) -> None:
    with pytest.raises(SettingsError, match="setting billing"):
        load_billing(Settings(billing=name))
