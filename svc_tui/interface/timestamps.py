"""Moments on the wire: `2017-02-17T13:35:27.427Z`, always in UTC, to the millisecond."""

from __future__ import annotations

from datetime import UTC, date, datetime


def stamp(moment: datetime) -> str:
    """The wire's text for a moment. A moment without a time zone is taken as UTC.

    A moment that its time zone pushes beyond the calendar becomes the calendar's first or last moment.
    """
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        edge = datetime.max if moment.year > 1 else datetime.min
        moment = edge.replace(tzinfo=UTC)
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def moment(text: str) -> datetime:
    """The moment behind a stamp. ValueError for a text that is none."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def day(text: str) -> date:
    """The day of a date, or of a stamp. ValueError for a text that is neither."""
    return date.fromisoformat(text[:10])
