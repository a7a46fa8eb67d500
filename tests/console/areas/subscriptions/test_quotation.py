"""The workbench without a screen: alternatives, what may be ordered, and what the order says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from svc_tui.client.profile import Profile
from svc_tui.console.areas.subscriptions.quotation import Alternative, Purchase, Workbench
from svc_tui.console.areas.subscriptions.subscribe import ends, losses
from svc_tui.console.core.changes import FieldChange
from svc_tui.interface.subscriptions.facts import SubscriptionFacts
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.subscriptions.buyer import Buyer
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from svc_tui.console.core.resource import Context

COMPANY = "c0" * 12
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC).timestamp()
OFFER = {"id": "o1", "name": "Business", "businessModel": "nb_users", "isPrepaid": True, "prepaidDuration": 12}
HELD = {
    "id": "s1",
    "companyId": COMPANY,
    "offerName": "Business, one year",
    "businessModel": "nb_users",
    "status": "active",
    "maxNumberUsers": 10,
    "numberAssignedUsers": 4,
    "prepaidDuration": 12,
}
QUOTED = {
    "currency": "USD",
    "contractedMrr": 30.3,
    "totalDeltaMrr": 10.1,
    "totalContractedValue": 363.6,
    "totalDeltaTcv": 121.2,
    "amount": 1234.5,
    "expirationDate": "2026-12-20T09:00:00.000Z",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace of a partner's bp_finance that has no connection."""
    profile = Profile("work", "http://svc.test", app_id="app", app_secret="secret", login="jane@example.com")
    made = Workspace(profile, Folders(tmp_path, tmp_path, tmp_path), now=lambda: NOW)
    made.preferences.user = {"id": "u0", "companyId": COMPANY, "roles": ["user", "bp_finance"]}
    yield made
    made.cache.close()


def is_quoted(alternative: Alternative, quotation: Mapping[str, Any] = QUOTED) -> None:
    """The answer of the service is here."""
    alternative.live.quotation = quotation
    alternative.live._set("quoted")


async def test_an_order_shows_what_it_costs_before_the_fields_that_change(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 15})
    is_quoted(bench.alternative)
    order = bench.order()
    assert order.fields == (
        FieldChange("Per month", "20.20 USD", "30.30 USD"),
        FieldChange("Whole term", "242.40 USD", "363.60 USD"),
        FieldChange("Next invoice", "—", "1,234.50 USD"),
        FieldChange("Licences", "10", "15"),
    )
    assert (order.operation, order.body) == ("update_company_subscription", {"maxNumberUsers": 15})
    assert dict(order.path) == {"companyId": COMPANY, "subscriptionId": "s1"}
    assert order.confirm == "Business, one year"
    assert order.costs
    assert order.undo is None


async def test_a_new_subscription_is_created_of_the_offer(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER))
    bench.form.set("maxNumberUsers", 3)
    is_quoted(bench.alternative)
    order = bench.order()
    assert (order.operation, order.confirm) == ("create_company_subscription", "Business")
    assert order.body == {"offerId": "o1", "maxNumberUsers": 3, "prepaidDuration": 12}


async def test_nothing_is_ordered_without_its_quotation_or_without_a_difference(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD))
    assert bench.why_not_sent() == ("", "waiting for the quotation")
    is_quoted(bench.alternative)
    assert bench.why_not_sent() == ("", "nothing is changed")
    bench.form.set("maxNumberUsers", 12)
    assert bench.why_not_sent() == ("", "")
    bench.form.set("maxNumberUsers", 3)
    assert bench.why_not_sent() == ("maxNumberUsers", "4 licences are assigned: unassign some first")


async def test_a_partner_that_cannot_sell_orders_nothing_more_and_sees_the_reason(workspace: Workspace) -> None:
    unsold = Buyer(no_sale="the partner (BP) cannot sell")
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 12})
    bench.buyer = unsold
    assert bench.why_not_sent() == ("maxNumberUsers", "the partner (BP) cannot sell")
    bench.form.set("maxNumberUsers", 8)
    is_quoted(bench.alternative)
    assert bench.why_not_sent() == ("", "")
    new = Workbench(workspace, Purchase(COMPANY, OFFER))
    new.buyer = unsold
    assert new.why_not_sent() == ("offerId", "the partner (BP) cannot sell")


async def test_a_quotation_is_asked_for_while_a_change_is_still_synchronised_but_not_ordered(
    workspace: Workspace,
) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, {**HELD, "syncOngoing": True}), {"maxNumberUsers": 12})
    assert bench.asked(bench.alternative) == {"subscriptionId": "s1", "maxNumberUsers": 12}
    is_quoted(bench.alternative)
    assert "synchronisation" in bench.why_not_sent()[1]


async def test_a_read_only_console_quotes_and_does_not_order(workspace: Workspace) -> None:
    workspace.read_only = True
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 12})
    is_quoted(bench.alternative)
    assert bench.why_not_sent() == ("", "read-only")


async def test_a_dial_in_offer_asks_an_operator_for_its_end(workspace: Workspace) -> None:
    workspace.preferences.user = {"id": "u0", "roles": ["user", "superadmin"]}
    offer = {"id": "o2", "name": "Dial In", "businessModel": "flat_fee", "businessSpecific": ["DIALIN"]}
    bench = Workbench(workspace, Purchase(COMPANY, offer))
    is_quoted(bench.alternative)
    assert bench.why_not_sent()[0] == "expirationDate"
    assert bench.asked(bench.alternative) == {"offerId": "o2"}
    bench.form.set("expirationDate", "2027-01-31")
    assert bench.body() == {"offerId": "o2", "expirationDate": "2027-01-31"}
    assert [spec.wire for spec in bench.specs] == [
        "maxNumberUsers",
        "promoCode",
        "expirationDate",
        "purchaseOrderNumber",
    ]


