"""Moments as text in a time zone."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from svc_tui.interface.voice.moments import moment_text, read_moment

ZONE = ZoneInfo("Europe/Paris")
#: A Friday, 00:30 of Saturday in Paris.
NOW = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "Sat 2026-11-21 00:30"),
        (" now ", "Sat 2026-11-21 00:30"),
        ("18:00", "Sat 2026-11-21 18:00"),
        ("7", "Sat 2026-11-21 07:00"),
        ("Sat 9:30", "Sat 2026-11-21 09:30"),
        ("friday 10", "Fri 2026-11-27 10:00"),
        ("tomorrow 0930", "Sun 2026-11-22 09:30"),
        ("2026-12-24 13:00", "Thu 2026-12-24 13:00"),
        ("18.30", "Sat 2026-11-21 18:30"),
        ("24:00", "Sun 2026-11-22 00:00"),
        ("Sun 24.00", "Mon 2026-11-23 00:00"),
        ("mon", "Mon 2026-11-23 00:00"),
    ],
)
def test_moments_are_read(text: str, expected: str) -> None:
    assert moment_text(read_moment(text, NOW, ZONE), ZONE) == expected


@pytest.mark.parametrize(
    "text",
    [
        "soon",
        "10:60",
        "24:01",
        "25.00",
        "2026-02-30 10:00",
        "Sun 10:00 11:00",
        "s 10",
        "9999-12-31 23:00",
        "0001-01-01",
    ],
)
def test_an_invalid_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"enter a time|is not a time|enter a year"):
        read_moment(text, NOW, ZONE)
