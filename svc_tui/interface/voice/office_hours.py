"""Welcomes and office hours, which company calendars replace: records and operations (2.17, 4.7)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator

from svc_tui.interface.envelopes import Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import CLOUDPBX, READ_VOICE, REFUSALS, WRITE_VOICE
from svc_tui.language import _

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]|24:00")
DAYS_A_WEEK = 7

TimePeriod = list[str]


def _periods(value: list[TimePeriod]) -> list[TimePeriod]:
    last = ""
    for period in value:
        if len(period) != 2 or not all(_TIME.fullmatch(time) for time in period):
            raise ValueError(_("must be pairs of times such as 08:30 and 12:00"))
        if period[0] >= period[1]:
            raise ValueError(
                _("has a period that ends at {period}, not after its start at {period_2}").format(
                    period=period[1], period_2=period[0]
                )
            )
        if period[0] < last:
            raise ValueError(_("has overlapping or unordered periods at {period}").format(period=period[0]))
        last = period[1]
    return value


def _week(value: list[list[TimePeriod]]) -> list[list[TimePeriod]]:
    if len(value) != DAYS_A_WEEK:
        raise ValueError(_("must have {days_a_week} days").format(days_a_week=DAYS_A_WEEK))
    return value


#: Ordered periods of one day: [["08:30", "12:00"], ["13:00", "24:00"]].
DayPeriods = Annotated[list[TimePeriod], AfterValidator(_periods)]
#: The periods of seven days, from Sunday.
WeekPeriods = Annotated[list[DayPeriods], AfterValidator(_week)]


class HoursException(Record):
    """An exception from the hours of the week. Without a year it applies every year."""

    year: int | None = field(None, ge=2000, le=2199, help="Year; empty means every year")
    month: int = field(..., ge=1, le=12, help="Month, from 1")
    mday: int = field(..., label="Day", ge=1, le=31, help="Day of the month, from 1")
    periods: DayPeriods | None = field(None, help="Open or closed periods; empty means the whole day")
    open: bool = field(False, help="Whether these periods are open or closed")


def _unique_days(value: list[HoursException]) -> list[HoursException]:
    days = Counter((each.year, each.month, each.mday) for each in value)
    for (year, month, mday), found in days.items():
        if found > 1:
            raise ValueError(
                _("has {year}{month:02}-{mday:02} more than once").format(
                    year=f"{year}-" if year else "", month=month, mday=mday
                )
            )
    return value


#: Exceptions, one for each day; an exception of one year may repeat a day of every year.
Exceptions = Annotated[list[HoursException], AfterValidator(_unique_days)]


class Hours(Record):
    """Opening hours: the week, and exceptions."""

    openhours: WeekPeriods | None = field(None, help="Periods of each of seven days, from Sunday")
    exceptions: Exceptions | None = field(None, max_length=500, help="Days with different hours")


_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255}


class OfficeHours(Record):
    """Office hours."""

    ALWAYS: ClassVar = ("id", "name", "systemId")

    id: str | None = field(None, help="Identifier")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the office hours")
    name: str | None = field(None, **_NAME, help="Name of the office hours")
    officehours: Hours | None = field(None, help="Opening hours")


class OfficeHoursBody(Record):
    """New office hours."""

    name: str = field(..., **_NAME, help="Name of the office hours")
    officehours: Hours | None = field(None, help="Opening hours")


class OfficeHoursUpdate(Record):
    """The update: the fields that change."""

    name: str | None = field(None, **_NAME, help="Name of the office hours")
    officehours: Hours | None = field(None, help="Opening hours; the complete new value")


class Welcome(Record):
    """A welcome: the first announcement for callers."""

    ALWAYS: ClassVar = ("id", "name", "systemId")

    id: str | None = field(None, help="Identifier")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the welcome")
    name: str | None = field(None, **_NAME, help="Name of the welcome")
    officehours: Hours | None = field(None, help="Opening hours")


class WelcomeBody(Record):
    """A new welcome."""

    name: str = field(..., **_NAME, help="Name of the welcome")


class NamedQuery(Record):
    """Filters of welcomes, office hours and welcome services."""

    name: str | None = field(None, help="Part of the name")
    limit: int | None = field(None, ge=1, le=1000, help="Records per page; empty means all")
    offset: int | None = field(None, ge=0, help="Records to skip")


_IVRS = CLOUDPBX + "/ivrs"
_WELCOMES = _IVRS + "/welcomes"
_HOURS = _IVRS + "/officehours"
_REPLACED = _("company calendars")

list_welcomes = Operation(
    "list_welcomes",
    "4.7",
    "GET",
    _WELCOMES,
    "List the welcomes of a CloudPBX",
    Plain[Welcome],
    READ_VOICE,
    query=NamedQuery,
    refuses=REFUSALS,
    deprecated=_REPLACED,
)

create_welcome = Operation(
    "create_welcome",
    "4.7",
    "POST",
    _WELCOMES,
    "Create a welcome",
    Single[Welcome],
    WRITE_VOICE,
    body=WelcomeBody,
    refuses=REFUSALS,
    deprecated=_REPLACED,
    creates="welcomes",
)

get_welcome = Operation(
    "get_welcome",
    "4.7",
    "GET",
    _WELCOMES + "/{welcomeId}",
    "Get a welcome",
    Single[Welcome],
    READ_VOICE,
    refuses=REFUSALS,
    deprecated=_REPLACED,
)

list_office_hours = Operation(
    "list_office_hours",
    "4.7",
    "GET",
    _HOURS,
    "List the office hours of a CloudPBX",
    Plain[OfficeHours],
    READ_VOICE,
    query=NamedQuery,
    refuses=REFUSALS,
    deprecated=_REPLACED,
)

create_office_hours = Operation(
    "create_office_hours",
    "4.7",
    "POST",
    _HOURS,
    "Create office hours",
    Single[OfficeHours],
    WRITE_VOICE,
    body=OfficeHoursBody,
    refuses=REFUSALS,
    deprecated=_REPLACED,
    creates="officehours",
)

get_office_hours = Operation(
    "get_office_hours",
    "4.7",
    "GET",
    _HOURS + "/{officeHoursId}",
    "Get office hours",
    Single[OfficeHours],
    READ_VOICE,
    refuses=REFUSALS,
    deprecated=_REPLACED,
)

# The specification has no operation that changes office hours. This one follows get and create.
update_office_hours = Operation(
    "update_office_hours",
    "4.7",
    "PUT",
    _HOURS + "/{officeHoursId}",
    "Update office hours",
    Single[OfficeHours],
    WRITE_VOICE,
    body=OfficeHoursUpdate,
    refuses=(*REFUSALS, Code.NOTHING_TO_UPDATE),
    deprecated=_REPLACED,
    updates="officehours",
)

__all__ = [
    "DAYS_A_WEEK",
    "Hours",
    "HoursException",
    "NamedQuery",
    "OfficeHours",
    "OfficeHoursBody",
    "OfficeHoursUpdate",
    "Welcome",
    "WelcomeBody",
    "create_office_hours",
    "create_welcome",
    "get_office_hours",
    "get_welcome",
    "list_office_hours",
    "list_welcomes",
    "update_office_hours",
]
