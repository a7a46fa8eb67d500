"""Orders derived from quotations (4.6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.subscriptions.facts import CompanyFacts, OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.ordering import (
    ORDERED_FIELDS,
    QUOTED_FIELDS,
    creation_body,
    current_values,
    end_of_term,
    inapplicable_reason,
    initial_values,
    order_only_fields,
    quotation_body,
    update_body,
)
from svc_tui.interface.subscriptions.quotations import QuotationRequest
from svc_tui.interface.subscriptions.records import SubscriptionCreation, SubscriptionUpdate
from svc_tui.interface.subscriptions.rules import creation_violation, term_violation, update_violation

PREPAID = {"id": "o1", "businessModel": "nb_users", "isPrepaid": True, "prepaidDuration": 12}
MONTHLY = {"id": "o2", "businessModel": "nb_users", "isMonthly": True}
HELD = {
    "id": "s1",
    "maxNumberUsers": 20,
    "prepaidDuration": 12,
    "autoRenew": True,
    "promoCode": {"name": "SPRING"},
    "purchaseOrderNumber": "PO-1",
}
_OFFER, _HELD = OfferFacts.of(PREPAID), SubscriptionFacts.of(HELD)


def test_a_quotation_of_a_subscription_contains_the_changed_fields() -> None:
    values = {**current_values(HELD), "maxNumberUsers": 25, "promoCode": "SUMMER"}
    asked = quotation_body(values, offer=PREPAID, subscription=HELD)
    assert asked == {"subscriptionId": "s1", "maxNumberUsers": 25, "promoCode": "SUMMER"}
    assert QuotationRequest.model_validate(asked)


def test_a_quotation_of_an_offer_contains_all_chosen_fields() -> None:
    asked = quotation_body({**initial_values(PREPAID), "paymentPeriod": None}, offer=PREPAID, subscription=None)
    assert asked == {"offerId": "o1", "maxNumberUsers": 1, "prepaidDuration": 12}


def test_an_order_contains_the_quoted_fields_and_the_order_fields() -> None:
    values = {"maxNumberUsers": 5, "autoRenew": True, "purchaseOrderNumber": "PO-2", "prepaidRenewalOption": "billed"}
    body = creation_body(values, PREPAID)
    assert body == {"offerId": "o1", "maxNumberUsers": 5, "autoRenew": True, "purchaseOrderNumber": "PO-2"}
    assert SubscriptionCreation.model_validate(body)


def test_an_update_contains_the_changed_fields_and_never_the_offer() -> None:
    body = update_body({**current_values(HELD), "maxNumberUsers": 25, "autoRenew": False}, HELD)
    assert body == {"maxNumberUsers": 25, "autoRenew": False}
    assert SubscriptionUpdate.model_validate(body)


def test_no_order_contains_the_number_of_licences_to_renew() -> None:
    assert set(QUOTED_FIELDS) - set(ORDERED_FIELDS) == {"prepaidRenewalOption", "renewalVolume"}
    assert set(ORDERED_FIELDS) <= set(field_by_wire(SubscriptionUpdate))


@pytest.mark.parametrize(
    ("offer", "beyond"),
    [
        (MONTHLY, ("purchaseOrderNumber",)),
        ({**MONTHLY, "businessSpecific": ["DIALIN"]}, ("expirationDate", "purchaseOrderNumber")),
        ({**MONTHLY, "isCpaas": True}, ("applicationId", "purchaseOrderNumber")),
    ],
)
def test_dial_in_needs_an_end_date_and_cpaas_an_application(offer: dict, beyond: tuple[str, ...]) -> None:
    assert order_only_fields(offer, None) == beyond
    assert order_only_fields(offer, HELD) == ("purchaseOrderNumber",)


def test_terms_are_for_prepaid_offers_and_licences_for_offers_per_user() -> None:
    assert not inapplicable_reason("prepaidDuration", PREPAID)
    assert "prepaid" in inapplicable_reason("prepaidDuration", MONTHLY)
    assert "prepaid" in inapplicable_reason("autoRenew", MONTHLY)
    assert not inapplicable_reason("promoCode", MONTHLY)
    assert "whole company" in inapplicable_reason("maxNumberUsers", {**MONTHLY, "isCompanyLevel": True})
    assert "per user or service" in inapplicable_reason("maxNumberUsers", {"businessModel": "flat_fee"})
    assert initial_values({**MONTHLY, "businessModel": "flat_fee"}) == {}
    assert initial_values({**MONTHLY, "isCompanyLevel": True}) == {"maxNumberUsers": 1}


def test_a_term_can_only_increase() -> None:
    assert term_violation(12, _HELD, _OFFER) is None
    assert term_violation(24, _HELD, _OFFER) is None
    assert term_violation(None, _HELD, _OFFER) is None
    assert term_violation("1o", _HELD, _OFFER) is None
    violation = term_violation(24, replace(_HELD, prepaid_duration=36), _OFFER)
    assert violation is not None
    assert (violation.param, violation.sentence) == ("prepaidDuration", "a term can only increase: at least 36 months")
    assert term_violation(6, None, _OFFER) is not None


def test_malformed_numbers_are_ignored_and_no_value_is_no_change() -> None:
    admin = Caller("u1", frozenset({Role.COMPANY_ADMIN}), company_id="c1")
    company = CompanyFacts(admin_may_update=True, admin_updates="increase_only")
    assert update_violation(None, _HELD, _OFFER, None, None, {"maxNumberUsers": "1o"}) is None
    assert update_violation(admin, _HELD, _OFFER, company, None, {}) is None
    fewer = update_violation(admin, _HELD, _OFFER, company, None, {"purchaseOrderNumber": "PO-1"})
    assert fewer is not None
    assert "only increase" in fewer.sentence


@pytest.mark.parametrize(
    ("ends", "months", "expected"),
    [
        ("2027-10-31T23:59:59.999Z", 12, date(2027, 10, 31)),
        ("2027-10-31T23:59:59.999Z", 24, date(2028, 10, 31)),
        ("2027-12-31", 14, date(2028, 2, 29)),
        ("2027-02-28", 24, date(2028, 2, 29)),
        ("2027-10-31", None, None),
        ("2027-10-31", "1o", None),
        (None, 24, None),
        ("some day", 24, None),
        ("9999-12-31", 24, None),
    ],
)
def test_a_longer_term_ends_later(ends: str | None, months: object, expected: date | None) -> None:
    assert end_of_term(months, {**HELD, "expirationDate": ends}) == expected


def test_a_longer_term_returns_to_the_day_of_the_first_one() -> None:
    held = {**HELD, "creationDate": "2028-02-29T08:00:00.000Z", "expirationDate": "2029-02-27T23:59:59.999Z"}
    assert end_of_term(HELD["prepaidDuration"] + 36, held) == date(2032, 2, 28)


@pytest.mark.parametrize("odd", [5, True, "FRA", {"a": 1}, [None], [{}]])
def test_a_malformed_offer_is_checked_by_the_service_only(odd: object) -> None:
    offer = {**MONTHLY, "businessSpecific": odd, "allowedCountries": odd}
    caller = Caller("u1", frozenset({Role.SUPERADMIN}))
    assert creation_violation(caller, OfferFacts.of(offer), CompanyFacts(country="FRA"), None, {}) is None
