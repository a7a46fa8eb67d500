"""When a request is sent again, and after which pause: pure functions, no clock and no sleep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from svc_tui.interface.operations import AnyOperation, Credentials

#: Answers that speak of a passing state.
PASSING = frozenset({408, 429, 502, 503, 504})

#: Logins carry a correlation id by which the service counts a repetition once, renewals are stateless and a
#: polled session is asked for again anyway: their lost answers may be asked for again although they change something.
_COUNTED_ONCE = frozenset({Credentials.LOGIN, Credentials.TOKEN, Credentials.BACKCHANNEL})


@dataclass(frozen=True, slots=True)
class Retries:
    """How patiently a request is repeated. Times in seconds.

    `attempts` counts the first one. The pause before repetition n is `pause * 2**(n - 1)`, at most `longest_pause`,
    less up to half of it by chance. A Retry-After above `longest_wait` ends the attempts.
    """

    attempts: int = 3
    pause: float = 0.3
    longest_pause: float = 4.0
    longest_wait: float = 20.0


def repeatable(operation: AnyOperation) -> bool:
    """Whether the operation may be sent again when nobody knows what became of it."""
    return operation.repeatable or (operation.method == "GET" and operation.credentials in _COUNTED_ONCE)


def pause_before(repetition: int, retries: Retries, chance: float) -> float:
    """Seconds to wait before repetition 1, 2, …; `chance` is 0..1."""
    whole = min(retries.pause * 2.0 ** (repetition - 1), retries.longest_pause)
    return whole * (1 - chance / 2)


def asked_pause(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that Retry-After asks for, given in seconds or as an HTTP date; None when there is none.

    A date is compared with the service's own clock (its Date header) where it tells it.
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
