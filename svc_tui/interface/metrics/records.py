"""Statistics of companies and usage counters of applications (2.18, 4.8)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from svc_tui.interface.envelopes import DEFAULT_LIMIT, LARGEST_LIMIT
from svc_tui.interface.records import Record, field

Scope = Literal["ec", "bp"]
SCOPES = {"ec": "the company alone", "bp": "the company and its customers"}
Period = Literal["hour", "day", "month"]

#: What is counted of the administration, and of the resources (4.8).
ADMINISTRATION = ("administration", "applications", "billing", "provisioning", "subscriptions", "technical")
RESOURCES = (
    "bots",
    "bubbles",
    "calendar",
    "calllog",
    "channels",
    "company",
    "conference",
    "contactpresence",
    "conversations",
    "files",
    "geoloc",
    "groups",
    "guests",
    "instantmessages",
    "instantmessagesack",
    "instantmessagesinbubbles",
    "invitation",
    "login",
    "mobile",
    "mypresence",
    "office365",
    "pbxtelephony",
    "recording",
    "roster",
    "users",
    "vcards",
)
GROUPS = (*ADMINISTRATION, *RESOURCES)


class CountedSubscriptions(Record):
    """Licences that were bought, by profile."""

    enterprise_max: int | None = field(None)
    business_max: int | None = field(None)


class CountedSystems(Record):
    """Telephone systems."""

    oxe: int | None = field(None)
    oxo: int | None = field(None)
    daily_connected: int | None = field(None)


class CountedUsers(Record):
    """Users."""

    funnel: dict[str, Any] | int | None = field(None, help="From invited to active")
    total: int | None = field(None)
    daily_connected: int | None = field(None)
    weekly_connected: int | None = field(None)
    monthly_connected: int | None = field(None)
    new_user: int | None = field(None)
    registered: int | None = field(None)
    active_users: int | None = field(None)


class CountedUsages(Record):
    """What was used: by client and by type."""

    active_user: int | None = field(None)
    any: dict[str, Any] | None = field(None, wire="_any")
    clients: dict[str, int] | None = field(None, wire="_clients", help="mobile_android, web_win, desk_osx …")
    types: dict[str, int] | None = field(None, wire="_types", help="chat, file, groupchat, meeting, webrtc …")


class DailyStats(Record):
    """The numbers of one day."""

    day: date | None = field(None, wire="date")
    systems: CountedSystems | None = field(None)
    users: CountedUsers | None = field(None)
    usages: CountedUsages | None = field(None)


class CompanyStats(Record):
    """The numbers of a company, or of a company and its customers."""

    id: str | None = field(None)
    company_id: str | None = field(None, refers="companies")
    scope: Scope | None = field(None, choices=SCOPES)
    bps: list[str] | None = field(None, help="Partners above it")
    companies: int | None = field(None, help="How many companies are counted")
    company_name: str | None = field(None)
    subscriptions: CountedSubscriptions | None = field(None)
    systems: CountedSystems | None = field(None)
    users: CountedUsers | None = field(None)
    usages: CountedUsages | None = field(None)
    last_data_collect_date: datetime | None = field(None)


class CompanyDailyStats(CompanyStats):
    """The same, day by day."""

    daily_stats: list[DailyStats] | None = field(None)


class FlatStats(Record):
    """A company and its rows; keys are joined with underscores (`users_registered`, `usages_chat`)."""

    id: str | None = field(None, wire="_id")
    stats: list[dict[str, Any]] | None = field(None)


class GroupCounter(Record):
    """How often a group was used."""

    group: str | None = field(None)
    count: int | None = field(None)


class UsageSlice(Record):
    """The counters of one hour, day or month."""

    group_counters: list[GroupCounter] | None = field(None)
    aggregation_start_date: datetime | None = field(None)


class Usage(Record):
    """Counters by period, oldest first."""

    data: list[UsageSlice] = field([])
    aggregation_period: Period = field("hour")


class UsageGroups(Record):
    """The groups there are."""

    administration: list[str] | None = field(None)
    resources: list[str] | None = field(None)


class ScopeQuery(Record):
    """Which companies are counted."""

    scope: Scope = field("ec", choices=SCOPES, help="The company alone, or with its customers")


class CustomersQuery(Record):
    """A window of the customers, sorted by their users."""

    limit: int = field(DEFAULT_LIMIT, ge=1, le=LARGEST_LIMIT, help="Records a page")
    offset: int = field(0, ge=0, help="Records to pass over; beyond the total nothing is returned")
    sort_order: Literal[-1, 1] = field(1, help="By the number of users: 1 ascending, -1 descending")


class UsageQuery(Record):
    """Which counters are asked for."""

    from_date: datetime = field(..., help="Counted from this moment on")
    to_date: datetime = field(..., help="Up to this moment")
    period: Period = field("hour", help="Counters for each hour, day or month")
    groups: str | None = field(None, help="Only these groups, comma separated")
    timezone: str = field("UTC", max_length=64, help="In which days and months begin, such as Europe/Paris")


class OwnerUsageQuery(UsageQuery):
    """The same for all applications of an owner."""

    dc_zones: str | None = field(None, help="Only in these zones, comma separated")
