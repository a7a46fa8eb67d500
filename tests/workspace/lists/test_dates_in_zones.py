"""A filter compares dates as they are shown, in the zone of the user: the stored text is a day of UTC.

Auckland is 13 hours before UTC in November, Honolulu 10 behind it, and Kathmandu is not a whole number of hours away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gettext import translation

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_tui import language
from svc_tui.console.areas.voice.recordings import OF_ONE
from svc_tui.console.core.place_requests import filter_columns
from svc_tui.console.shell.resources import ALL
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.dates import moment, stamp
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.lists.filters import parse

#: In Auckland the first is shown as 2026-11-19 23:30, the second as 2026-11-20 01:30; in UTC both are the 19th.
EVENING, NIGHT = "2026-11-19T10:30:15.000Z", "2026-11-19T12:30:00.000Z"
FILE = "2353-2026-11-19T123000.mp3"


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def use(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield use
    monkeypatch.undo()
    time.tzset()


def found(text: str, **row: object) -> bool:
    kind = replace(OF_ONE.kind, server_filters={}, period_filters={})
    predicate = parse(text, kind, filter_columns(OF_ONE.display.columns)).predicate
    return predicate is None or predicate(row)


@pytest.mark.parametrize(
    ("text", "evening", "night"),
    [
        ("date:2026-11-19", True, False),
        ("date:2026-11-20", False, True),
        ("date:!2026-11-19", False, True),
        ("!2026-11-19", False, True),
        ("2026-11-19", True, False),
        ("date:>2026-11-19", False, True),
        ("date:<=2026-11-19", True, False),
        ("date:2026-11-20..2026-11-20", False, True),
        ("date:/^2026-11-19/", True, False),
        ("/^2026-11-19/", True, False),
        ("date:~20261119", True, False),
        ('date:="2026-11-20 01:30"', False, True),
        ('date:"2026-11-19 23:30:15"', True, False),
        ('date:>"2026-11-19 23:30:14"', True, True),
        ("date:2026-11-19T", False, False),
        ("filename:2026-11-19", True, True),
    ],
)
def test_a_recording_is_found_by_the_day_that_is_shown(
    in_zone: Callable[[str], None], text: str, evening: bool, night: bool
) -> None:
    in_zone("Pacific/Auckland")
    assert found(text, date=EVENING, fileName=FILE) is evening
    assert found(text, date=NIGHT, fileName=FILE) is night


@pytest.mark.parametrize("text", ["date:2026-11-20", "date:20.11.2026", 'date:="20.11.2026 01:30"', "date:>2026-11-19"])
def test_in_german_a_day_is_found_as_it_is_shown_and_as_it_is_typed(
    in_zone: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    in_zone("Pacific/Auckland")
    monkeypatch.setattr(language, "_texts", translation("svc_tui", language.FOLDER, ["de"]))
    assert found(text, date=NIGHT)
    assert not found(text, date=EVENING)


DATED = [
    (resource, column)
    for resource in ALL
    for column in resource.display.columns
    if column.of is None
    and column.words({column.field: NIGHT})[:10] in ("2026-11-19", "2026-11-20")
    # A column that shows the text as it is has no dates.
    and column.words({column.field: NIGHT}) != NIGHT
]


def test_there_are_columns_of_dates_in_all_areas() -> None:
    assert {resource.name for resource, _column in DATED} >= {
        "applications", "allrecordings", "audit", "cloudpbxs", "companies", "invoices", "apikeys", "recordings",
        "subscribers", "subscriptions", "templates",
    }  # fmt: skip


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu", "Asia/Kathmandu", "Europe/Lisbon"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)))
def test_every_column_of_dates_is_compared_as_it_is_shown(
    in_zone: Callable[[str], None], zone: str, at: datetime
) -> None:
    in_zone(zone)
    for resource, column in DATED:
        row = {column.field: stamp(at)}
        shown = column.words(row)[:10]
        for days in (-1, 0, 1):
            day = str(moment(shown).date() + timedelta(days))
            _is_found_only_on(resource.kind, column, row, day, found=days == 0)


def _is_found_only_on(kind: Kind, column: Column, row: dict[str, str], day: str, *, found: bool) -> None:
    title = filter_columns([column])
    name = column.field
    plain = replace(kind, server_filters={}, period_filters={})
    for text, expected in {
        f"{name}:{day}": found,
        day: found,
        f"!{day}": not found,
        f"{name}:{day}..{day}": found,
        f"{name}:!{day}": not found,
    }.items():
        predicate = parse(text, plain, title).predicate
        assert predicate is not None
        assert predicate(row) is expected, (text, row)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu"])
def test_the_service_leaves_out_no_row_of_the_day_that_is_shown(in_zone: Callable[[str], None], zone: str) -> None:
    in_zone(zone)
    query = parse("date:2026-11-19", OF_ONE.kind, filter_columns(OF_ONE.display.columns)).query_with({})
    first = datetime(2026, 11, 19).astimezone(UTC)
    assert str(query["fromDate"]) <= stamp(first)
    assert stamp(first + timedelta(days=1)) <= str(query["toDate"])
