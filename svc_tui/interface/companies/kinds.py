"""Value types of company settings and the access rules for setting them, shared by all groups of settings (2.7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, StringConstraints

from svc_tui.interface.access import Role, access
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.fields import Needs
from svc_tui.language import _

#: A local part, an @ and a domain with a dot, without blanks or control characters; case-sensitive.
EMAIL_PATTERN = r"^[^\s@<>\x00-\x1f\x7f]+@[^\s@<>\x00-\x1f\x7f]+\.[^\s@<>\x00-\x1f\x7f.]+$"
Email = Annotated[str, StringConstraints(min_length=3, max_length=255, pattern=EMAIL_PATTERN)]


def _country(value: str) -> str:
    if value not in COUNTRIES:
        raise ValueError(_("must be a three-letter country code of ISO 3166-1, for example FRA"))
    return value


Country = Annotated[str, StringConstraints(min_length=3, max_length=3), AfterValidator(_country)]
#: How every field with such a code is edited and shown.
COUNTRY: dict[str, Any] = {"picks": "countries", "codes": COUNTRIES}

MOST_KEYS, LONGEST_KEY, LONGEST_VALUE = 10, 64, 512


def _custom_data(value: dict[str, Any]) -> dict[str, Any]:
    if len(value) > MOST_KEYS:
        raise ValueError(_("has more than {most_keys} keys").format(most_keys=MOST_KEYS))
    for key, text in value.items():
        if not 1 <= len(key) <= LONGEST_KEY:
            raise ValueError(
                _("has a key of more than {longest_key} characters").format(longest_key=LONGEST_KEY)
                if key
                else _("has an empty key")
            )
        if not isinstance(text, str):
            raise ValueError(_("has a value for {key} that is not text").format(key=key))
        if len(text) > LONGEST_VALUE:
            raise ValueError(
                _("has a value of more than {longest_value} characters for {key}").format(
                    longest_value=LONGEST_VALUE, key=key
                )
            )
    return value


CustomData = Annotated[dict[str, Any], AfterValidator(_custom_data)]

BpType = Literal["IR", "VAD", "DR"]
Visibility = Literal["public", "private", "organization", "closed", "isolated"]
CompanyStatus = Literal["initializing", "active", "alerting", "hold", "terminated"]
OfferType = Literal["freemium", "premium"]

#: The only code of a company's business.
BUSINESS_CODES = {"HDS": _("hosting of health data")}
BP_TYPES = {"IR": _("indirect reseller"), "VAD": _("value added distributor"), "DR": _("direct reseller")}

# Who may set a field, by the relation between the caller's company and the company of the field.
SUPERADMIN = access(any=(Role.SUPERADMIN,))
BUSINESS = access(any=(Role.SUPERADMIN, Role.BUSINESS_ADMIN))
#: The bp_finance of the linked BP company.
LINKED_FINANCE = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_FINANCE,))
#: bp_admin and bp_finance of the BP, organization_admin of the organisation: for managed companies, not their own.
MANAGING = access(
    any=(Role.SUPERADMIN,),
    end_customers=(Role.BP_ADMIN, Role.BP_FINANCE),
    resellers=(Role.BP_ADMIN, Role.BP_FINANCE),
    organisation=(Role.ORGANIZATION_ADMIN,),
)
BP_ADMIN = access(
    any=(Role.SUPERADMIN,), own_company=(Role.BP_ADMIN,), end_customers=(Role.BP_ADMIN,), resellers=(Role.BP_ADMIN,)
)
#: The bp_admin of the distributor that a reseller is linked to.
VAD_ADMIN = access(any=(Role.SUPERADMIN,), end_customers=(Role.BP_ADMIN,))

# Who reads a field, of the companies that they read.
_ANY_COMPANY = (
    Role.SUPERADMIN,
    Role.SUPPORT,
    Role.CUSTOMER_SUCCESS_ADMIN,
    Role.SALES_ANALYTICS,
    Role.BUSINESS_ADMIN,
)
OF_COMPANY = (Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN, Role.SITE_ADMIN)
PARTNERS = (Role.BP_ADMIN, Role.BP_FINANCE)
#: An admin reads their own company, the companies they manage, and its BP; a distributor also its resellers' customers.
READ_COMPANY = access(
    any=_ANY_COMPANY,
    own_company=(*OF_COMPANY, *PARTNERS, Role.TELEPHONY_CPAAS),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_bp=OF_COMPANY,
    end_customers=PARTNERS,
    resellers=PARTNERS,
)
#: Roles that are broader than the administration of a company: others read these fields of no company.
BROADER_READERS = access(any=_ANY_COMPANY, own_company=PARTNERS, end_customers=PARTNERS, resellers=PARTNERS)
#: All users of the company, and those who manage it.
MANAGING_READERS = access(
    any=(Role.SUPERADMIN,),
    own_company=Role,
    end_customers=PARTNERS,
    resellers=PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
)

FOR_BP = Needs("isBP", True)
FOR_VAD = Needs("bpType", "VAD")
FOR_IR = Needs("bpType", "IR")
FOR_BUYERS = Needs("bpType", ("DR", "VAD"))
