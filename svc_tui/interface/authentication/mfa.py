"""Multi-factor authentication (MFA): a user's second factor and a company's policies (5.7)."""

from __future__ import annotations

from typing import ClassVar, Literal

from svc_tui.interface.access import OWNER, Role, access
from svc_tui.interface.authentication.sessions import LoggedInApplication
from svc_tui.interface.authentication.users import User
from svc_tui.interface.envelopes import Done, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record
from svc_tui.language import _

#: Lifetime of the limited token of a login that waits for its second factor.
LIMITED_SECONDS = 300

MfaType = Literal["none", "totp"]
_TYPES = {"none": _("no second factor"), "totp": _("authenticator codes")}
MfaPolicy = Literal["never", "untrusted_only", "always"]


class Enrolment(Record):
    """The data for an authenticator: secret, otpauth address, and the address as a QR code (data URL)."""

    mfa_type: MfaType | None = None
    mfa_secret: str | None = field(None, secret=True)
    otp_auth_url: str | None = field(None, label="OTP address", secret=True)
    qrcode: str | None = field(None, secret=True)


class MfaCode(Record):
    """Body of the verification."""

    token: str = field(
        ..., label="Code", min_length=1, max_length=64, help="Six digits, or a recovery code", secret=True
    )
    trust_application: bool = field(False, help="Skip the second factor for this application")


class Verified(Record):
    """The verified factor; during a login with the fields of the login response."""

    mfa_type: MfaType | None = None
    mfa_recovery_code: str | None = field(None, secret=True)
    token: str | None = field(None, secret=True)
    logged_in_user: User | None = None


class Verification(Record):
    """Answer to the verification; during a login it is the full login response too (2.4)."""

    data: Verified
    token: str | None = field(None, secret=True)
    mfa_required: bool | None = None
    logged_in_user: User | None = None
    logged_in_application: LoggedInApplication | None = None


class NewRecoveryCode(Record):
    status: str = ""
    mfa_recovery_code: str = field("", secret=True)


class MfaSettingBody(Record):
    """The writable fields of a company's MFA policy."""

    enabled_for_all_company_users: bool = field(
        False, label="Applies to all users", help="Enabling it disables it on the company's other policies"
    )
    mfa_name: str | None = field(None, help="Name of the method")
    mfa_type: MfaType | None = field(None, help="Kind of second factor", choices=_TYPES)
    mfa_policy: MfaPolicy = field("never", label="MFA required", help="When the second factor is required")
    remember_days_application: int = field(
        365, ge=0, label="Trust applications for", help="How long an application stays trusted", unit="days"
    )
    mfa_can_be_disabled: bool = field(
        False, label="Users can disable MFA", help="Whether users may disable their second factor"
    )


class MfaSettingCreation(MfaSettingBody):
    """A new policy. All fields are optional for the service; a form suggests the name and the type."""

    mfa_name: str | None = field(None, help="Name of the method", suggested=_("Authenticator"))
    mfa_type: MfaType | None = field(None, help="Kind of second factor", choices=_TYPES, suggested="totp")


class MfaSetting(MfaSettingBody):
    """A company's MFA policy, as read."""

    SMALL: ClassVar = ("mfaId", "mfaName", "mfaType")
    MEDIUM: ClassVar = (*SMALL, "enabledForAllCompanyUsers", "mfaPolicy", "rememberDaysApplication", "mfaCanBeDisabled")
    ALWAYS: ClassVar = ("mfaId", "mfaType")

    mfa_id: str | None = field(None, help="Identifier")


class MfaSettingQuery(Record):
    format: ReadFormat = field("medium", help="Number of fields in each record")


SETTINGS_ACCESS = access(
    any=(Role.SUPERADMIN,),
    end_customers=(Role.BP_ADMIN,),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN,),
)
_SETTING_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND)
_OWN_REFUSALS = (Code.NOT_SAME_USER,)
_MFA = "/api/svc/enduser/v1.0/users/{userId}/mfa"
_SETTINGS = "/api/svc/admin/v1.0/companies/{companyId}/settings/svcmfa"

get_mfa = Operation(
    "get_mfa",
    "5.7",
    "GET",
    _MFA,
    "Start the MFA enrolment and get a secret for the authenticator",
    Single[Enrolment],
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=_OWN_REFUSALS,
    changes=True,
    no_oauth=True,
)

