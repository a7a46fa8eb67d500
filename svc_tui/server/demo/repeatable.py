"""What makes demo records repeatable: how many there are, their dates, counted back from the start day, and identifiers
that are the same at each start and on each machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, TypeVar, get_args

T = TypeVar("T")


def number(key: str, below: int) -> int:
    """A number from 0 up to `below`, always the same for a key."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=6).digest()) % below


def pick(key: str, among: Sequence[T]) -> T:
    """One of the values, always the same for a key."""
    return among[number(key, len(among))]


class Calendar:
    """Stamps for a number of days ago. Negative numbers are in the future."""

    def __init__(self, today: date) -> None:
        self.today = today

    def ago(self, days: int, key: str = "") -> str:
        """A moment in the working hours of that day, derived from the key; negative days are still to come.

        What happened today happened yesterday: a demo that is started in the morning has no records of its afternoon.
        """
        return self.on(self.today - timedelta(days=days or 1), key)

    def on(self, day: date, key: str = "") -> str:
        """A moment in the working hours of a day, derived from the key."""
        seconds = 7 * 3600 + number(f"hour/{key}", 11 * 3600)
        minutes, second = divmod(seconds, 60)
        # Formatted directly for speed: there are hundreds of thousands of stamps.
        return f"{day}T{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}.{number(key, 1000):03d}Z"

    def this_month(self, days: int) -> date:
        """The day this number of days ago, but not before the first of this month."""
        return max(self.today - timedelta(days=days), self.today.replace(day=1))


def id_of(kind: str, key: str | int) -> str:
    """The identifier of one demo record: 24 hexadecimal characters."""
    return hashlib.sha256(f"demo/{kind}/{key}".encode()).hexdigest()[:24]


def secret_of(kind: str, key: str | int) -> str:
    """A secret of one demo record: 32 hexadecimal characters. All demo secrets are public."""
    return hashlib.sha256(f"demo secret/{kind}/{key}".encode()).hexdigest()[:32]


#: `hostile` is the small data with control sequences, markup and odd characters in the records of one company.
Scale = Literal["small", "large", "hostile"]
_SCALES: tuple[Scale, ...] = get_args(Scale)


def scale_of(name: str) -> Scale:
    """The scale with this name. ValueError, with a sentence, if there is none."""
    for scale in _SCALES:
        if scale == name:
            return scale
    raise ValueError(f"demo data must be {', '.join(_SCALES[:-1])} or {_SCALES[-1]}, not {name}")
