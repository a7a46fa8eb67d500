"""A date without a time is a date in every time zone; a time is shown where the user is, everywhere in the same day."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui import language
from svc_tui.console.core.changes import field_changes
from svc_tui.console.core.record_lines import record_lines
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.widgets.formatting import day, is_past, whole_day, written
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.companies.findings import company_findings
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.subscriptions.descriptions import status_lines

ZONES = ("Asia/Tokyo", "Pacific/Auckland", "Asia/Kathmandu", "America/Los_Angeles", "UTC")


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def shown(operation: str, record: dict[str, Any]) -> dict[str, str]:
    """The values of a record as its detail view shows them."""
    model = record_of(operation)
    assert model is not None
    return {line.key: line.value for line in record_lines(record, fields_of(model), 80) if line.key}


def test_a_subscription_ends_on_the_same_day_in_all_lines_of_its_screen(zone: str) -> None:
    """The report: `ends after 2027-03-31` and `2027-04-01 08:59` on one screen. The last day is a day (4.6)."""
    record = {
        "id": "1",
        "status": "active",
        "businessModel": "nb_users",
        "expirationDate": "2027-03-31T23:59:59.999Z",
        "promoCode": {"name": "SPRING", "discountEndDate": "2027-02-28T23:59:59.999Z"},
    }
    lines = shown("get_company_subscription", record)
    assert lines["expirationDate"] == "2027-03-31"
    assert any("2027-02-28" in value for value in lines.values()), lines
    assert not any(each in value for value in lines.values() for each in ("2027-04", "2027-03-01", "08:59"))
    assert any("ends after 2027-03-31" in line for line in status_lines(record))
    (column,) = [each for each in BY_NAME["subscriptions"].display.columns if each.field == "expirationDate"]
    assert column.words(record) == "2027-03-31"


def test_the_days_of_an_invoice_are_days_also_where_a_service_sends_them_with_a_time(zone: str) -> None:
    record = {"invoiceDate": "2026-11-01T00:00:00.000Z", "dueDate": "2026-12-01", "invoiceNumber": "1"}
    lines = shown("list_company_invoices", record)
    assert (lines["invoiceDate"], lines["dueDate"]) == ("2026-11-01", "2026-12-01")
    columns = {each.field: each for each in BY_NAME["invoices"].display.columns}
    assert [columns[name].words(record) for name in ("invoiceDate", "dueDate")] == ["2026-11-01", "2026-12-01"]


def test_the_review_of_a_change_shows_the_days_that_are_sent(zone: str) -> None:
    before = {"expirationDate": "2027-03-31T23:59:59.999Z"}
    (change,) = field_changes("create_company_subscription", before, {"expirationDate": "2027-04-30"})
    assert (change.old, change.new) == ("2027-03-31", "2027-04-30")


@pytest.mark.parametrize(
    ("zone", "local"),
    [("Pacific/Auckland", "2026-11-20"), ("Asia/Kathmandu", "2026-11-20"), ("America/Los_Angeles", "2026-11-19")],
    indirect=["zone"],
)
def test_a_time_has_the_same_day_in_a_list_in_a_record_and_in_a_finding(zone: str, local: str) -> None:
    moment = "2026-11-19T20:30:00.000Z"
    assert day(moment) == written(moment)[:10] == local
    company = {"id": "1", "name": "A", "status": "hold", "statusUpdatedDate": moment}
    said = " ".join(str(finding) for finding in company_findings(company))
    assert local in said


def test_the_day_of_a_time_is_in_the_form_of_the_language() -> None:
    language.use("de")
    try:
        assert (day("2026-11-19T12:00:00Z"), whole_day("2027-03-31T23:59:59.999Z")) == ("19.11.2026", "31.03.2027")
        assert day("2026-11-19") == written("2026-11-19") == "19.11.2026"
    finally:
        language.use("en")


def test_what_is_no_time_stays_as_it_is() -> None:
    for value in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-13-45T00:00:00Z", "Tuesday", "T"):
        assert day(value)


def test_a_day_is_past_when_it_is_over() -> None:
    """Facts: a subscription ends after its last day."""
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert not is_past("2026-11-20", noon)
    assert is_past("2026-11-19", noon)
    assert is_past("2026-11-20T20:00:00+09:00", noon)
    assert not is_past("9999-12-31", noon)
