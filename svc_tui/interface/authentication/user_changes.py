"""Creation, update and deletion of users, a user's own password, and who may give which role (2.4).

The specification only reads users; these operations are those that public clients of such a service use.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from svc_tui.interface.access import OWNER, Role
from svc_tui.interface.authentication.user_rules import (
    ADMIN,
    ADMINISTER_USERS,
    BP_ROLES,
    DECISIVE,
    NEW_USER,
    PASSWORD_RULE,
    SHORTEST_PASSWORD,
    meets_rule,
    why_not_given,
)
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.kinds import COUNTRY
from svc_tui.interface.companies.texts import Country, Email, custom_data
from svc_tui.interface.envelopes import Done, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import Needs, field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record
from svc_tui.interface.texts import seen
from svc_tui.interface.value_words import LANGUAGE_NAMES, UNLIMITED
from svc_tui.language import _

_CustomData = Annotated[dict[str, Any], custom_data(20, 64, 4096)]
#: Countries whose addresses have a state.
STATE_COUNTRIES = ("USA", "CAN")
AdminType = Literal["undefined", "organization_admin", "company_admin", "site_admin"]
UserRole = Literal[
    "user",
    "admin",
    "superadmin",
    "support",
    "business_admin",
    "customer_success_admin",
    "sales_analytics",
    "bp_admin",
    "bp_finance",
    "directory_admin",
    "app_admin",
    "app_superadmin",
    "app_support",
    "telephony_cpaas",
]


def _password(value: str) -> str:
    if not meets_rule(value):
        raise ValueError(_("must have {rule}").format(rule=PASSWORD_RULE))
    return value


def _timezone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (LookupError, ValueError, OSError):
        raise ValueError(_("must be a time zone of the IANA database, for example Europe/Paris")) from None
    return value


def _own_numbers(value: object) -> object:
    """Telephone numbers without those of the telephone system: a client sends back what it read."""
    if not isinstance(value, list):
        return value
    return [each for each in value if not (isinstance(each, dict) and each.get("isFromSystem") is True)]


Password = Annotated[str, AfterValidator(_password)]
Timezone = Annotated[str, AfterValidator(_timezone)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}([-_][A-Za-z]{2})?$")]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=64)]
_Name = Annotated[str, AfterValidator(seen)]
_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "group": "Identity"}


class UserEmail(Record):
    """An email address of a user."""

    email: Email = field(..., help="Email address")
    type: Literal["home", "work", "other"] = field("work")


class UserPhoneNumber(Record):
    """A telephone number of a user; those of the telephone system are assigned there."""

    number: str = field(..., min_length=1, max_length=64, help="In the notation of its country, or in E.164")
    country: Country | None = field(None, **COUNTRY, help="Default: the country of the user, or else of the company")
    type: Literal["home", "work", "other"] = field("work")
    device_type: Literal["landline", "mobile", "fax", "other"] = field("landline")
    is_visible_by_others: bool = field(True, label="Visible to others")


PhoneNumbers = Annotated[list[UserPhoneNumber], BeforeValidator(_own_numbers)]


class UserUpdate(Record):
    """The update: the fields that change."""

    login_email: Email | None = field(None, help="Email address used as login, unique in the service", group="Identity")
    password: Password | None = field(None, help=PASSWORD_RULE, secret=True, group="Access")
    first_name: _Name | None = field(None, **_NAME)
    last_name: _Name | None = field(None, **_NAME)
    nick_name: str | None = field(None, max_length=255, group="Identity")
    title: str | None = field(None, max_length=40, help="Form of address, such as Ms or Dr", group="Identity")
    job_title: str | None = field(None, max_length=255, group="Identity")
    department: str | None = field(None, max_length=255, group="Identity")
    emails: list[UserEmail] | None = field(None, group="Contact")
    phone_numbers: PhoneNumbers | None = field(None, group="Contact")
    country: Country | None = field(None, **COUNTRY, help="ISO 3166-1 alpha-3", group="Contact")
    state: str | None = field(
        None, max_length=255, label="State or province", needs=Needs("country", STATE_COUNTRIES), group="Contact"
    )
    language: Language | None = field(None, codes=LANGUAGE_NAMES, help="For example en or en-US", group="Contact")
    timezone: Timezone | None = field(None, help="Time zone, for example Europe/Paris", group="Contact")
    roles: list[UserRole] | None = field(
        None, min_length=1, help="Roles that you have yourself; a superadmin gives any", group="Access"
    )
    admin_type: AdminType | None = field(
        None,
        label="Administrator type",
        choices={"undefined": "no administrator"},
        help="Required with the role admin",
        group="Access",
    )
    company_id: str | None = field(
        None, refers="companies", named_by=("companyName",), setters=(Role.SUPERADMIN,), group="Belongs to"
    )
    site_id: str | None = field(None, refers="sites", help="A site of the company", group="Belongs to")
    is_active: bool | None = field(None, help="An inactive user cannot log in", group="State")
    is_initialized: bool | None = field(None, group="State")
    visibility: Literal["same_than_company", "public", "private", "closed", "isolated", "none"] | None = field(
        None, group="Access"
    )
    time_to_live: int | None = field(None, ge=-1, label="Account lifetime", choices=UNLIMITED, unit="s", group="State")
    account_type: Literal["free", "basic", "advanced"] | None = field(None, group="State")
    tags: list[Tag] | None = field(None, max_length=5, group="Notes")
    user_info1: str | None = field(None, max_length=255, label="Note 1", group="Notes")
    user_info2: str | None = field(None, max_length=255, label="Note 2", group="Notes")
    authentication_type: Literal["DEFAULT", "SVC", "SAML", "OIDC"] | None = field(None, group="Access")
    authentication_external_uid: str | None = field(
        None,
        max_length=255,
        label="Identity provider user ID",
        help="Identifier at the identity provider, unique in the service",
        group="Access",
    )
    custom_data: _CustomData | None = field(None, pairs=True, group="Notes")


class UserCreation(UserUpdate):
    """The creation. Fields that are not sent have the defaults of `NEW_USER`."""

    login_email: Email = field(..., help="Email address used as login, unique in the service", group="Identity")
    first_name: _Name = field(..., **_NAME)
    last_name: _Name = field(..., **_NAME)
    company_id: str | None = field(None, refers="companies", help="Default: your own company", group="Belongs to")


class LicenceFields(Record):
    """Licences beside the fields of a user, which other operations assign (4.6)."""

    licences: list[str] | None = field(None, help="Beside the default licence of the company", group="Access")


class UserCreationQuery(Record):
    """What else a creation does."""

    send_invitation_email: bool = field(False, help="Accepted for other services; this server sends no mail")


class OwnPassword(Record):
    """A user's own new password."""

    old_password: str = field(..., min_length=1, label="Current password", secret=True)
    new_password: Password = field(..., help=PASSWORD_RULE, secret=True)


