"""Findings about a company itself: its status, its right to sell, and lists that are full (2.7, 5.6, 8)."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.companies.findings import company_findings
from svc_tui.interface.errors import Code

SINCE = {"statusUpdatedDate": "2026-09-08T17:40:15.897Z"}


def found(**company: Any) -> list[tuple[str, str, str, str]]:
    return [(each.sentence, each.effect, each.field, each.rule) for each in company_findings({"id": "c1", **company})]


@pytest.mark.parametrize(
    ("status", "sentence", "effect", "rule"),
    [
        ("alerting", "In alert since 2026-09-08.", "limits", "2.7"),
        ("hold", "On hold since 2026-09-08: its users cannot log in.", "prevents", "5.6"),
        ("terminated", "Terminated since 2026-09-08.", "prevents", "3"),
        ("initializing", "Not set up completely since 2026-09-08.", "notes", "2.7"),
    ],
)
def test_a_status_that_needs_attention(status: str, sentence: str, effect: str, rule: str) -> None:
    assert found(status=status, **SINCE) == [(sentence, effect, "status", rule)]


def test_an_active_company_has_no_findings() -> None:
    assert found(status="active", isBP=False, customData={"a": "b"}, csEmailList=["a@b.example"], **SINCE) == []


def test_a_status_without_a_date_is_stated_without_one() -> None:
    assert found(status="alerting")[0][0] == "In alert."


@pytest.mark.parametrize("status", ["hold", "terminated"])
def test_the_login_of_its_users_is_refused_with_this_code(status: str) -> None:
    assert [each.code for each in company_findings({"status": status})] == [Code.COMPANY_INACTIVE]


def test_a_partner_without_an_order_system_number_cannot_sell() -> None:
    sentence = ("Cannot sell: it has no order system number.", "limits", "bpCRDid", "2.7")
    assert found(isBP=True, bpHasRightToSell=True, bpCRDid=None) == [sentence]
    assert found(isBP=True, bpHasRightToSell=True, bpCRDid="CRD-1") == []
    # A role that does not read these fields knows nothing about them.
    assert found(isBP=True) == []
    assert found(isBP=False, bpHasRightToSell=True) == []


@pytest.mark.parametrize(("count", "effect"), [(8, None), (9, "notes"), (10, "limits")])
def test_lists_that_are_full_or_nearly_full(count: int, effect: str | None) -> None:
    data = found(customData={str(number): "x" for number in range(count)})
    mails = found(csEmailList=[f"{number}@a.example" for number in range(count)])
    expected = [] if effect is None else [(f"Custom data: {count} of at most 10 entries.", effect, "customData", "8")]
    assert data == expected
    assert [each[1:] for each in mails] == ([] if effect is None else [(effect, "csEmailList", "8")])
