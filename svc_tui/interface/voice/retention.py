"""How long recordings are kept (8): the company's own days, two months where it has none, very short ones never."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

#: How long recordings are kept where the company says nothing, in months of the calendar.
MONTHS = 2
_A_YEAR = 12


def kept_until(date: datetime, days: int | None) -> datetime:
    """When a recording of this date is due for deletion. `days` is the company's `cloudPbxRecordingRetention`."""
    return date + timedelta(days=days) if days else _months_on(date, MONTHS)


def kept_since(now: datetime, days: int | None) -> datetime:
    """The other way round: what was recorded before this is due now."""
    return now - timedelta(days=days) if days else _months_on(now, -MONTHS)


def _months_on(moment: datetime, months: int) -> datetime:
    """The same day and time so many months on; of a day that month does not have, the first moment after the month.

    With that, a later recording is never due before an earlier one.
    """
    moment = moment.astimezone(UTC)
    year, month = divmod(moment.year * _A_YEAR + moment.month - 1 + months, _A_YEAR)
    try:
        return moment.replace(year=year, month=month + 1)
    except ValueError:
        # Never December: that has all days.
        return datetime(year, month + 2, 1, tzinfo=UTC)
