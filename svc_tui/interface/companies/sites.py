"""Sites of companies: records and operations (4.4)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Done, ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Belongs, Record
from svc_tui.language import _

SiteStatus = Literal["active", "alerting", "hold", "terminated"]

_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "help": _("Name of the site")}


class Site(Record):
    """A site, as read."""

    SMALL: ClassVar = ("id", "name", "status", "companyId")
    MEDIUM: ClassVar = SMALL
    ALWAYS: ClassVar = SMALL
    BELONGS: ClassVar = Belongs(site=("id",))

    id: str | None = field(None, help="Identifier")
    name: str | None = field(None, **_NAME)
    status: SiteStatus | None = field("active")
    company_id: str | None = field(None, refers="companies", help="Company of the site")
    creation_date: str | None = field(None)


class SiteBody(Record):
    """Body of the creation."""

    name: str = field(..., **_NAME)
    company_id: str = field(..., refers="companies", help="Company of the site")
    status: SiteStatus | None = field("active")


class SiteUpdate(Record):
    """Body of the update: the fields that change."""

    name: str | None = field(None, **_NAME)
    company_id: str | None = field(None, refers="companies", help="Company of the site")
    status: SiteStatus | None = field(None)


class SiteQuery(ListQuery):
    """Filters of the list of sites."""

    name: str | None = field(None, help="Part of the name")
    company_id: str | None = field(None, refers="companies", help="Sites of this company")
    sort_field: str | None = field("name", help="Field to sort by")


_MANAGING = {
    "end_customers": (Role.BP_ADMIN,),
    "organisation": (Role.ORGANIZATION_ADMIN,),
    "own_company": (Role.COMPANY_ADMIN,),
}
READ_SITES = access(any=(Role.SUPERADMIN, Role.SUPPORT), site=(Role.SITE_ADMIN,), **_MANAGING)
WRITE_SITES = access(any=(Role.SUPERADMIN,), **_MANAGING)

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ALL = "/api/svc/admin/v1.0/sites"
_ONE = _ALL + "/{siteId}"

list_sites = Operation(
    "list_sites",
    "4.4",
    "GET",
    _ALL,
    "List the sites that the caller is responsible for",
    Page[Site],
    READ_SITES,
    query=SiteQuery,
    refuses=_REFUSALS,
)

create_site = Operation(
    "create_site",
    "4.4",
    "POST",
    _ALL,
    "Create a site",
    Single[Site],
    WRITE_SITES,
    body=SiteBody,
    refuses=_REFUSALS,
    creates="sites",
)

get_site = Operation(
    "get_site",
    "4.4",
    "GET",
    _ONE,
    "Get a site",
    Single[Site],
    READ_SITES,
    refuses=_REFUSALS,
)

update_site = Operation(
    "update_site",
    "4.4",
    "PUT",
    _ONE,
    "Update a site",
    Single[Site],
    WRITE_SITES,
    body=SiteUpdate,
    refuses=(*_REFUSALS, Code.NOTHING_TO_UPDATE),
    updates="sites",
)

delete_site = Operation(
    "delete_site",
    "4.4",
    "DELETE",
    _ONE,
    "Delete a site without systems",
    Done,
    WRITE_SITES,
    refuses=(*_REFUSALS, Code.SITE_HAS_SYSTEMS),
    deletes="sites",
)

__all__ = [
    "READ_SITES",
    "Site",
    "SiteBody",
    "SiteQuery",
    "SiteStatus",
    "SiteUpdate",
    "WRITE_SITES",
    "create_site",
    "delete_site",
    "get_site",
    "list_sites",
    "update_site",
]
