"""Who does what in voice, where its operations lie, and what all of them can answer when they refuse (4.7)."""

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
#: Also the user whose extension it is.
READ_OWN_EXTENSION = access(any=(Role.SUPERADMIN, Role.SUPPORT), site=(Role.SITE_ADMIN,), own=Role, **_MANAGING)
#: Recording is switched on, and recordings are consulted, by the end customer's own administrator only.
RECORDING = access(own_company=(Role.COMPANY_ADMIN,))
#: Superadmin names what he looks at; an organisation's administrator looks at his organisation.
READ_ALL_RECORDINGS = access(any=(Role.SUPERADMIN,), organisation=(Role.ORGANIZATION_ADMIN,))
#: A bp_admin has the trunks that name his company.
READ_TRUNKS = access(any=(Role.SUPERADMIN,), own_company=(Role.BP_ADMIN,))
#: Who links a CloudPBX to a trunk.
LINK_TRUNK = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_ADMIN,))

REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)

BASE = "/api/svc/voiceprovisioning/v1.0"
CLOUDPBXS = BASE + "/cloudpbxs"
CLOUDPBX = CLOUDPBXS + "/{systemId}"
SUBSCRIBERS = CLOUDPBX + "/subscribers"
SUBSCRIBER = SUBSCRIBERS + "/{phoneNumberId}"
