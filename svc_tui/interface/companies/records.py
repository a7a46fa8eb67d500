"""The company: what may be set of it, what is read of it, and the filters of its list (2.7, 4.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from svc_tui.interface.access import ADMIN_TYPES, Caller, Role
from svc_tui.interface.companies.identity import NAME, IdentitySettings
from svc_tui.interface.companies.kinds import BpType, Status, Visibility
from svc_tui.interface.companies.partner import PartnerSettings
from svc_tui.interface.companies.service import ServiceSettings, Theme
from svc_tui.interface.customisation.features import CompanyFeatures
from svc_tui.interface.envelopes import FormatQuery, ListQuery
from svc_tui.interface.records import ReadFormat, Record, field

#: These two companies always exist: they cannot be renamed or deleted, and nobody else gets their names.
DEFAULT_NAME, TERMINATED_NAME = "Default", "Terminated"
RESERVED_NAMES = (DEFAULT_NAME, TERMINATED_NAME)


class CompanySettings(CompanyFeatures, ServiceSettings, PartnerSettings, IdentitySettings):
    """What creation, update and reading share (2.7, 2.8). Every field here is optional."""


class CompanyCreation(CompanySettings):
    """Body of the creation."""

    name: str = field(..., **NAME)


class CompanyUpdate(CompanySettings):
    """Body of the update: the fields that change."""


class DataLocation(Record):
    """Where a company's data lies."""

    name: str | None = None
    location: str | None = None
    country: str | None = None


class Acceptance(Record):
    """Who accepted the partner's contract, and when."""

    acceptation_date: datetime | None = None
    bp_admin_id: str | None = field(None, refers="users")
    bp_admin_login_email: str | None = None


class Company(CompanySettings):
    """A company as it is read."""

    SMALL: ClassVar = ("id", "name")
    MEDIUM: ClassVar = (
        *SMALL,
        "status",
        "adminEmail",
        "companyContactId",
        "isBP",
        "bpType",
        "country",
        "website",
        "slogan",
        "description",
        "size",
        "economicActivityClassification",
        "creationDate",
        "lastAvatarUpdateDate",
        "lastBannerUpdateDate",
        "avatarShape",
        "visibility",
    )

    id: str | None = field(None, help="Identifier", group="Identity")
    creation_date: datetime | None = field(None, group="Dates")
    status_updated_date: datetime | None = field(None, group="Dates")
    last_avatar_update_date: datetime | None = field(None, group="Dates")
    last_banner_update_date: datetime | None = field(None, group="Dates")
    organisation_id: str | None = field(None, help="The organisation it belongs to", group="Visibility and membership")
    number_users: int | None = field(
        None,
        label="Users",
        help="How many users it has; shown of one's own company and those one manages",
        group="Identity",
    )
    data_location: DataLocation | None = field(None, help="Where its data lies, since the creation", group="Address")
    selected_app_customisation_template: str | None = field(
        None, refers="templates", help="The template applied last", group="Appearance"
    )
    bp_contract_acceptation_info: Acceptance | None = field(None, group="Partner (BP)")
    subscriptions: list[dict[str, Any]] | None = field(None, group="Subscriptions and billing")
    bs_company_id: str | None = field(
        None, help="Identifier in the business systems", group="Subscriptions and billing"
    )
    billing_company_id: str | None = field(
        None, help="Identifier at the billing provider", group="Subscriptions and billing"
    )


#: Left out of `full` for an admin without a broader role (2.7).
LEFT_OUT = (
    "subscriptions",
    "bsCompanyId",
    "billingCompanyId",
    "bpBusinessModel",
    "bpApplicantNumber",
    "bpCRDid",
    "bpIsContractAccepted",
    "bpHasRightToSell",
    "bpHasRightToConnect",
    "bpHasRightForBYOT",
    "preferredSipLoadBalancerId",
)

#: Roles that read these as well.
BROADER = frozenset(
    {
        Role.SUPERADMIN,
        Role.SUPPORT,
        Role.BUSINESS_ADMIN,
        Role.CUSTOMER_SUCCESS_ADMIN,
        Role.SALES_ANALYTICS,
        Role.BP_ADMIN,
        Role.BP_FINANCE,
    }
)


def left_out(caller: Caller) -> frozenset[str]:
    """The wire names that this caller never reads of a company."""
    return frozenset() if caller.roles & BROADER else frozenset(LEFT_OUT)


class CompanyFormatQuery(FormatQuery):
    """How one company is read."""

    format: ReadFormat = field("small", help="How many fields the record carries")
    selected_theme_obj: bool = field(False, help="True gives selectedTheme as {light, dark}, false as a text")


class ThemeQuery(Record):
    """How the updated company is answered."""

    selected_theme_obj: bool = field(False, help="True gives selectedTheme as {light, dark}, false as a text")


class CompanyQuery(ListQuery):
    """Filters of the list of companies (4.4)."""

    name: str | None = field(None, help="Part of the name")
    status: Status | None = field(None, help="State")
    visibility: Visibility | None = field(None, help="Visibility")
    organisation_id: str | None = field(None, help="Companies of this organisation")
    is_bp: bool | None = field(None, wire="isBP", help="Partners, or all others")
    has_bp: bool | None = field(None, wire="hasBP", label="With a BP", help="Companies with a partner, or without")
    bp_type: BpType | None = field(None, help="Kind of partner")
    bp_id: str | None = field(None, refers="companies", help="Companies of this partner")
    catalog_id: str | None = field(None, refers="catalogs", help="Companies with this catalog")
    offer_id: str | None = field(None, refers="offers", help="Companies that subscribed this offer")
    offer_can_be_sold: bool | None = field(None, help="Companies with a subscription to an offer that can be sold")
    offer_group_name: str | None = field(None, help="Companies with a subscription to an offer of this group")
    external_reference: str | None = field(None, help="The reference begins like this, case sensitive")
    external_reference2: str | None = field(None, help="The second reference begins like this, case sensitive")
    selected_app_customisation_template: str | None = field(
        None, refers="templates", help="Companies that this template was applied to last"
    )
    selected_theme_obj: bool = field(False, help="True gives selectedTheme as {light, dark}, false as a text")
    sort_field: str | None = field("name", help="Field to sort by")


class AdministratorQuery(ListQuery):
    """How the administrators of a company are listed."""

    DEFAULT_SORT: ClassVar = "displayName"

    sort_field: str | None = field("displayName", help="Field to sort by")


class CountryName(Record):
    """A country and its code."""

    iso_alpha3_code: str | None = field(None, wire="isoAlpha3Code", help="Three-letter code of ISO 3166-1")
    fullname: str | None = field(None, help="Name")


#: Roles that are some kind of admin.
ADMINS = frozenset({*BROADER, *ADMIN_TYPES, Role.DIRECTORY_ADMIN})

__all__ = [
    "ADMINS",
    "Acceptance",
    "AdministratorQuery",
    "BROADER",
    "Company",
    "CompanyCreation",
    "CompanyFormatQuery",
    "CompanyQuery",
    "CompanySettings",
    "CompanyUpdate",
    "CountryName",
    "DEFAULT_NAME",
    "DataLocation",
    "LEFT_OUT",
    "RESERVED_NAMES",
    "TERMINATED_NAME",
    "Theme",
    "ThemeQuery",
    "left_out",
]
