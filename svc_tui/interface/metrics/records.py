"""Statistics of companies and usage counters of applications (2.18, 4.8)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar, Literal

from svc_tui.interface.envelopes import DEFAULT_LIMIT, LARGEST_LIMIT
from svc_tui.interface.fields import field
from svc_tui.interface.metrics.values import SCOPES, CounterPeriod, Scope
from svc_tui.interface.records import Record

__all__ = [
    "ADMINISTRATION",
    "CLIENTS",
    "CompanyDailyStats",
    "CompanyStats",
    "CountedSubscriptions",
    "CountedSystems",
    "CountedUsages",
    "CountedUsers",
    "CounterPeriod",
    "CustomersQuery",
    "DailyStats",
    "FlatStats",
    "GROUPS",
    "GroupCounter",
    "OwnerUsageQuery",
    "RESOURCES",
    "SCOPES",
    "Scope",
    "ScopeQuery",
    "TYPES",
    "Usage",
    "UsageGroups",
    "UsageQuery",
    "UsageSlice",
]

#: Groups of usage counters: administration and resources (4.8).
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
#: Clients and types of uses that are counted for each company (2.18).
CLIENTS = ("mobile_android", "mobile_ios", "other", "web_win", "node", "desk_win", "desk_osx")
TYPES = ("chat", "file", "groupchat", "meeting", "webrtc", "webrtc_missed", "conf")


class CountedSubscriptions(Record):
    """Numbers of bought licences, by profile."""

    enterprise_max: int | None = field(None)
    business_max: int | None = field(None)


class CountedSystems(Record):
    """Numbers of telephone systems."""

    oxe: int | None = field(None)
    oxo: int | None = field(None)
    daily_connected: int | None = field(None)


class CountedUsers(Record):
    """Numbers of users."""

    funnel: dict[str, Any] | int | None = field(None, help="Users by progress, from invited to active")
    total: int | None = field(None)
    daily_connected: int | None = field(None)
    weekly_connected: int | None = field(None)
    monthly_connected: int | None = field(None)
    new_user: int | None = field(None)
    registered: int | None = field(None)
    active_users: int | None = field(None)


class CountedUsages(Record):
    """Numbers of uses, by client and by type."""

    active_user: int | None = field(None)
    any: dict[str, Any] | None = field(None, wire="_any")
    clients: dict[str, int] | None = field(None, wire="_clients", help="mobile_android, web_win, desk_osx …")
    types: dict[str, int] | None = field(None, wire="_types", help="chat, file, groupchat, meeting, webrtc …")


class DailyStats(Record):
    """The statistics of one day."""

    day: date | None = field(None, wire="date")
    systems: CountedSystems | None = field(None)
    users: CountedUsers | None = field(None)
    usages: CountedUsages | None = field(None)


class CompanyStats(Record):
    """The statistics of a company, or of a company and its customers."""

    ALWAYS: ClassVar = ("id", "companyId", "companyName", "scope", "subscriptions", "systems", "usages", "users")

    id: str | None = field(None)
    company_id: str | None = field(None, refers="companies", named_by=("companyName",))
    scope: Scope | None = field(None, choices=SCOPES)
    bps: list[str] | None = field(None, help="Partners that manage the company")
    companies: int | None = field(None, help="Number of counted companies")
    company_name: str | None = field(None)
    subscriptions: CountedSubscriptions | None = field(None)
    systems: CountedSystems | None = field(None)
    users: CountedUsers | None = field(None)
    usages: CountedUsages | None = field(None)
    last_data_collect_date: datetime | None = field(None)


class CompanyDailyStats(CompanyStats):
    """The statistics of a company, also by day."""

    daily_stats: list[DailyStats] | None = field(None)


class FlatStats(Record):
    """The statistics of a company as rows with flat names: `users_registered`, `usages_chat`."""

    id: str | None = field(None, wire="_id")
    stats: list[dict[str, Any]] | None = field(None)


class GroupCounter(Record):
    """The number of uses of a group."""

    group: str | None = field(None)
    count: int | None = field(None)


class UsageSlice(Record):
    """The counters of one hour, day or month."""

    group_counters: list[GroupCounter] | None = field(None)
    aggregation_start_date: datetime | None = field(None)


class Usage(Record):
    """Usage counters by period, oldest first."""

    ALWAYS: ClassVar = ("data", "aggregationPeriod")

    data: list[UsageSlice] = field([])
    aggregation_period: CounterPeriod = field("hour")


class UsageGroups(Record):
    """All groups of usage counters."""

    administration: list[str] | None = field(None)
    resources: list[str] | None = field(None)


class ScopeQuery(Record):
    """The companies that are counted."""

    scope: Scope = field("ec", choices=SCOPES, help="Count only the company, or also its customers")


class CustomersQuery(Record):
    """A page of the customers, sorted by their number of users."""

    limit: int = field(DEFAULT_LIMIT, ge=1, le=LARGEST_LIMIT, help="Records per page")
    offset: int = field(0, ge=0, help="Records to skip; empty beyond the total")
    sort_order: Literal[-1, 1] = field(1, help="By the number of users: 1 ascending, -1 descending")


class UsageQuery(Record):
    """The requested counters."""

    from_date: datetime = field(..., help="Start of the range")
    to_date: datetime = field(..., help="End of the range")
    period: CounterPeriod = field("hour", help="Length of one counter: hour, day or month")
    groups: str | None = field(None, help="Only these groups, comma-separated", several=str)
    timezone: str = field("UTC", max_length=64, help="Time zone of days and months, such as Europe/Paris")


class OwnerUsageQuery(UsageQuery):
    """The requested counters of all applications of an owner."""

    dc_zones: str | None = field(None, help="Only in these zones, comma-separated", several=str)
