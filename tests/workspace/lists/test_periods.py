"""Periods of a filter that the service leaves out rows by: what is sent, and that exactly the right rows are shown."""

from __future__ import annotations

from datetime import date

import pytest

from svc_tui.console.areas.voice.recordings import OF_ONE
from svc_tui.console.core.place_requests import filter_columns
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.catalogue import operation
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.filters import parse
from svc_tui.workspace.lists.ranges import days_of


def sent(text: str, kind: str = "recordings") -> dict[str, object]:
    resource = BY_NAME[kind]
    return parse(text, resource.kind, filter_columns(resource.display.columns)).query_with({})


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (">2026-01", "2026-01-30", None),
        (">=2026-01", "2025-12-31", None),
        ("<2026-03", None, "2026-03-02"),
        ("<=2026-02", None, "2026-03-01"),
        ("2026-01..2026-03-15", "2025-12-31", "2026-03-16"),
        ("2026-02", "2026-01-31", "2026-03-01"),
        (">2026-01-15 10:30", "2026-01-14", None),
        (">7", None, None),
        ("2026", None, None),
        ("noon", None, None),
        ("2026-02-31", None, None),
        (">9999-12", "9999-12-30", None),
        ("<=9999-12", None, None),
    ],
)
def test_a_period_has_a_day_more_on_either_side(text: str, first: str | None, last: str | None) -> None:
    assert days_of(text) == tuple(date.fromisoformat(day) if day else None for day in (first, last))


def test_a_period_is_sent_and_compared_here_too() -> None:
    assert sent("date:>=2026-03 date:<2026-05") == {
        "fromDate": "2026-02-28T00:00:00Z",
        "toDate": "2026-05-02T23:59:00Z",
    }
    assert sent("created:>2026-03", "applications") == {"fromDate": "2026-03-30"}
    found = parse("date:>=2026-03", OF_ONE.kind, filter_columns(OF_ONE.display.columns))
    assert found.predicate is not None
    assert not found.predicate({"date": "2026-02-28T12:00:00.000Z"})
    assert found.predicate({"date": "2026-03-02T12:00:00.000Z"})


@pytest.mark.parametrize("text", ["date:!>2026-03", "!date:2026-03", "2026-03", "date:~2603", "date:/2026-03/"])
def test_terms_that_are_no_period_of_a_column_are_not_sent(text: str) -> None:
    assert sent(text) == {}


def test_a_period_that_ends_before_it_begins_is_not_sent() -> None:
    assert sent("date:2026-05..2026-03") == sent("date:>2026-05 date:<2026-03") == {}


@pytest.mark.parametrize(
    ("parameter", "value"), [("fromDate", "2026-01-01"), ("toDate", "2026-01-01"), ("dateType", "dateOfDeployment")]
)
def test_a_period_of_the_filter_form_is_kept(parameter: str, value: str) -> None:
    form = {parameter: value}
    resource = BY_NAME["applications"]
    found = parse("created:>2026-03", resource.kind, filter_columns(resource.display.columns))
    assert found.query_with(form) == form
    assert found.query_with({"state": "active"}) == {"state": "active", "fromDate": "2026-03-30"}


def test_every_parameter_for_periods_is_one_of_its_list() -> None:
    kinds = [kind for kind in KINDS.values() if kind.period_filters]
    assert kinds
    for kind in kinds:
        known = field_by_wire(operation(kind.list).query)
        for period in kind.period_filters.values():
            assert {period.first, period.last, *period.unless} <= known.keys(), kind.name
