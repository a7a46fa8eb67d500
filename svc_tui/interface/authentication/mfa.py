"""The second factor: a user's own, and the policy of a company (5.7 and its completion)."""

from __future__ import annotations

from typing import ClassVar, Literal

from svc_tui.interface.access import HIMSELF, Role, access
from svc_tui.interface.authentication.users import User
from svc_tui.interface.envelopes import Done, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import ReadFormat, Record, field

#: The limited token of a login that waits for its second factor.
LIMITED_SECONDS = 300

MfaType = Literal["none", "totp"]
_TYPES = {"none": "no second factor", "totp": "authenticator codes"}
MfaPolicy = Literal["never", "untrusted_only", "always"]


class Enrolment(Record):
    """What an authenticator needs: secret, otpauth address and the same as a QR picture (data URL)."""

    mfa_type: MfaType | None = None
    mfa_secret: str | None = field(None, secret=True)
    otp_auth_url: str | None = field(None, label="OTP address", secret=True)
    qrcode: str | None = field(None, secret=True)


class MfaCode(Record):
    """Body of the verification."""

    token: str = field(..., min_length=1, max_length=64, help="Six digits, or a recovery code", secret=True)
    trust_application: bool = field(False, help="Do not ask again in this application")


class Verified(Record):
    """Answer of the verification; a login in progress also gets its full login answer."""

    mfa_type: MfaType | None = None
    mfa_recovery_code: str | None = field(None, secret=True)
    token: str | None = field(None, secret=True)
    logged_in_user: User | None = None


class NewRecoveryCode(Record):
    status: str = ""
    mfa_recovery_code: str = field("", secret=True)


class MfaSettingBody(Record):
    """Policy of a company; the fields that may be set."""

    enabled_for_all_company_users: bool = field(False, help="Holds for all users; clears it on the other methods")
    mfa_name: str | None = field(None, help="Name of the method")
    mfa_type: MfaType | None = field(None, help="Kind of second factor", choices=_TYPES)
    mfa_policy: MfaPolicy = field("never", help="When the second factor is asked for")
    remember_days_application: int = field(365, ge=0, help="How long an application stays trusted", unit="days")
    mfa_can_be_disabled: bool = field(False, help="Whether users may switch it off")


class MfaSettingCreation(MfaSettingBody):
    """A new policy. The service demands no field; a policy without a name or a kind tells nobody what it is."""

    mfa_name: str | None = field(None, help="Name of the method", suggested="Authenticator")
    mfa_type: MfaType | None = field(None, help="Kind of second factor", choices=_TYPES, suggested="totp")


class MfaSetting(MfaSettingBody):
    """Policy of a company as it is read."""

    SMALL: ClassVar = ("mfaId", "mfaName", "mfaType")
    MEDIUM: ClassVar = (*SMALL, "enabledForAllCompanyUsers", "mfaPolicy", "rememberDaysApplication", "mfaCanBeDisabled")

    mfa_id: str | None = field(None, help="Identifier")


class MfaSettingQuery(Record):
    format: ReadFormat = field("medium", help="How many fields each record carries")


SETTINGS_ACCESS = access(
    any=(Role.SUPERADMIN,),
    end_customers=(Role.BP_ADMIN,),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN,),
)
_SETTING_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND)
_HIMSELF_REFUSALS = (Code.NOT_HIMSELF,)
_MFA = "/api/svc/enduser/v1.0/users/{userId}/mfa"
_SETTINGS = "/api/svc/admin/v1.0/companies/{companyId}/settings/svcmfa"

get_mfa = Operation(
    "get_mfa",
    "5.7",
    "GET",
    _MFA,
    "Start the enrolment: a secret for the authenticator",
    Single[Enrolment],
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=_HIMSELF_REFUSALS,
    changes=True,
)

verify_mfa = Operation(
    "verify_mfa",
    "5.7",
    "POST",
    _MFA + "/verify",
    "Prove the second factor",
    Single[Verified],
    HIMSELF,
    body=MfaCode,
    credentials=Credentials.LIMITED,
    refuses=(Code.VALIDATION, Code.WRONG_CREDENTIALS, *_HIMSELF_REFUSALS),
)

enable_mfa = Operation(
    "enable_mfa",
    "5.7",
    "PUT",
    _MFA,
    "Switch the second factor on, after its verification",
    Single[User],
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=_HIMSELF_REFUSALS,
)

disable_mfa = Operation(
    "disable_mfa",
    "5.7",
    "DELETE",
    _MFA,
    "Switch the second factor off, where the company allows it",
    Done,
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=(Code.ROLE_MISSING, *_HIMSELF_REFUSALS),
)

reset_mfa_recovery_code = Operation(
    "reset_mfa_recovery_code",
    "5.7",
    "DELETE",
    _MFA + "/recovery",
    "Replace the recovery code",
    NewRecoveryCode,
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=_HIMSELF_REFUSALS,
)

delete_mfa_trusted_applications = Operation(
    "delete_mfa_trusted_applications",
    "5.7",
    "DELETE",
    _MFA + "/trusted",
    "Forget all trusted applications",
    Done,
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=_HIMSELF_REFUSALS,
)

delete_mfa_trusted_application = Operation(
    "delete_mfa_trusted_application",
    "5.7",
    "DELETE",
    _MFA + "/trusted/{appId}",
    "Forget one trusted application",
    Done,
    HIMSELF,
    credentials=Credentials.LIMITED,
    refuses=(Code.NOT_FOUND_DELETE, *_HIMSELF_REFUSALS),
)

list_company_mfa_settings = Operation(
    "list_company_mfa_settings",
    "5.7",
    "GET",
    _SETTINGS,
    "Second factor policies of a company",
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
    "Add a policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    body=MfaSettingCreation,
    refuses=_SETTING_REFUSALS,
)

get_company_mfa_setting = Operation(
    "get_company_mfa_setting",
    "5.7",
    "GET",
    _SETTINGS + "/{mfaId}",
    "One policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    refuses=_SETTING_REFUSALS,
)

update_company_mfa_setting = Operation(
    "update_company_mfa_setting",
    "5.7",
    "PUT",
    _SETTINGS + "/{mfaId}",
    "Change a policy",
    Single[MfaSetting],
    SETTINGS_ACCESS,
    body=MfaSettingBody,
    refuses=(*_SETTING_REFUSALS, Code.NOTHING_TO_UPDATE),
)

delete_company_mfa_setting = Operation(
    "delete_company_mfa_setting",
    "5.7",
    "DELETE",
    _SETTINGS + "/{mfaId}",
    "Remove a policy",
    Done,
    SETTINGS_ACCESS,
    refuses=_SETTING_REFUSALS,
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
