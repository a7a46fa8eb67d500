"""The history of the demo: usage and statistics of the days before its start, always the same for a day."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

Document = dict[str, Any]

#: Thousandths of a day's usage in each hour (UTC).
_HOURS = (6, 4, 3, 3, 5, 12, 30, 62, 84, 88, 82, 70, 58, 72, 86, 82, 70, 54, 38, 28, 22, 18, 14, 9)
#: Usage groups and their share, in thousandths.
_GROUPS = (
    ("login", 60),
    ("instantmessages", 310),
    ("mypresence", 140),
    ("contactpresence", 120),
    ("conversations", 110),
    ("bubbles", 70),
    ("files", 45),
    ("calllog", 40),
    ("users", 35),
    ("pbxtelephony", 30),
    ("roster", 25),
    ("administration", 10),
    ("provisioning", 5),
)
_CLIENTS = (
    ("web_win", 34),
    ("desk_win", 27),
    ("mobile_android", 16),
    ("mobile_ios", 14),
    ("desk_osx", 6),
    ("other", 2),
    ("node", 1),
)
_TYPES = (
    ("chat", 420),
    ("groupchat", 160),
    ("file", 55),
    ("webrtc", 70),
    ("webrtc_missed", 12),
    ("meeting", 18),
    ("conf", 9),
)


def _noise(key: str) -> int:
    """0..999, always the same for a key."""
    return zlib.crc32(key.encode()) % 1000


@lru_cache(maxsize=65_536)
def _day_of(key: str, made: str, day: date) -> int:
    """Number of calls of an application on a day: it grows with age, is lower on weekends, and has peaks."""
    age = (day - date.fromisoformat(made)).days
    if age < 0:
        return 0
    base = 400 + 40 * (_noise(f"size/{key}") ** 2 // 1000)
    grown = base * min(1000, 300 + age) // 1000
    weekday = 220 if day.weekday() >= 5 else 1000
    peak = 2400 if _noise(f"peak/{key}/{day}") > 975 else 1000
    return grown * weekday // 1000 * peak // 1000 * (850 + _noise(f"{key}/{day}") * 300 // 1000) // 1000


class DemoHistory:
    """Statistics derived from names and dates."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        made = str(application.get("dateOfDeployment") or application.get("dateOfCreation") or "")[:10]
        if not made or application.get("env") != "deployed":
            return {}
        day = _day_of(str(application["id"]), made, hour.date())
        here = day * _HOURS[hour.hour]
        return {group: count for group, share in _GROUPS if (count := here * share // 1_000_000)}

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        """Total activity of the users of companies: lower on weekends and in August."""
        usual = 150 if day.weekday() >= 5 else 600 if day.month == 8 else 820
        # Many companies have the same size: numbers that depend on it are calculated once per size.
        sizes, connected, systems = Counter[int](), Counter[int](), 0
        for key, users in companies:
            present = usual * (900 + _noise(f"{key}/{day}") * 150 // 1000) // 1000
            sizes[users] += 1
            connected[users * present // 1000] += 1
            systems += (users // 60 + users // 25) * present // 1000
        here = _shares(connected, 1)
        return {
            "systems": {"oxe": _shares(sizes, 60), "oxo": _shares(sizes, 25), "dailyConnected": systems},
            "users": {
                "total": _shares(sizes, 1),
                "dailyConnected": here,
                "weeklyConnected": _shares(sizes, 1000, 880),
                "monthlyConnected": _shares(sizes, 1000, 940),
                "registered": _shares(sizes, 1000, 960),
                "activeUsers": _shares(sizes, 1000, 940),
            },
            "usages": {
                "activeUser": here,
                "_any": {"_any": here},
                "_clients": {name: _shares(connected, 100, share) for name, share in _CLIENTS},
                "_types": {name: _shares(connected, 25, share) for name, share in _TYPES},
            },
        }


def _shares(counts: Mapping[int, int], of: int, share: int = 1) -> int:
    """The sum of a share of each number, rounded down, times its count."""
    return sum(number * share // of * count for number, count in counts.items())
