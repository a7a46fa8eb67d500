"""Voice: the roles of its operations, their paths, and the refusals that all of them share (4.7)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.errors import Code

_MANAGING = {
    "end_customers": (Role.BP_ADMIN,),
    "organisation": (Role.ORGANIZATION_ADMIN,),
    "own_company": (Role.COMPANY_ADMIN,),
}
READ_VOICE = access(any=(Role.SUPERADMIN, Role.SUPPORT), site=(Role.SITE_ADMIN,), **_MANAGING)
WRITE_VOICE = access(any=(Role.SUPERADMIN,), **_MANAGING)
#: Also for the user of the extension.
READ_OWN_EXTENSION = access(any=(Role.SUPERADMIN, Role.SUPPORT), site=(Role.SITE_ADMIN,), own=Role, **_MANAGING)
#: Only the end customer's own administrator enables recording and reads recordings.
RECORDING = access(own_company=(Role.COMPANY_ADMIN,))
#: Superadmin names companies, sites or CloudPBXs; an organisation's administrator reads the whole organisation.
READ_ALL_RECORDINGS = access(any=(Role.SUPERADMIN,), organisation=(Role.ORGANIZATION_ADMIN,))
#: A bp_admin reads the trunks that name the BP's company.
READ_TRUNKS = access(any=(Role.SUPERADMIN,), own_company=(Role.BP_ADMIN,))
#: Links between CloudPBXs and trunks.
LINK_TRUNK = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_ADMIN,))

REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)

BASE = "/api/svc/voiceprovisioning/v1.0"
CLOUDPBXS = BASE + "/cloudpbxs"
CLOUDPBX = CLOUDPBXS + "/{systemId}"
SUBSCRIBERS = CLOUDPBX + "/subscribers"
SUBSCRIBER = SUBSCRIBERS + "/{phoneNumberId}"
