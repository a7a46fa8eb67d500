"""Renewal of a subscription after its term."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.dates import continues_monthly, renewal_months
from svc_tui.interface.subscriptions.descriptions import status_lines


@pytest.mark.parametrize(
    ("fields", "months", "monthly"),
    [
        ({}, 0, False),
        ({"renewalTerm": 24}, 0, False),
        ({"autoRenew": True}, 36, False),
        ({"autoRenewOneTime": True, "renewalTermOption": "initial"}, 36, False),
        ({"autoRenew": True, "renewalTermOption": "1_year"}, 12, False),
        ({"autoRenew": True, "renewalTerm": 24, "renewalTermOption": "1_year"}, 24, False),
        ({"autoRenew": True, "autoRenewToMonthly": True, "renewalTerm": 24}, 0, True),
        ({"autoRenew": True, "prepaidDuration": None}, 0, False),
        ({"autoRenewToMonthly": True, "prepaidDuration": None}, 0, False),
    ],
)
def test_renewals_after_a_term_of_three_years(fields: dict[str, Any], months: int, monthly: bool) -> None:
    subscription = {"prepaidDuration": 36, **fields}
    assert (renewal_months(subscription), continues_monthly(subscription)) == (months, monthly)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ["ends after 2027-03-01: its licences are then unassigned"]),
        ({"autoRenew": True}, ["renewed for 36 months after 2027-03-01"]),
        ({"autoRenewOneTime": True, "renewalTerm": 12}, ["renewed for 12 months after 2027-03-01, once"]),
        ({"autoRenewToMonthly": True}, ["continues month by month after 2027-03-01"]),
        ({"status": "terminated"}, []),
        ({"expirationDate": None}, []),
    ],
)
def test_the_status_of_a_subscription_describes_its_renewal(fields: dict[str, Any], words: list[str]) -> None:
    ends = {"expirationDate": "2027-03-01T23:59:59.999Z", "prepaidDuration": 36, "status": "active"}
    assert status_lines({**ends, **fields}) == words
