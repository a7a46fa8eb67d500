"""The operations on companies (4.4)."""

from __future__ import annotations

from svc_tui.interface.access import OWNER, Role, access
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.access import CREATE_COMPANY, DELETE_COMPANY, LIST_COMPANIES, UPDATE_COMPANY
from svc_tui.interface.companies.kinds import READ_COMPANY
from svc_tui.interface.companies.records import (
    ADMINS,
    AdministratorQuery,
    Company,
    CompanyCreation,
    CompanyFormatQuery,
    CompanyQuery,
    CompanyUpdate,
    CountryName,
    ThemeQuery,
)
from svc_tui.interface.envelopes import Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation

READ_ADMINISTRATORS = access(
    any=(Role.SUPERADMIN, Role.SUPPORT),
    end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN,),
)

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_NAMES = (Code.RESERVED_NAME, Code.NAME_EXISTS, Code.VISIBILITY, Code.SAME_COMPANY)
_ALL = "/api/svc/admin/v1.0/companies"
_ONE = _ALL + "/{companyId}"

list_companies = Operation(
    "list_companies",
    "4.4",
    "GET",
    _ALL,
    "List the companies that the caller may see",
    Page[Company],
    LIST_COMPANIES,
    query=CompanyQuery,
    refuses=_REFUSALS,
)

create_company = Operation(
    "create_company",
    "4.4",
    "POST",
    _ALL,
    "Create a company",
    Single[Company],
    CREATE_COMPANY,
    body=CompanyCreation,
    refuses=(*_REFUSALS, *_NAMES),
    creates="companies",
)

get_default_company = Operation(
    "get_default_company",
    "4.4",
    "GET",
    _ALL + "/default",
    "Get the Default company",
    Single[Company],
    access(any=ADMINS),
    query=CompanyFormatQuery,
    refuses=_REFUSALS,
)

get_company = Operation(
    "get_company",
    "4.4",
    "GET",
    _ONE,
    "Get a company",
    Single[Company],
    READ_COMPANY,
    query=CompanyFormatQuery,
    refuses=_REFUSALS,
)

update_company = Operation(
    "update_company",
    "4.4",
    "PUT",
    _ONE,
    "Update the settings of a company",
    Single[Company],
    UPDATE_COMPANY,
    query=ThemeQuery,
    body=CompanyUpdate,
    refuses=(*_REFUSALS, *_NAMES, Code.NOTHING_TO_UPDATE),
    updates="companies",
)

delete_company = Operation(
    "delete_company",
    "4.4",
    "DELETE",
    _ONE,
    "Terminate a company",
    Single[Company],
    DELETE_COMPANY,
    refuses=(
        *_REFUSALS,
        Code.LINKED_COMPANIES,
        Code.HAS_SUBSCRIPTIONS,
        Code.HAS_SITES,
        Code.HAS_USERS,
        Code.IS_TERMINATED,
    ),
    deletes="companies",
)

list_company_administrators = Operation(
    "list_company_administrators",
    "4.4",
    "GET",
    _ONE + "/administrators",
    "List the administrators of a company",
    Page[User],
    READ_ADMINISTRATORS,
    query=AdministratorQuery,
    refuses=_REFUSALS,
)

get_company_as_user = Operation(
    "get_company_as_user",
    "4.4",
    "GET",
    "/api/svc/enduser/v1.0/companies/{companyId}",
    "Get the user's own company or a visible one",
    Single[Company],
    OWNER,
    query=CompanyFormatQuery,
    refuses=_REFUSALS,
)

list_countries = Operation(
    "list_countries",
    "2.7",
    "GET",
    "/api/svc/enduser/v1.0/countries",
    "List countries and their codes",
    Plain[CountryName],
    OWNER,
)

__all__ = [
    "READ_ADMINISTRATORS",
    "create_company",
    "delete_company",
    "get_company",
    "get_company_as_user",
    "get_default_company",
    "list_companies",
    "list_company_administrators",
    "list_countries",
    "update_company",
]
