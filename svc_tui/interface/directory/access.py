"""Who reaches whose directory (4.9)."""

from __future__ import annotations

from svc_tui.interface.access import OWNER, Role, access

_COMPANY = {
    "end_customers": (Role.BP_ADMIN,),
    "organisation": (Role.ORGANIZATION_ADMIN,),
}
#: The directory of a company.
WRITE_COMPANY = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    **_COMPANY,
)
#: Entries of companies and of the caller's own, personal directory.
WRITE_ENTRIES = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    own=Role,
    **_COMPANY,
)
#: Everyone reads the directory of his own company, and his own.
READ_ENTRIES = access(any=(Role.SUPERADMIN, Role.SUPPORT), own_company=Role, own=Role, **_COMPANY)
#: The personal directory is nobody else's.
PERSONAL = OWNER