async def test_an_offer_for_the_whole_company_is_one_and_sends_no_number(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, {**OFFER, "isPrepaid": False, "isCompanyLevel": True}))
    assert bench.form.values["maxNumberUsers"] == 1
    assert "whole company" in bench.form.why_not("maxNumberUsers")
    assert "maxNumberUsers" not in bench.body()
    assert bench.asked(bench.alternative) == {"offerId": "o1"}


async def test_alternatives_are_copied_added_and_dropped(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 12})
    is_quoted(bench.alternative)
    assert bench.add(copy=True)
    assert (bench.chosen, bench.form.values["maxNumberUsers"]) == (1, 12)
    assert bench.alternative.live.quotation == QUOTED
    assert bench.add(copy=False)
    assert (bench.chosen, bench.form.values["maxNumberUsers"]) == (2, 10)
    assert not bench.add(copy=True)
    bench.step(1)
    assert bench.chosen == 0
    assert bench.drop()
    assert bench.drop()
    assert not bench.drop()
    assert not bench.dirty
    bench.close()


async def test_a_quotation_that_held_until_yesterday_is_over(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 12})
    assert not bench.expired
    is_quoted(bench.alternative)
    assert not bench.expired
    is_quoted(bench.alternative, {**QUOTED, "expirationDate": "2026-11-19T23:59:59.000Z"})
    assert bench.expired


async def test_a_currency_from_the_service_is_drawn_safely(workspace: Workspace) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD))
    is_quoted(bench.alternative, {**QUOTED, "currency": "E\x1b[2J"})
    assert "\x1b" not in bench.currency


@pytest.mark.parametrize("wire", ["maxNumberUsers", "prepaidDuration", "renewalTerm"])
async def test_an_invalid_number_is_shown_at_its_field_without_a_request(workspace: Workspace, wire: str) -> None:
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD))
    bench.form.type(wire, "1o")
    assert bench.problems(bench.alternative) == [(wire, "must be a whole number")]
    assert bench.asked(bench.alternative) is None
    assert bench.body() == {}


def test_ending_a_paid_subscription_shows_the_lost_term() -> None:
    view = SimpleNamespace(parent_record=None, owner="Northwind")
    held = {**HELD, "expirationDate": "2027-10-31T23:59:59.999Z"}
    lost, reach = ends(held, cast("Context", SimpleNamespace(view=view)))
    assert [(each.label, each.old) for each in lost] == [
        ("Status", "active"),
        ("Users with a licence", "4"),
        ("Paid term", "until 2027-10-31"),
    ]
    assert reach == "Ends 1 subscription of Northwind at once."


def test_the_losses_of_several_ends_are_shown_for_each_and_for_all() -> None:
    free = {"maxNumberUsers": 4}
    paid = {**HELD, "expirationDate": "2027-03-01T23:59:59.999Z"}
    longer = {**paid, "numberAssignedUsers": 1, "expirationDate": "2029-01-31T23:59:59.999Z"}
    told, said = losses([free, paid, longer])
    assert told == [
        "no user has a licence",
        "4 users lose the licence · paid until 2027-03-01",
        "1 user loses the licence · paid until 2029-01-31",
    ]
    assert said == "5 assigned licences are lost at once; 2 paid terms end, the longest until 2029-01-31."
    assert losses([free])[1] == "0 assigned licences are lost at once."
    assert losses([longer])[1] == "1 assigned licence is lost at once; a term paid until 2029-01-31 ends."


async def test_a_quotation_that_the_service_would_not_order_is_not_offered_as_an_order(workspace: Workspace) -> None:
    """Some rules only the service can judge, such as the catalog of a company or licences added this month."""
    bench = Workbench(workspace, Purchase(COMPANY, OFFER, HELD), {"maxNumberUsers": 12})
    is_quoted(bench.alternative)
    assert bench.why_not_sent() == ("", "")
    is_quoted(bench.alternative, {**QUOTED, "orderRefusal": "the offer is not in the catalog of the company"})
    assert "cannot be ordered: the offer is not in the catalog" in bench.why_not_sent()[1]


@pytest.mark.parametrize(
    ("seats", "free", "warned"),
    [(12, 2, ""), (13, 2, "1 more are sold"), (13, -5, "3 more are sold"), (9, 0, ""), (10, 0, "")],
)
async def test_selling_more_than_the_reseller_has_is_a_warning(
    workspace: Workspace, seats: int, free: int, warned: str
) -> None:
    """2.10: what customers get is taken from the licences of their reseller; the service does not refuse it."""
    bench = Workbench(workspace, Purchase(COMPANY, {**OFFER, "isPrepaid": False}, {**HELD, "prepaidDuration": None}))
    bench.buyer = Buyer(reseller=SubscriptionFacts(bought=40, free=free))
    bench.form.set("maxNumberUsers", seats)
    is_quoted(bench.alternative)
    assert (warned in bench.licence_warning(bench.alternative)) and bool(warned) == bool(
        bench.licence_warning(bench.alternative)
    )
    assert bool(warned) == ("Increase its subscription first" in bench.order().warning)
