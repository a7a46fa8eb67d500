"""Settings of a company's identity, address and contacts (2.7)."""

from __future__ import annotations

from typing import Any, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.applications.records import Activity
from svc_tui.interface.companies.kinds import (
    ACTIVITIES,
    COUNTRY,
    MANAGING,
    READ_COMPANY,
    SUPERADMIN,
    CompanyStatus,
    OfferType,
    Visibility,
)
from svc_tui.interface.companies.texts import EMAIL_PATTERN, Country, CustomData, Email
from svc_tui.interface.fields import Needs, OwnField, Provided, field
from svc_tui.interface.records import Record, TextList
from svc_tui.language import _

_ID, _PLACE, _CONTACT, _VISIBILITY = "Identity", "Address", "Contacts", _("Visibility and membership")
_NOTES = _("Notes and references")
_MAIL: dict[str, Any] = {"min_length": 3, "max_length": 255, "pattern": EMAIL_PATTERN}

Size = Literal[
    "self-employed",
    "1-10 employees",
    "11-50 employees",
    "51-200 employees",
    "201-500 employees",
    "501-1000 employees",
    "1001-5000 employees",
    "5001-10,000 employees",
    "10,001+ employees",
]


NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "group": _ID, "help": _("Unique in the service")}


class IdentitySettings(Record):
    """Name, address, contacts, visibility, references."""

    name: str | None = field(None, **NAME)
    description: str | None = field(
        None, max_length=2000, multiline=True, group=_ID, help="What the company does", personal=True
    )
    slogan: str | None = field(None, max_length=255, group=_ID, help="Slogan shown below the name")
    website: str | None = field(None, max_length=2000, group=_ID, help="Address of the website")
    size: Size | None = field("self-employed", group=_ID, help="Number of employees")
    economic_activity_classification: Activity | None = field(
        None, label="Economic activity", group=_ID, choices=ACTIVITIES, help="Classification of the business"
    )
    status: CompanyStatus | None = field(None, setters=SUPERADMIN, group=_ID, help="Status of the company")
    offer_type: OfferType | None = field(
        "freemium",
        group=_ID,
        setters=access(
            any=(Role.SUPERADMIN,),
            end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
            organisation=(Role.ORGANIZATION_ADMIN,),
        ),
        help="A freemium company cannot take paid offers",
    )

    country: Country | None = field(
        "FRA", **COUNTRY, group=_PLACE, help="Country; it sets where the data is stored, once, at creation"
    )
    street: str | None = field(None, max_length=255, group=_PLACE, help="Street and number", personal=True)
    city: str | None = field(None, max_length=255, group=_PLACE, help="City", personal=True)
    postal_code: str | None = field(None, max_length=64, group=_PLACE, help="Postal code", personal=True)
    state: str | None = field(
        None,
        needs=Needs("country", ("USA", "CAN")),
        group=_PLACE,
        label="State or province",
        help="Of the address",
        personal=True,
    )
    timezone: str | None = field(None, group=_PLACE, help="Time zone, for example Europe/Paris")

    admin_email: str | None = field(
        None, **_MAIL, label="Administrator email", group=_CONTACT, help="Case-sensitive", personal=True
    )
    support_email: str | None = field(
        None, **_MAIL, group=_CONTACT, help="Email address of user support", personal=True
    )
    support_url_faq: str | None = field(
        None, wire="supportUrlFAQ", label="Support FAQ address", group=_CONTACT, help="Web page with common questions"
    )
    company_contact_id: str | None = field(
        None,
        label="Company contact",
        refers="users",
        accepts={"companyId": OwnField("id")},
        group=_CONTACT,
        help="User to contact about the company",
    )
    cs_email_list: list[Email] | None = field(
        None,
        max_length=10,
        label="Customer success emails",
        group=_CONTACT,
        help="Customer success contacts",
        personal=True,
    )
    csm_email_list: list[Email] | None = field(
        None,
        max_length=10,
        label="Customer success manager emails",
        group=_CONTACT,
        help="Customer success managers",
        personal=True,
    )
    se_email_list: list[Email] | None = field(
        None, max_length=10, label="Sales engineer emails", group=_CONTACT, help="Sales engineers", personal=True
    )
    kam_email_list: list[Email] | None = field(
        None,
        max_length=10,
        label="Key account manager emails",
        group=_CONTACT,
        help="Key account managers",
        personal=True,
    )

    visibility: Visibility | None = field("private", group=_VISIBILITY, help="Who can find the company's users")
    visible_by: list[str] | None = field(
        None,
        refers="companies",
        group=_VISIBILITY,
        help="Companies that can see it although it is private",
    )
    auto_accept_user_invitations: bool | None = field(
        True,
        label="Accept invitations automatically",
        group=_VISIBILITY,
        help="Invitations between users of the company are accepted automatically",
    )
    auto_add_to_user_network: bool | None = field(
        False,
        label="Connect users automatically",
        group=_VISIBILITY,
        help="All users of the company are in each other's network",
    )
    user_self_register_allowed_domains: TextList | None = field(
        None,
        label="Self-registration domains",
        group=_VISIBILITY,
        help="Users with an email address in these domains can register without an invitation",
    )

    external_reference: str | None = field(None, max_length=64, group=_NOTES, help="Reference in another system")
    external_reference2: str | None = field(
        None, max_length=64, label="Second external reference", group=_NOTES, help="Reference in another system"
    )
    salesforce_account_id: str | None = field(
        None, label="Salesforce account", readers=READ_COMPANY, group=_NOTES, help="Account in the sales system"
    )
    superadmin_comment: str | None = field(
        None,
        setters=SUPERADMIN,
        multiline=True,
        readers=READ_COMPANY,
        group=_NOTES,
        help="Note by the platform's administrators",
        personal=True,
    )
    business_data: dict[str, object] | None = field(
        None, readers=READ_COMPANY, group=_NOTES, help="Data from the business systems", personal=True
    )
    admin_can_set_custom_data: bool | None = field(
        None,
        setters=MANAGING,
        label="Right to set custom data",
        group=_NOTES,
        help="Whether the company's administrator may set the custom data",
    )
    custom_data: CustomData | None = field(
        None,
        pairs=True,
        setters=access(
            any=(Role.SUPERADMIN,),
            end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
            resellers=(Role.BP_ADMIN, Role.BP_FINANCE),
            organisation=(Role.ORGANIZATION_ADMIN,),
            own_company=(Role.COMPANY_ADMIN,),
        ),
        provided=[
            Provided(Role.COMPANY_ADMIN, Needs("adminCanSetCustomData", True), feature="ADMIN_CAN_SET_CUSTOM_DATA")
        ],
        group=_NOTES,
        help="Up to 10 keys of up to 64 characters, values of up to 512; replaces the present data",
        personal=True,
    )
