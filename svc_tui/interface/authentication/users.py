"""Users: records and the operations that read them (2.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from svc_tui.interface.access import OWNER, Role, access
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.customisation.features import FEATURES
from svc_tui.interface.customisation.records import UserFeatures
from svc_tui.interface.envelopes import FormatQuery, ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Belongs, Holds, Record
from svc_tui.interface.subscriptions.licences import UserProfile
from svc_tui.interface.value_words import LANGUAGE_NAMES, UNLIMITED

#: The operations that end a login: only their answers have the password of the messaging service.
LOGINS = ("login", "renew_token", "oidc_id_token_login", "poll_backchannel_session", "verify_mfa")
USER_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)


class LoginPhone(Record):
    """A phone number used as login."""

    is_validated: bool | None = None
    e164: str | None = field(None, wire="E164", personal=True)
    national: str | None = field(None, personal=True)
    national_without_prefix: str | None = field(None, personal=True)
    e164_without_prefix: str | None = field(None, wire="E164WithoutPrefix", personal=True)
    e164_with_national_prefix: str | None = field(None, wire="E164WithNationalPrefix", personal=True)
    e164_with_national_prefix_without_prefix: str | None = field(
        None, wire="E164WithNationalPrefixWithoutPrefix", personal=True
    )


class Email(Record):
    email: str | None = field(None, personal=True)
    type: str | None = None


class PhoneNumber(Record):
    """A phone number of a user."""

    short_number: str | None = field(None, personal=True)
    pbx_id: str | None = None
    system_id: str | None = None
    country: str | None = field(None, codes=COUNTRIES)
    number: str | None = field(None, personal=True)
    number_e164: str | None = field(None, wire="numberE164", personal=True)
    phone_number_id: str | None = None
    is_monitored: bool | None = None
    is_from_system: bool | None = None
    device_type: Literal["landline", "mobile", "fax", "other"] | None = None
    type: Literal["home", "work", "other"] | None = None
    is_visible_by_others: bool | None = field(None, label="Visible to others")


#: Who may read why a login of a user fails. The user may not.
LOGIN_READERS = access(
    any=(Role.SUPERADMIN, Role.SUPPORT, Role.BUSINESS_ADMIN, Role.CUSTOMER_SUCCESS_ADMIN),
    end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.SITE_ADMIN),
)


class UserFields(Record):
    """The fields of a user beside the feature keys."""

    id: str | None = field(None, help="Identifier", group="Identity")
    login_email: str | None = field(None, help="Email address used as login", group="Identity", personal=True)
    login_phone: LoginPhone | None = field(None, help="Phone number used as login", group="Identity")
    first_name: str | None = field(None, group="Identity", personal=True)
    last_name: str | None = field(None, group="Identity", personal=True)
    display_name: str | None = field(None, group="Identity", personal=True)
    nick_name: str | None = field(None, group="Identity", personal=True)
    title: str | None = field(None, group="Identity", personal=True)
    job_title: str | None = field(None, group="Identity", personal=True)
    department: str | None = field(None, group="Identity", personal=True)
    emails: list[Email] | None = field(None, group="Contact")
    phone_numbers: list[PhoneNumber] | None = field(None, group="Contact")
    country: str | None = field(None, codes=COUNTRIES, help="ISO 3166-1 alpha-3", group="Contact")
    language: str | None = field(None, codes=LANGUAGE_NAMES, group="Contact")
    timezone: str | None = field(None, group="Contact")
    jid_im: str | None = field(None, wire="jid_im", group="Messaging", personal=True)
    jid_tel: str | None = field(None, wire="jid_tel", group="Messaging", personal=True)
    jid_password: str | None = field(
        None, wire="jid_password", group="Messaging", secret=True, only_in=LOGINS, help="Only in the answer to a login"
    )
    roles: list[str] = field([], group="Access")
    admin_type: str | None = field(
        None, label="Administrator type", choices={"undefined": "no administrator"}, group="Access"
    )
    company_id: str | None = field(None, refers="companies", named_by=("companyName",), group="Belongs to")
    company_name: str | None = field(None, group="Belongs to")
    is_in_default_company: bool | None = field(None, group="Belongs to")
    organisation_id: str | None = field(None, label="Organisation", group="Belongs to")
    site_id: str | None = field(None, group="Belongs to")
    visibility: Literal["same_than_company", "public", "private", "closed", "isolated", "none"] | None = field(
        None, group="Access"
    )
    is_active: bool | None = field(None, group="State")
    is_initialized: bool | None = field(None, group="State")
    is_terminated: bool | None = field(None, group="State")
    state: str | None = field(
        None, label="State or province", help="Only in the USA and Canada", group="Contact", personal=True
    )
    time_to_live: int | None = field(None, label="Account lifetime", choices=UNLIMITED, unit="s", group="State")
    account_type: Literal["free", "basic", "advanced"] | None = field(None, group="State")
    locked_until: datetime | None = field(
        None, readers=LOGIN_READERS, help="End of the lock after failed logins; a new password unlocks", group="State"
    )
    failed_logins: int | None = field(
        None, readers=LOGIN_READERS, help="Failed logins since the last success", group="State"
    )
    guest_mode: bool | None = field(None, group="State")
    initialization_date: datetime | None = field(None, group="Dates")
    activation_date: datetime | None = field(None, group="Dates")
    creation_date: datetime | None = field(None, group="Dates")
    last_update_date: datetime | None = field(None, group="Dates")
    last_avatar_update_date: datetime | None = field(None, group="Dates")
    first_login_date: datetime | None = field(None, group="Dates")
    last_login_date: datetime | None = field(None, group="Dates")
    logged_since: datetime | None = field(None, group="Dates")
    last_seen_date: datetime | None = field(None, group="Dates")
    created_by_self_register: bool | None = field(None, label="Self-registered", group="Origin")
    created_by_admin: dict[str, Any] | None = field(
        None, label="Created by administrator", group="Origin", personal=True
    )
    invited_by: dict[str, Any] | None = field(None, group="Origin", personal=True)
    authentication_type: Literal["DEFAULT", "SVC", "SAML", "OIDC"] | None = field(None, group="Access")
    authentication_external_uid: str | None = field(
        None,
        label="Identity provider user ID",
        help="Identifier at the identity provider",
        group="Access",
        personal=True,
    )
    user_info1: str | None = field(None, label="Note 1", group="Notes", personal=True)
    user_info2: str | None = field(None, label="Note 2", group="Notes", personal=True)
    tags: list[str] | None = field(None, max_length=5, group="Notes", personal=True)
    profiles: list[Annotated[dict[str, Any], Holds(UserProfile)]] | None = field(
        None, label="Licences", group="Licences"
    )
    mfa_svc_auth: dict[str, Any] | None = field(None, label="MFA", help="Second factor of the user", group="Access")
    custom_data: dict[str, Any] | None = field(None, pairs=True, group="Notes", personal=True)


class User(UserFeatures, UserFields):
    """A user, as read, and the `loggedInUser` of a login."""

    SMALL: ClassVar = ("id", "displayName", "loginEmail", "companyId")
    MEDIUM: ClassVar = (
        *SMALL,
        "firstName",
        "lastName",
        "companyName",
        "roles",
        "adminType",
        "isActive",
        "lastLoginDate",
    )
    ALWAYS: ClassVar = SMALL
    #: A user has the feature keys of the template that was applied last.
    WHERE_APPLICABLE: ClassVar = ("lockedUntil", "failedLogins", *(feature.key for feature in FEATURES))
    BELONGS: ClassVar = Belongs(user=("id",))


class UserQuery(ListQuery):
    """Filters of the user list."""

    DEFAULT_SORT: ClassVar = "displayName"

    company_id: str | None = field(None, help="Users of this company", refers="companies")
    roles: str | None = field("user", help="Role names, comma-separated", several=str)
    display_name: str | None = field(None, help="Part of the display name")
    search_email: str | None = field(
        None, filters=("loginEmail",), label="Login contains", help="Part of the login email address"
    )
    login_email: str | None = field(None, help="Complete login email address")
    company_name: str | None = field(None, help="Part of the company name")
    organisation_id: str | None = field(None, label="Organisation", help="Users of this organisation")
    site_id: str | None = field(None, help="Users of this site")
    is_terminated: bool = field(False, help="Terminated users, or all others")
    sort_field: str | None = field("displayName", help="Field to sort by")


class OwnUserQuery(Record):
    """The read format of your own user."""

    format: ReadFormat = field("full", help="Number of fields in each record")


READ_USERS = access(
    any=(Role.SUPERADMIN, Role.SUPPORT),
    end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN, Role.SITE_ADMIN),
)

get_own_user = Operation(
    "get_own_user",
    "2.4",
    "GET",
    "/api/svc/enduser/v1.0/users/me",
    "Get the user of the credentials",
    Single[User],
    OWNER,
)

get_user_as_user = Operation(
    "get_user_as_user",
    "2.4",
    "GET",
    "/api/svc/enduser/v1.0/users/{userId}",
    "Get your own user by its ID",
    Single[User],
    OWNER,
    query=OwnUserQuery,
    refuses=(Code.VALIDATION, Code.NOT_SAME_USER),
)

list_users = Operation(
    "list_users",
    "2.6",
    "GET",
    "/api/svc/admin/v1.0/users",
    "List the users that the caller is responsible for",
    Page[User],
    READ_USERS,
    query=UserQuery,
    refuses=USER_REFUSALS,
)

get_user = Operation(
    "get_user",
    "2.6",
    "GET",
    "/api/svc/admin/v1.0/users/{userId}",
    "Get a user",
    Single[User],
    READ_USERS,
    query=FormatQuery,
    refuses=USER_REFUSALS,
)

__all__ = [
    "Email",
    "LOGIN_READERS",
    "LoginPhone",
    "OwnUserQuery",
    "PhoneNumber",
    "READ_USERS",
    "User",
    "UserQuery",
    "get_own_user",
    "get_user",
    "get_user_as_user",
    "list_users",
]
