"""Retention of recordings (8): the days of the company, or two months; very short recordings are never stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

#: The default retention in calendar months.
MONTHS = 2
_A_YEAR = 12


def expiry_of(date: datetime, days: int | None) -> datetime:
    """The expiry of a recording of this date. `days` is the company's `cloudPbxRecordingRetention`."""
    return date + timedelta(days=days) if days else _add_months(date, MONTHS)


def retained_since(now: datetime, days: int | None) -> datetime:
    """The earliest date that is not expired now."""
    return now - timedelta(days=days) if days else _add_months(now, -MONTHS)


def _add_months(moment: datetime, months: int) -> datetime:
    """The same day and time in another month; for a day that the month lacks, the first moment after the month.

    So a later recording never expires before an earlier one.
    """
    moment = moment.astimezone(UTC)
    year, month = divmod(moment.year * _A_YEAR + moment.month - 1 + months, _A_YEAR)
    try:
        return moment.replace(year=year, month=month + 1)
    except ValueError:
        # Never December: it has 31 days.
        return datetime(year, month + 2, 1, tzinfo=UTC)
