"""Retries and their pauses: pure functions without clock or sleep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.language import _

#: Status codes of a temporary state.
TEMPORARY = frozenset({408, 429, 502, 503, 504})
#: The status of a request that was not begun, because there were too many.
TOO_MANY = 429

#: Logins have a correlation id, so that the service counts a repetition once; renewals are stateless; polling repeats
#: anyway. These can be sent again without a response, although they change something.
_COUNTED_ONCE = frozenset({Credentials.LOGIN, Credentials.TOKEN, Credentials.BACKCHANNEL})


@dataclass(frozen=True, slots=True)
class Retries:
    """The limits of retries. Times in seconds.

    `attempts` counts the first one. The pause before repetition n is `pause * 2**(n - 1)`, at most `longest_pause`,
    minus a random part of up to half. A Retry-After above `longest_wait` ends the attempts.
    """

    attempts: int = 3
    pause: float = 0.3
    longest_pause: float = 4.0
    longest_wait: float = 20.0

    @classmethod
    def of(cls, limit: Retries | int) -> Retries:
        """Limits, or the number of repetitions after the first attempt. ValueError for a negative one."""
        if isinstance(limit, Retries):
            return limit
        if isinstance(limit, bool) or limit < 0:
            raise ValueError(_("The number of retries must be 0 or more."))
        return cls(attempts=limit + 1)


def repeatable(operation: AnyOperation) -> bool:
    """Whether the operation can be sent again after an unknown outcome."""
    return operation.repeatable or (operation.method == "GET" and operation.credentials in _COUNTED_ONCE)


def pause_before(repetition: int, retries: Retries, chance: float) -> float:
    """Seconds before repetition 1, 2, …; `chance` is 0..1."""
    whole = min(retries.pause * 2.0 ** (repetition - 1), retries.longest_pause)
    return whole * (1 - chance / 2)


def asked_pause(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds of a Retry-After header in seconds or as an HTTP date. None without one.

    A date is compared with the clock of the service (its Date header), where available.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return float(text[:9])
    until = _http_date(text)
    if until is None:
        return None
    return max(0.0, (until - (_http_date(headers.get("date", "")) or now)).total_seconds())


def _http_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
