"""What the rules of subscriptions read of records."""

from __future__ import annotations

from dataclasses import fields

import pytest

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.companies.records import Company
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.facts import CompanyFacts, LicenceFacts, OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.licences import UserProfile
from svc_tui.interface.subscriptions.records import Subscription


def test_what_is_not_seen_or_has_another_type_is_not_known() -> None:
    assert CompanyFacts.of({}) == CompanyFacts() == CompanyFacts.of({"offerType": None, "isBP": "yes", "country": 33})
    assert SubscriptionFacts.of({"maxNumberUsers": True, "numberAssignedUsers": "4"}) == SubscriptionFacts()
    assert OfferFacts.of({"allowedCountries": "FRA", "businessSpecific": ["DIALIN", 7, None]}) == OfferFacts(
        business_specific=("DIALIN",)
    )
    assert OfferFacts.known(None) is None


def test_what_is_known_keeps_its_value() -> None:
    known = OfferFacts.of({"canBeSold": False, "prepaidDuration": 0, "businessModel": ""})
    assert (known.can_be_sold, known.prepaid_duration, known.business_model) == (False, 0, "")


@pytest.mark.parametrize(
    ("facts", "record"),
    [(OfferFacts, Offer), (CompanyFacts, Company), (SubscriptionFacts, Subscription), (LicenceFacts, UserProfile)],
)
def test_every_fact_is_a_field_of_the_declared_record(facts: type, record: type[Record]) -> None:
    assert {each.metadata["wire"] for each in fields(facts)} <= set(field_by_wire(record))
