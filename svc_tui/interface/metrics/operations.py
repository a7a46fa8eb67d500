"""Operations on statistics and usage (4.8)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.metrics.records import (
    CompanyDailyStats,
    CompanyStats,
    CustomersQuery,
    FlatStats,
    OwnerUsageQuery,
    ScopeQuery,
    Usage,
    UsageGroups,
    UsageQuery,
)
from svc_tui.interface.operations import Operation

#: Statistics of customers: the administrator of their partner.
CUSTOMERS = access(any=(Role.SUPERADMIN,), own_company=(Role.BP_ADMIN,))
COMPANY = access(
    any=(Role.SUPERADMIN, Role.SUPPORT),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN),
    end_customers=(Role.BP_ADMIN,),
)
_ALL_USAGE = (Role.SUPERADMIN, Role.APP_SUPERADMIN, Role.APP_SUPPORT)
APPLICATION_USAGE = access(any=_ALL_USAGE, own=(Role.APP_ADMIN,))
OWNER_USAGE = access(any=(Role.SUPERADMIN, Role.APP_SUPERADMIN), own=(Role.APP_ADMIN,))
DEVELOPERS = access(any=(*_ALL_USAGE, Role.APP_ADMIN))

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_METRICS = "/api/svc/metrics/v1.0"
_COMPANY = _METRICS + "/analyticmetrics/companies/{companyId}"
_USAGE = _METRICS + "/cpaasmetrics"

list_bp_company_stats = Operation(
    "list_bp_company_stats",
    "4.8",
    "GET",
    _COMPANY + "/customers",
    "List the statistics of all customers of a partner",
    Page[CompanyStats],
    CUSTOMERS,
    query=CustomersQuery,
    refuses=_REFUSALS,
)

get_company_stats = Operation(
    "get_company_stats",
    "4.8",
    "GET",
    _COMPANY,
    "Get the statistics of a company",
    CompanyStats,
    COMPANY,
    query=ScopeQuery,
    refuses=_REFUSALS,
)

get_company_daily_stats = Operation(
    "get_company_daily_stats",
    "4.8",
    "GET",
    _COMPANY + "/daily",
    "Get the daily statistics of a company",
    CompanyDailyStats,
    COMPANY,
    query=ScopeQuery,
    refuses=_REFUSALS,
)

export_customers_flat_stats = Operation(
    "export_customers_flat_stats",
    "4.8",
    "GET",
    _COMPANY + "/customers/flat",
    "Export the statistics of all customers as flat rows",
    Plain[FlatStats],
    CUSTOMERS,
    refuses=_REFUSALS,
)

list_usage_groups = Operation(
    "list_usage_groups",
    "4.8",
    "GET",
    _USAGE + "/apiGroupsMapping",
    "List the groups of usage counters",
    Single[UsageGroups],
    DEVELOPERS,
    refuses=(Code.ROLE_MISSING,),
)

get_application_usage = Operation(
    "get_application_usage",
    "4.8",
    "GET",
    _USAGE + "/{applicationId}",
    "Get the usage of an application",
    Usage,
    APPLICATION_USAGE,
    query=UsageQuery,
    refuses=_REFUSALS,
)

get_owner_usage = Operation(
    "get_owner_usage",
    "4.8",
    "GET",
    _USAGE + "/owners/{ownerId}",
    "Get the usage of all applications of an owner",
    Usage,
    OWNER_USAGE,
    query=OwnerUsageQuery,
    refuses=_REFUSALS,
)

__all__ = [
    "export_customers_flat_stats",
    "get_application_usage",
    "get_company_daily_stats",
    "get_company_stats",
    "get_owner_usage",
    "list_bp_company_stats",
    "list_usage_groups",
]
