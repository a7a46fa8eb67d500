"""What all of voice shares: the roles of its operations, their paths and refusals, and types of values (2.14 to 2.17,
4.7).
"""

from __future__ import annotations

from typing import Literal, get_args

from svc_tui.interface.access import Role, access
from svc_tui.interface.errors import Code
from svc_tui.interface.value_words import LANGUAGE_NAMES
from svc_tui.language import _

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


Language = Literal["ro", "es", "it", "de", "fr", "en", "ar", "he", "nl", "pt_br"]
LANGUAGES: dict[str, str] = {code: LANGUAGE_NAMES[code] for code in get_args(Language)}

Switch = Literal["enabled", "disabled"]
OwnSwitch = Literal["enabled", "disabled", "company_policy"]
Forwarding = Literal["authorized", "not_authorized"]
OwnForwarding = Literal["company_policy", "authorized", "not_authorized"]
Forking = Literal["not_available", "not_activated", "activated"]
TransferMode = Literal["new_call", "attended_transfer", "blind_transfer", "optional"]
LinePolicy = Literal["mono_line", "multi_lines", "multi_lines_plus"]
DigitsLength = Literal["fixed", "variable"]
CliPolicy = Literal["installation_ddi_number", "user_ddi_number"]
PstnPolicy = Literal["company_policy", "none", "subscriber_ddi", "custom_ddi_number"]
Overflowing = Literal["default", "custom", "disabled"]
RecordingProfile = Literal["internal_only", "external_only", "all", "none"]

# Options of barring. `default` is the company's setting: only a subscriber has this option.
Permission = Literal["local", "nat_local", "int_nat_local"]
Restriction = Literal["no_restriction", "surcharged_numbers", "custom_numbers"]
OwnPermission = Literal["default", "local", "nat_local", "int_nat_local"]
OwnRestriction = Literal["default", "no_restriction", "surcharged_numbers", "custom_numbers"]
PERMISSIONS: dict[str, str] = {
    "local": _("internal calls only"),
    "nat_local": _("internal and national calls"),
    "int_nat_local": _("internal, national and international calls"),
}
RESTRICTIONS: dict[str, str] = {
    "no_restriction": _("no number is prohibited"),
    "surcharged_numbers": _("surcharged numbers are prohibited"),
    "custom_numbers": _("the numbers of the company's list are prohibited"),
}
CLI_POLICIES = {"installation_ddi_number": _("the company's number"), "user_ddi_number": _("the user's own number")}
OWN_PERMISSIONS = {"default": _("the company's setting"), **PERMISSIONS}
OWN_RESTRICTIONS = {"default": _("the company's setting"), **RESTRICTIONS}

#: Statuses of a CloudPBX and its extensions.
STATUSES = {"created": _("connected"), "disconnected": _("disconnected"), "activated": _("active")}

#: Seconds until an unanswered call overflows.
SHORTEST_DELAY, LONGEST_DELAY, DEFAULT_DELAY = 10, 60, 20
