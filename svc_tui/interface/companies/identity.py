"""Settings that say who a company is, where it is and whom one reaches there (2.7)."""

from __future__ import annotations

from typing import Any, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.applications.records import ACTIVITIES, Activity
from svc_tui.interface.companies.kinds import (
    EMAIL_PATTERN,
    MANAGING,
    SUPERADMIN,
    Country,
    CustomData,
    Email,
    OfferType,
    Status,
    Visibility,
)
from svc_tui.interface.records import Needs, Provided, Record, TextList, field

_ID, _PLACE, _CONTACT, _SEEN = "Identity", "Address", "Contacts", "Visibility and membership"
_NOTES = "Notes and references"
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


NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "group": _ID, "help": "Name, unique in the service"}


class IdentitySettings(Record):
    """Name, address, contacts, visibility, references."""

    name: str | None = field(None, **NAME)
    description: str | None = field(None, max_length=2000, multiline=True, group=_ID, help="What the company does")
    slogan: str | None = field(None, max_length=255, group=_ID, help="Slogan under the name")
    website: str | None = field(None, max_length=2000, group=_ID, help="Address of the website")
    size: Size | None = field("self-employed", group=_ID, help="How many people work there")
    economic_activity_classification: Activity | None = field(
        None, group=_ID, choices=ACTIVITIES, help="Economic activity"
    )
    status: Status | None = field(None, setters=SUPERADMIN, group=_ID, help="State of the company")
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
        "FRA", group=_PLACE, help="Country; where the data lies is fixed by it at the creation, and never moves later"
    )
    street: str | None = field(None, max_length=255, group=_PLACE, help="Street and number")
    city: str | None = field(None, max_length=255, group=_PLACE, help="City")
    postal_code: str | None = field(None, max_length=64, group=_PLACE, help="Postal code")
    state: str | None = field(None, needs=Needs("country", ("USA", "CAN")), group=_PLACE, help="State or province")
    timezone: str | None = field(None, group=_PLACE, help="Time zone, e.g. Europe/Paris")

    admin_email: str | None = field(None, **_MAIL, group=_CONTACT, help="E-mail of the administrator, case sensitive")
    support_email: str | None = field(None, **_MAIL, group=_CONTACT, help="E-mail of the users' support")
    support_url_faq: str | None = field(
        None, wire="supportUrlFAQ", group=_CONTACT, help="Address of the frequently asked questions"
    )
    company_contact_id: str | None = field(None, refers="users", group=_CONTACT, help="The user to turn to")
    cs_email_list: list[Email] | None = field(None, max_length=10, group=_CONTACT, help="Customer success contacts")
    csm_email_list: list[Email] | None = field(None, max_length=10, group=_CONTACT, help="Customer success managers")
    se_email_list: list[Email] | None = field(None, max_length=10, group=_CONTACT, help="Sales engineers")
    kam_email_list: list[Email] | None = field(None, max_length=10, group=_CONTACT, help="Key account managers")

    visibility: Visibility | None = field("private", group=_SEEN, help="Who finds the company's users")
    visible_by: list[str] | None = field(
        None, refers="companies", group=_SEEN, help="Companies that see it although it is private"
    )
    auto_accept_user_invitations: bool | None = field(
        True, group=_SEEN, help="Invitations between its users are accepted by themselves"
    )
    auto_add_to_user_network: bool | None = field(
        False, group=_SEEN, help="Its users are in each other's network from the start"
    )
    user_self_register_allowed_domains: TextList | None = field(
        None, group=_SEEN, help="Who has an e-mail address of these domains may join by himself"
    )

    external_reference: str | None = field(None, max_length=64, group=_NOTES, help="Reference in another system")
    external_reference2: str | None = field(None, max_length=64, group=_NOTES, help="A second reference")
    salesforce_account_id: str | None = field(None, group=_NOTES, help="Account in the sales system")
    superadmin_comment: str | None = field(
        None, setters=SUPERADMIN, multiline=True, group=_NOTES, help="Note of the platform's administrators"
    )
    business_data: dict[str, object] | None = field(None, group=_NOTES, help="Data of the business systems")
    admin_can_set_custom_data: bool | None = field(
        None, setters=MANAGING, group=_NOTES, help="Whether the company's own administrator may set the custom data"
    )
    custom_data: CustomData | None = field(
        None,
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
        help="Free keys: at most 10, keys of up to 64 and values of up to 512 characters; replaces what was there",
    )
