"""Access to directories by role (4.9)."""

from __future__ import annotations

from svc_tui.interface.access import OWNER, Role, access

_COMPANY = {
    "end_customers": (Role.BP_ADMIN,),
    "organisation": (Role.ORGANIZATION_ADMIN,),
}
#: Changing the whole directory of a company.
WRITE_COMPANY = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    **_COMPANY,
)
#: Changing entries of companies, and of the caller's personal directory.
WRITE_ENTRIES = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    own=Role,
    **_COMPANY,
)
#: Every role reads the directory of its own company, and the personal directory.
READ_ENTRIES = access(any=(Role.SUPERADMIN, Role.SUPPORT), own_company=Role, own=Role, **_COMPANY)
#: A personal directory is available only to its user.
PERSONAL = OWNER