verify_mfa = Operation(
    "verify_mfa",
    "5.7",
    "POST",
    _MFA + "/verify",
    "Verify a code of the second factor",
    Verification,
    OWNER,
    body=MfaCode,
    credentials=Credentials.LIMITED,
    refuses=(Code.VALIDATION, Code.WRONG_CREDENTIALS, *_OWN_REFUSALS),
    rate="second_factor",
    no_oauth=True,
)

enable_mfa = Operation(
    "enable_mfa",
    "5.7",
    "PUT",
    _MFA,
    "Enable the second factor after its verification",
    Single[User],
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=_OWN_REFUSALS,
    no_oauth=True,
)

disable_mfa = Operation(
    "disable_mfa",
    "5.7",
    "DELETE",
    _MFA,
    "Disable the second factor, if the company allows it",
    Done,
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=(Code.ROLE_MISSING, *_OWN_REFUSALS),
    no_oauth=True,
)

reset_mfa_recovery_code = Operation(
    "reset_mfa_recovery_code",
    "5.7",
    "DELETE",
    _MFA + "/recovery",
    "Replace the recovery code",
    NewRecoveryCode,
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=_OWN_REFUSALS,
    no_oauth=True,
)

delete_mfa_trusted_applications = Operation(
    "delete_mfa_trusted_applications",
    "5.7",
    "DELETE",
    _MFA + "/trusted",
    "Forget all trusted applications",
    Done,
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=_OWN_REFUSALS,
    no_oauth=True,
)

delete_mfa_trusted_application = Operation(
    "delete_mfa_trusted_application",
    "5.7",
    "DELETE",
    _MFA + "/trusted/{appId}",
    "Forget one trusted application",
    Done,
    OWNER,
    credentials=Credentials.LIMITED,
    refuses=(Code.NOT_FOUND_DELETE, *_OWN_REFUSALS),
    no_oauth=True,
)

list_company_mfa_settings = Operation(
    "list_company_mfa_settings",
    "5.7",
    "GET",
    _SETTINGS,
    "List a company's MFA policies",
    Plain[MfaSetting],
    SETTINGS_ACCESS,
    query=MfaSettingQuery,
    refuses=_SETTING_REFUSALS,
)

create_company_mfa_setting = Operation(
    "create_company_mfa_setting",
    "5.7",
    "POST",
    _SETTINGS,
    "Create an MFA policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    body=MfaSettingCreation,
    refuses=_SETTING_REFUSALS,
    no_oauth=True,
    creates="mfasettings",
)

get_company_mfa_setting = Operation(
    "get_company_mfa_setting",
    "5.7",
    "GET",
    _SETTINGS + "/{mfaId}",
    "Get an MFA policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    refuses=_SETTING_REFUSALS,
)

update_company_mfa_setting = Operation(
    "update_company_mfa_setting",
    "5.7",
    "PUT",
    _SETTINGS + "/{mfaId}",
    "Update an MFA policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    body=MfaSettingBody,
    refuses=(*_SETTING_REFUSALS, Code.NOTHING_TO_UPDATE),
    no_oauth=True,
    updates="mfasettings",
)

delete_company_mfa_setting = Operation(
    "delete_company_mfa_setting",
    "5.7",
    "DELETE",
    _SETTINGS + "/{mfaId}",
    "Delete an MFA policy",
    Done,
    SETTINGS_ACCESS,
    refuses=_SETTING_REFUSALS,
    no_oauth=True,
    deletes="mfasettings",
)

__all__ = [
    "Enrolment",
    "LIMITED_SECONDS",
    "MfaCode",
    "MfaPolicy",
    "MfaSetting",
    "MfaSettingBody",
    "MfaSettingCreation",
    "MfaSettingQuery",
    "MfaType",
    "NewRecoveryCode",
    "SETTINGS_ACCESS",
    "Verification",
    "Verified",
    "create_company_mfa_setting",
    "delete_company_mfa_setting",
    "delete_mfa_trusted_application",
    "delete_mfa_trusted_applications",
    "disable_mfa",
    "enable_mfa",
    "get_company_mfa_setting",
    "get_mfa",
    "list_company_mfa_settings",
    "reset_mfa_recovery_code",
    "update_company_mfa_setting",
    "verify_mfa",
]
