"""The list of invoices: what is overdue stands out, and amounts of zero are dim."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.console.areas.invoices.resources import INVOICES_RESOURCE
from svc_tui.console.areas.subscriptions.overview import OVERVIEW
from svc_tui.console.widgets.list.columns import draw_cell, lay_out
from svc_tui.interface.access import Caller, Role

COLUMNS = {column.field: column for column in INVOICES_RESOURCE.display.columns}


@pytest.mark.parametrize(
    ("record", "due", "amount", "balance"),
    [
        ({"amount": 100.0, "balance": 40.0, "dueDate": "2020-01-31"}, "bad", "", "bad"),
        ({"amount": 100.0, "balance": "40.00", "dueDate": "2020-01-31T00:00:00.000Z"}, "bad", "", "bad"),
        ({"amount": 100.0, "balance": 40.0, "dueDate": "2999-01-31"}, "", "", ""),
        ({"amount": 100.0, "balance": 0, "dueDate": "2020-01-31"}, "", "", "dim"),
        ({"amount": 0, "balance": "0.00", "dueDate": "2020-01-31"}, "", "dim", "dim"),
        # A credit that is not yet used is nothing that is owed.
        ({"amount": -100.0, "balance": -40.0, "dueDate": "2020-01-31"}, "", "", ""),
        ({"amount": 100.0, "balance": 40.0}, "", "", ""),
        ({"amount": ["?"], "balance": {}, "dueDate": 5}, "", "", ""),
    ],
)
def test_overdue_balances_stand_out(record: dict[str, Any], due: str, amount: str, balance: str) -> None:
    styles = [COLUMNS[field].text(record)[1] for field in ("dueDate", "amount", "balance")]
    assert styles == [due, amount, balance]


@pytest.mark.parametrize(
    ("record", "state"),
    [
        ({"status": "Posted", "balance": 40.0, "dueDate": "2020-01-31"}, ("overdue", "bad")),
        ({"status": "Posted", "balance": "40.00", "dueDate": "2999-01-31"}, ("open", "accent")),
        ({"status": "Posted", "balance": 0, "dueDate": "2020-01-31"}, ("paid", "ok")),
        ({"status": "Posted", "balance": -5}, ("credit", "accent")),
        # Only what was sent can be paid.
        ({"status": "Draft", "balance": 40.0, "dueDate": "2020-01-31"}, ("Draft", "")),
        ({"status": "Posted"}, ("Posted", "")),
        ({"status": ["?"], "balance": {}}, ("?", "")),
    ],
)
def test_the_state_of_an_invoice_is_whether_it_is_paid(record: dict[str, Any], state: tuple[str, str]) -> None:
    text, style = COLUMNS["status"].text(record)
    assert (text.text, style) == state


def test_the_state_is_a_word_with_a_sign_in_80_columns() -> None:
    record = {"status": "Posted", "balance": 40.0, "dueDate": "2020-01-31"}
    places = lay_out(INVOICES_RESOURCE.display.columns, 77)
    assert {"invoiceNumber", "dueDate", "balance", "status"} <= {place.column.field for place in places}
    assert "× overdue" in [draw_cell(place, record).text.strip() for place in places]


def test_what_is_due_is_of_all_companies_and_not_of_the_own_one() -> None:
    partner = Caller("u1", frozenset({Role.BP_FINANCE}), company_id="c1")
    assert INVOICES_RESOURCE.is_of_own_company(INVOICES_RESOURCE.place(), partner)
    assert not OVERVIEW.is_of_own_company(OVERVIEW.place(), partner)