_USERS = "/api/svc/admin/v1.0/users"
_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED)
_CHANGES = (*_REFUSALS, Code.INVALID_NUMBER, Code.ALREADY_EXISTS)

create_user = Operation(
    "create_user",
    "2.4",
    "POST",
    _USERS,
    "Create a user",
    Single[User],
    ADMINISTER_USERS,
    query=UserCreationQuery,
    body=UserCreation,
    refuses=(*_CHANGES, Code.NOT_FOUND),
    creates="users",
)

update_user = Operation(
    "update_user",
    "2.4",
    "PUT",
    _USERS + "/{userId}",
    "Update a user; a new password unlocks the account and ends earlier sessions",
    Single[User],
    ADMINISTER_USERS,
    body=UserUpdate,
    refuses=(*_CHANGES, Code.NOTHING_TO_UPDATE, Code.NOT_FOUND_UPDATE),
    updates="users",
)

delete_user = Operation(
    "delete_user",
    "2.4",
    "DELETE",
    _USERS + "/{userId}",
    "Terminate a user and release licences, devices and numbers",
    Done,
    ADMINISTER_USERS,
    refuses=(*_REFUSALS, Code.NOT_FOUND_DELETE, Code.OWNS_APPLICATIONS, Code.USER_IN_WELCOME),
    deletes="users",
)

change_own_password = Operation(
    "change_own_password",
    "2.4",
    "PUT",
    "/api/svc/enduser/v1.0/users/{userId}/change-password",
    "Change your own password; earlier sessions end",
    Done,
    OWNER,
    body=OwnPassword,
    credentials=Credentials.TOKEN,
    refuses=(Code.VALIDATION, Code.WRONG_CREDENTIALS, Code.LOCKED, Code.NOT_SAME_USER),
    no_oauth=True,
)

__all__ = [
    "ADMIN",
    "ADMINISTER_USERS",
    "BP_ROLES",
    "DECISIVE",
    "LicenceFields",
    "NEW_USER",
    "OwnPassword",
    "PASSWORD_RULE",
    "SHORTEST_PASSWORD",
    "STATE_COUNTRIES",
    "UserCreation",
    "UserCreationQuery",
    "UserEmail",
    "UserPhoneNumber",
    "UserUpdate",
    "change_own_password",
    "create_user",
    "delete_user",
    "meets_rule",
    "update_user",
    "why_not_given",
]
