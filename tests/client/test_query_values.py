"""Values of queries as the service reads them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum

import pytest

from svc_tui.client.requests import text_of


class _State(Enum):
    ACTIVE = "active"


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
    assert text_of(value) == text
