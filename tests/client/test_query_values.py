"""Values of queries as the service reads them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum

import pytest

from svc_tui.client.requests import parameter_text


class _State(Enum):
    ACTIVE = "active"


@pytest.fixture(params=["UTC", "Pacific/Auckland"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone of the machine, which says nothing about times that are sent."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (_State.ACTIVE, "active"),
        (datetime(2026, 11, 20, 10, tzinfo=UTC), "2026-11-20T10:00:00.000Z"),
        (datetime(2026, 11, 20, 10), "2026-11-20T10:00:00.000Z"),
        (datetime(2026, 11, 20, 10, tzinfo=timezone(timedelta(hours=1))), "2026-11-20T09:00:00.000Z"),
        (date(2026, 11, 20), "2026-11-20"),
        (["a", False, 3], "a,false,3"),
    ],
)
def test_a_value_is_sent_as_the_interface_writes_it(value: object, text: str) -> None:
    assert parameter_text(value) == text
