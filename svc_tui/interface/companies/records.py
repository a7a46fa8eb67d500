"""Company records: settings, read formats, and the filters of the list (2.7, 4.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from svc_tui.interface.access import ADMIN_TYPES, Role
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.identity import NAME, IdentitySettings
from svc_tui.interface.companies.kinds import BROADER_READERS, MANAGING_READERS, BpType, CompanyStatus, Visibility
from svc_tui.interface.companies.partner import PartnerSettings
from svc_tui.interface.companies.service import ServiceSettings, Theme
from svc_tui.interface.customisation.records import CompanyFeatures
from svc_tui.interface.envelopes import FormatQuery, ListQuery
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.records import Belongs, Holds, Record
from svc_tui.interface.subscriptions.records import Subscription


class CompanySettings(CompanyFeatures, ServiceSettings, PartnerSettings, IdentitySettings):
    """The fields shared by creation, update and reading (2.7, 2.8); all are optional."""


class CompanyCreation(CompanySettings):
    """Body of the creation."""

    name: str = field(..., **NAME)


class CompanyUpdate(CompanySettings):
    """Body of the update: the fields that change."""


class DataLocation(Record):
    """Where a company's data is stored."""

    name: str | None = None
    location: str | None = None
    country: str | None = field(None, codes=COUNTRIES)


class Acceptance(Record):
    """Acceptance of the partner's contract: by whom and when."""

    acceptation_date: datetime | None = field(None, label="Acceptance date")
    bp_admin_id: str | None = field(None, label="Accepted by", refers="users")
    bp_admin_login_email: str | None = field(None, label="Login of the accepting administrator", personal=True)


class Company(CompanySettings):
    """A company, as read."""

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
    ALWAYS: ClassVar = ("id", "name")
    WHERE_APPLICABLE: ClassVar = ("numberUsers",)
    BELONGS: ClassVar = Belongs(user=(), company=("id",), site=())

    id: str | None = field(None, help="Identifier", group="Identity")
    creation_date: datetime | None = field(None, group="Dates")
    status_updated_date: datetime | None = field(None, group="Dates")
    last_avatar_update_date: datetime | None = field(None, group="Dates")
    last_banner_update_date: datetime | None = field(None, group="Dates")
    organisation_id: str | None = field(None, label="Organisation", group="Visibility and membership")
    number_users: int | None = field(
        None,
        label="Users",
        readers=MANAGING_READERS,
        help="Number of users; only for your own company and companies you manage",
        group="Identity",
    )
    data_location: DataLocation | None = field(None, help="Where the data is stored; set at creation", group="Address")
    selected_app_customisation_template: str | None = field(
        None,
        label="Applied template",
        refers="templates",
        help="Customisation template that was applied last",
        group="Appearance",
    )
    bp_contract_acceptation_info: Acceptance | None = field(None, label="Contract acceptance", group="Partner (BP)")
    subscriptions: list[Annotated[dict[str, Any], Holds(Subscription)]] | None = field(
        None, readers=BROADER_READERS, group="Subscriptions and billing"
    )
    bs_company_id: str | None = field(
        None,
        readers=BROADER_READERS,
        label="Business system ID",
        help="Identifier in the business systems",
        group="Subscriptions and billing",
    )
    billing_company_id: str | None = field(
        None,
        readers=BROADER_READERS,
        label="Billing ID",
        help="Identifier at the billing provider",
        group="Subscriptions and billing",
    )


class CompanyFormatQuery(FormatQuery):
    """The read format of one company."""

    format: ReadFormat = field("small", help="Number of fields in the record")
    selected_theme_obj: bool = field(
        False, label="Theme as an object", help="True returns the theme as {light, dark}, false as text"
    )


class ThemeQuery(Record):
    """The format of the answer to an update."""

    selected_theme_obj: bool = field(
        False, label="Theme as an object", help="True returns the theme as {light, dark}, false as text"
    )


class CompanyQuery(ListQuery):
    """Filters of the list of companies (4.4)."""

    name: str | None = field(None, help="Part of the name")
    status: CompanyStatus | None = field(None)
    visibility: Visibility | None = field(None)
    organisation_id: str | None = field(None, label="Organisation", help="Companies of this organisation")
    is_bp: bool | None = field(None, wire="isBP", label="Business partner (BP)", help="Partners, or all others")
    has_bp: bool | None = field(
        None, filters=("bpId",), wire="hasBP", label="With a partner", help="Companies with a partner, or without"
    )
    bp_type: BpType | None = field(None, label="Partner type")
    bp_id: str | None = field(None, refers="companies", help="Companies of this partner")
    catalog_id: str | None = field(None, label="Catalog", refers="catalogs", help="Companies with this catalog")
    offer_id: str | None = field(None, refers="offers", help="Companies with a subscription to this offer")
    offer_can_be_sold: bool | None = field(None, help="Companies with a subscription to an offer that can be sold")
    offer_group_name: str | None = field(None, help="Companies with a subscription to an offer of this group")
    external_reference: str | None = field(None, help="Beginning of the reference, case-sensitive")
    external_reference2: str | None = field(
        None, label="Second external reference", help="Beginning of the second reference, case-sensitive"
    )
    selected_app_customisation_template: str | None = field(
        None, label="Applied template", refers="templates", help="Companies to which this template was applied last"
    )
    selected_theme_obj: bool = field(
        False, label="Theme as an object", help="True returns the theme as {light, dark}, false as text"
    )
    sort_field: str | None = field("name", help="Field to sort by")


class AdministratorQuery(ListQuery):
    """Paging and sorting of the list of a company's administrators."""

    DEFAULT_SORT: ClassVar = "displayName"

    sort_field: str | None = field("displayName", help="Field to sort by")


class CountryName(Record):
    """A country and its code."""

    ALWAYS: ClassVar = ("isoAlpha3Code", "fullname")

    iso_alpha3_code: str | None = field(
        None, wire="isoAlpha3Code", label="Code", help="Three-letter code of ISO 3166-1"
    )
    fullname: str | None = field(None, label="Name")


#: All administrator roles.
ADMINS = frozenset({*BROADER_READERS.roles(), *ADMIN_TYPES, Role.DIRECTORY_ADMIN})

__all__ = [
    "ADMINS",
    "Acceptance",
    "AdministratorQuery",
    "Company",
    "CompanyCreation",
    "CompanyFormatQuery",
    "CompanyQuery",
    "CompanySettings",
    "CompanyUpdate",
    "CountryName",
    "DataLocation",
    "Theme",
    "ThemeQuery",
]
